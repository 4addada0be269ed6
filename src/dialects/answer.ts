/** Reads a hook's answer, in the JSON form that all Claude-like dialects share, into a verdict. */
import { answerKeys, answerSchema, describeIssue } from '../events/schemas.js';
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
};

/** Contract: `answer` is plain data that nobody else holds. Wrong types are failures, never coerced. */
export function readAnswer(event: HookEvent, answer: Json): Verdict {
  const checked = answerSchema(event).safeParse(answer);
  if (!checked.success) {
    return failed('invalid-output', `its answer does not fit ${event}: ${describeIssue(checked.error)}`);
  }
  const verdict: Mutable<Verdict> = { ...NO_OPINION };
  const specific = answer['hookSpecificOutput'] as Json | undefined;
  if (specific !== undefined) readSpecific(specific, verdict);
  readDecision(answer, specific, verdict);
  if (answer['continue'] !== undefined) verdict.continue = answer['continue'] as boolean;
  if (answer['stopReason'] !== undefined) verdict.stopReason = neutralise(answer['stopReason'] as string);
  if (answer['suppressOutput'] !== undefined) verdict.suppressOutput = answer['suppressOutput'] as boolean;
  if (answer['systemMessage'] !== undefined)
    verdict.systemMessage = neutralise(answer['systemMessage'] as string);
  const notes = unknownKeys(event, answer, specific);
  if (notes !== undefined) verdict.notes = notes;
  return verdict;
}

/** Adds which dangerous keys were left out when an answer was copied. */
export function noteDropped(verdict: Verdict, dropped: readonly string[] | undefined): Verdict {
  if (dropped === undefined) return verdict;
  const notes = dropped.map((key) => `dangerous key \`${key}\` is dropped`);
  return { ...verdict, notes: [...(verdict.notes ?? []), ...notes] };
}

function readSpecific(specific: Json, verdict: Mutable<Verdict>): void {
  verdict.hookSpecificOutput = specific;
  const permission = specific['decision'] as Json | undefined;
  const input = specific['updatedInput'] ?? permission?.['updatedInput'];
  if (input !== undefined) verdict.updatedInput = input as Json;
  const output = specific['updatedToolOutput'] ?? specific['updatedMCPToolOutput'];
  if (output !== undefined) {
    verdict.updatedOutput = output;
    verdict.hasUpdatedOutput = true;
  }
  if (specific['additionalContext'] !== undefined) {
    verdict.additionalContext = specific['additionalContext'] as string;
  }
}

/** An answer may decide in two places. They are one opinion: of two that differ, the stricter counts. */
function readDecision(answer: Json, specific: Json | undefined, verdict: Mutable<Verdict>): void {
  const permission = specific?.['decision'] as Json | undefined;
  const general = AS_PERMISSION[String(answer['decision'])];
  const particular = AS_PERMISSION[String(specific?.['permissionDecision'] ?? permission?.['behavior'])];
  const decision = general === 'deny' ? general : (particular ?? general);
  if (decision !== undefined) verdict.decision = decision;
  const reason = specific?.['permissionDecisionReason'] ?? permission?.['message'] ?? answer['reason'];
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
