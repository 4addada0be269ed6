/** The mailbox in memory: several agents in one process share it, and each of them is handed every item once. */
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
 * What a mailbox in this process can do beside what every mailbox can. After `close` all of it but `snapshot` throws a
 * `MailboxError`; so do names of agents and snapshots that cannot be used.
 */
export interface MemoryMailbox extends Mailbox {
  /** Makes an agent known; its first `take` does the same. */
  join(agentId: string): void;
  /** An agent will not come back: what waits for it has failed, and so will what is put for it by name. */
  leave(agentId: string, reason?: string): void;
  /** Takes an item back from everybody who has not got it. False: nobody was left, or it is not known. */
  withdraw(id: string, reason?: string): boolean;
  /** The agents that have joined. */
  readonly agents: readonly string[];
  /** How many items are on their way. */
  readonly size: number;
  /** All it holds, as plain JSON data. */
  snapshot(): MailboxSnapshot;
  /** Puts back what a snapshot holds, all of it or nothing; only into a mailbox that has held nothing yet. */
  restore(snapshot: MailboxSnapshot): void;
}

interface OpenLease {
  readonly copies: readonly Copy[];
  readonly endsAt: number;
  isOpen: boolean;
}

/**
 * A mailbox in memory, for the agents of one process. Throws a `HookError` for an option or the name of an agent that
 * cannot be used.
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
      if (known !== undefined) return this.#again(known, item);
      if (ledger.open >= this.#maxItems) {
        const message = `The mailbox is full: ${ledger.open} items are on their way, at most ${this.#maxItems} may be. Put it again when some have been delivered, or raise \`maxItems\`.`;
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
      return this.#lend(ledger.take(agentId, toolNames, limit));
    });
  }

  async pending(agentId: string): Promise<readonly InjectionItem[]> {
    return this.#look((ledger) => ledger.waitingFor(agentId));
  }

  async carryOver(agentId: string): Promise<readonly InjectionItem[]> {
    return this.#work('carryOver', (ledger) => ledger.carryOver(agentId));
  }

  async status(id: string): Promise<Readonly<Record<string, InjectionState>> | undefined> {
    return this.#look((ledger) => {
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
      const letter = ledger.find(id);
      if (letter === undefined) return false;
      const before = letter.open;
      ledger.withdraw(letter, reason);
      return letter.open < before;
    });
  }

  snapshot(): MailboxSnapshot {
    return this.#look(takeSnapshot);
  }

  restore(snapshot: MailboxSnapshot): void {
    this.#work('restore', (ledger) => {
      if (!ledger.isNew) {
        throw new MailboxError('not-empty', 'A snapshot can only be restored before anything was put in.');
      }
      restoreSnapshot(ledger, snapshot);
    });
  }

  /** What still waits has failed. What somebody is about to send can still be acknowledged. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#look((ledger) => ledger.close());
    this.#closed = true;
  }

  /** A retry is no second item; two items that share an id are a mistake. */
  #again(known: InjectionItem, item: InjectionItem): InjectionItem {
    if (isSameItem(known, item)) return known;
    const message = `An item with the id ${show(item.id)} is already known, with other content. Give it an id of its own, or none.`;
    throw new MailboxError('duplicate', message);
  }

  #lend(copies: readonly Copy[]): Lease {
    const lease: OpenLease = {
      copies,
      endsAt: this.#ledger.now + this.#leaseMs,
      isOpen: copies.length > 0,
    };
    if (lease.isOpen) this.#leases.push(lease);
    /** Calls after the first, or after the time has run out, find the lease closed. */
    const end = async (each: (copy: Copy) => void): Promise<void> =>
      this.#look(() => {
        if (!lease.isOpen) return;
        lease.isOpen = false;
        this.#leases.noteDeath();
        copies.forEach(each);
      });
    return Object.freeze({
      items: Object.freeze(copies.map(({ letter }) => letter.item)),
      acknowledge: () => end((copy) => this.#ledger.acknowledge(copy)),
      release: () => end((copy) => this.#ledger.giveBack(copy, 'released')),
    });
  }

  #work<T>(call: string, work: (ledger: Ledger) => T): T {
    if (this.#closed) throw new MailboxError('closed', `The mailbox has been closed; ${call} is refused.`);
    return this.#look(work);
  }

  /** One call, whole: first what the time has brought, then the work; then all who listen are told. */
  #look<T>(work: (ledger: Ledger) => T): T {
    this.#ledger.now = this.#now();
    this.#endLeases();
    this.#ledger.sweep();
    try {
      return work(this.#ledger);
    } finally {
      this.#feed.tell(this.#ledger.takeChanges());
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
  const message = `${option} of a mailbox is ${show(value)}; give a whole number from ${least} on.`;
  throw new HookError('invalid_option', message);
}

function checkAgent(agentId: string): string {
  if (agentName.safeParse(agentId).success) return agentId;
  const message = `The agent is called ${show(agentId)}; give a name of 1 to 256 characters that is not *.`;
  throw new MailboxError('invalid', message);
}
