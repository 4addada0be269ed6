/** The specifier of a file tool's rule: a pattern as in .gitignore, relative to one of four bases. */
import { posix } from 'node:path';
import { foldCase } from '../base/text/fold-case.js';
import { ignoresCase } from './paths.js';
import { compileSegment, foldSegment, matchesSegments, type Segment } from './rule-glob.js';
import { type Judge, type RuleContext, UNREADABLE } from './rule-judge.js';

interface PathPattern {
  readonly from: 'filesystem' | 'home' | 'root' | 'cwd';
  /** How many directories above the base it starts. */
  readonly up: number;
  readonly segments: readonly Segment[];
  /** It has no capitals. */
  readonly isSmall: boolean;
  /** A name without a slash matches at any depth. */
  readonly floats: boolean;
  /** A directory name followed by `/**`: a deny rule matches it at any depth, an allow rule only at this one. */
  readonly floatsWhenForbidding: boolean;
}

/** No system opens a longer path. */
const MAX_PATH = 4096;
/** Paths whose names say nothing about the file. */
const NAMELESS = /^\/(?:proc|dev\/fd)(?:\/|$)/;

export function compilePath(specifier: string): PathPattern {
  const [from, rest] = startOf(specifier);
  // A directory includes everything in it.
  const names = posix
    .normalize(rest.endsWith('/') ? `${rest}**` : rest)
    .split('/')
    .filter((name) => name !== '' && name !== '.');
  const up = names.filter((name) => name === '..').length;
  const isLoose = from === 'cwd' && !specifier.startsWith('./') && up === 0;
  const isDirectory = names.length === 2 && names[1] === '**';
  return {
    from,
    up,
    segments: names.slice(up).map(compileSegment),
    isSmall: foldCase(specifier) === specifier,
    floats: isLoose && (names.length === 1 || (isDirectory && rest.endsWith('/'))),
    floatsWhenForbidding: isLoose && isDirectory,
  };
}

function startOf(specifier: string): [PathPattern['from'], string] {
  if (specifier.startsWith('//')) return ['filesystem', specifier.slice(2)];
  if (specifier === '~' || specifier.startsWith('~/')) return ['home', specifier.slice(2)];
  if (specifier.startsWith('/')) return ['root', specifier.slice(1)];
  return ['cwd', specifier];
}

/** `field` is the input field with the path; a tool with `orCwd` works on the whole directory without one. */
export function judgePath(pattern: PathPattern, field: string, orCwd: boolean): Judge {
  const deep = ['**' as const, ...pattern.segments];
  const usual = pattern.floats ? deep : pattern.segments;
  const below = [...usual, '**' as const];
  const forbidding = pattern.floatsWhenForbidding ? [...deep, '**' as const] : below;
  const folded = foldPattern(pattern, forbidding);
  return (input, context) => {
    const given = (input as Readonly<Record<string, unknown>> | null | undefined)?.[field];
    const path = given === undefined && orCwd ? context.cwd : given;
    if (typeof path !== 'string' || path.length > MAX_PATH || path.includes('\0')) return UNREADABLE;
    const absolute = toAbsolute(path, context);
    const names = namesBelow(pattern, absolute, context);
    const fits = (segments: readonly Segment[]): boolean =>
      names !== undefined && matchesSegments(segments, names);
    const isOtherCase = (): boolean =>
      folded.differs(absolute) && folded.fits(absolute, context) && ignoresCase(absolute);
    // Computed on demand: a search checks every file that it finds.
    return {
      get matches() {
        return fits(forbidding) || isOtherCase();
      },
      get covers() {
        return fits(usual);
      },
      get applies() {
        return fits(below) || NAMELESS.test(absolute) || isOtherCase();
      },
    };
  };
}

/** The same pattern for names in any case. */
function foldPattern(
  pattern: PathPattern,
  segments: readonly Segment[],
): { differs(path: string): boolean; fits(path: string, context: RuleContext): boolean } {
  const small = segments.map(foldSegment);
  const isSmall = pattern.isSmall;
  return {
    differs: (path) => !isSmall || foldCase(path) !== path,
    fits: (path, { cwd, home, root }) => {
      const context = {
        cwd: foldCase(cwd),
        home: home === undefined ? home : foldCase(home),
        root: root === undefined ? root : foldCase(root),
      };
      const names = namesBelow(pattern, foldCase(path), context);
      return names !== undefined && matchesSegments(small, names);
    },
  };
}

/**
 * Whether a relative path could match the rule from some directory. Inside a directory that the rule names, everything
 * matches; for a text that may not be a path, one of its names must match.
 */
export function mayBeNamed(specifier: string, path: string, isPath: boolean): boolean {
  const { segments } = compilePath(specifier);
  const last = segments.findLast((segment) => segment !== '**');
  if (last === undefined || (isPath && segments.at(-1) === '**')) return true;
  return posix
    .normalize(path)
    .split('/')
    .some((name) => matchesSegments([foldSegment(last)], [foldCase(name)]));
}

/** The folder in which everything lies that the rule can match; undefined without a base. */
export function folderOf(specifier: string, { cwd, home, root = cwd }: RuleContext): string | undefined {
  const { from, up, segments, floats, floatsWhenForbidding } = compilePath(specifier);
  const start = { filesystem: '/', home, root, cwd }[from];
  const isAnywhere = floats || floatsWhenForbidding;
  const names = isAnywhere ? [] : segments.slice(0, -1);
  const open = names.findIndex((name) => literalOf(name) === undefined);
  const below = names.slice(0, open < 0 ? undefined : open).map((name) => literalOf(name) ?? '');
  return start === undefined ? undefined : posix.resolve('/', start, '../'.repeat(up), ...below);
}

function literalOf(segment: Segment): string | undefined {
  return segment !== '**' && segment.every((sign) => typeof sign === 'string' && sign !== 'any')
    ? segment.join('')
    : undefined;
}

function toAbsolute(path: string, { cwd, home }: RuleContext): string {
  const expanded = home !== undefined && /^~(?:\/|$)/.test(path) ? home + path.slice(1) : path;
  return posix.resolve('/', cwd, expanded);
}

/** The names from the pattern's base down to the file; undefined if the file is not below it. */
function namesBelow(
  { from, up }: PathPattern,
  path: string,
  { cwd, home, root = cwd }: RuleContext,
): readonly string[] | undefined {
  const start = { filesystem: '/', home, root, cwd }[from];
  if (start === undefined) return undefined;
  const top = posix.resolve('/', start, '../'.repeat(up));
  if (path === top) return [];
  const folder = top === '/' ? top : `${top}/`;
  return path.startsWith(folder) ? path.slice(folder.length).split('/') : undefined;
}
