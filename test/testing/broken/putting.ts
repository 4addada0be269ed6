/** Mailboxes that put in or address wrongly, each in one way, and a check that has to say so. */
import { randomUUID } from 'node:crypto';
import type { InjectionItem } from '../../../src/injection/port.js';
import { withLeases } from '../shared-memory.js';
import { agentsAs, type Broken, handOther, putOther } from './broken.js';

const ITEMS: readonly Broken[] = [
  {
    what: 'puts anything',
    caughtBy: 'IJ-2: an item with no content',
    wrap: (mailbox) => ({
      put: (item) => mailbox.put(item).catch(() => ({ ...item }) as InjectionItem),
    }),
  },
  {
    what: 'puts what it refuses',
    caughtBy: 'IJ-2: an item with an expiry as text',
    wrap: (mailbox) => ({
      put: async (item) => {
        try {
          return await mailbox.put(item);
        } catch (error) {
          await mailbox.put({ content: 'leftover', to: 'a' });
          throw error;
        }
      },
    }),
  },
  {
    what: 'gives every item the same id',
    caughtBy: 'IJ-1: omitted fields are filled in',
    wrap: (mailbox) => ({
      put: (item) => mailbox.put({ id: 'the one', ...item }),
    }),
  },
  {
    what: 'loses the label of the source',
    caughtBy: 'IJ-1: every field is delivered unchanged',
    wrap: handOther((item) => ({ ...item, source: { kind: item.source.kind } })),
  },
  {
    what: 'hands over items that can be changed',
    caughtBy: 'IJ-1: items are immutable',
    wrap: handOther((item) => ({ ...item })),
  },
  {
    what: 'never cuts',
    caughtBy: 'IJ-3: long content is cut with',
    setup: (setup) => ({ ...setup, maxContentLength: 100_000_000 }),
  },
  {
    what: 'cuts within characters',
    caughtBy: 'IJ-3: a character',
    wrap: (mailbox) => ({
      put: async (item) => {
        const put = await mailbox.put(item);
        return { ...put, content: put.content.slice(0, 41) + put.content.slice(42) };
      },
    }),
  },
  {
    what: 'holds any number of items',
    caughtBy: 'IJ-5',
    setup: (setup) => ({ ...setup, maxItems: 1_000_000 }),
  },
  {
    what: 'makes a second item of a retry',
    caughtBy: 'IJ-4: the same item for one',
    wrap: putOther((item) => ({ ...item, id: randomUUID() })),
  },
  {
    what: 'takes any item with a known id for the same',
    caughtBy: 'IJ-4: a different item with a',
    wrap: (mailbox) => {
      const known = new Map<string, InjectionItem>();
      return {
        put: async (item) => {
          const put = known.get(item.id ?? '') ?? (await mailbox.put(item));
          known.set(put.id, put);
          return put;
        },
      };
    },
  },
  {
    what: 'trims ids',
    caughtBy: 'IJ-1: an id may contain anything',
    wrap: (mailbox) => ({
      put: (item) => mailbox.put({ ...item, id: item.id?.trim() }),
    }),
  },
  {
    what: 'repairs half characters',
    caughtBy: 'IJ-1: content is delivered unchanged, whatever',
    wrap: handOther((item) => ({ ...item, content: item.content.replaceAll(/\p{Surrogate}/gu, '\ufffd') })),
  },
  {
    what: 'does not look at sizes by itself',
    caughtBy: 'IJ-3: ten megabytes',
    setup: (setup) => ({ ...setup, maxContentLength: setup.maxContentLength ?? 100_000_000 }),
  },
];

const TARGETS: readonly Broken[] = [
  {
    what: 'tells one of several',
    caughtBy: 'IJ-6: one agent, several',
    wrap: putOther((item) => ({ ...item, to: Array.isArray(item.to) ? item.to.slice(0, 1) : item.to })),
  },
  {
    what: 'takes what is for others',
    caughtBy: 'IJ-6: an item can name an',
    wrap: (mailbox) => ({ carryOver: () => mailbox.carryOver('later') }),
  },
  {
    what: 'forgets items for all that nobody was there for',
    caughtBy: 'IJ-7: an item for all waits',
    wrap: putOther((item) => ({ ...item, to: item.to ?? 'nobody' })),
  },
  {
    what: 'lets an agent arrive that only looks',
    caughtBy: 'IJ-7: pending lists what an agent',
    wrap: (mailbox) => ({
      pending: async (agentId) => {
        await mailbox.join(agentId);
        return mailbox.pending(agentId);
      },
    }),
  },
  {
    what: 'does nothing when an agent leaves',
    caughtBy: 'IJ-8: when an agent leaves, items',
    wrap: () => ({ leave: async () => {} }),
  },
  {
    what: 'keeps what is for an agent that leaves',
    caughtBy: 'IJ-8: an agent that returns gets',
    wrap: () => ({ leave: async () => {} }),
  },
  {
    what: 'does not look at matchers',
    caughtBy: 'IJ-9: a matcher limits an item',
    wrap: (mailbox) => ({ take: ({ agentId, limit }) => mailbox.take({ agentId, limit }) }),
  },
  {
    what: 'ignores the case of tools',
    caughtBy: 'IJ-9: matchers are',
    wrap: (mailbox) => ({
      take: ({ toolNames, ...request }) =>
        mailbox.take({ ...request, toolNames: toolNames?.map((name) => name.replace(/^e/, 'E')) }),
    }),
  },
  {
    what: 'ignores priorities',
    caughtBy: 'IJ-10: items are ordered by priority',
    wrap: putOther(({ priority: _, ...item }) => item),
  },
  {
    what: 'rounds priorities',
    caughtBy: 'IJ-10: priorities can be',
    wrap: putOther((item) => ({ ...item, priority: Math.round(item.priority ?? 0) })),
  },
  {
    what: 'hands over the newest first',
    caughtBy: 'IJ-10: many items',
    wrap: (mailbox) => withLeases(mailbox, (lease) => ({ ...lease, items: lease.items.toReversed() })),
  },
  {
    what: 'hands over what is for all first',
    caughtBy: 'IJ-10: items for all and items',
    wrap: putOther((item) => ({ ...item, priority: item.priority ?? (item.to === undefined ? 1 : 0) })),
  },
  {
    what: 'ignores the limit',
    caughtBy: 'IJ-10: an invalid limit or agent',
    wrap: (mailbox) => ({ take: ({ limit: _, ...request }) => mailbox.take(request) }),
  },
  {
    what: 'takes agents for one whose names differ by case',
    caughtBy: 'IJ-6: an agent may have any',
    wrap: agentsAs((name) => name.toLowerCase().slice(0, 256)),
  },
  {
    what: 'normalises names',
    caughtBy: 'IJ-6: agents in a list are',
    wrap: agentsAs((name) => name.normalize('NFC')),
  },
  {
    what: 'shows the states in a plain object',
    caughtBy: 'IJ-6: an agent may have any',
    wrap: (mailbox) => ({
      status: async (id) => {
        const states: Record<string, 'queued'> = {};
        for (const [agentId, state] of Object.entries((await mailbox.status(id)) ?? {}))
          states[agentId] = state as 'queued';
        return states;
      },
    }),
  },
];

export const BROKEN_PUTTING: readonly Broken[] = [...ITEMS, ...TARGETS];
