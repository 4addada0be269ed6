/** Selects what of a workspace is shared: by name, number, size and depth. */
import { isAbsolute, normalize, sep } from 'node:path';
import { Minimatch } from 'minimatch';
import { HookError, show } from '../../base/errors.js';
import { isBulky, namesSecret } from './secrets.js';

/**
 * Why something is not shared.
 *
 * - `secret`: by its name, or because it is a private key.
 * - `excluded`: version history, installed packages, the shared folder itself, and matches of `exclude`.
 * - `link`: a symbolic link that is dangling, circular, or points outside the workspace or to something left out.
 * - `special`: a pipe, a socket, a device.
 * - `too-large`, `too-many`, `too-deep`: beyond a limit.
 * - `unreadable`: it cannot be read, or does not exist.
 * - `changing`: it kept changing while it was read.
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

/** An entry that was not copied. */
export interface LeftOut {
  /** Relative to the root of the workspace, with forward slashes. */
  readonly path: string;
  readonly reason: LeftOutReason;
  /** A readable explanation. */
  readonly why: string;
}

/** Limits of a copy. */
export interface Limits {
  /** Files, folders and links. Default: 10,000. */
  readonly maxFiles: number;
  /** Default: 256 MiB. */
  readonly maxBytes: number;
  /** Of one file. Default: 32 MiB. */
  readonly maxFileBytes: number;
  /** Depth of nested folders. Default: 32. */
  readonly maxDepth: number;
}

/** The default limits. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  maxFiles: 10_000,
  maxBytes: 256 * 1024 * 1024,
  maxFileBytes: 32 * 1024 * 1024,
  maxDepth: 32,
});

/** Which files are shared. */
export interface SelectionOptions {
  /** Names (`*.log`, at any depth) or paths (`data/raw/**`) to leave out as well. */
  readonly exclude?: readonly string[] | undefined;
  /** Names or paths to share although they look like secrets or are left out by default. */
  readonly include?: readonly string[] | undefined;
  /** Share only these files and folders, given by their paths within the workspace. Default: all of it. */
  readonly only?: readonly string[] | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

export interface Selection {
  readonly limits: Limits;
  readonly only: readonly string[];
  /** Undefined if it is shared. `false` if it is outside `only`, so it is skipped without a report. */
  judge(path: string, name: string, isFile: boolean): Omit<LeftOut, 'path'> | false | undefined;
  /** Whether it was included explicitly, so that it may contain a secret. */
  isIncluded(path: string): boolean;
}

const MAX_PATTERN = 1000;

/** Throws a HookError for an invalid pattern, path or limit. */
export function readSelection(options: SelectionOptions = {}): Selection {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  for (const [name, value] of Object.entries(limits)) {
    if (!(Number.isSafeInteger(value) && value >= 0))
      throw invalid(`\`limits.${name}\` is ${show(value)}; expected a whole number of at least 0.`);
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
      if (namesSecret(name, isFile)) return { reason: 'secret', why: 'its name looks like a secret' };
      if (isBulky(name)) return { reason: 'excluded', why: `${name} is left out by default` };
      return undefined;
    },
  };
}

/** Normalises a path that must stay within the workspace. */
function readInnerPath(path: string): string {
  const parts = typeof path === 'string' ? path.split(/[/\\]/) : [];
  if (parts.length === 0 || isAbsolute(path) || path.includes('\0') || parts.includes('..'))
    throw invalid(
      `${show(path)} is not a path within a workspace; give a relative path that stays inside it.`,
    );
  const plain = normalize(path).split(sep).join('/').replace(/\/+$/, '');
  if (plain === '' || plain === '.')
    throw invalid(`${show(path)} is the whole workspace; omit \`only\` for that.`);
  return plain;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function compile(option: string, patterns: readonly string[] = []): (path: string) => boolean {
  const matchers = patterns.map((pattern) => {
    if (typeof pattern !== 'string' || pattern === '' || pattern.length > MAX_PATTERN)
      throw invalid(
        `\`${option}\` holds ${show(pattern)}; expected patterns of 1 to ${MAX_PATTERN} characters.`,
      );
    return new Minimatch(pattern.replace(/\/+$/, ''), {
      dot: true,
      nocomment: true,
      nonegate: true,
      // Without a limit, a short pattern with braces could expand to millions.
      braceExpandMax: 1000,
      matchBase: true,
      platform: 'linux',
    });
  });
  return (path) => matchers.some((matcher) => matcher.match(path));
}

const invalid = (message: string): HookError => new HookError('invalid_option', message);
