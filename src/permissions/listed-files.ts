/** Looks up the files that a command of a line lists, before another one is given their names. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { takesAnyWords } from '../shell/effects.js';
import type { Listing, ShellCommand } from '../shell/read-line.js';
import type { SearchedFolder } from './analyse-line.js';
import { trackedFiles } from './git-index.js';
import { topOf } from './git-repository.js';

const MAX_ENTRIES = 30_000;
/** A shell or `xargs` would take such a name apart, or for a pattern. */
const SPLITS = /[\s'"\\*?[]/;

/** They open no file. */
const SHOWS_NAMES = /^(?:echo|basename|dirname)$/;

export interface ListedFiles {
  /** Links among them, as absolute paths. */
  readonly links: readonly string[];
}

/**
 * Undefined if one of the names may be taken for something else than this file: an option, or several words; or if there
 * are too many to look at. `splits`: names are separated by blanks.
 */
export function lookUpListed(listing: Listing, splits: boolean): ListedFiles | undefined {
  const { base, folders, regular, whole } = listing;
  if (base === undefined) return undefined;
  // Each file is a word of its own, without links, behind the folder that it is in.
  if (regular && whole && !splits && folders.length > 0 && folders.every((folder) => !folder.startsWith('-')))
    return { links: [] };
  const isPlain = (name: string): boolean =>
    !name.startsWith('-') && ((whole && !splits) || !SPLITS.test(name));
  if (!folders.every(isPlain)) return undefined;
  const links: string[] = [];
  try {
    for (const from of base) {
      const found =
        folders.length === 0
          ? tracked(from, listing)
          : below(
              folders.map((each) => resolve(from, each)),
              listing,
            );
      if (found === undefined || !found.every(({ name }) => isPlain(name))) return undefined;
      if (!regular) links.push(...found.flatMap(({ link }) => link ?? []));
    }
  } catch {
    return undefined;
  }
  return { links: [...new Set(links)] };
}

/**
 * The folders of which a command gets files by their names, if all of its unknown words are such names, and it reads no more
 * than these files.
 */
export function foldersListed({
  words: [name, ...args],
  redirects,
  fed,
  feed,
}: ShellCommand): readonly SearchedFolder[] | undefined {
  const unknown = args.filter(({ value }) => value === undefined);
  const isFed = fed === true && feed !== undefined;
  const added = isFed && feed.appended ? [feed.output] : [];
  const outputs = [...unknown.map(({ listing }) => listing), ...added];
  const isKnown = redirects.every(({ target }) => target.value !== undefined && !target.globs);
  const program = name?.value ?? '';
  if (SHOWS_NAMES.test(program) || !takesAnyWords(program) || (fed === true && !isFed) || !isKnown)
    return undefined;
  const found = outputs.map((output) => {
    if (output?.kind !== 'files' || output.base === undefined || output.folders.length === 0)
      return undefined;
    const { base, folders, only, visible } = output;
    const filter = { ...(only !== undefined && { only: [only] }), visible };
    const found = base.flatMap((from) => folders.map((folder) => ({ path: resolve(from, folder), filter })));
    const there = found.filter(({ path }) => existsSync(path));
    return there.every(({ path }) => statSync(path).isDirectory()) ? there : undefined;
  });
  return outputs.length === 0 || found.includes(undefined) ? undefined : found.flatMap((each = []) => each);
}

interface Found {
  readonly name: string;
  /** The path of a link. */
  readonly link?: string;
}

function tracked(folder: string, { fromTop }: Listing): readonly Found[] | undefined {
  const top = topOf(folder);
  const index = top === undefined ? undefined : join(top, '.git', 'index');
  if (fromTop && top !== folder) return undefined;
  if (top === undefined || index === undefined || !statSync(join(top, '.git')).isDirectory())
    return undefined;
  return trackedFiles(readFileSync(index))?.flatMap(({ path, isLink }) =>
    path.split('/').map((name) => ({ name, ...(isLink && { link: join(top, path) }) })),
  );
}

function below(starts: readonly string[], { except, visible, flat }: Listing): readonly Found[] | undefined {
  const found: Found[] = [];
  const open = starts.filter((start) => statSync(start, { throwIfNoEntry: false })?.isDirectory());
  const left = new Set(visible ? [...except, '.git'] : except);
  const first = new Set(open);
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (left.has(entry.name) || (first.has(at) && left.has(`./${entry.name}`))) continue;
      if (found.length > MAX_ENTRIES) return undefined;
      const path = join(at, entry.name);
      found.push({ name: entry.name, ...(entry.isSymbolicLink() && { link: path }) });
      if (entry.isDirectory() && !flat) open.push(path);
    }
  return found;
}
