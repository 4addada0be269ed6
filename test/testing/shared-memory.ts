/** A mailbox in memory with everything that a mailbox can have: users that share a store, restarts, watching. For tests of the kit. */

import { MailboxError } from '../../src/injection/mailbox-error.js';
import { createMailbox, type MemoryMailbox } from '../../src/injection/mailboxes/memory/mailbox.js';
import type { Lease } from '../../src/injection/port.js';
import type { MailboxSetup, MailboxUnderTest } from '../../src/testing/index.js';

export type FullMailbox = Required<MailboxUnderTest>;

interface Store {
  readonly memory: MemoryMailbox;
  /** Whose call is being carried out. */
  actor: object | undefined;
}

/** One of the users of a store. Its calls are fields, so that they can be copied and replaced. */
class User implements FullMailbox {
  readonly #store: Store;
  readonly #watch: boolean;
  #closed = false;

  constructor(store: Store, watch: boolean) {
    this.#store = store;
    this.#watch = watch;
  }

  put: FullMailbox['put'] = async (item) => this.#do(({ memory }) => memory.put(item));
  pending: FullMailbox['pending'] = async (agentId) => this.#do(({ memory }) => memory.pending(agentId));
  carryOver: FullMailbox['carryOver'] = async (agentId) =>
    this.#do(({ memory }) => memory.carryOver(agentId));
  status: FullMailbox['status'] = async (id) => this.#do(({ memory }) => memory.status(id));
  join: FullMailbox['join'] = async (agentId) => this.#do(({ memory }) => memory.join(agentId));
  leave: FullMailbox['leave'] = async (agentId, reason) =>
    this.#do(({ memory }) => memory.leave(agentId, reason));
  withdraw: FullMailbox['withdraw'] = async (id, reason) =>
    this.#do(({ memory }) => memory.withdraw(id, reason));
  take: FullMailbox['take'] = async (request) => {
    const lease = await this.#do(({ memory }) => memory.take(request));
    return {
      items: lease.items,
      acknowledge: () => this.#act(() => lease.acknowledge()),
      release: () => this.#act(() => lease.release()),
    };
  };

  onChange: FullMailbox['onChange'] = (listener) =>
    this.#store.memory.onChange((change) =>
      this.#watch || this.#store.actor === this ? listener(change) : undefined,
    );
  close: FullMailbox['close'] = async () => {
    this.#closed = true;
  };

  #do<T>(call: (store: Store) => T): T {
    if (this.#closed) throw new MailboxError('closed', 'This user has closed the mailbox.');
    return this.#act(call);
  }

  /** The mailbox in memory does all of a call before it returns. */
  #act<T>(call: (store: Store) => T): T {
    const before = this.#store.actor;
    this.#store.actor = this;
    try {
      return call(this.#store);
    } finally {
      this.#store.actor = before;
    }
  }
}

/** Opens users of stores; by default the same `store` is the same mailbox. */
export function sharedMemory(storeOf: (setup: MailboxSetup) => string = ({ store }) => store) {
  const stores = new Map<string, Store>();
  return (setup: MailboxSetup): FullMailbox => {
    const name = storeOf(setup);
    const { now, leaseMs, maxItems, maxContentLength, maxRemembered } = setup;
    const store = stores.get(name) ?? {
      memory: createMailbox({ now, leaseMs, maxItems, maxContentLength, maxRemembered }),
      actor: undefined,
    };
    stores.set(name, store);
    return new User(store, setup.watch);
  };
}

/** A mailbox whose leases are changed before they are handed over. */
export function withLeases(
  mailbox: FullMailbox,
  change: (lease: Lease, agentId: string) => Lease,
): Partial<FullMailbox> {
  return { take: async (request) => change(await mailbox.take(request), request.agentId) };
}
