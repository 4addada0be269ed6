/**
 * Selects the variables a child gets: all except startup files, or only those that neither hold secrets nor load code.
 */

import { holdsSecret, loadsCode } from './environment-rules.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** A startup file may make a shell print into the output we read. */
const STARTUP_FILES = new Set(['BASH_ENV', 'ENV']);

/** Everything except variables that make a shell run a startup file. Names in `declared` always pass. Never throws. */
export function inheritEnvironment(
  base: Variables = process.env,
  declared: readonly string[] = [],
): Record<string, string> {
  return pick(base, declared, (name) => !STARTUP_FILES.has(name));
}

/**
 * Without secrets and without variables that load code into programs. Names in `declared` always pass. Never throws.
 */
export function scrubEnvironment(
  base: Variables = process.env,
  declared: readonly string[] = [],
): Record<string, string> {
  return pick(base, declared, (name, value) => !isWithheld(name, value));
}

/** Whether a scrubbed environment omits it. */
export function isWithheld(name: string, value: string): boolean {
  return holdsSecret(name, value) || loadsCode(name);
}

function pick(
  base: Variables,
  declared: readonly string[],
  passes: (name: string, value: string) => boolean,
): Record<string, string> {
  const picked: Array<[string, string]> = [];
  // Every read of `process.env` is a system call, and `Object.entries` reads twice.
  for (const name of Object.keys(base)) {
    const value = base[name];
    if (value !== undefined && (passes(name, value) || declared.includes(name))) picked.push([name, value]);
  }
  return Object.fromEntries(picked);
}
