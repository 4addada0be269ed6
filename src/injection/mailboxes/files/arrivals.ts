/** The sorted names in a folder, without listing it each time: every writer also appends the name to a journal. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PRIVATE_FILE } from '../../../base/files/private.js';
import { list, NOFOLLOW, NONBLOCK, remove } from './disk.js';
import { codeOf } from './disk-error.js';
import { readItemFile } from './file-names.js';
import { type ItemName, parseItemName } from './item-name.js';

/** The folder is listed again after this time, in case a writer died between its file and its journal line. */
const RELIST_AFTER_MS = 1000;
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

  /** `onForeign` is called for files whose names do not belong to the mailbox. */
  constructor(folder: string, journal: string, onForeign: (file: string) => Promise<void>) {
    this.#folder = folder;
    this.#journal = journal;
    this.#onForeign = onForeign;
  }

  /**
   * Appends the journal line after the file is in place. The line is only a hint: without it the file is found a little
   * later.
   */
  async announce(name: ItemName): Promise<void> {
    this.#insert(name);
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NOFOLLOW | NONBLOCK;
    try {
      const journal = await open(this.#journal, flags, PRIVATE_FILE);
      await journal.write(`${name.text}\n`).finally(() => journal.close());
    } catch {}
  }

  /**
   * All names present at the time of the call; some may have been taken by other processes since. Calls run one after
   * another, so that no call gets a result from before it started.
   */
  names(): Promise<readonly ItemName[]> {
    const turn = this.#turn.then(() => this.#refresh());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Exactly the names that are present. */
  listed(): Promise<readonly ItemName[]> {
    this.#listedAt = Number.NEGATIVE_INFINITY;
    return this.names();
  }

  /** Removes a name that is no longer present. */
  drop({ text }: ItemName): void {
    const at = this.#placeOf(text);
    if (this.#names[at]?.text === text) this.#names.splice(at, 1);
  }

  async #refresh(): Promise<readonly ItemName[]> {
    const isOld = performance.now() - this.#listedAt > RELIST_AFTER_MS;
    if (isOld || this.#names.length === 0 || !(await this.#readOn())) await this.#list();
    // A copy, because the list may change while the caller iterates.
    return [...this.#names];
  }

  async #list(): Promise<void> {
    // The position in the journal is read first: a name added in between is seen twice, never missed.
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

  /** The current size of the journal. A journal that is too long or invalid is restarted. */
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

  /** Reads the new journal lines. False if the journal cannot be used to find new names. */
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

  /** The index of the first name that does not sort before it. */
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
