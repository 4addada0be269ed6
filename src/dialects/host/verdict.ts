/** Turns an answer of a host's hook into a verdict, and an outcome into an answer for a host. */
import { rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import { failed, NO_OPINION, type Verdict } from '../../handlers/verdict.js';
import type { Answer } from './host.js';

export function verdictOf(event: AnyEvent, answer: Answer): Verdict {
  const { refuse, ask, allow, rewrite, replace, isNoRefusal, context, stop, message, failure, notes } =
    answer;
  const base: Verdict = failure === undefined ? NO_OPINION : failed('invalid-output', failure);
  // Where it is too late to refuse, what the model reads instead of the output is the reason.
  const late = replace !== undefined && !isNoRefusal && rowOf(event).blocks === 'feedback';
  const reason = refuse ?? ask ?? (late ? replace : undefined);
  const decision =
    refuse !== undefined || late ? 'deny' : ask !== undefined ? 'ask' : allow === true ? 'allow' : undefined;
  const verdict: Verdict = {
    ...base,
    ...(decision !== undefined && { decision }),
    ...(reason !== undefined && { reason }),
    ...(rewrite !== undefined && { updatedInput: rewrite }),
    ...(replace !== undefined && { updatedOutput: replace, hasUpdatedOutput: true }),
    ...(context !== undefined && { additionalContext: context }),
    ...(stop !== undefined && { continue: false, stopReason: stop }),
    ...(message !== undefined && { systemMessage: message, systemMessageFor: 'people' as const }),
    ...(notes !== undefined && { notes }),
  };
  return Object.keys(verdict).length === 1 && failure === undefined ? NO_OPINION : verdict;
}
