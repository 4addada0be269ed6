/** Describes an outcome as a word, a sentence and an exit code. */

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

/** Why some hooks did not run. */
export type MissingReason = 'untrusted' | 'broken';

export interface OutcomeVerdict {
  readonly word: Word;
  /** What an agent loop does as a result. */
  readonly sentence: string;
  readonly exit: number;
}

/** What a refusal means, by what the event can block. */
const REFUSED: Readonly<Record<EventRow['blocks'], string>> = {
  tool: 'the tool does not run, and the model reads the reason',
  prompt: 'the prompt does not reach the model',
  stopping: 'the agent does not stop, and reads the reason',
  compaction: 'nothing is compacted',
  completion: 'the task is not completed',
  action: 'the action does not happen',
  idling: 'the teammate continues to work',
  feedback: 'it is too late to prevent anything; the model reads the reason',
  nothing: 'a refusal has no effect on this event',
};

const INCOMPLETE: Readonly<Record<MissingReason, string>> = {
  untrusted: 'hooks that are not approved did not run',
  broken: 'a part of the configuration cannot be read, so not every hook ran',
};

/**
 * A refusal takes precedence over a failure. On events that cannot be blocked, a refusal is ignored. `missing`: why
 * some hooks did not run.
 */
export function verdictOf(outcome: HookOutcome, lateFailures = 0, missing?: MissingReason): OutcomeVerdict {
  const { decision, aborted } = outcome;
  const { blocks } = rowOf(outcome.event);
  const failed = outcome.failures.length + lateFailures > 0;
  const mild = failed || missing !== undefined ? EXIT.failed : EXIT.ok;
  if (aborted) return { word: 'aborted', sentence: 'aborted before it was done', exit: EXIT.interrupted };
  if (outcome.continue === false) {
    const sentence = 'the run ends here';
    // The agent wants to stop anyway, so this does not block it.
    if (blocks === 'stopping') return { word: 'ends the run', sentence, exit: mild };
    return { word: decision === 'deny' ? 'denied' : 'ends the run', sentence, exit: EXIT.refused };
  }
  if (decision === 'deny') {
    return { word: 'denied', sentence: REFUSED[blocks], exit: blocks === 'nothing' ? mild : EXIT.refused };
  }
  if (outcome.continue === true && blocks === 'stopping') {
    return { word: 'goes on', sentence: REFUSED.stopping, exit: EXIT.refused };
  }
  if (decision === 'ask') return { word: 'asks', sentence: 'a person is asked for permission', exit: mild };
  if (decision === 'defer')
    return { word: 'deferred', sentence: 'the run ends and its caller decides', exit: mild };
  if (decision === 'allow') return { word: 'allowed', sentence: 'no permission is needed', exit: mild };
  if (failed)
    return { word: 'failed', sentence: 'a hook failed, and the agent continues without it', exit: mild };
  if (missing !== undefined) return { word: 'incomplete', sentence: INCOMPLETE[missing], exit: mild };
  return { word: 'no opinion', sentence: 'the agent continues as usual', exit: mild };
}

/** The word for a single hook's result. */
export function wordOf(result: HookResult): Word | 'fine' {
  const words = { deny: 'denied', ask: 'asks', allow: 'allowed', defer: 'deferred' } as const;
  if (result.decision !== undefined) return words[result.decision];
  if (result.failure !== undefined) return 'failed';
  if (result.continue === false) return 'ends the run';
  return result.continue === true ? 'goes on' : 'fine';
}
