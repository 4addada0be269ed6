/** Tools stay within the places that an agent was given, and write only where it may write. */
import { lstat, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HookError, messageOf, show } from '../../base/errors.js';
import { isInside } from '../../base/files/inside.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { type BuiltInHook, builtInOptions } from './built-in.js';
import { onlyReads, type PathArgument, pathArguments } from './path-arguments.js';

/** Where tools may read, and perhaps write. */
export interface AllowedPlace {
  /** A folder with all that is in it, or a file. Absolute. */
  readonly path: string;
  /** Default: only reading is allowed. */
  readonly write?: boolean | undefined;
}

/** The places, and how a call's paths are found. */
export interface PathGuardOptions {
  readonly places: readonly AllowedPlace[];
  /** Where relative paths begin. Default: the `cwd` of the input. */
  readonly cwd?: string | undefined;
  /** The paths that a call is about. Default: told by the names of its arguments. */
  readonly pathsOf?: ((toolName: string, input: unknown) => readonly PathArgument[]) | undefined;
  /** Whether a tool only reads. Default: told by its name; one that is not known to only read counts as writing. */
  readonly onlyReads?: ((toolName: string) => boolean) | undefined;
}

const OPTIONS: OptionNames<PathGuardOptions> = { places: true, cwd: true, pathsOf: true, onlyReads: true };

/** So many links, and folders that are not there, are followed; a path with more has no honest purpose. */
const MAX_STEPS = 100;

/**
 * Refuses calls about paths outside the given places, and writing where only reading is allowed.
 *
 * Links are followed, also where the end of a path is not there yet. A guard that fails refuses. It sees what a call says:
 * what a shell line does, or what changes between the look and the call, it cannot see.
 *
 * Throws a `HookError`, code `invalid_option`, for a place that is no absolute path.
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

/** Why a path may not be used; undefined: it may. */
async function judge(
  path: string,
  cwd: string,
  writes: boolean,
  places: readonly AllowedPlace[],
): Promise<string | undefined> {
  if (path.includes('\0')) return 'which is no path';
  let real: string;
  try {
    real = await follow(resolve(cwd, expand(path)));
  } catch (error) {
    return `which cannot be followed (${messageOf(error)})`;
  }
  let isReadable = false;
  for (const place of places) {
    if (!isInside(real, await follow(resolve(place.path)))) continue;
    if (!writes || place.write === true) return undefined;
    isReadable = true;
  }
  const allowed = places.filter(({ write }) => write === true || !writes).map((place) => place.path);
  const where = allowed.length === 0 ? 'no place is allowed' : `allowed is ${allowed.join(', ')}`;
  return isReadable ? `which may only be read; for writing ${where}` : `which lies outside; ${where}`;
}

function expand(path: string): string {
  if (path.startsWith('file:')) return fileURLToPath(path);
  return path === '~' || /^~[/\\]/.test(path) ? join(homedir(), path.slice(1)) : path;
}

/** Where a path really leads. The part of it that exists is followed; a link to nothing leads where it points. */
async function follow(path: string, steps = 0): Promise<string> {
  if (steps > MAX_STEPS) throw new Error('too many links, or folders that are not there');
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
  if (isLink) return follow(resolve(folder, await readlink(path)), steps + 1);
  return folder === path ? path : join(await follow(folder, steps + 1), basename(path));
}
