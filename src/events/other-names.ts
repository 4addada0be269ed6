/** What other hosts call the events, for suggestions. */
import type { AnyEvent } from './types.js';

const OTHER_NAMES: Readonly<Record<string, AnyEvent>> = {
  beforetool: 'PreToolUse',
  beforetooluse: 'PreToolUse',
  beforeshellexecution: 'PreToolUse',
  aftertool: 'PostToolUse',
  aftertooluse: 'PostToolUse',
  afterfileedit: 'PostToolUse',
  beforeprompt: 'UserPromptSubmit',
  beforesubmitprompt: 'UserPromptSubmit',
  promptsubmit: 'UserPromptSubmit',
  start: 'SessionStart',
  end: 'SessionEnd',
  afteragent: 'Stop',
};

/** The event that such a name means, in whatever spelling. */
export function eventCalled(name: string): AnyEvent | undefined {
  const plain = name.toLowerCase().replaceAll(/[-_\s]/g, '');
  return Object.hasOwn(OTHER_NAMES, plain) ? OTHER_NAMES[plain] : undefined;
}
