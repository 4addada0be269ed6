/**
 * Moves a file into place exactly once, even if several processes try or one of them dies. The file is written to
 * staging and then hard-linked to a second name that only one process can create: the marker. The process that created
 * the marker moves the file into place. An abandoned staged file is finished by other processes if its marker is the
 * same file, and deleted otherwise.
 */

import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolders, writePrivate } from '../../../base/files/private.js';
import { isGone, type Owner } from '../../../process/owner.js';
import { targetsOf } from '../../item.js';
import type { Arrivals } from './arrivals.js';
import type { Boxes } from './boxes.js';
import { ABANDONED_AFTER_MS, linkNew, list, look, move, remove } from './disk.js';
import { codeOf } from './disk-error.js';
import { itemFile, ownerOfUnfinished, readStagedFile, type StagedName, stagedFile } from './file-names.js';
import type { ItemName } from './item-name.js';
import type { MailboxContext } from './mailbox-context.js';
import { idPath, readRecord } from './record.js';

export interface Publication {
  readonly name: ItemName;
  readonly text: string;
  /** The path of the marker; it remains after the file has moved on. */
  readonly marker: string;
  readonly destination: string;
  /** The index of the target folder; undefined if there is none. */
  readonly arrivals: Arrivals | undefined;
  readonly copyFor?: string | undefined;
  /** Called once the marker is created: whether the file should still be published. */
  readonly isWanted?: (() => Promise<boolean>) | undefined;
}

export class Staging {
  readonly #context: MailboxContext;
  readonly #boxes: Boxes;
  readonly #log: Arrivals;

  constructor(context: MailboxContext, boxes: Boxes, log: Arrivals) {
    this.#context = context;
    this.#boxes = boxes;
    this.#log = log;
  }

  /** False if another process has published it, or it is no longer wanted. If it rejects, nothing was published. */
  async publish(publication: Publication): Promise<boolean> {
    const { name, text, marker, copyFor, isWanted } = publication;
    const staged = join(this.#context.place.staging, stagedFile(name, this.#context.owner, copyFor));
    await writePrivate(staged, text);
    let isOurs = false;
    try {
      isOurs = await linkNew(staged, marker);
      if (isOurs && (await (isWanted?.() ?? true))) {
        await this.#finish(staged, publication);
        return true;
      }
    } catch (error) {
      await this.#undo(staged, isOurs ? marker : undefined);
      throw error;
    }
    await this.#undo(staged, isOurs ? marker : undefined);
    return false;
  }

  /** If the file is gone, another process considered this one dead and has finished it. */
  async #finish(staged: string, publication: Omit<Publication, 'text'>): Promise<void> {
    const { name, marker, destination, arrivals } = publication;
    await move(staged, destination);
    await arrivals?.announce(name);
    await syncFolders(join(marker, '..'), join(destination, '..'));
  }

  /** The marker first: without it the file has no effect. */
  async #undo(staged: string, marker: string | undefined): Promise<void> {
    try {
      if (marker !== undefined) await remove(marker);
      await remove(staged);
    } catch (error) {
      this.#context.reportProblem(new Error(`'${staged}' could not be removed`, { cause: error }));
    }
  }

  /** Whether a process is publishing an item with this id. */
  async isArriving(idHash: string): Promise<boolean> {
    const names = (await list(this.#context.place.staging)).map(readStagedFile);
    return names.some((staged) => staged?.name.idHash === idHash && staged.copyFor === undefined);
  }

  /** The items that are being published. */
  async names(): Promise<ItemName[]> {
    const staged = (await list(this.#context.place.staging)).map(readStagedFile);
    return staged.flatMap((each) => (each === undefined ? [] : [each.name]));
  }

  /** Finishes or deletes what dead processes have left behind. */
  async recover(): Promise<void> {
    for (const file of await list(this.#context.place.staging)) {
      const staged = readStagedFile(file);
      const owner = staged?.owner ?? ownerOfUnfinished(file);
      if (!(await this.#isAbandoned(file, owner))) continue;
      const path = join(this.#context.place.staging, file);
      if (staged !== undefined) await this.#settle(path, staged);
      // An unfinished folder or a foreign file: neither can be an item.
      else await rm(path, { recursive: true, force: true });
    }
  }

  async #isAbandoned(file: string, owner: Owner | undefined): Promise<boolean> {
    if (owner !== undefined && isGone(owner, this.#context.owner)) return true;
    const stats = await look(join(this.#context.place.staging, file));
    return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS;
  }

  /** Takes the file over first: if its owner is alive after all, it finds the file gone and changes nothing. */
  async #settle(found: string, { name, copyFor }: StagedName): Promise<void> {
    const staged = join(this.#context.place.staging, stagedFile(name, this.#context.owner, copyFor));
    if (!(await move(found, staged))) return;
    const publication = await this.#publicationOf(staged, name, copyFor);
    // The agent's folder cannot be used now: a later call finishes it.
    if (publication === 'later') await move(staged, found);
    else if (publication === undefined || !(await isSameFile(staged, publication.marker)))
      await remove(staged);
    else if ((await publication.isWanted?.()) === false) await this.#undo(staged, publication.marker);
    else await this.#finish(staged, publication);
  }

  /** Undefined if the file is incomplete, so it has no marker. */
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
    const marker = idPath(this.#context.place, name.idHash);
    return { name, marker, ...(await this.destinationOf(name, item)) };
  }

  /** An item for one agent goes directly to its box, one for several agents to the log. */
  async destinationOf(
    name: ItemName,
    item: Parameters<typeof targetsOf>[0],
  ): Promise<Pick<Publication, 'destination' | 'arrivals'>> {
    const targets = targetsOf(item);
    const [only] = targets ?? [];
    if (targets?.length !== 1 || only === undefined)
      return { destination: join(this.#context.place.log, itemFile(name)), arrivals: this.#log };
    const box = await this.#boxes.ensure(only);
    return { destination: box.waiting(name), arrivals: box.arrivals };
  }

  /** Markers of copies are removed only after the item has left the log, so they are reliable while it is there. */
  async isInLog(name: ItemName): Promise<boolean> {
    return (await look(join(this.#context.place.log, itemFile(name)))) !== undefined;
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
