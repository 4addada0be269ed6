/** The in-memory mailbox: the agents of one process share it, and each of them gets every item once. */
import { HookError, show } from '../../../base/errors.js';
import { MIN_BOUND } from '../../../base/text/cut-text.js';
import { refuseUnknownOptions } from '../../../base/text/known-options.js';
import { ChangeFeed } from '../../changes.js';
import { agentName, completeItem, isSameItem } from '../../item.js';
import { MailboxError } from '../../mailbox-error.js';
import { MAILBOX_OPTIONS, type MailboxOptions } from '../../mailbox-options.js';
import type { InjectionItem, InjectionState, Lease, Mailbox, NewInjection, TakeRequest } from '../../port.js';
import { type MailboxSnapshot, restoreSnapshot, takeSnapshot } from '../../snapshot.js';
import type { Copy } from './agent-queue.js';
import { Heap } from './heap.js';
import { Ledger } from './ledger.js';

/**
 * The in-memory mailbox, with what it supports beyond `Mailbox`. After `close`, everything except `snapshot` throws a
 * `MailboxError`; so do invalid agent names and snapshots.
 */
export interface MemoryMailbox extends Mailbox {
  /** Registers an agent; its first `take` does the same. */
  join(agentId: string): void;
  /** Removes an agent for good: its queued items fail, and so do later items that name it. */
  leave(agentId: string, reason?: string): void;
  /**
   * Withdraws an item from every agent that has not received it. Returns false if there is none left or the id is
   * unknown.
   */
  withdraw(id: string, reason?: string): boolean;
  /** The registered agents. */
  readonly agents: readonly string[];
  /** The number of undelivered items. */
  readonly size: number;
  /** Returns the contents as plain JSON data. */
  snapshot(): MailboxSnapshot;
  /** Restores a snapshot, completely or not at all. Only possible before anything was put. */
  restore(snapshot: MailboxSnapshot): void;
}

interface OpenLease {
  readonly copies: readonly Copy[];
  readonly endsAt: number;
  isOpen: boolean;
}

/**
 * Creates a mailbox in memory, for the agents of one process. Throws a `HookError` for an invalid option or agent name.
 */
export function createMailbox(options: MailboxOptions = {}): MemoryMailbox {
  refuseUnknownOptions('createMailbox', options, MAILBOX_OPTIONS);
  return new InMemory(options);
}

class InMemory implements MemoryMailbox {
  readonly #ledger: Ledger;
  readonly #feed = new ChangeFeed();
  readonly #leases = new Heap<OpenLease>(
    (a, b) => a.endsAt < b.endsAt,
    (lease) => lease.isOpen,
  );
  readonly #maxItems: number;
  readonly #maxContentLength: number;
  readonly #leaseMs: number;
  readonly #now: () => number;
  #closed = false;

  constructor(options: MailboxOptions) {
    this.#maxItems = wholeNumber('maxItems', options.maxItems ?? 10_000, 1);
    this.#maxContentLength = wholeNumber('maxContentLength', options.maxContentLength ?? 10_000, MIN_BOUND);
    this.#leaseMs = wholeNumber('leaseMs', options.leaseMs ?? 300_000, 1);
    this.#ledger = new Ledger(wholeNumber('maxRemembered', options.maxRemembered ?? 1000, 0));
    this.#now = options.now ?? Date.now;
    for (const agentId of options.agents ?? []) this.join(agentId);
  }

  get agents(): readonly string[] {
    return this.#ledger.agents;
  }

  get size(): number {
    return this.#ledger.open;
  }

  async put(given: NewInjection): Promise<InjectionItem> {
    return this.#work('put', (ledger) => {
      const { item, cutFrom } = completeItem(given, this.#maxContentLength);
      const known = ledger.find(item.id)?.item;
      if (known !== undefined) return this.#existing(known, item);
      if (ledger.open >= this.#maxItems) {
        const message = `The mailbox is full: it holds ${ledger.open} undelivered items, and the limit is ${this.#maxItems}. Retry when some have been delivered, or raise \`maxItems\`.`;
        throw new MailboxError('full', message);
      }
      ledger.add(item, cutFrom === undefined ? undefined : `cut from ${cutFrom} characters`);
      return item;
    });
  }

  async take({ agentId, toolNames, limit = Number.POSITIVE_INFINITY }: TakeRequest): Promise<Lease> {
    return this.#work('take', (ledger) => {
      if (limit !== Number.POSITIVE_INFINITY) wholeNumber('limit', limit, 0);
      ledger.join(checkAgent(agentId));
      return this.#lease(ledger.take(agentId, toolNames, limit));
    });
  }

  async pending(agentId: string): Promise<readonly InjectionItem[]> {
    return this.#run((ledger) => ledger.waitingFor(agentId));
  }

  async carryOver(agentId: string): Promise<readonly InjectionItem[]> {
    return this.#work('carryOver', (ledger) => ledger.carryOver(agentId));
  }

  async status(id: string): Promise<Readonly<Record<string, InjectionState>> | undefined> {
    return this.#run((ledger) => {
      const copies = ledger.find(id)?.copies.values();
      return copies && Object.fromEntries([...copies].map(({ agentId, state }) => [agentId, state]));
    });
  }

  onChange(listener: Parameters<Mailbox['onChange']>[0]): () => void {
    return this.#feed.add(listener);
  }

  join(agentId: string): void {
    this.#work('join', (ledger) => ledger.join(checkAgent(agentId)));
  }

  leave(agentId: string, reason = `the agent ${agentId} has left`): void {
    this.#work('leave', (ledger) => ledger.leave(checkAgent(agentId), reason));
  }

  withdraw(id: string, reason = 'it was withdrawn'): boolean {
    return this.#work('withdraw', (ledger) => {
      const entry = ledger.find(id);
      if (entry === undefined) return false;
      const before = entry.open;
      ledger.withdraw(entry, reason);
      return entry.open < before;
    });
  }

  snapshot(): MailboxSnapshot {
    return this.#run(takeSnapshot);
  }

  restore(snapshot: MailboxSnapshot): void {
    this.#work('restore', (ledger) => {
      if (!ledger.isNew) {
        throw new MailboxError('not-empty', 'A snapshot can only be restored before anything was put in.');
      }
      restoreSnapshot(ledger, snapshot);
    });
  }

  /** Queued items fail. Items in an open lease can still be acknowledged. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#run((ledger) => ledger.close());
    this.#closed = true;
  }

  /** Putting the same item again is a retry; a different item with the same id is an error. */
  #existing(known: InjectionItem, item: InjectionItem): InjectionItem {
    if (isSameItem(known, item)) return known;
    const message = `An item with the id ${show(item.id)} already exists with different content. Give it a unique id, or none.`;
    throw new MailboxError('duplicate', message);
  }

  #lease(copies: readonly Copy[]): Lease {
    const lease: OpenLease = {
      copies,
      endsAt: this.#ledger.now + this.#leaseMs,
      isOpen: copies.length > 0,
    };
    if (lease.isOpen) this.#leases.push(lease);
    /** Only the first call has an effect, and only before the lease expires. */
    const end = async (each: (copy: Copy) => void): Promise<void> =>
      this.#run(() => {
        if (!lease.isOpen) return;
        lease.isOpen = false;
        this.#leases.noteObsolete();
        copies.forEach(each);
      });
    return Object.freeze({
      items: Object.freeze(copies.map(({ entry }) => entry.item)),
      acknowledge: () => end((copy) => this.#ledger.acknowledge(copy)),
      release: () => end((copy) => this.#ledger.giveBack(copy, 'released')),
    });
  }

  #work<T>(call: string, work: (ledger: Ledger) => T): T {
    if (this.#closed) throw new MailboxError('closed', `The mailbox has been closed; ${call} is refused.`);
    return this.#run(work);
  }

  /** Runs one call: first updates expired leases and items, then does the work, then emits the changes. */
  #run<T>(work: (ledger: Ledger) => T): T {
    this.#ledger.now = this.#now();
    this.#endLeases();
    this.#ledger.sweep();
    try {
      return work(this.#ledger);
    } finally {
      this.#feed.emit(this.#ledger.takeChanges());
    }
  }

  #endLeases(): void {
    for (;;) {
      const lease = this.#leases.peek();
      if (lease === undefined || lease.endsAt > this.#ledger.now) return;
      this.#leases.pop();
      lease.isOpen = false;
      for (const copy of lease.copies) this.#ledger.giveBack(copy, 'not acknowledged in time');
    }
  }
}

function wholeNumber(option: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value;
  const message = `${option} of a mailbox is ${show(value)}; give a whole number of at least ${least}.`;
  throw new HookError('invalid_option', message);
}

function checkAgent(agentId: string): string {
  if (agentName.safeParse(agentId).success) return agentId;
  const message = `The agent's name is ${show(agentId)}; give a name of 1 to 256 characters that is not *.`;
  throw new MailboxError('invalid', message);
}
