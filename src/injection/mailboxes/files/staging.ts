/**
 * Brings a file to its place exactly once, whoever tries and whoever dies at it. The file is written aside, then gets a
 * second name that only one can have: the marker. Who got it moves the file to its place. One that was left behind is
 * finished by others if its marker is the same file, and thrown away if it is not.
 */

import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolders, writePrivate } from '../../../base/files/private.js';
import { isGone, type Owner } from '../../../process/owner.js';
import { targetsOf } from '../../item.js';
import type { Arrivals } from './arrivals.js';
import type { Boxes } from './boxes.js';
import { LEFT_BEHIND_MS, linkNew, list, look, move, remove } from './disk.js';
import { codeOf } from './disk-error.js';
import { itemFile, ownerOfUnfinished, readStagedFile, type StagedName, stagedFile } from './file-names.js';
import type { ItemName } from './item-name.js';
import type { Desk } from './mailbox-context.js';
import { idPath, readRecord } from './record.js';

export interface Publication {
  readonly name: ItemName;
  readonly text: string;
  /** Where the second name is; it outlives the file's stay in its place. */
  readonly marker: string;
  readonly destination: string;
  /** Those who look for new names there; undefined where nobody does. */
  readonly arrivals: Arrivals | undefined;
  readonly copyFor?: string | undefined;
  /** Asked when the marker is ours: whether it may still arrive. */
  readonly isWanted?: (() => Promise<boolean>) | undefined;
}

export class Staging {
  readonly #desk: Desk;
  readonly #boxes: Boxes;
  readonly #log: Arrivals;

  constructor(desk: Desk, boxes: Boxes, log: Arrivals) {
    this.#desk = desk;
    this.#boxes = boxes;
    this.#log = log;
  }

  /** False: somebody else has brought it, or it is not wanted any more. When it rejects, nothing has arrived. */
  async publish(publication: Publication): Promise<boolean> {
    const { name, text, marker, copyFor, isWanted } = publication;
    const staged = join(this.#desk.place.staging, stagedFile(name, this.#desk.owner, copyFor));
    await writePrivate(staged, text);
    let isOurs = false;
    try {
      isOurs = await linkNew(staged, marker);
      if (isOurs && (await (isWanted?.() ?? true))) {
        await this.#finish(staged, publication);
        return true;
      }
    } catch (error) {
      await this.#takeBack(staged, isOurs ? marker : undefined);
      throw error;
    }
    await this.#takeBack(staged, isOurs ? marker : undefined);
    return false;
  }

  /** Where it is gone already, somebody who thought us dead has finished it. */
  async #finish(staged: string, publication: Omit<Publication, 'text'>): Promise<void> {
    const { name, marker, destination, arrivals } = publication;
    await move(staged, destination);
    await arrivals?.announce(name);
    await syncFolders(join(marker, '..'), join(destination, '..'));
  }

  /** The marker first: without it the file is nothing. */
  async #takeBack(staged: string, marker: string | undefined): Promise<void> {
    try {
      if (marker !== undefined) await remove(marker);
      await remove(staged);
    } catch (error) {
      this.#desk.tellProblem(new Error(`'${staged}' could not be removed`, { cause: error }));
    }
  }

  /** Whether somebody is just bringing an item with this id. */
  async isArriving(idHash: string): Promise<boolean> {
    const names = (await list(this.#desk.place.staging)).map(readStagedFile);
    return names.some((staged) => staged?.name.idHash === idHash && staged.copyFor === undefined);
  }

  /** The items that are on their way into their places. */
  async names(): Promise<ItemName[]> {
    const staged = (await list(this.#desk.place.staging)).map(readStagedFile);
    return staged.flatMap((each) => (each === undefined ? [] : [each.name]));
  }

  /** Finishes or throws away what processes that are gone have left behind. */
  async recover(): Promise<void> {
    for (const file of await list(this.#desk.place.staging)) {
      const staged = readStagedFile(file);
      const owner = staged?.owner ?? ownerOfUnfinished(file);
      if (!(await this.#isLeftBehind(file, owner))) continue;
      const path = join(this.#desk.place.staging, file);
      if (staged !== undefined) await this.#settle(path, staged);
      // A folder that was never finished, or nothing of ours: in here nothing can be an item.
      else await rm(path, { recursive: true, force: true });
    }
  }

  async #isLeftBehind(file: string, owner: Owner | undefined): Promise<boolean> {
    if (owner !== undefined && isGone(owner, this.#desk.owner)) return true;
    const stats = await look(join(this.#desk.place.staging, file));
    return stats !== undefined && Date.now() - stats.mtimeMs > LEFT_BEHIND_MS;
  }

  /** Takes it over first: whoever it belongs to, should it live after all, then finds it gone and changes nothing. */
  async #settle(found: string, { name, copyFor }: StagedName): Promise<void> {
    const staged = join(this.#desk.place.staging, stagedFile(name, this.#desk.owner, copyFor));
    if (!(await move(found, staged))) return;
    const publication = await this.#publicationOf(staged, name, copyFor);
    // The folder of its agent cannot be used now: whoever comes by when it can finishes it.
    if (publication === 'later') await move(staged, found);
    else if (publication === undefined || !(await isSameFile(staged, publication.marker)))
      await remove(staged);
    else if ((await publication.isWanted?.()) === false) await this.#takeBack(staged, publication.marker);
    else await this.#finish(staged, publication);
  }

  /** Undefined: it was not written to its end, so it has no marker. */
  async #publicationOf(
    staged: string,
    name: ItemName,
    copyFor: string | undefined,
  ): Promise<Omit<Publication, 'text'> | 'later' | undefined> {
    const reading = await readRecord(staged, name);
    if (reading?.ok !== true) return undefined;
    if (copyFor !== undefined) {
      const box = await this.#boxes.tryFolder(copyFor);
      if (box === undefined) return this.#boxes.isBroken(copyFor) ? 'later' : undefined;
      return {
        name,
        marker: box.seen(name),
        destination: box.waiting(name),
        arrivals: box.arrivals,
        isWanted: () => this.isInLog(name),
      };
    }
    const { item } = reading.record;
    const [only, ...others] = targetsOf(item) ?? [];
    if (only !== undefined && others.length === 0 && (await this.#boxes.tryEnsure(only)) === undefined)
      return 'later';
    const marker = idPath(this.#desk.place, name.idHash);
    return { name, marker, ...(await this.destinationOf(name, item)) };
  }

  /** An item for one agent goes straight to it, one for several into the log. */
  async destinationOf(
    name: ItemName,
    item: Parameters<typeof targetsOf>[0],
  ): Promise<Pick<Publication, 'destination' | 'arrivals'>> {
    const targets = targetsOf(item);
    const [only] = targets ?? [];
    if (targets?.length !== 1 || only === undefined)
      return { destination: join(this.#desk.place.log, itemFile(name)), arrivals: this.#log };
    const box = await this.#boxes.ensure(only);
    return { destination: box.waiting(name), arrivals: box.arrivals };
  }

  /** Markers of copies are only removed after the item has left the log: while it is there, they can be relied on. */
  async isInLog(name: ItemName): Promise<boolean> {
    return (await look(join(this.#desk.place.log, itemFile(name)))) !== undefined;
  }
}

async function isSameFile(a: string, b: string): Promise<boolean> {
  try {
    const [one, other] = await Promise.all([a, b].map((path) => lstat(path, { bigint: true })));
    return one?.ino === other?.ino && one?.dev === other?.dev;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
