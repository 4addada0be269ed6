/** Determines from a call's input which files the call is about. */
import { resolve } from 'node:path';
import { pathFieldOf } from './rule-tools.js';

type Fields = Readonly<Record<string, unknown>>;

/** The usual path fields of unknown tools that declare none. */
const USUAL_FIELDS = [
  ...['path', 'paths', 'file', 'files', 'file_path', 'filePath', 'filename', 'notebook_path'],
  ...['directory', 'directories', 'dir', 'folder', 'cwd', 'root'],
];
const MAGIC = /[*?[\]{}()!+@\\]/;

/** The path of a tool that is known to have one, relative to `cwd`; undefined if it cannot be determined. */
export function knownPath(tool: string, input: unknown, cwd: string): string | undefined {
  const known = pathFieldOf(tool);
  const fields = fieldsOf(input);
  if (known === undefined) return undefined;
  const path = fields[known.field] ?? (known.orCwd ? cwd : undefined);
  if (typeof path !== 'string') return undefined;
  return tool === 'Glob' ? startOfPattern(path, fields['pattern'], cwd) : path;
}

/** The directory where a pattern starts to match: below the given directory, or somewhere else. */
function startOfPattern(directory: string, pattern: unknown, cwd: string): string | undefined {
  if (typeof pattern !== 'string') return undefined;
  const names = pattern.split('/');
  const magic = names.findIndex((name) => MAGIC.test(name));
  if (magic >= 0 && names.slice(magic).includes('..')) return undefined;
  // A path without wildcards is the file itself; `/*` is the whole disk.
  const plain = magic < 0 ? pattern : names.slice(0, magic).join('/') || (magic === 0 ? '.' : '/');
  return resolve(cwd, directory, plain);
}

/** Every path in the given fields of an input; undefined if one of the values is not a path. */
export function pathsIn(
  input: unknown,
  names: readonly string[] = USUAL_FIELDS,
): readonly string[] | undefined {
  const fields = fieldsOf(input);
  const values = names.flatMap((name): unknown[] => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  });
  return values.every((value) => typeof value === 'string') ? values : undefined;
}

function fieldsOf(input: unknown): Fields {
  return typeof input === 'object' && input !== null ? (input as Fields) : {};
}
