/** Makes the paths in a tool's input absolute before hooks, rules or the tool see them. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { show } from '../../base/errors.js';
import { type CheckedInput, checkInput, type Tool } from './tool.js';

/** How relative paths and `~` are resolved. */
export interface PathBase {
  /** The absolute directory for relative paths. */
  readonly cwd: string;
  /** What `~` stands for. Default: the current user's home directory. */
  readonly home?: string | undefined;
}

export type PreparedInput<Input> =
  | {
      readonly ok: true;
      /** What hooks, rules and people see. */
      readonly input: unknown;
      /** What the tool receives. */
      readonly value: Input;
    }
  | Extract<CheckedInput<Input>, { readonly ok: false }>;

/** Makes the paths of an input absolute and validates it. Never throws; does not change the given input. */
export function prepareInput<Input>(tool: Tool<Input>, given: unknown, base: PathBase): PreparedInput<Input> {
  const fields = pathsIn(given, tool.paths ?? []);
  for (const [field, value] of fields) {
    const problem = textsIn(value).map(problemOf).find(Boolean);
    if (problem !== undefined)
      return { ok: false, error: `The input of ${tool.name} cannot be used: ${field} is ${problem}` };
  }
  const absolute = Object.fromEntries(fields.map(([field, value]) => [field, resolveAll(value, base)]));
  const input = fields.length === 0 ? given : { ...(given as object), ...absolute };
  const checked = checkInput(tool, input);
  return checked.ok ? { ok: true, input, value: checked.value } : checked;
}

/** The path fields that are present. Their values may be invalid: the schema checks them. */
function pathsIn(input: unknown, fields: readonly string[]): readonly (readonly [string, unknown])[] {
  if (typeof input !== 'object' || input === null) return [];
  return fields
    .filter((field) => Object.hasOwn(input, field))
    .map((field) => [field, (input as Readonly<Record<string, unknown>>)[field]]);
}

function textsIn(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

function resolveAll(value: unknown, base: PathBase): unknown {
  if (Array.isArray(value)) return value.map((each) => resolveAll(each, base));
  return typeof value === 'string' ? resolvePath(value, base) : value;
}

function resolvePath(path: string, { cwd, home = homedir() }: PathBase): string {
  return /^~(?:\/|$)/.test(path) ? resolve(home, `.${path.slice(1)}`) : resolve(cwd, path);
}

/** Completes an error message for text that cannot be a path. */
function problemOf(path: string): string | undefined {
  if (path === '') return 'empty. Give a path, or leave the field out where it is optional.';
  if (path.includes('\0')) return `${show(path)}, and a path cannot contain a NUL character.`;
  if (/^~[^/]/.test(path))
    return `${show(path)}: the home of another user is not looked up. Give an absolute path, or ${show(`./${path}`)} for a file of that name.`;
  return undefined;
}
