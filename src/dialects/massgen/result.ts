/**
 * Reads MassGen's HookResult into a verdict. Either field can deny, and what cannot be read is a failure, never an
 * allow.
 */

import { show } from '../../base/errors.js';
import { escapeControls } from '../../base/json/escape-controls.js';
import { isTypo } from '../../base/text/typo.js';
import { canPrevent, rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import { failed, type Injection, NO_OPINION, type Verdict } from '../../handlers/verdict.js';

type Json = Readonly<Record<string, unknown>>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Keys that only MassGen's own records use. */
const RECORDS = ['executed_hooks', 'metadata', 'hook_name', 'hook_type', 'execution_time_ms'];
const ANSWERS = ['allowed', 'decision', 'reason', 'updated_input', 'modified_args', 'inject', 'hook_errors'];
const KNOWN: ReadonlySet<string> = new Set([...ANSWERS, ...RECORDS]);

/** Keys that decide in other hook systems. MassGen ignores them, so their author means something that would be lost. */
const FOREIGN: ReadonlySet<string> = new Set([
  ...['permissionDecision', 'permission_decision', 'hookSpecificOutput', 'continue', 'behavior'],
  ...['allow', 'deny', 'denied', 'block', 'blocked', 'approve', 'approved'],
]);

/** For events where nothing can be prevented any more. It also keeps such a deny from ending the fire. */
export const TOO_LATE = 'it denies, but it is too late to prevent anything: its reason is only reported';

/** A sentence about the first invalid part. */
class Unreadable extends Error {}

/** Contract: `answer` is plain data that no other code holds. */
export function readResult(event: AnyEvent, answer: Json): Verdict {
  try {
    return read(event, answer);
  } catch (error) {
    if (error instanceof Unreadable)
      return failed('invalid-output', `its answer cannot be used: ${error.message}`);
    throw error;
  }
}

function read(event: AnyEvent, answer: Json): Verdict {
  const notes: string[] = [];
  for (const key of Object.keys(answer)) {
    if (FOREIGN.has(key)) {
      throw new Unreadable(`\`${key}\` means nothing here; write \`decision\` with allow, deny or ask`);
    }
    if (KNOWN.has(key)) continue;
    const meant = ANSWERS.find((name) => isTypo(key, name) && answer[name] === undefined);
    if (meant !== undefined) throw new Unreadable(`it has no \`${key}\`; did you mean \`${meant}\`?`);
    notes.push(`unknown key \`${key}\` is ignored`);
  }
  const verdict: Mutable<Verdict> = { ...NO_OPINION };
  const decision = readDecision(answer);
  if (decision !== undefined) verdict.decision = decision;
  if (decision === 'deny' && !canPrevent(event)) notes.push(TOO_LATE);
  const reason = optional(answer, 'reason', 'a string', isText);
  if (reason !== undefined) verdict.reason = escapeControls(reason);
  const input = readInput(answer);
  if (input !== undefined && rowOf(event).rewrites.input !== undefined) verdict.updatedInput = input;
  else if (input !== undefined)
    notes.push('`updated_input` is ignored: there is no input to change any more');
  const injections = injectionsOf(answer, notes);
  if (injections.length > 0) verdict.injections = injections;
  const errors = optional(answer, 'hook_errors', 'a list of strings', isTexts) ?? [];
  notes.push(...errors.map((error) => `it reports: ${escapeControls(error)}`));
  if (notes.length > 0) verdict.notes = notes;
  return verdict;
}

/**
 * `allow` is MassGen's default and means "no objection", so it is not a decision here: otherwise a hook without an
 * opinion would outrank one that asks.
 */
function readDecision(answer: Json): 'deny' | 'ask' | undefined {
  const { allowed = true, decision = 'allow' } = answer;
  if (typeof allowed !== 'boolean') throw wrong('allowed', allowed, 'true or false');
  if (decision !== 'allow' && decision !== 'deny' && decision !== 'ask') {
    throw wrong('decision', decision, 'allow, deny or ask');
  }
  if (!allowed || decision === 'deny') return 'deny';
  return decision === 'ask' ? 'ask' : undefined;
}

/** `modified_args` is the older form, JSON in a string; if both are set it counts, as in MassGen. */
function readInput(answer: Json): Json | undefined {
  const older = optional(answer, 'modified_args', 'a JSON object in a string', isText);
  const newer = optional(answer, 'updated_input', 'an object', isObject);
  if (older === undefined || older === '') return newer;
  const parsed = parse(older);
  if (!isObject(parsed)) throw wrong('modified_args', older, 'a JSON object in a string');
  return parsed;
}

function injectionsOf(answer: Json, notes: string[]): readonly Injection[] {
  const inject = readInjections(answer['inject']);
  if ('problem' in inject) throw new Unreadable(inject.problem);
  notes.push(...inject.notes);
  return inject.injections;
}

/** In Python an optional field that is not set is None. */
function optional<T>(
  answer: Json,
  key: string,
  wanted: string,
  fits: (value: unknown) => value is T,
): T | undefined {
  const value = answer[key];
  if (value === undefined || value === null) return undefined;
  if (!fits(value)) throw wrong(key, value, wanted);
  return value;
}

function wrong(key: string, value: unknown, wanted: string): Unreadable {
  return new Unreadable(`\`${key}\` is ${show(value)}; give ${wanted}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type InjectRead =
  | { readonly injections: readonly Injection[]; readonly notes: readonly string[] }
  | { readonly problem: string };

/** Nothing is joined: every entry keeps its strategy, and an empty one is reported, not delivered. */
function readInjections(inject: unknown): InjectRead {
  if (inject === undefined || inject === null) return { injections: [], notes: [] };
  const injections: Injection[] = [];
  const notes: string[] = [];
  for (const piece of Array.isArray(inject) ? inject : [inject]) {
    if (typeof piece !== 'object' || piece === null || Array.isArray(piece)) {
      return { problem: `\`inject\` is ${show(piece)}; give an object with \`content\`` };
    }
    const { content = null, strategy } = piece as Readonly<Record<string, unknown>>;
    const way = strategy ?? 'tool_result';
    if (way !== 'tool_result' && way !== 'user_message') {
      return { problem: `\`inject.strategy\` is ${show(way)}; give tool_result or user_message` };
    }
    if (content === null || content === '') notes.push('an `inject` without content is ignored');
    else if (typeof content === 'string') injections.push({ content, strategy: way });
    else return { problem: `\`inject.content\` is ${show(content)}; give a string` };
  }
  return { injections, notes };
}
