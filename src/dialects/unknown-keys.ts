/** Finds the unknown keys of an answer: those that are only noted, and those that are surely a mistake. */

import { isTypo } from '../base/text/typo.js';
import { canPrevent } from '../events/registry.js';
import { answerKeys } from '../events/schemas.js';
import type { AnyEvent } from '../events/types.js';

type Json = Readonly<Record<string, unknown>>;

export interface UnknownKeys {
  readonly notes: readonly string[];
  /** A sentence about a misspelt key. */
  readonly slip: string | undefined;
  /** A sentence about a decision in a place where none is read. */
  readonly misplaced: string | undefined;
  /** The same about a refusal or a rewritten input: without it the rest of the answer permits more than intended. */
  readonly lost: string | undefined;
}

/** An object in an answer, with its known keys. */
interface Place {
  readonly record: Json;
  readonly known: ReadonlySet<string>;
  /** The prefix of its keys in messages. */
  readonly path: string;
}

/** Known only in an announcement of background work: an answer with `results` is not a misspelt one. */
const ONLY_ANNOUNCED = 'result';
/** Keys that decide, in one place or another. */
const DECISIONS = ['decision', 'permissionDecision', 'behavior'];
/** Words that refuse, as a value (`"action": "deny"`) or as a key (`"deny": true`). */
const REFUSALS: readonly unknown[] = ['deny', 'denied', 'block', 'blocked'];
/** Keys that refuse when they are false. */
const PERMITS = ['allow', 'allowed', 'approve', 'approved'];
const REWRITE = 'updatedInput';
const MAX_ANSWERS = 100;
const SPECIFIC = 'hookSpecificOutput.';

/** Undefined: every key is known, as nearly always. */
export function findUnknownKeys(event: AnyEvent, answer: Json): UnknownKeys | undefined {
  const notes: string[] = [];
  let slip: string | undefined;
  let misplaced: string | undefined;
  let lost: string | undefined;
  const prevents = canPrevent(event);
  for (const place of placesOf(event, answer)) {
    for (const key in place.record) {
      const isIdle = key === ONLY_ANNOUNCED && place.path === '' && answer['async'] !== true;
      if (place.known.has(key) && !isIdle) continue;
      notes.push(`unknown key \`${place.path}${key}\` is ignored`);
      slip ??= slipOf(key, place, event);
      if (!prevents) continue;
      if (misplaced === undefined && isNamed(key, DECISIONS))
        misplaced = misplacedDecision(key, place, event);
      lost ??= lostIn(key, place, event);
    }
  }
  return notes.length === 0 ? undefined : { notes, slip, misplaced: misplaced ?? lost, lost };
}

function placesOf(event: AnyEvent, answer: Json): readonly Place[] {
  const known = answerKeys(event);
  const specific = answer['hookSpecificOutput'];
  const top = { record: answer, known: known.top, path: '' };
  if (!isRecord(specific)) return [top];
  const inside = { record: specific, known: known.specific, path: SPECIFIC };
  const decision = known.specific.has('decision') ? specific['decision'] : undefined;
  if (!isRecord(decision)) return [top, inside];
  return [top, inside, { record: decision, known: known.decision, path: `${SPECIFIC}decision.` }];
}

/** If the correct key is present too, this one is not a misspelling of it. */
function slipOf(key: string, { record, known, path }: Place, event: AnyEvent): string | undefined {
  for (const name of known) {
    if (name === ONLY_ANNOUNCED || !isTypo(key, name) || record[name] !== undefined) continue;
    return `an answer to ${event} has no \`${path}${key}\`; did you mean \`${path}${name}\`?`;
  }
  return undefined;
}

function misplacedDecision(key: string, { path }: Place, event: AnyEvent): string {
  const { specific } = answerKeys(event);
  const inside = DECISIONS.find((name) => specific.has(name));
  const right = inside === undefined ? 'decision' : `${SPECIFIC}${inside}`;
  return `\`${path}${key}\` decides nothing on ${event}; did you mean \`${right}\`?`;
}

function lostIn(key: string, place: Place, event: AnyEvent): string | undefined {
  const value = place.record[key];
  if (refuses(key, value)) return misplacedDecision(key, place, event);
  if (!isNamed(key, [REWRITE])) return undefined;
  const { specific, decision } = answerKeys(event);
  const path = specific.has(REWRITE) ? SPECIFIC : `${SPECIFIC}decision.`;
  if (place.path === path || !(specific.has(REWRITE) || decision.has(REWRITE))) return undefined;
  return `\`${place.path}${key}\` rewrites nothing on ${event}; did you mean \`${path}${REWRITE}\`?`;
}

const isNamed = (key: string, names: readonly string[]): boolean =>
  names.some((name) => key === name || isTypo(key, name));

/** Whether an unknown key can only mean a refusal; for an object, that of a nested answer. */
function refuses(key: string, value: unknown): boolean {
  if (REFUSALS.includes(value)) return true;
  if (REFUSALS.includes(key)) return value !== false && value !== null && value !== '';
  if (PERMITS.includes(key)) return value === false;
  return answersIn(value).some((answer) => refusesInside(answer, 2));
}

/** An answer, or several. */
function answersIn(value: unknown): readonly Json[] {
  return (Array.isArray(value) ? value.slice(0, MAX_ANSWERS) : [value]).filter(isRecord);
}

function refusesInside(record: Json, depth: number): boolean {
  if (record['continue'] === false) return true;
  return [...DECISIONS, 'hookSpecificOutput'].some((name) => {
    const value = record[name];
    return REFUSALS.includes(value) || (isRecord(value) && depth > 0 && refusesInside(value, depth - 1));
  });
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
