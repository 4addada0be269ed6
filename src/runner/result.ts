/** Builds one hook's entry in the results: its verdict, its duration and its output. */
import type { Completion } from '../handlers/completion.js';
import { NO_OPINION, type Verdict } from '../handlers/verdict.js';
import type { HookResult } from './outcome.js';
import { RESULT_KEYS } from './outcome-rows.js';

/** Whether a run without an answer refuses regardless of the hook's `onFailure`. */
export function refusesByItself(completion: Completion): boolean {
  return completion.kind === 'failed-to-start' && completion.refuses === true;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** With `refuses`, a verdict without an answer becomes a deny: this is all that `onFailure: 'block'` does. */
export function toResult(
  hookId: string,
  name: string,
  durationMs: number,
  completion: Completion,
  verdict: Verdict,
  refuses: boolean,
): HookResult {
  const result: Mutable<HookResult> = { hookId, name, outcome: verdict.outcome, durationMs };
  if (completion.kind !== 'returned') addPrinted(result, completion);
  if (verdict !== NO_OPINION) addVerdict(result, verdict, completion, refuses);
  return result;
}

function addVerdict(
  result: Mutable<HookResult>,
  verdict: Verdict,
  completion: Completion,
  refuses: boolean,
): void {
  const { hookId, name } = result;
  addOpinion(result, verdict);
  if (verdict.notes !== undefined && verdict.notes.length > 0) result.notes = verdict.notes;
  const { failure } = verdict;
  if (failure !== undefined) {
    result.failure = { hookId, name, ...failure, blocked: refuses };
    if (refuses) {
      const why = refusesByItself(completion) ? 'was not run' : 'failed and is set to block';
      // The question of an ask is not a reason to refuse.
      const given =
        verdict.decision === undefined || verdict.decision === 'deny' ? verdict.reason : undefined;
      result.decision = 'deny';
      result.reason = given ?? `The hook ${name} ${why}: ${failure.message}`;
      result.message = result.reason;
    }
  }
}

/** The keys that `addOpinion` copies. The table is the reference; a test compares the two. */
const STRAIGHT: ReadonlySet<string> = new Set<keyof HookResult>([
  'decision',
  'reason',
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'systemMessageFor',
  'toolFinishes',
  'hookSpecificOutput',
]);
const FURTHER_KEYS = RESULT_KEYS.filter((key) => !STRAIGHT.has(key));

/** Written out for speed, like the fold. */
function addOpinion(result: Mutable<HookResult>, verdict: Verdict): void {
  if (verdict.decision !== undefined) result.decision = verdict.decision;
  if (verdict.reason !== undefined) {
    result.reason = verdict.reason;
    result.message = verdict.reason;
  }
  if (verdict.continue !== undefined) result.continue = verdict.continue;
  if (verdict.stopReason !== undefined) result.stopReason = verdict.stopReason;
  if (verdict.suppressOutput !== undefined) result.suppressOutput = verdict.suppressOutput;
  if (verdict.systemMessage !== undefined) result.systemMessage = verdict.systemMessage;
  if (verdict.systemMessageFor !== undefined) result.systemMessageFor = verdict.systemMessageFor;
  if (verdict.toolFinishes !== undefined) result.toolFinishes = verdict.toolFinishes;
  if (verdict.hookSpecificOutput !== undefined)
    result.hookSpecificOutput = verdict.hookSpecificOutput as never;
  if (FURTHER_KEYS.length > 0) copyKeys(result, verdict, FURTHER_KEYS);
}

/** The same, driven by the table, for any keys. */
export function copyKeys(result: object, verdict: Verdict, keys: readonly (keyof Verdict)[]): void {
  for (const key of keys)
    if (verdict[key] !== undefined) (result as Partial<Record<keyof Verdict, unknown>>)[key] = verdict[key];
}

function addPrinted(
  result: Mutable<HookResult>,
  completion: Exclude<Completion, { kind: 'returned' }>,
): void {
  if ('exitCode' in completion && completion.exitCode !== undefined) result.exitCode = completion.exitCode;
  if ('stdout' in completion && completion.stdout !== undefined) result.stdout = completion.stdout;
  if ('stderr' in completion && completion.stderr !== undefined) result.stderr = completion.stderr;
}
