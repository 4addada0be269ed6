/** Text that no person wrote and that reaches the model beside a prompt or a tool's result. */
import { remind } from '../../base/text/remind.js';

/** What the hooks of one event added for the model. */
export interface HookContext {
  /** The event and what it was about, such as `PreToolUse:Bash`. */
  readonly hookName: string;
  readonly hookEvent: string;
  /** One text for each hook. */
  readonly content: readonly string[];
}

/** A text for the model. Lines of a transcript keep it apart from what people and tools said. */
export interface AddedText {
  readonly type: 'added';
  /** As the model reads it. */
  readonly text: string;
  /** Set if hooks added it as context. */
  readonly context?: HookContext;
}

export const addText = (text: string): AddedText => ({ type: 'added', text });

/** The model reads the texts of one event as one reminder. */
export function addContext(context: HookContext): AddedText {
  const text = remind(`${context.hookName} hook adds: ${context.content.join('\n')}`);
  return { type: 'added', text, context };
}
