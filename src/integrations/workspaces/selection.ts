/** What of a workspace is shared: which names, how many, how much, how deep. */
import { isAbsolute, normalize, sep } from 'node:path';
import { Minimatch } from 'minimatch';
import { HookError, show } from '../../base/errors.js';
import { isBulky, namesSecret } from './secrets.js';

/**
 * Why something is not shared.
 *
 * - `secret`: by its name, or because it is a private key.
 * - `excluded`: history, installed packages, the shared folder itself, and whatever `exclude` says.
 * - `link`: a symbolic link that leads out of the workspace, nowhere, in a circle, or to something left out.
 * - `special`: a pipe, a socket, a device.
 * - `too-large`, `too-many`, `too-deep`: beyond a limit.
 * - `unreadable`: it may not be read, or is not there.
 * - `changing`: it was written to the whole time.
 */
export type LeftOutReason =
  | 'secret'
  | 'excluded'
  | 'link'
  | 'special'
  | 'too-large'
  | 'too-many'
  | 'too-deep'
  | 'unreadable'
  | 'changing';

/** Something that was not copied. */
export interface LeftOut {
  /** From the root of the workspace, with forward slashes. */
  readonly path: string;
  readonly reason: LeftOutReason;
  /** A sentence for people. */
  readonly why: string;
}

/** How much is copied at most. */
export interface Limits {
  /** Files, folders and links. Default: 10,000. */
  readonly maxFiles: number;
  /** Default: 256 MiB. */
  readonly maxBytes: number;
  /** Of one file. Default: 32 MiB. */
  readonly maxFileBytes: number;
  /** Folders within folders. Default: 32. */
  readonly maxDepth: number;
}

/** What holds where nothing else is said. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  maxFiles: 10_000,
  maxBytes: 256 * 1024 * 1024,
  maxFileBytes: 32 * 1024 * 1024,
  maxDepth: 32,
});

/** Which files are shared. */
export interface SelectionOptions {
  /** Names (`*.log`, at any depth) or paths (`data/raw/**`) that are left out too. */
  readonly exclude?: readonly string[] | undefined;
  /** Names or paths that are shared although they look like secrets, or are left out by default. */
  readonly include?: readonly string[] | undefined;
  /** Nothing but these files and folders, by their paths within the workspace. Default: all of it. */
  readonly only?: readonly string[] | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

export interface Selection {
  readonly limits: Limits;
  readonly only: readonly string[];
  /** Undefined: it is shared. `false`: nobody has asked for it, so nothing is said about it. */
  judge(path: string, name: string, isFile: boolean): Omit<LeftOut, 'path'> | false | undefined;
  /** Somebody has asked for it by name, so it may hold a secret. */
  isIncluded(path: string): boolean;
}

const MAX_PATTERN = 1000;

/** Throws a HookError for a pattern, a path or a limit that makes no sense. */
export function readSelection(options: SelectionOptions = {}): Selection {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  for (const [name, value] of Object.entries(limits)) {
    if (!(Number.isSafeInteger(value) && value >= 0))
      throw invalid(`\`limits.${name}\` is ${show(value)}; a whole number from 0 on was expected.`);
  }
  const excludes = compile('exclude', options.exclude);
  const includes = compile('include', options.include);
  const only = (options.only ?? []).map(readInnerPath);
  const isAskedFor = (path: string): boolean =>
    only.length === 0 || only.some((wanted) => isWithin(path, wanted) || isWithin(wanted, path));
  return {
    limits,
    only,
    isIncluded: includes,
    judge(path, name, isFile) {
      if (!isAskedFor(path)) return false;
      if (excludes(path)) return { reason: 'excluded', why: 'it is excluded' };
      if (includes(path)) return undefined;
      if (namesSecret(name, isFile)) return { reason: 'secret', why: 'its name is that of a secret' };
      if (isBulky(name)) return { reason: 'excluded', why: `${name} is left out by default` };
      return undefined;
    },
  };
}

/** A path that stays within the workspace, in one spelling. */
export function readInnerPath(path: string): string {
  const parts = typeof path === 'string' ? path.split(/[/\\]/) : [];
  if (parts.length === 0 || isAbsolute(path) || path.includes('\0') || parts.includes('..'))
    throw invalid(
      `${show(path)} is no path within a workspace; give one that is relative and does not lead out of it.`,
    );
  const plain = normalize(path).split(sep).join('/').replace(/\/+$/, '');
  if (plain === '' || plain === '.')
    throw invalid(`${show(path)} is the whole workspace; leave \`only\` away for that.`);
  return plain;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function compile(option: string, patterns: readonly string[] = []): (path: string) => boolean {
  const matchers = patterns.map((pattern) => {
    if (typeof pattern !== 'string' || pattern === '' || pattern.length > MAX_PATTERN)
      throw invalid(
        `\`${option}\` holds ${show(pattern)}; patterns of 1 to ${MAX_PATTERN} characters were expected.`,
      );
    return new Minimatch(pattern.replace(/\/+$/, ''), {
      dot: true,
      nocomment: true,
      nonegate: true,
      // Braces multiply: without a bound a short pattern means millions.
      braceExpandMax: 1000,
      matchBase: true,
      platform: 'linux',
    });
  });
  return (path) => matchers.some((matcher) => matcher.match(path));
}

const invalid = (message: string): HookError => new HookError('invalid_option', message);
