/** Who has what: every item, its copies, and the one way in which each of them ends. Knows no promises and no clock. */

import { ANYONE, targetsOf } from '../../item.js';
import { compileToolMatcher } from '../../matcher.js';
import type { InjectionChange, InjectionItem, InjectionState } from '../../port.js';
import { AgentQueues, type Copy, compareLetters, isWaiting, type Letter } from './agent-queue.js';
import { Heap } from './heap.js';

export class Ledger {
  readonly #letters = new Map<string, Letter>();
  /** Items that need nothing more, the oldest first: remembered for a while. */
  readonly #settled = new Map<string, Letter>();
  /** Items for all, for agents that are still to come. */
  readonly #forAll = new Set<Letter>();
  readonly #joined = new Set<string>();
  readonly #left = new Set<string>();
  readonly #queues = new AgentQueues();
  readonly #expiring = new Heap<Letter>(
    (a, b) => (a.item.expiresAt ?? 0) < (b.item.expiresAt ?? 0),
    (letter) => letter.open > 0,
  );
  readonly #maxSettled: number;
  #changes: InjectionChange[] = [];
  #count = 0;
  #closed = false;
  /** The time of the call that is being carried out. */
  now = 0;

  constructor(maxSettled: number) {
    this.#maxSettled = maxSettled;
  }

  /** Whether anything was ever put in. */
  get isNew(): boolean {
    return this.#count === 0;
  }

  /** How many items have not come to an end for everybody. */
  get open(): number {
    return this.#letters.size - this.#settled.size;
  }

  get agents(): readonly string[] {
    return [...this.#joined];
  }

  get gone(): readonly string[] {
    return [...this.#left];
  }

  /** In the order they came. */
  get letters(): Iterable<Letter> {
    return this.#letters.values();
  }

  find(id: string): Letter | undefined {
    return this.#letters.get(id);
  }

  /** Hands over the changes since the last call. */
  takeChanges(): readonly InjectionChange[] {
    const taken = this.#changes;
    this.#changes = [];
    return taken;
  }

  add(item: InjectionItem, reason?: string): void {
    const letter = this.enter(item);
    const targets = targetsOf(item) ?? (this.#joined.size > 0 ? [...this.#joined] : [ANYONE]);
    for (const agentId of targets) this.#queue(this.addCopy(letter, agentId, 'queued'), reason);
    for (const agentId of targets) {
      const copy = letter.copies.get(agentId);
      if (copy !== undefined && this.#left.has(agentId))
        this.end(copy, 'failed', `the agent ${agentId} has left`);
    }
    this.sweep();
  }

  /** Notes an item, without copies. */
  enter(item: InjectionItem, withdrawn = false): Letter {
    const letter: Letter = {
      item,
      order: this.#count++,
      matches: compileToolMatcher(item.matcher),
      copies: new Map(),
      open: 0,
      withdrawn,
    };
    this.#letters.set(item.id, letter);
    if (targetsOf(item) === undefined && !withdrawn) this.#forAll.add(letter);
    return letter;
  }

  addCopy(letter: Letter, agentId: string, state: InjectionState): Copy {
    const copy: Copy = { letter, agentId, state, leased: false };
    letter.copies.set(agentId, copy);
    if (state !== 'queued') return copy;
    letter.open += 1;
    // With its first open copy an item can expire, whether it is new or was thought to be done.
    if (letter.open === 1 && letter.item.expiresAt !== undefined) this.#expiring.push(letter);
    this.#settled.delete(letter.item.id);
    return copy;
  }

  /** An agent is there: items for all reach it from now on, and those that are still remembered. */
  join(agentId: string): void {
    if (this.#joined.has(agentId)) return;
    this.#joined.add(agentId);
    this.#left.delete(agentId);
    for (const letter of this.#forAll) {
      if (this.isExpired(letter.item) || letter.copies.has(agentId)) continue;
      const placeholder = letter.copies.get(ANYONE);
      this.#queue(this.addCopy(letter, agentId, 'queued'));
      if (placeholder === undefined) continue;
      letter.copies.delete(ANYONE);
      letter.open -= 1;
    }
  }

  /** An agent will not come back: what waits for it cannot be delivered. */
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

  /** Nobody is about to send it any more: it waits again, unless its time has passed in between. */
  giveBack(copy: Copy, reason: string): void {
    copy.leased = false;
    if (this.isExpired(copy.letter.item))
      this.#finish(copy, 'expired', 'its time had passed when it came back');
    else if (this.#closed) this.#finish(copy, 'failed', 'the mailbox was closed');
    else if (this.#left.has(copy.agentId)) this.#finish(copy, 'failed', `the agent ${copy.agentId} has left`);
    else this.#queue(copy, reason);
  }

  acknowledge(copy: Copy): void {
    copy.leased = false;
    this.#finish(copy, 'delivered');
  }

  /** Ends a copy that waits. */
  end(copy: Copy, state: InjectionState, reason?: string): void {
    if (!isWaiting(copy)) return;
    this.#finish(copy, state, reason);
    this.#queues.noteDeath(copy);
  }

  /** No agent that comes later gets it. */
  withdraw(letter: Letter, reason: string): void {
    letter.withdrawn = true;
    this.#forAll.delete(letter);
    for (const copy of letter.copies.values()) this.end(copy, 'failed', reason);
  }

  carryOver(agentId: string): readonly InjectionItem[] {
    const copies = this.#queues.take(agentId, undefined);
    for (const copy of copies) this.#finish(copy, 'carried');
    return copies.map(({ letter }) => letter.item);
  }

  /** What an agent would be handed now; one that has not joined is shown what it would get by joining. */
  waitingFor(agentId: string): readonly InjectionItem[] {
    const own = this.#queues.list(agentId).map(({ letter }) => letter);
    const more = [...this.#forAll].filter(
      (letter) => !letter.copies.has(agentId) && !this.isExpired(letter.item),
    );
    const letters = this.#joined.has(agentId) ? own : [...own, ...more].sort(compareLetters);
    return letters.map(({ item }) => item);
  }

  isExpired({ expiresAt }: InjectionItem): boolean {
    return expiresAt !== undefined && expiresAt <= this.now;
  }

  /** Ends what has expired. Copies that are being sent are left to those who send them. */
  sweep(): void {
    for (;;) {
      const letter = this.#expiring.peek();
      if (letter === undefined || !this.isExpired(letter.item)) return;
      this.#expiring.pop();
      for (const copy of letter.copies.values()) this.end(copy, 'expired', 'its time has passed');
    }
  }

  close(): void {
    this.#closed = true;
    for (const letter of this.#letters.values()) {
      for (const copy of letter.copies.values()) this.end(copy, 'failed', 'the mailbox was closed');
    }
  }

  #queue(copy: Copy, reason?: string): void {
    if (copy.agentId !== ANYONE) this.#queues.push(copy);
    this.#note(copy, reason);
  }

  #finish(copy: Copy, state: InjectionState, reason?: string): void {
    copy.state = state;
    const { letter } = copy;
    letter.open -= 1;
    this.#note(copy, reason);
    if (letter.open > 0) return;
    if (letter.item.expiresAt !== undefined) this.#expiring.noteDeath();
    this.settle(letter);
  }

  /** Nothing more is to be done for it. The oldest ones that are done are forgotten. */
  settle(letter: Letter): void {
    this.#settled.set(letter.item.id, letter);
    for (const [id, oldest] of this.#settled) {
      if (this.#settled.size <= this.#maxSettled) return;
      this.#settled.delete(id);
      this.#letters.delete(id);
      this.#forAll.delete(oldest);
    }
  }

  /** Queues a copy that a snapshot has brought. */
  requeue(copy: Copy): void {
    this.#queue(copy, 'restored');
  }

  restoreAgents(joined: readonly string[], left: readonly string[]): void {
    for (const agentId of joined) this.#joined.add(agentId);
    for (const agentId of left) this.#left.add(agentId);
  }

  #note({ letter, agentId, state }: Copy, reason?: string): void {
    const { id, source, strategy } = letter.item;
    const change = { id, agentId, state, source, strategy, at: this.now };
    this.#changes.push(Object.freeze(reason === undefined ? change : { ...change, reason }));
  }
}
