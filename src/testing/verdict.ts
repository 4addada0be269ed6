/** What an outcome comes to, in one word, one sentence and one exit code. */

import { EXIT } from '../base/exit-codes.js';
import { rowOf } from '../events/registry.js';
import type { EventRow } from '../events/row.js';
import type { HookOutcome, HookResult } from '../runner/outcome.js';

export type Word =
  | 'denied'
  | 'asks'
  | 'allowed'
  | 'deferred'
  | 'ends the run'
  | 'goes on'
  | 'aborted'
  | 'failed'
  | 'incomplete'
  | 'no opinion';

/** Why not every hook was asked. */
export type MissingReason = 'untrusted' | 'broken';

export interface OutcomeVerdict {
  readonly word: Word;
  /** What an agent loop does with it. */
  readonly sentence: string;
  readonly exit: number;
}

/** What a refusal means, by what the event's row says it prevents. */
const REFUSED: Readonly<Record<EventRow['blocks'], string>> = {
  tool: 'the tool does not run, and the model reads the reason',
  prompt: 'the prompt does not reach the model',
  stopping: 'the agent does not stop, and reads the reason',
  compaction: 'nothing is compacted',
  completion: 'the task is not completed',
  action: 'what the event asks about does not happen',
  idling: 'the teammate goes on working',
  feedback: 'it is too late to prevent anything; the model reads the reason',
  nothing: 'a refusal has no effect on this event',
};

const INCOMPLETE: Readonly<Record<MissingReason, string>> = {
  untrusted: 'hooks that nobody has approved were not asked',
  broken: 'something that is written down cannot be read, so not every hook was asked',
};

/**
 * A refusal outranks a failure. On events where a refusal has no effect there is none. `missing`: why not every hook was
 * asked.
 */
export function verdictOf(outcome: HookOutcome, lateFailures = 0, missing?: MissingReason): OutcomeVerdict {
  const { decision, aborted } = outcome;
  const { blocks } = rowOf(outcome.event);
  const failed = outcome.failures.length + lateFailures > 0;
  const mild = failed || missing !== undefined ? EXIT.failed : EXIT.ok;
  if (aborted) return { word: 'aborted', sentence: 'ended before it was done', exit: EXIT.interrupted };
  if (outcome.continue === false) {
    const sentence = 'the run ends here';
    // An agent that wants to stop is not held up by it.
    if (blocks === 'stopping') return { word: 'ends the run', sentence, exit: mild };
    return { word: decision === 'deny' ? 'denied' : 'ends the run', sentence, exit: EXIT.refused };
  }
  if (decision === 'deny') {
    return { word: 'denied', sentence: REFUSED[blocks], exit: blocks === 'nothing' ? mild : EXIT.refused };
  }
  if (outcome.continue === true && blocks === 'stopping') {
    return { word: 'goes on', sentence: REFUSED.stopping, exit: EXIT.refused };
  }
  if (decision === 'ask') return { word: 'asks', sentence: 'a person is asked', exit: mild };
  if (decision === 'defer')
    return { word: 'deferred', sentence: 'the run ends and its caller decides', exit: mild };
  if (decision === 'allow') return { word: 'allowed', sentence: 'nobody needs to be asked', exit: mild };
  if (failed)
    return { word: 'failed', sentence: 'a hook failed, and the agent goes on without it', exit: mild };
  if (missing !== undefined) return { word: 'incomplete', sentence: INCOMPLETE[missing], exit: mild };
  return { word: 'no opinion', sentence: 'everything goes its usual way', exit: mild };
}

/** One hook's part in it. */
export function wordOf(result: HookResult): Word | 'fine' {
  const words = { deny: 'denied', ask: 'asks', allow: 'allowed', defer: 'deferred' } as const;
  if (result.decision !== undefined) return words[result.decision];
  if (result.failure !== undefined) return 'failed';
  if (result.continue === false) return 'ends the run';
  return result.continue === true ? 'goes on' : 'fine';
}
