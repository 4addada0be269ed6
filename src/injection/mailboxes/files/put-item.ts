/** Puts items in: each gets its number, its file and its one marker by id; a retry is no second item. */
import { setTimeout as sleep } from 'node:timers/promises';
import { show } from '../../../base/errors.js';
import { ANYONE, completeItem, isSameItem, targetsOf } from '../../item.js';
import { MailboxError } from '../../mailbox-error.js';
import type { InjectionItem, NewInjection } from '../../port.js';
import type { Boxes } from './boxes.js';
import { endWaiting } from './claims.js';
import { look } from './disk.js';
import { beginEpoch } from './epoch.js';
import { hashId, type ItemName, isExpired, nameItem, type Writer } from './item-name.js';
import type { Desk } from './mailbox-context.js';
import { idPath, readRecord, writeRecord } from './record.js';
import type { SharedLog } from './shared-log.js';
import type { Staging } from './staging.js';
import { type Sweeping, settleBox } from './sweep.js';

export interface PutOptions {
  readonly maxItems: number;
  readonly maxContentLength: number;
}

/** Between two counts of everything the bound holds for this process, and for all processes a little later. */
const COUNTED_ANEW_MS = 1000;
const ARRIVES_WITHIN_MS = 2000;

export class ItemPutter {
  readonly #sweeping: Sweeping;
  readonly #options: PutOptions;
  readonly #desk: Desk;
  readonly #boxes: Boxes;
  readonly #log: SharedLog;
  readonly #staging: Staging;
  #writer: Promise<Writer> | undefined;
  #sequence = 0;
  #open = 0;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(sweeping: Sweeping, options: PutOptions) {
    this.#sweeping = sweeping;
    this.#options = options;
    this.#desk = sweeping.desk;
    this.#boxes = sweeping.boxes;
    this.#log = sweeping.log;
    this.#staging = sweeping.staging;
  }

  /** Asked for before anything is waited for: items are in the order of the calls. */
  nextNumber(): number {
    return this.#sequence++;
  }

  async put(given: NewInjection, sequence: number): Promise<InjectionItem> {
    const { item, cutFrom } = completeItem(given, this.#options.maxContentLength);
    const known = given.id === undefined ? undefined : await this.#again(item);
    if (known !== undefined) return known;
    await this.#needRoom();
    const name = nameItem(item, await this.#begin(), sequence);
    const earlier = await this.#publish(name, item);
    if (earlier !== undefined) return earlier;
    this.#open += 1;
    await this.#tell(name, item, cutFrom === undefined ? undefined : `cut from ${cutFrom} characters`);
    await this.#endAtOnce(name, item);
    return item;
  }

  #begin(): Promise<Writer> {
    this.#writer ??= beginEpoch(this.#desk).catch((error: unknown) => {
      this.#writer = undefined;
      throw error;
    });
    return this.#writer;
  }

  /** Undefined: it is in. Otherwise the item that was there before. */
  async #publish(name: ItemName, item: InjectionItem): Promise<InjectionItem | undefined> {
    const text = writeRecord({ name: name.text, putAt: this.#desk.now(), item });
    const marker = idPath(this.#desk.place, name.idHash);
    for (;;) {
      const to = await this.#staging.destinationOf(name, item);
      if (await this.#staging.publish({ name, text, marker, ...to })) return undefined;
      const known = await this.#again(item);
      // Forgotten in between: then it is a new one.
      if (known !== undefined) return known;
    }
  }

  /** The item that has this id already. Rejects when it is another one. */
  async #again(item: InjectionItem): Promise<InjectionItem | undefined> {
    const path = idPath(this.#desk.place, hashId(item.id));
    if ((await look(path)) === undefined) return undefined;
    // Whoever put it may be at it, may fail at it, or may have died at it.
    const patience = performance.now() + ARRIVES_WITHIN_MS;
    while ((await this.#staging.isArriving(hashId(item.id))) && performance.now() < patience) {
      await this.#staging.recover();
      await sleep(5);
    }
    const reading = await readRecord(path);
    if (reading === undefined) return undefined;
    if (reading.ok && isSameItem(reading.record.item, item)) return reading.record.item;
    const message = `An item with the id ${show(item.id)} is already known, with other content. Give it an id of its own, or none.`;
    throw new MailboxError('duplicate', message);
  }

  async #needRoom(): Promise<void> {
    const { maxItems } = this.#options;
    if (this.#open >= maxItems || performance.now() - this.#countedAt > COUNTED_ANEW_MS) {
      this.#open = await this.#count();
      this.#countedAt = performance.now();
    }
    if (this.#open < maxItems) return;
    const message = `The mailbox is full: ${this.#open} items are on their way, at most ${maxItems} may be. Put it again when some have been delivered, or raise \`maxItems\`.`;
    throw new MailboxError('full', message);
  }

  /** An item counts once, however many agents still need it. */
  async #count(): Promise<number> {
    const open = new Set((await this.#log.open()).map(({ idHash }) => idHash));
    await this.#boxes.mapUsable(async (box) => {
      for (const { idHash } of await box.arrivals.listed()) open.add(idHash);
      for (const { parsed } of await box.claims()) open.add(parsed.name.idHash);
    });
    return open.size;
  }

  async #tell(name: ItemName, item: InjectionItem, reason: string | undefined): Promise<void> {
    const joined = targetsOf(item) ?? (await this.#boxes.joined()).map(({ agentId }) => agentId);
    for (const agentId of joined.length > 0 ? joined : [ANYONE])
      this.#desk.report({ agentId, name, about: item, state: 'queued', reason });
  }

  /** For agents that have left, and where its time has passed already. */
  async #endAtOnce(name: ItemName, item: InjectionItem): Promise<void> {
    const targets = targetsOf(item) ?? [];
    for (const agentId of targets) {
      const box = await this.#boxes.tryFind(agentId);
      if (box !== undefined && (await box.leftBecause()) !== undefined) await settleBox(this.#sweeping, box);
    }
    if (!isExpired(name, this.#desk.now())) return;
    const [only] = targets;
    if (targets.length !== 1 || only === undefined) return this.#log.expire(name, this.#staging);
    const box = await this.#boxes.ensure(only);
    await endWaiting(this.#desk, box, name, 'expired', 'its time has passed');
  }
}
