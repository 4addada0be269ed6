/** Reads a hook's answer, in the JSON form that all Claude-like dialects share, into a verdict. */

import { escapeControls } from '../base/json/escape-controls.js';
import type { Dialect } from '../config/dialect.js';
import { nameOfEvent } from '../config/event-names.js';
import { commonAnswer } from '../events/fields.js';
import { answerKeys, answerSchema, describeIssue, fitsAnswer } from '../events/schemas.js';
import type { AnyEvent } from '../events/types.js';
import { failed, NO_OPINION, type PermissionDecision, type Verdict } from '../handlers/verdict.js';
import { findUnknownKeys, type UnknownKeys } from './unknown-keys.js';

type Json = Readonly<Record<string, unknown>>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What the words of an answer decide, in whichever field they occur. */
const PERMISSIONS: ReadonlyMap<unknown, PermissionDecision> = new Map([
  ['approve', 'allow'],
  ['allow', 'allow'],
  ['block', 'deny'],
  ['deny', 'deny'],
  ['ask', 'ask'],
  ['defer', 'defer'],
]);

const NOTHING: Json = Object.freeze({});

type CommonField = Exclude<keyof typeof commonAnswer, 'decision' | 'reason'>;

/** Copied into the verdict under the same name. A field of the table that a verdict lacks does not compile. */
const COMMON_FIELDS: readonly (CommonField & keyof Verdict)[] = (
  Object.keys(commonAnswer) as (keyof typeof commonAnswer)[]
).filter((key): key is CommonField => key !== 'decision' && key !== 'reason');

/** The fields of a rewritten output; if several are set, the last one in this list wins. */
const OUTPUT_FIELDS = ['updatedMCPToolOutput', 'updatedToolOutput', 'updatedOutput'] as const;

/** Contract: `given` is plain data that no other code holds. Wrong types are failures, never coerced. */
export function readAnswer(event: AnyEvent, given: Json, dialect: Pick<Dialect, 'eventNames'>): Verdict {
  const answer = dialect.eventNames === undefined ? given : withOurName(event, given, dialect);
  const unknown = findUnknownKeys(event, answer);
  const misfit = fitsAnswer(event, answer) ? undefined : answerSchema(event).safeParse(answer).error;
  if (misfit !== undefined) {
    const why = `its answer does not fit ${event}: ${describeIssue(misfit)}`;
    return failed('invalid-output', unknown?.slip === undefined ? why : `${why}; ${unknown.slip}`);
  }
  // A hook that really continues in the background is handled elsewhere: this one has ended.
  if (answer['async'] === true)
    return failed('invalid-output', 'it says `async` but has ended, so no answer will come');
  const verdict = readFitting(event, answer);
  if (unknown === undefined) return verdict;
  const noted = { ...verdict, notes: unknown.notes };
  const problem = unknown.slip ?? misplacedBeside(verdict, unknown);
  return problem === undefined ? noted : onlyRefuses(noted, problem);
}

/** An answer names the event as its ecosystem does. */
function withOurName(event: AnyEvent, answer: Json, dialect: Pick<Dialect, 'eventNames'>): Json {
  const specific = answer['hookSpecificOutput'] as Json | undefined;
  if (specific?.['hookEventName'] !== nameOfEvent(event, dialect)) return answer;
  return { ...answer, hookSpecificOutput: { ...specific, hookEventName: event } };
}

function readFitting(event: AnyEvent, answer: Json): Verdict {
  const verdict: Mutable<Verdict> = { ...NO_OPINION };
  const specific = answer['hookSpecificOutput'] as Json | undefined;
  if (specific !== undefined) verdict.hookSpecificOutput = specific;
  readOpinion(
    verdict,
    PERMISSIONS.get(answer['decision']),
    answer['reason'] as string | undefined,
    specific === undefined ? NOTHING : knownFields(event, specific),
  );
  const copied: { [K in CommonField]?: unknown } = verdict;
  for (const key of COMMON_FIELDS) {
    const value = answer[key];
    if (value !== undefined) copied[key] = typeof value === 'string' ? escapeControls(value) : value;
  }
  return verdict;
}

/**
 * A decision in the wrong place matters if the answer decides nothing, or permits what was to be refused or
 * rewritten.
 */
function misplacedBeside(verdict: Verdict, { misplaced, lost }: UnknownKeys): string | undefined {
  if (verdict.continue === false) return undefined;
  if (verdict.decision === undefined) return misplaced;
  return verdict.decision === 'allow' ? lost : undefined;
}

/** An answer with a misspelt key is a failure. A refusal in the rest of it still counts; a permission does not. */
function onlyRefuses(verdict: Verdict, message: string): Verdict {
  const { decision, reason, stopReason, systemMessage, notes } = verdict;
  return {
    ...failed('invalid-output', message),
    ...(decision !== undefined &&
      decision !== 'allow' && { decision, ...(reason !== undefined && { reason }) }),
    ...(verdict.continue === false && { continue: false, ...(stopReason !== undefined && { stopReason }) }),
    ...(systemMessage !== undefined && { systemMessage }),
    ...(notes !== undefined && { notes }),
  };
}

/** Only the fields that the event knows have been validated; the others may be anything and are ignored. */
function knownFields(event: AnyEvent, specific: Json): Json {
  const { specific: known } = answerKeys(event);
  const fields: Record<string, unknown> = {};
  for (const key in specific) if (known.has(key)) fields[key] = specific[key];
  return fields;
}

/** Notes which dangerous keys were dropped when an answer was copied. */
export function noteDropped(verdict: Verdict, dropped: readonly string[] | undefined): Verdict {
  if (dropped === undefined) return verdict;
  const notes = dropped.map((key) => `dangerous key \`${key}\` is dropped`);
  return { ...verdict, notes: [...(verdict.notes ?? []), ...notes] };
}

/**
 * What an answer decides, rewrites and adds. It may decide in two fields: if they differ, the stricter one counts.
 * Contract: `specific` has only fields that the event knows, and they are valid.
 */
export function readOpinion(
  verdict: Mutable<Verdict>,
  general: PermissionDecision | undefined,
  generalReason: string | undefined,
  specific: Json,
): void {
  const permission = specific['decision'] as Json | undefined;
  const input = specific['updatedInput'] ?? permission?.['updatedInput'];
  if (input !== undefined) verdict.updatedInput = input as Json;
  for (const field of OUTPUT_FIELDS) {
    if (specific[field] === undefined) continue;
    verdict.updatedOutput = specific[field];
    verdict.hasUpdatedOutput = true;
  }
  if (specific['additionalContext'] !== undefined) {
    verdict.additionalContext = specific['additionalContext'] as string;
  }
  const particular = PERMISSIONS.get(specific['permissionDecision'] ?? permission?.['behavior']);
  const decision = general === 'deny' ? general : (particular ?? general);
  if (decision !== undefined) verdict.decision = decision;
  // A reason belongs to the field that decided: an approval's reason does not explain the refusal that outranks it.
  const ownReason =
    particular === undefined || particular === decision
      ? (specific['permissionDecisionReason'] ?? permission?.['message'])
      : undefined;
  const commonReason = general === undefined || general === decision ? generalReason : undefined;
  const reason = ownReason ?? commonReason;
  if (reason !== undefined) verdict.reason = escapeControls(reason as string);
}
