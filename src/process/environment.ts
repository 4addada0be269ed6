/** Decides which variables a child gets: all but the noise, or only what is neither a secret nor loads code. */

import { holdsSecret, loadsCode } from './environment-rules.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** A shell that is told to run a startup file may print into the output we read. */
const STARTUP_FILES = new Set(['BASH_ENV', 'ENV']);

/** Everything, except what makes a shell run a startup file. Names in `declared` always pass. */
export function inheritEnvironment(
  base: Variables = process.env,
  declared: readonly string[] = [],
): Record<string, string> {
  return pick(base, declared, (name) => !STARTUP_FILES.has(name));
}

/** Without secrets and without variables that load code into programs. Names in `declared` always pass. */
export function scrubEnvironment(
  base: Variables = process.env,
  declared: readonly string[] = [],
): Record<string, string> {
  return pick(base, declared, (name, value) => !isWithheld(name, value));
}

/** Whether a scrubbed environment goes without it. */
export function isWithheld(name: string, value: string): boolean {
  return holdsSecret(name, value) || loadsCode(name);
}

function pick(
  base: Variables,
  declared: readonly string[],
  passes: (name: string, value: string) => boolean,
): Record<string, string> {
  const picked: Array<[string, string]> = [];
  // Every look at `process.env` asks the system, and `Object.entries` looks twice.
  for (const name of Object.keys(base)) {
    const value = base[name];
    if (value !== undefined && (passes(name, value) || declared.includes(name))) picked.push([name, value]);
  }
  return Object.fromEntries(picked);
}
