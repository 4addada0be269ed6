/**
 * Reads the answers that nearly all callbacks give: plain objects with known keys, strings and booleans. Each value
 * is read and tested once, so that such an answer needs neither a copy nor a schema.
 */
import { escapeControls } from '../base/json/escape-controls.js';
import { COPY_LIMITS, type CopyLimits, plainCopy } from '../base/json/plain-copy.js';
import { answerTests } from '../events/schemas.js';
import type { AnyEvent } from '../events/types.js';
import { NO_OPINION, type PermissionDecision, type Verdict } from '../handlers/verdict.js';
import { readOpinion } from './answer.js';

type Json = Readonly<Record<string, unknown>>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Undefined: `readAnswer` has to read it. Contract: any other verdict equals the one that `readAnswer` gives for a
 * copy. Throws what the getters of the answer throw.
 */
export function readFlatAnswer(event: AnyEvent, answer: object): Verdict | undefined {
  if (Object.getPrototypeOf(answer) !== Object.prototype) return undefined;
  let verdict: Mutable<Verdict> | undefined;
  let decision: PermissionDecision | undefined;
  let reason: string | undefined;
  let specific: Json | undefined;
  for (const key in answer) {
    const value = (answer as Json)[key];
    verdict ??= { outcome: 'success' };
    if (key === 'decision') {
      if (value === 'approve' || value === 'allow') decision = 'allow';
      else if (value === 'block' || value === 'deny') decision = 'deny';
      else return undefined;
    } else if (key === 'reason' && typeof value === 'string') {
      reason = value;
    } else if (key === 'hookSpecificOutput') {
      specific = copySpecific(event, value);
      if (specific === undefined) return undefined;
    } else if (!readCommon(key, value, verdict)) {
      return undefined;
    }
  }
  if (verdict === undefined) return NO_OPINION;
  if (specific === undefined) {
    if (decision !== undefined) verdict.decision = decision;
    if (reason !== undefined) verdict.reason = visibleReason(reason);
  } else {
    verdict.hookSpecificOutput = specific;
    readOpinion(verdict, decision, reason, specific);
  }
  return verdict;
}

/** Reasons without anything to escape, by their length: guards give the same few, and looking takes time. */
const CLEAN: string[] = new Array(16).fill('');
/** Longer ones are not kept. */
const MAX_KEPT = 512;

function visibleReason(reason: string): string {
  const place = reason.length % CLEAN.length;
  if (CLEAN[place] === reason) return reason;
  const visible = escapeControls(reason);
  if (visible === reason && reason.length <= MAX_KEPT) CLEAN[place] = reason;
  return visible;
}

/** False: the key or the type of its value is unknown here. */
function readCommon(key: string, value: unknown, verdict: Mutable<Verdict>): boolean {
  if (key === 'continue' && typeof value === 'boolean') verdict.continue = value;
  else if (key === 'suppressOutput' && typeof value === 'boolean') verdict.suppressOutput = value;
  else if (key === 'systemMessage' && typeof value === 'string')
    verdict.systemMessage = escapeControls(value);
  else if (key === 'stopReason' && typeof value === 'string') verdict.stopReason = escapeControls(value);
  else return false;
  return true;
}

/** A copy in which every field certainly fits the event. */
function copySpecific(event: AnyEvent, value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const { specific: tests, required } = answerTests(event);
  const copy: Record<string, unknown> = {};
  for (const key in value) {
    const field = copyField((value as Json)[key]);
    if (field === undefined || tests.get(key)?.(field) !== true) return undefined;
    copy[key] = field;
  }
  for (let i = 0; i < required.length; i++) if (!((required[i] as string) in copy)) return undefined;
  return copy;
}

/** A field is two levels deep in the answer, and `plainCopy` limits the answer as a whole. */
const LIMITS: CopyLimits = {
  maxDepth: COPY_LIMITS.maxDepth - 2,
  maxNodes: COPY_LIMITS.maxNodes - 2,
};

/** Undefined: it cannot be copied here. */
function copyField(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  const copied = plainCopy(value, LIMITS);
  return copied.ok && copied.dropped === undefined ? copied.value : undefined;
}
