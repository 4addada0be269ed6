/** How a mailbox is broken, and the ways that many of them share. */
import type { InjectionChange, InjectionItem, NewInjection } from '../../../src/injection/port.js';
import type { MailboxSetup } from '../../../src/testing/index.js';
import { type FullMailbox, withLeases } from '../shared-memory.js';

/** What of the calls of a mailbox is replaced. */
export type Wrap = (mailbox: FullMailbox, setup: MailboxSetup) => Partial<FullMailbox>;

export interface Broken {
  readonly what: string;
  /** Part of the name of a check that has to fail. */
  readonly caughtBy: string;
  readonly setup?: (setup: MailboxSetup) => MailboxSetup;
  readonly wrap?: Wrap;
  readonly storeOf?: (setup: MailboxSetup) => string;
}

/** Puts something else than was given, and answers as if it had not. */
export const putOther =
  (change: (item: NewInjection) => NewInjection): Wrap =>
  (mailbox) => ({
    put: async (item) => ({ ...(await mailbox.put(change(item))), ...(item as InjectionItem) }),
  });

/** Gives back other items than were put. */
export const handOther =
  (change: (item: InjectionItem) => InjectionItem): Wrap =>
  (mailbox) => ({
    ...withLeases(mailbox, (lease) => ({ ...lease, items: lease.items.map(change) })),
    pending: async (agentId) => (await mailbox.pending(agentId)).map(change),
    carryOver: async (agentId) => (await mailbox.carryOver(agentId)).map(change),
  });

/** Takes agents with similar names for one. */
export const agentsAs =
  (change: (name: string) => string): Wrap =>
  (mailbox) => ({
    put: (item) =>
      mailbox.put({
        ...item,
        to:
          typeof item.to === 'string'
            ? change(item.to)
            : Array.isArray(item.to)
              ? item.to.map(change)
              : item.to,
      }),
    take: (request) => mailbox.take({ ...request, agentId: change(request.agentId) }),
    pending: (agentId) => mailbox.pending(change(agentId)),
  });

export const tellOther =
  (tell: (change: InjectionChange, listener: (change: InjectionChange) => unknown) => unknown): Wrap =>
  (mailbox) => ({ onChange: (listener) => mailbox.onChange((change) => tell(change, listener)) });
