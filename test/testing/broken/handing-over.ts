/** Mailboxes that hand over, end, tell or share wrongly, each in one way, and a check that has to say so. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InjectionChange } from '../../../src/injection/port.js';
import { withLeases } from '../shared-memory.js';
import { type Broken, putOther, tellOther } from './broken.js';

const LEASES: readonly Broken[] = [
  {
    what: 'hands an item to two who ask at once',
    caughtBy: 'IJ-11: a leased item is not',
    wrap: (mailbox) => ({
      take: async (request) => {
        const items = request.limit === undefined ? await mailbox.pending(request.agentId) : [];
        await sleep(1);
        const lease = await mailbox.take(request);
        return { ...lease, items: items.length > 0 ? items : lease.items };
      },
    }),
  },
  {
    what: 'loses what is given back',
    caughtBy: 'IJ-11: a released item waits again',
    wrap: (mailbox) => withLeases(mailbox, (lease) => ({ ...lease, release: lease.acknowledge })),
  },
  {
    what: 'never gives back',
    caughtBy: 'IJ-11: ending a lease ends all',
    wrap: (mailbox) => withLeases(mailbox, (lease) => ({ ...lease, release: async () => {} })),
  },
  {
    what: 'hands over again what was acknowledged',
    caughtBy: 'IJ-15: with many concurrent puts and',
    wrap: (mailbox) => withLeases(mailbox, (lease) => ({ ...lease, acknowledge: lease.release })),
  },
  {
    what: 'acknowledges what was given back',
    caughtBy: 'IJ-12: only the first',
    wrap: (mailbox) =>
      withLeases(mailbox, (lease, agentId) => ({
        ...lease,
        acknowledge: async () => {
          await lease.acknowledge();
          await (await mailbox.take({ agentId })).acknowledge();
        },
      })),
  },
  {
    what: 'cannot end a lease without items',
    caughtBy: 'IJ-12: an empty lease can be',
    wrap: (mailbox) =>
      withLeases(mailbox, (lease) => ({
        ...lease,
        acknowledge: async () => {
          if (lease.items.length === 0) throw new Error('nothing to acknowledge');
          await lease.acknowledge();
        },
      })),
  },
  {
    what: 'has leases without an end',
    caughtBy: 'IJ-12: the expiry of a lease',
    setup: (setup) => ({ ...setup, leaseMs: 1_000_000_000 }),
  },
  {
    what: 'delivers what is acknowledged too late',
    caughtBy: 'a late acknowledge does not affect',
    wrap: (mailbox) => {
      const current = new Map<string, () => Promise<void>>();
      return withLeases(mailbox, (lease) => {
        for (const { id } of lease.items) current.set(id, lease.acknowledge);
        return {
          ...lease,
          acknowledge: async () => {
            for (const { id } of lease.items) await current.get(id)?.();
          },
        };
      });
    },
  },
  {
    what: 'gives back what another has by now',
    caughtBy: 'a late release does not affect',
    wrap: (mailbox) => {
      const current = new Map<string, () => Promise<void>>();
      return withLeases(mailbox, (lease) => {
        for (const { id } of lease.items) current.set(id, lease.release);
        return {
          ...lease,
          release: async () => {
            for (const { id } of lease.items) await current.get(id)?.();
          },
        };
      });
    },
  },
  {
    what: 'wakes a lease that has run out',
    caughtBy: 'an expired lease stays expired',
    wrap: (mailbox) =>
      withLeases(mailbox, (lease, agentId) => ({
        ...lease,
        acknowledge: async () => {
          await lease.acknowledge();
          await (await mailbox.take({ agentId })).acknowledge();
        },
      })),
  },
  {
    what: 'only shows what it carries over',
    caughtBy: 'IJ-14: waiting items are carried over',
    wrap: (mailbox) => ({ carryOver: mailbox.pending }),
  },
  {
    what: 'gives several who carry over the same',
    caughtBy: 'IJ-14: with concurrent calls of carryOver',
    wrap: (mailbox) => ({
      carryOver: async (agentId) => {
        const items = await mailbox.pending(agentId);
        await sleep(1);
        await mailbox.carryOver(agentId);
        return items;
      },
    }),
  },
];

const TIMES: readonly Broken[] = [
  {
    what: 'forgets the expiry',
    caughtBy: 'IJ-13: an item expires at its',
    wrap: putOther(({ expiresAt: _, ...item }) => item),
  },
  {
    what: 'expires in silence',
    caughtBy: 'IJ-13: expiry is reported once for',
    wrap: tellOther((change, listener) => {
      return change.state === 'expired' ? undefined : listener(change);
    }),
  },
  {
    what: 'refuses what has expired',
    caughtBy: 'IJ-13: an item that is put',
    wrap: (mailbox, { now }) => ({
      put: async (item) => {
        if ((item.expiresAt ?? Number.POSITIVE_INFINITY) <= now()) throw new Error('too late');
        return mailbox.put(item);
      },
    }),
  },
  {
    what: 'does not look at the clock',
    caughtBy: 'IJ-13: a leased item can be',
    setup: (setup) => ({ ...setup, now: () => 0 }),
  },
];

const ENDS: readonly Broken[] = [
  { what: 'withdraws from nobody', caughtBy: 'IJ-16', wrap: () => ({ withdraw: async () => true }) },
  {
    what: 'goes on after close',
    caughtBy: 'IJ-17: a closed mailbox refuses calls',
    wrap: () => ({ close: async () => {} }),
  },
  {
    what: 'ends nothing after close',
    caughtBy: 'IJ-17: a lease that is open',
    wrap: (mailbox) => {
      let closed = false;
      return {
        close: async () => {
          closed = true;
          await mailbox.close();
        },
        ...withLeases(mailbox, (lease) => ({
          ...lease,
          acknowledge: async () => {
            if (!closed) await lease.acknowledge();
          },
        })),
      };
    },
  },
  {
    what: 'knows every id',
    caughtBy: 'IJ-19: an unknown id has no',
    wrap: (mailbox) => ({ status: async (id) => (await mailbox.status(id)) ?? {} }),
  },
  {
    what: 'remembers nothing',
    caughtBy: 'IJ-19: the latest ended items are',
    setup: (setup) => ({ ...setup, maxRemembered: 0 }),
  },
  {
    what: 'tells of no source',
    caughtBy: 'IJ-18: a change names the agent',
    wrap: tellOther((change, listener) => listener({ ...change, source: { kind: 'system' } })),
  },
  {
    what: 'tells everything twice',
    caughtBy: 'IJ-18: every change is reported once',
    wrap: tellOther((change, listener) => {
      return Promise.all([listener(change), listener(change)]);
    }),
  },
  {
    what: 'stops at a listener that fails',
    caughtBy: 'IJ-18: a listener that throws',
    wrap: (mailbox) => {
      let broken = false;
      return {
        onChange: (listener) =>
          mailbox.onChange((change) => {
            if (broken) return;
            try {
              listener(change);
            } catch {
              broken = true;
            }
          }),
      };
    },
  },
  {
    what: 'tells listeners in different orders',
    caughtBy: 'IJ-18: a listener may use',
    wrap: (mailbox) => {
      const listeners: ((change: InjectionChange) => void)[] = [];
      mailbox.onChange(({ ...change }) => {
        for (const listener of listeners.toReversed()) listener(change);
      });
      const heard: InjectionChange[] = [];
      return {
        onChange: (listener) => {
          const slow = listeners.length > 1;
          listeners.push((change) => (slow && change.id === 'x' ? heard.push(change) : listener(change)));
          return () => {};
        },
      };
    },
  },
  {
    what: 'goes on telling',
    caughtBy: 'IJ-18: a removed listener is not',
    wrap: (mailbox) => ({
      onChange: (listener) => {
        mailbox.onChange(listener);
        return () => {};
      },
    }),
  },
];

const lives = new Map<string, number>();

const SHARING: readonly Broken[] = [
  { what: 'shares nothing', caughtBy: 'IJ-6: an item put by one user', storeOf: () => randomUUID() },
  {
    what: 'lives no longer than its process',
    caughtBy: 'IJ-15: waiting and ended items are',
    storeOf: ({ store, life }) => `${store} ${life}`,
  },
  {
    what: 'forgets with its process who has left',
    caughtBy: 'IJ-8: the departure of an agent',
    wrap: (mailbox, { store, life }) => {
      const isNew = (lives.get(store) ?? 0) < life;
      lives.set(store, life);
      return isNew
        ? {
            put: async (item) => {
              await mailbox.join('a');
              return mailbox.put(item);
            },
          }
        : {};
    },
  },
  {
    what: 'tells nobody of what others do',
    caughtBy: 'IJ-18: a watcher gets the changes',
    setup: (setup) => ({ ...setup, watch: false }),
  },
];

export const BROKEN_HANDING_OVER: readonly Broken[] = [...LEASES, ...TIMES, ...ENDS, ...SHARING];
