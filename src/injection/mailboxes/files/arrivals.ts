/** The names in a folder, in order, without listing it each time: whoever adds one also writes it into a journal. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PRIVATE_FILE } from '../../../base/files/private.js';
import { list, NOFOLLOW, NONBLOCK, remove } from './disk.js';
import { codeOf } from './disk-error.js';
import { readItemFile } from './file-names.js';
import { type ItemName, parseItemName } from './item-name.js';

/** A writer that dies between its file and its line is noticed after this time at the latest. */
const LISTED_ANEW_MS = 1000;
const MAX_JOURNAL = 256 * 1024;

interface Position {
  readonly ino: number;
  readonly size: number;
}

const NO_INDEX: Position = { ino: 0, size: 0 };

export class Arrivals {
  readonly #folder: string;
  readonly #journal: string;
  readonly #onForeign: (file: string) => Promise<void>;
  #names: ItemName[] = [];
  #read: Position = NO_INDEX;
  #listedAt = Number.NEGATIVE_INFINITY;
  #turn: Promise<unknown> = Promise.resolve();

  /** `onForeign` is told of files that have no name of ours. */
  constructor(folder: string, journal: string, onForeign: (file: string) => Promise<void>) {
    this.#folder = folder;
    this.#journal = journal;
    this.#onForeign = onForeign;
  }

  /** Writes the line; the file is in its place already. It is a hint: without it the file is found a little later. */
  async announce(name: ItemName): Promise<void> {
    this.#insert(name);
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NOFOLLOW | NONBLOCK;
    try {
      const journal = await open(this.#journal, flags, PRIVATE_FILE);
      await journal.write(`${name.text}\n`).finally(() => journal.close());
    } catch {}
  }

  /**
   * All that were there when it was called, and for a moment some that others have taken since. One call after another, so
   * that none is answered from before it asked.
   */
  names(): Promise<readonly ItemName[]> {
    const turn = this.#turn.then(() => this.#refresh());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Exactly those that are there. */
  listed(): Promise<readonly ItemName[]> {
    this.#listedAt = Number.NEGATIVE_INFINITY;
    return this.names();
  }

  /** It is no longer there. */
  drop({ text }: ItemName): void {
    const at = this.#placeOf(text);
    if (this.#names[at]?.text === text) this.#names.splice(at, 1);
  }

  async #refresh(): Promise<readonly ItemName[]> {
    const isOld = performance.now() - this.#listedAt > LISTED_ANEW_MS;
    if (isOld || this.#names.length === 0 || !(await this.#readOn())) await this.#list();
    // A copy: others go on while the caller works through it.
    return [...this.#names];
  }

  async #list(): Promise<void> {
    // The journal first: what comes in between is met twice, never missed.
    const position = await this.#end();
    const files = await list(this.#folder);
    const names: ItemName[] = [];
    for (const file of files) {
      const name = readItemFile(file);
      if (name === undefined) await this.#onForeign(file);
      else names.push(name);
    }
    this.#names = names.sort(compareNames);
    this.#read = position;
    this.#listedAt = performance.now();
  }

  /** How far the journal goes. One that is too long, or that is none, begins anew. */
  async #end(): Promise<Position> {
    try {
      const journal = await this.#open();
      if (journal === undefined) return NO_INDEX;
      const { ino, size } = await journal.stat().finally(() => journal.close());
      if (size <= MAX_JOURNAL) return { ino, size };
    } catch {}
    await remove(this.#journal).catch(() => undefined);
    return NO_INDEX;
  }

  /** Takes in the lines since the last time. False: the journal cannot say what has come. */
  async #readOn(): Promise<boolean> {
    let journal: FileHandle | undefined;
    try {
      journal = await this.#open();
    } catch {
      return false;
    }
    if (journal === undefined) return this.#read === NO_INDEX;
    try {
      const { ino, size } = await journal.stat();
      if (ino !== this.#read.ino || size < this.#read.size) return false;
      if (size === this.#read.size) return true;
      const bytes = Buffer.alloc(size - this.#read.size);
      const { bytesRead } = await journal.read(bytes, 0, bytes.length, this.#read.size);
      const lines = bytes.toString('latin1', 0, bytesRead).split('\n');
      if (bytesRead < bytes.length || lines.pop() !== '') return false;
      const names = lines.map(parseItemName);
      for (const name of names) if (name !== undefined) this.#insert(name);
      this.#read = { ino, size };
      return !names.includes(undefined);
    } finally {
      await journal.close();
    }
  }

  async #open(): Promise<FileHandle | undefined> {
    try {
      return await open(this.#journal, constants.O_RDONLY | NOFOLLOW | NONBLOCK);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  #insert(name: ItemName): void {
    const at = this.#placeOf(name.text);
    if (this.#names[at]?.text !== name.text) this.#names.splice(at, 0, name);
  }

  /** Where the first name stands that is not before it. */
  #placeOf(text: string): number {
    let low = 0;
    let high = this.#names.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#names[middle]?.text ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compareNames(a: ItemName, b: ItemName): number {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
