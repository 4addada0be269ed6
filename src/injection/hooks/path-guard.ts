/** Restricts tools to the allowed paths of an agent, and writes to the writable ones. */
import { lstat, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HookError, messageOf, show } from '../../base/errors.js';
import { isInside } from '../../base/files/inside.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { type BuiltInHook, builtInOptions } from './built-in.js';
import { onlyReads, type PathArgument, pathArguments } from './path-arguments.js';

/** A path that tools may read, and optionally write. */
export interface AllowedPlace {
  /** The absolute path of a file, or of a folder including its contents. */
  readonly path: string;
  /** Default: false, read-only. */
  readonly write?: boolean | undefined;
}

/** The allowed paths, and how the paths of a call are found. */
export interface PathGuardOptions {
  readonly places: readonly AllowedPlace[];
  /** The base of relative paths. Default: the `cwd` of the input. */
  readonly cwd?: string | undefined;
  /** Returns the paths of a call. Default: found by the names of its arguments. */
  readonly pathsOf?: ((toolName: string, input: unknown) => readonly PathArgument[]) | undefined;
  /** Whether a tool only reads. Default: decided by its name; unknown tools count as writing. */
  readonly onlyReads?: ((toolName: string) => boolean) | undefined;
}

const OPTIONS: OptionNames<PathGuardOptions> = { places: true, cwd: true, pathsOf: true, onlyReads: true };

/** Maximum number of links and missing folders to resolvePath; no legitimate path has more. */
const MAX_STEPS = 100;

/**
 * Denies calls with paths outside the allowed places, and writes to read-only places.
 *
 * Symbolic links are resolved, even if the end of the path does not exist yet. If the guard fails, it denies. It checks
 * only the arguments of a call: it does not see what a shell command does, or changes between the check and the call.
 *
 * Throws a `HookError` with the code `invalid_option` for a place that is not an absolute path.
 */
export function createPathGuard(options: PathGuardOptions): BuiltInHook {
  refuseUnknownOptions('createPathGuard', options, OPTIONS);
  for (const { path } of options.places) {
    if (typeof path === 'string' && isAbsolute(path)) continue;
    throw new HookError('invalid_option', `A place of a path guard is ${show(path)}; give an absolute path.`);
  }
  const pathsOf = options.pathsOf ?? pathArguments;
  const reads = options.onlyReads ?? onlyReads;
  const name = 'path-guard';
  return {
    name,
    register: (registrar) =>
      registrar.on('PreToolUse', builtInOptions(name, { onFailure: 'block' }), async (input) => {
        const writes = !reads(input.tool_name);
        for (const { key, path } of pathsOf(input.tool_name, input.tool_input)) {
          const problem = await judge(path, options.cwd ?? input.cwd, writes, options.places);
          if (problem === undefined) continue;
          const reason = `${input.tool_name} is refused: ${key} is ${show(path)}, ${problem}.`;
          return { decision: 'block', reason };
        }
        return undefined;
      }),
  };
}

/** Why a path may not be used; undefined if it may. */
async function judge(
  path: string,
  cwd: string,
  writes: boolean,
  places: readonly AllowedPlace[],
): Promise<string | undefined> {
  if (path.includes('\0')) return 'which is not a valid path';
  let real: string;
  try {
    real = await resolvePath(resolve(cwd, expand(path)));
  } catch (error) {
    return `which cannot be resolved (${messageOf(error)})`;
  }
  let isReadable = false;
  for (const place of places) {
    if (!isInside(real, await resolvePath(resolve(place.path)))) continue;
    if (!writes || place.write === true) return undefined;
    isReadable = true;
  }
  const allowed = places.filter(({ write }) => write === true || !writes).map((place) => place.path);
  const where = allowed.length === 0 ? 'no place is allowed' : `allowed: ${allowed.join(', ')}`;
  return isReadable
    ? `which is read-only; for writing, ${where}`
    : `which is outside the allowed places; ${where}`;
}

function expand(path: string): string {
  if (path.startsWith('file:')) return fileURLToPath(path);
  return path === '~' || /^~[/\\]/.test(path) ? join(homedir(), path.slice(1)) : path;
}

/** Resolves a path. Its existing part is resolved; a dangling link resolves to its target. */
async function resolvePath(path: string, steps = 0): Promise<string> {
  if (steps > MAX_STEPS) throw new Error('too many links or missing folders');
  try {
    return await realpath(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
  const isLink = await lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  const folder = dirname(path);
  if (isLink) return resolvePath(resolve(folder, await readlink(path)), steps + 1);
  return folder === path ? path : join(await resolvePath(folder, steps + 1), basename(path));
}
