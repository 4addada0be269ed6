/** Reads a hook's answer, in the JSON form that all Claude-like dialects share, into a verdict. */
import { answerKeys, answerSchema, describeIssue, fitsAnswer } from '../events/schemas.js';
import type { HookEvent } from '../events/types.js';
import { failed, NO_OPINION, type PermissionDecision, type Verdict } from '../hooks/verdict.js';
import { neutralise } from '../json/neutralise.js';

type Json = Readonly<Record<string, unknown>>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const AS_PERMISSION: Readonly<Record<string, PermissionDecision>> = {
  approve: 'allow',
  allow: 'allow',
  block: 'deny',
  deny: 'deny',
  ask: 'ask',
  defer: 'defer',
};

const NOTHING: Json = Object.freeze({});

/** Where a rewritten output may stand; of two, the later one in this list counts. */
const OUTPUT_FIELDS = ['updatedMCPToolOutput', 'updatedToolOutput'] as const;

/** Contract: `answer` is plain data that nobody else holds. Wrong types are failures, never coerced. */
export function readAnswer(event: HookEvent, answer: Json): Verdict {
  const misfit = fitsAnswer(event, answer) ? undefined : answerSchema(event).safeParse(answer).error;
  if (misfit !== undefined) {
    return failed('invalid-output', `its answer does not fit ${event}: ${describeIssue(misfit)}`);
  }
  const verdict: Mutable<Verdict> = { ...NO_OPINION };
  const specific = answer['hookSpecificOutput'] as Json | undefined;
  const known = specific === undefined ? NOTHING : knownFields(event, specific);
  if (specific !== undefined) verdict.hookSpecificOutput = specific;
  readSpecific(known, verdict);
  readDecision(answer, known, verdict);
  if (answer['continue'] !== undefined) verdict.continue = answer['continue'] as boolean;
  if (answer['stopReason'] !== undefined) verdict.stopReason = neutralise(answer['stopReason'] as string);
  if (answer['suppressOutput'] !== undefined) verdict.suppressOutput = answer['suppressOutput'] as boolean;
  if (answer['systemMessage'] !== undefined) {
    verdict.systemMessage = neutralise(answer['systemMessage'] as string);
  }
  const notes = unknownKeys(event, answer, specific);
  if (notes !== undefined) verdict.notes = notes;
  return verdict;
}

/** Only what the event knows has been checked; the rest may be anything and is not looked at. */
function knownFields(event: HookEvent, specific: Json): Json {
  const { specific: known } = answerKeys(event);
  const fields: Record<string, unknown> = {};
  for (const key in specific) if (known.has(key)) fields[key] = specific[key];
  return fields;
}

/** Adds which dangerous keys were left out when an answer was copied. */
export function noteDropped(verdict: Verdict, dropped: readonly string[] | undefined): Verdict {
  if (dropped === undefined) return verdict;
  const notes = dropped.map((key) => `dangerous key \`${key}\` is dropped`);
  return { ...verdict, notes: [...(verdict.notes ?? []), ...notes] };
}

function readSpecific(specific: Json, verdict: Mutable<Verdict>): void {
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
}

/** An answer may decide in two places. They are one opinion: of two that differ, the stricter counts. */
function readDecision(answer: Json, specific: Json, verdict: Mutable<Verdict>): void {
  const permission = specific['decision'] as Json | undefined;
  const general = AS_PERMISSION[String(answer['decision'])];
  const particular = AS_PERMISSION[String(specific['permissionDecision'] ?? permission?.['behavior'])];
  const decision = general === 'deny' ? general : (particular ?? general);
  if (decision !== undefined) verdict.decision = decision;
  // A reason belongs to the place that decided: a refusal is not explained by an approval that it outranks.
  const ownReason =
    particular === undefined || particular === decision
      ? (specific['permissionDecisionReason'] ?? permission?.['message'])
      : undefined;
  const commonReason = general === undefined || general === decision ? answer['reason'] : undefined;
  const reason = ownReason ?? commonReason;
  if (reason !== undefined) verdict.reason = neutralise(reason as string);
}

function unknownKeys(event: HookEvent, answer: Json, specific: Json | undefined): string[] | undefined {
  const known = answerKeys(event);
  let notes: string[] | undefined;
  const check = (record: Json, keys: ReadonlySet<string>, where: string): void => {
    for (const key in record) {
      if (keys.has(key)) continue;
      notes ??= [];
      notes.push(`unknown key \`${where}${key}\` is ignored`);
    }
  };
  check(answer, known.top, '');
  if (specific !== undefined) check(specific, known.specific, 'hookSpecificOutput.');
  return notes;
}
