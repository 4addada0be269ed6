/** Puts items: each gets a sequence number, a file and one marker by id, so that a retry adds no second item. */
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
import type { MailboxContext } from './mailbox-context.js';
import { idPath, readRecord, writeRecord } from './record.js';
import type { SharedLog } from './shared-log.js';
import type { Staging } from './staging.js';
import { type Sweeping, settleBox } from './sweep.js';

export interface PutOptions {
  readonly maxItems: number;
  readonly maxContentLength: number;
}

/** The limit is exact for this process; items of other processes are counted at this interval. */
const COUNT_EVERY_MS = 1000;
const ARRIVES_WITHIN_MS = 2000;

export class ItemPutter {
  readonly #sweeping: Sweeping;
  readonly #options: PutOptions;
  readonly #context: MailboxContext;
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
    this.#context = sweeping.context;
    this.#boxes = sweeping.boxes;
    this.#log = sweeping.log;
    this.#staging = sweeping.staging;
  }

  /** Called synchronously, so that items keep the order of the calls. */
  nextNumber(): number {
    return this.#sequence++;
  }

  async put(given: NewInjection, sequence: number): Promise<InjectionItem> {
    const { item, cutFrom } = completeItem(given, this.#options.maxContentLength);
    const known = given.id === undefined ? undefined : await this.#existing(item);
    if (known !== undefined) return known;
    await this.#checkRoom();
    const name = nameItem(item, await this.#begin(), sequence);
    const earlier = await this.#publish(name, item);
    if (earlier !== undefined) return earlier;
    this.#open += 1;
    await this.#report(name, item, cutFrom === undefined ? undefined : `cut from ${cutFrom} characters`);
    await this.#endAtOnce(name, item);
    return item;
  }

  #begin(): Promise<Writer> {
    this.#writer ??= beginEpoch(this.#context).catch((error: unknown) => {
      this.#writer = undefined;
      throw error;
    });
    return this.#writer;
  }

  /** Undefined if it was put; otherwise the existing item. */
  async #publish(name: ItemName, item: InjectionItem): Promise<InjectionItem | undefined> {
    const text = writeRecord({ name: name.text, putAt: this.#context.now(), item });
    const marker = idPath(this.#context.place, name.idHash);
    for (;;) {
      const to = await this.#staging.destinationOf(name, item);
      if (await this.#staging.publish({ name, text, marker, ...to })) return undefined;
      const known = await this.#existing(item);
      // If the existing item was removed in between, this is a new one.
      if (known !== undefined) return known;
    }
  }

  /** Returns the existing item with this id. Rejects if its content is different. */
  async #existing(item: InjectionItem): Promise<InjectionItem | undefined> {
    const path = idPath(this.#context.place, hashId(item.id));
    if ((await look(path)) === undefined) return undefined;
    // The process that put it may still be writing, may fail, or may have died.
    const deadline = performance.now() + ARRIVES_WITHIN_MS;
    while ((await this.#staging.isArriving(hashId(item.id))) && performance.now() < deadline) {
      await this.#staging.recover();
      await sleep(5);
    }
    const reading = await readRecord(path);
    if (reading === undefined) return undefined;
    if (reading.ok && isSameItem(reading.record.item, item)) return reading.record.item;
    const message = `An item with the id ${show(item.id)} already exists with different content. Give it a unique id, or none.`;
    throw new MailboxError('duplicate', message);
  }

  async #checkRoom(): Promise<void> {
    const { maxItems } = this.#options;
    if (this.#open >= maxItems || performance.now() - this.#countedAt > COUNT_EVERY_MS) {
      this.#open = await this.#count();
      this.#countedAt = performance.now();
    }
    if (this.#open < maxItems) return;
    const message = `The mailbox is full: it holds ${this.#open} undelivered items, and the limit is ${maxItems}. Retry when some have been delivered, or raise \`maxItems\`.`;
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

  async #report(name: ItemName, item: InjectionItem, reason: string | undefined): Promise<void> {
    const joined = targetsOf(item) ?? (await this.#boxes.joined()).map(({ agentId }) => agentId);
    for (const agentId of joined.length > 0 ? joined : [ANYONE])
      this.#context.report({ agentId, name, about: item, state: 'queued', reason });
  }

  /** For agents that have left, and for an item that has already expired. */
  async #endAtOnce(name: ItemName, item: InjectionItem): Promise<void> {
    const targets = targetsOf(item) ?? [];
    for (const agentId of targets) {
      const box = await this.#boxes.tryFind(agentId);
      if (box !== undefined && (await box.leftBecause()) !== undefined) await settleBox(this.#sweeping, box);
    }
    if (!isExpired(name, this.#context.now())) return;
    const [only] = targets;
    if (targets.length !== 1 || only === undefined) return this.#log.expire(name, this.#staging);
    const box = await this.#boxes.ensure(only);
    await endWaiting(this.#context, box, name, 'expired', 'it has expired');
  }
}
