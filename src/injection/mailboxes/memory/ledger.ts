/**
 * The state of the in-memory mailbox: every item, its copies, and how each copy ends. Synchronous, and without a clock.
 */

import { ANYONE, targetsOf } from '../../item.js';
import { compileToolMatcher } from '../../matcher.js';
import type { InjectionChange, InjectionItem, InjectionState } from '../../port.js';
import { AgentQueues, type Copy, compareEntries, type Entry, isWaiting } from './agent-queue.js';
import { Heap } from './heap.js';

export class Ledger {
  readonly #entries = new Map<string, Entry>();
  /** Finished items, oldest first, kept for a while. */
  readonly #settled = new Map<string, Entry>();
  /** Items for all agents, also for those that join later. */
  readonly #forAll = new Set<Entry>();
  readonly #joined = new Set<string>();
  readonly #left = new Set<string>();
  readonly #queues = new AgentQueues();
  readonly #expiring = new Heap<Entry>(
    (a, b) => (a.item.expiresAt ?? 0) < (b.item.expiresAt ?? 0),
    (entry) => entry.open > 0,
  );
  readonly #maxSettled: number;
  #changes: InjectionChange[] = [];
  #count = 0;
  #closed = false;
  /** The time of the current call. */
  now = 0;

  constructor(maxSettled: number) {
    this.#maxSettled = maxSettled;
  }

  /** Whether nothing has been put yet. */
  get isNew(): boolean {
    return this.#count === 0;
  }

  /** How many items have not ended for every agent. */
  get open(): number {
    return this.#entries.size - this.#settled.size;
  }

  get agents(): readonly string[] {
    return [...this.#joined];
  }

  get left(): readonly string[] {
    return [...this.#left];
  }

  /** In the order they were put. */
  get entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  find(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** Returns the changes since the last call. */
  takeChanges(): readonly InjectionChange[] {
    const taken = this.#changes;
    this.#changes = [];
    return taken;
  }

  add(item: InjectionItem, reason?: string): void {
    const entry = this.addEntry(item);
    const targets = targetsOf(item) ?? (this.#joined.size > 0 ? [...this.#joined] : [ANYONE]);
    for (const agentId of targets) this.#queue(this.addCopy(entry, agentId, 'queued'), reason);
    for (const agentId of targets) {
      const copy = entry.copies.get(agentId);
      if (copy !== undefined && this.#left.has(agentId))
        this.end(copy, 'failed', `the agent ${agentId} has left`);
    }
    this.sweep();
  }

  /** Adds an item, without copies. */
  addEntry(item: InjectionItem, withdrawn = false): Entry {
    const entry: Entry = {
      item,
      order: this.#count++,
      matches: compileToolMatcher(item.matcher),
      copies: new Map(),
      open: 0,
      withdrawn,
    };
    this.#entries.set(item.id, entry);
    if (targetsOf(item) === undefined && !withdrawn) this.#forAll.add(entry);
    return entry;
  }

  addCopy(entry: Entry, agentId: string, state: InjectionState): Copy {
    const copy: Copy = { entry, agentId, state, leased: false };
    entry.copies.set(agentId, copy);
    if (state !== 'queued') return copy;
    entry.open += 1;
    // An item can expire from its first open copy on, whether it is new or was finished before.
    if (entry.open === 1 && entry.item.expiresAt !== undefined) this.#expiring.push(entry);
    this.#settled.delete(entry.item.id);
    return copy;
  }

  /** Adds an agent: it gets items for all from now on, and those that are still kept. */
  join(agentId: string): void {
    if (this.#joined.has(agentId)) return;
    this.#joined.add(agentId);
    this.#left.delete(agentId);
    for (const entry of this.#forAll) {
      if (this.isExpired(entry.item) || entry.copies.has(agentId)) continue;
      const placeholder = entry.copies.get(ANYONE);
      this.#queue(this.addCopy(entry, agentId, 'queued'));
      if (placeholder === undefined) continue;
      entry.copies.delete(ANYONE);
      entry.open -= 1;
    }
  }

  /** Removes an agent: its queued items cannot be delivered. */
  leave(agentId: string, reason: string): void {
    for (const copy of this.#queues.take(agentId, undefined)) this.#finish(copy, 'failed', reason);
    this.#joined.delete(agentId);
    this.#left.add(agentId);
    for (const oldest of this.#left) {
      if (this.#left.size <= this.#maxSettled) break;
      this.#left.delete(oldest);
    }
  }

  take(agentId: string, toolNames: readonly string[] | undefined, limit: number): readonly Copy[] {
    const copies = this.#queues.take(agentId, toolNames, limit);
    for (const copy of copies) copy.leased = true;
    return copies;
  }

  /** Ends the lease of a copy: it is queued again, unless it has expired meanwhile. */
  giveBack(copy: Copy, reason: string): void {
    copy.leased = false;
    if (this.isExpired(copy.entry.item)) this.#finish(copy, 'expired', 'it expired before it was released');
    else if (this.#closed) this.#finish(copy, 'failed', 'the mailbox was closed');
    else if (this.#left.has(copy.agentId)) this.#finish(copy, 'failed', `the agent ${copy.agentId} has left`);
    else this.#queue(copy, reason);
  }

  acknowledge(copy: Copy): void {
    copy.leased = false;
    this.#finish(copy, 'delivered');
  }

  /** Ends a queued copy. */
  end(copy: Copy, state: InjectionState, reason?: string): void {
    if (!isWaiting(copy)) return;
    this.#finish(copy, state, reason);
    this.#queues.noteEnded(copy);
  }

  /** Agents that join later do not get it. */
  withdraw(entry: Entry, reason: string): void {
    entry.withdrawn = true;
    this.#forAll.delete(entry);
    for (const copy of entry.copies.values()) this.end(copy, 'failed', reason);
  }

  carryOver(agentId: string): readonly InjectionItem[] {
    const copies = this.#queues.take(agentId, undefined);
    for (const copy of copies) this.#finish(copy, 'carried');
    return copies.map(({ entry }) => entry.item);
  }

  /** What an agent would get now; for an agent that has not joined, what it would get by joining. */
  waitingFor(agentId: string): readonly InjectionItem[] {
    const own = this.#queues.list(agentId).map(({ entry }) => entry);
    const more = [...this.#forAll].filter(
      (entry) => !entry.copies.has(agentId) && !this.isExpired(entry.item),
    );
    const entries = this.#joined.has(agentId) ? own : [...own, ...more].sort(compareEntries);
    return entries.map(({ item }) => item);
  }

  isExpired({ expiresAt }: InjectionItem): boolean {
    return expiresAt !== undefined && expiresAt <= this.now;
  }

  /** Ends expired copies. Leased copies are handled when their lease ends. */
  sweep(): void {
    for (;;) {
      const entry = this.#expiring.peek();
      if (entry === undefined || !this.isExpired(entry.item)) return;
      this.#expiring.pop();
      for (const copy of entry.copies.values()) this.end(copy, 'expired', 'it has expired');
    }
  }

  close(): void {
    this.#closed = true;
    for (const entry of this.#entries.values()) {
      for (const copy of entry.copies.values()) this.end(copy, 'failed', 'the mailbox was closed');
    }
  }

  #queue(copy: Copy, reason?: string): void {
    if (copy.agentId !== ANYONE) this.#queues.push(copy);
    this.#note(copy, reason);
  }

  #finish(copy: Copy, state: InjectionState, reason?: string): void {
    copy.state = state;
    const { entry } = copy;
    entry.open -= 1;
    this.#note(copy, reason);
    if (entry.open > 0) return;
    if (entry.item.expiresAt !== undefined) this.#expiring.noteObsolete();
    this.settle(entry);
  }

  /** Marks an item as finished. The oldest finished items are dropped. */
  settle(entry: Entry): void {
    this.#settled.set(entry.item.id, entry);
    for (const [id, oldest] of this.#settled) {
      if (this.#settled.size <= this.#maxSettled) return;
      this.#settled.delete(id);
      this.#entries.delete(id);
      this.#forAll.delete(oldest);
    }
  }

  /** Queues a copy from a snapshot. */
  requeue(copy: Copy): void {
    this.#queue(copy, 'restored');
  }

  restoreAgents(joined: readonly string[], left: readonly string[]): void {
    for (const agentId of joined) this.#joined.add(agentId);
    for (const agentId of left) this.#left.add(agentId);
  }

  #note({ entry, agentId, state }: Copy, reason?: string): void {
    const { id, source, strategy } = entry.item;
    const change = { id, agentId, state, source, strategy, at: this.now };
    this.#changes.push(Object.freeze(reason === undefined ? change : { ...change, reason }));
  }
}
