/**
 * Walks a workspace and copies what may be shared, within limits. Links are copied last, when all their targets are
 * known.
 */

import type { Stats } from 'node:fs';
import { lstat, mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { PRIVATE_FOLDER } from '../../base/files/private.js';
import { copyFile, unreadable } from './copy-file.js';
import { OpenFolder } from './open-folder.js';
import type { LeftOut, Selection } from './selection.js';

/** What a copy contains, and what was left out. */
export interface CopyReport {
  /** Number of copied files, without links. */
  readonly files: number;
  readonly bytes: number;
  /** What was left out and why; the first thousand entries. */
  readonly leftOut: readonly LeftOut[];
  /** Total number of entries left out; a folder counts as one. */
  readonly leftOutCount: number;
}

/** A longer list is not useful. */
const MAX_LISTED = 1000;
/** Entries examined per entry that may be copied. */
const EXAMINED_PER_FILE = 10;

interface Found {
  readonly name: string;
  readonly path: string;
  readonly info: Stats;
}

export class TreeCopy {
  readonly #root: string;
  readonly #target: string;
  readonly #selection: Selection;
  /** The identity of a folder that is never copied: the one that contains the copies. */
  readonly #avoided: string | undefined;
  readonly #signal: AbortSignal;
  readonly #copied = new Set<string>();
  readonly #links: Found[] = [];
  readonly #leftOut: LeftOut[] = [];
  #leftOutCount = 0;
  #files = 0;
  #bytes = 0;
  #examined = 0;

  /** `root`: with links resolved. `target`: an existing empty folder. */
  constructor(
    root: string,
    target: string,
    selection: Selection,
    avoided: string | undefined,
    signal: AbortSignal,
  ) {
    this.#root = root;
    this.#target = target;
    this.#selection = selection;
    this.#avoided = avoided;
    this.#signal = signal;
  }

  /** Rejects if the root cannot be read, or a copy cannot be written. */
  async run(): Promise<CopyReport> {
    const root = await OpenFolder.open(this.#root);
    try {
      await this.#copyFolder(root, '', 0);
      for (const link of this.#links) await this.#copyLink(link);
    } finally {
      await root.close();
    }
    for (const path of this.#selection.only) if (!this.#isKnown(path)) this.#leave(path, MISSING);
    return {
      files: this.#files,
      bytes: this.#bytes,
      leftOut: this.#leftOut,
      leftOutCount: this.#leftOutCount,
    };
  }

  /** Files first, so that a large folder does not use up the limit for the files next to it. */
  async #copyFolder(folder: OpenFolder, path: string, depth: number): Promise<void> {
    const most = Math.max(0, this.#selection.limits.maxFiles * EXAMINED_PER_FILE - this.#examined);
    const { names, isAll } = await folder.names(most);
    this.#examined += names.length;
    const folders: Found[] = [];
    for (const name of names) {
      this.#signal.throwIfAborted();
      const found = await this.#look(folder, name, path === '' ? name : `${path}/${name}`);
      if (found === undefined) continue;
      if (found.info.isDirectory()) folders.push(found);
      else if (found.info.isSymbolicLink()) this.#links.push(found);
      else await this.#copyFile(folder, found);
    }
    if (!isAll) this.#leave(path === '' ? '.' : path, { reason: 'too-many', why: 'it has too many entries' });
    for (const found of folders) await this.#enter(folder, found, depth + 1);
  }

  async #look(folder: OpenFolder, name: string, path: string): Promise<Found | undefined> {
    try {
      const info = await lstat(folder.at(name));
      const verdict = this.#selection.judge(path, name, !info.isDirectory());
      if (verdict === undefined) return { name, path, info };
      if (verdict !== false) this.#leave(path, verdict);
    } catch (error) {
      this.#leave(path, unreadable(error));
    }
    return undefined;
  }

  async #enter(parent: OpenFolder, { name, path }: Found, depth: number): Promise<void> {
    if (depth > this.#selection.limits.maxDepth) return this.#leave(path, TOO_DEEP);
    if (this.#isFull()) return this.#leave(path, TOO_MANY);
    let folder: OpenFolder;
    try {
      folder = await parent.enter(name);
    } catch (error) {
      return this.#leave(path, unreadable(error));
    }
    try {
      if ((await folder.identity()) === this.#avoided) return this.#leave(path, AVOIDED);
      await mkdir(join(this.#target, path), { mode: PRIVATE_FOLDER });
      this.#copied.add(path);
      await this.#copyFolder(folder, path, depth);
    } finally {
      await folder.close();
    }
  }

  async #copyFile(folder: OpenFolder, { name, path, info }: Found): Promise<void> {
    if (!info.isFile()) return this.#leave(path, SPECIAL);
    if (this.#isFull()) return this.#leave(path, TOO_MANY);
    const { maxFileBytes, maxBytes } = this.#selection.limits;
    const done = await copyFile({
      folder,
      name,
      target: join(this.#target, path),
      most: maxFileBytes,
      left: maxBytes - this.#bytes,
      mayBeKey: this.#selection.isIncluded(path),
      signal: this.#signal,
    });
    if (!done.ok) return this.#leave(path, done);
    this.#copied.add(path);
    this.#files += 1;
    this.#bytes += done.bytes;
  }

  /** In the copy a link points directly to its final target, by a relative path. */
  async #copyLink({ path }: Found): Promise<void> {
    this.#signal.throwIfAborted();
    if (this.#isFull()) return this.#leave(path, TOO_MANY);
    let real: string;
    try {
      real = await realpath(join(this.#root, path));
    } catch (error) {
      const isCircle = (error as NodeJS.ErrnoException).code === 'ELOOP';
      const why = isCircle ? 'the link goes in a circle' : 'the link has no target';
      return this.#leave(path, { reason: 'link', why });
    }
    const inner = relative(this.#root, real).split(sep).join('/');
    if (inner === '..' || inner.startsWith('../') || join(this.#root, inner) !== real)
      return this.#leave(path, { reason: 'link', why: 'the link points outside the workspace' });
    if (inner !== '' && !this.#copied.has(inner))
      return this.#leave(path, { reason: 'link', why: 'the link points to something that was left out' });
    await symlink(posix.relative(dirname(path), inner) || '.', join(this.#target, path));
    this.#copied.add(path);
  }

  #isFull(): boolean {
    return this.#copied.size >= this.#selection.limits.maxFiles;
  }

  #isKnown(path: string): boolean {
    return this.#copied.has(path) || this.#leftOut.some((entry) => entry.path === path);
  }

  #leave(path: string, { reason, why }: Omit<LeftOut, 'path'>): void {
    this.#leftOutCount += 1;
    if (this.#leftOut.length < MAX_LISTED) this.#leftOut.push({ path, reason, why });
  }
}

const MISSING = { reason: 'unreadable', why: 'it does not exist' } as const;
const TOO_DEEP = { reason: 'too-deep', why: 'it is nested too deeply' } as const;
const TOO_MANY = { reason: 'too-many', why: 'the limit of files is reached' } as const;
const AVOIDED = { reason: 'excluded', why: 'the copies for peers are kept there' } as const;
const SPECIAL = { reason: 'special', why: 'it is a pipe, a socket or a device' } as const;
