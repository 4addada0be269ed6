/** Formats what hooks and other agents send to the model. */
import { remind } from '../../base/text/remind.js';
import type { HookResult } from '../../runner/outcome.js';
import { type AddedText, addContext, addText } from '../transcript/added-text.js';

/** Context added by the hooks of one event. `place` is the event and its subject, such as `PreToolUse:Bash`. */
export function remindOfContext(place: string, texts: readonly string[]): AddedText[] {
  const content = texts.filter((text) => text.trim() !== '');
  const [hookEvent = place] = place.split(':');
  return content.length === 0 ? [] : [addContext({ hookName: place, hookEvent, content })];
}

/** All refusals, in the order of the hooks. */
export function refusals(results: readonly HookResult[]): readonly HookResult[] {
  return results.filter(({ decision }) => decision === 'deny');
}

export const reasonOf = ({ reason }: HookResult): string => reason || 'no reason given';

export function remindOfRefusals(place: string, results: readonly HookResult[]): AddedText[] {
  return refusals(results).map((result) =>
    addText(remind(`${place} hook ${JSON.stringify(result.name)} objects: ${reasonOf(result)}`)),
  );
}

/** Feedback as a separate message that the model must act on. */
export function feedbackOf(place: string, result: HookResult): string {
  return `${place} hook feedback:\n${reasonOf(result)}`;
}
