/** The keys of an answer that nobody reads: those that are only noted, and those with which an author surely meant another. */

import { isSlip } from '../base/text/typo.js';
import { canPrevent } from '../events/registry.js';
import { answerKeys } from '../events/schemas.js';
import type { AnyEvent } from '../events/types.js';

type Json = Readonly<Record<string, unknown>>;

export interface UnknownKeys {
  readonly notes: readonly string[];
  /** A sentence about a misspelt key. */
  readonly slip: string | undefined;
  /** A sentence about a decision that stands where none is read. */
  readonly misplaced: string | undefined;
}

/** An object in an answer, with the keys that are read there. */
interface Place {
  readonly record: Json;
  readonly known: ReadonlySet<string>;
  /** Goes before its keys in messages. */
  readonly path: string;
}

/** Only in the announcement of an answer to come: an answer with `results` is none that went wrong. */
const ONLY_ANNOUNCED = 'result';
/** With which one decides, in one place or another. */
const DECISIONS = ['decision', 'permissionDecision', 'behavior'];
const SPECIFIC = 'hookSpecificOutput.';

/** Undefined: every key is known, as nearly always. */
export function findUnknownKeys(event: AnyEvent, answer: Json): UnknownKeys | undefined {
  const notes: string[] = [];
  let slip: string | undefined;
  let misplaced: string | undefined;
  for (const place of placesOf(event, answer)) {
    for (const key in place.record) {
      if (place.known.has(key)) continue;
      notes.push(`unknown key \`${place.path}${key}\` is ignored`);
      slip ??= slipOf(key, place, event);
      misplaced ??= misplacedIn(key, place, event);
    }
  }
  return notes.length === 0 ? undefined : { notes, slip, misplaced };
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

/** A key that is also there as it should be written leaves no doubt. */
function slipOf(key: string, { record, known, path }: Place, event: AnyEvent): string | undefined {
  for (const name of known) {
    if (name === ONLY_ANNOUNCED || !isSlip(key, name) || record[name] !== undefined) continue;
    return `an answer to ${event} has no \`${path}${key}\`; did you mean \`${path}${name}\`?`;
  }
  return undefined;
}

function misplacedIn(key: string, { path }: Place, event: AnyEvent): string | undefined {
  if (!canPrevent(event) || !DECISIONS.some((name) => key === name || isSlip(key, name))) return undefined;
  const { specific } = answerKeys(event);
  const inside = DECISIONS.find((name) => specific.has(name));
  const right = inside === undefined ? 'decision' : `${SPECIFIC}${inside}`;
  return `\`${path}${key}\` decides nothing on ${event}; did you mean \`${right}\`?`;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
