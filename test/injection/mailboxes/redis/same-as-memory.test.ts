/** Any order of calls, on a mailbox in Redis and on one in memory: both answer the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMailbox } from '../../../../src/injection/mailboxes/memory/mailbox.js';
import type { InjectionChange, InjectionItem, Lease } from '../../../../src/injection/port.js';
import { type RedisBench, useRedis } from './support/bench.js';
import { hasRedis } from './support/server.js';

const AGENTS = ['a', 'b', 'c', 'd {4}:*'];

type Step =
  | { do: 'put'; to: InjectionItem['to']; priority: number; matcher?: string; isLate?: true; again: boolean }
  | { do: 'take'; agent: string; tools?: string[]; limit?: number }
  | { do: 'end'; how: 'acknowledge' | 'release'; lease: number }
  | { do: 'ask'; call: 'carryOver' | 'join' | 'leave' | 'pending'; agent: string };

const agent = fc.constantFrom(...AGENTS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        do: fc.constant('put' as const),
        to: fc.oneof(agent, fc.uniqueArray(agent, { minLength: 1 }), fc.constant({ all: true as const })),
        priority: fc.integer({ min: -1, max: 1 }),
        matcher: fc.constantFrom('Bash', 'B*|Read', 'Write'),
        isLate: fc.constant(true as const),
        again: fc.boolean(),
      },
      { requiredKeys: ['do', 'to', 'priority', 'again'] },
    ),
  },
  {
    weight: 5,
    arbitrary: fc.record(
      {
        do: fc.constant('take' as const),
        agent,
        tools: fc.subarray(['Bash', 'Read', 'Write']),
        limit: fc.integer({ min: 0, max: 3 }),
      },
      { requiredKeys: ['do', 'agent'] },
    ),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      how: fc.constantFrom('acknowledge', 'acknowledge', 'release'),
      lease: fc.nat(20),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      call: fc.constantFrom('carryOver', 'join', 'leave', 'pending'),
      agent,
    }),
  },
);

const redis = useRedis();

/** What happened to each item for each agent, in order. That nobody was there yet is not compared: it is told at other times. */
function lives(changes: readonly InjectionChange[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { agentId, id, state } of changes) {
    if (agentId === '*') continue;
    found[`${agentId} ${id}`] ??= [];
    found[`${agentId} ${id}`]?.push(state);
  }
  return found;
}

async function compare(steps: readonly Step[], { mailbox: ours, changes }: RedisBench): Promise<void> {
  const model = createMailbox({ maxRemembered: 10_000 });
  const expected: InjectionChange[] = [];
  model.onChange((change) => expected.push(change));
  const items: InjectionItem[] = [];
  const leases: { ours: Lease; model: Lease }[] = [];
  for (const next of steps) {
    if (next.do === 'put') {
      const { to, priority, matcher, isLate } = next;
      const fields = { content: `item ${items.length}`, to, priority, matcher, expiresAt: isLate && 1 };
      const item = await model.put({ id: `i${items.length}`, ...fields });
      items.push(item);
      expect(await ours.put(item)).toEqual(item);
      if (next.again) expect(await ours.put(item)).toEqual(item);
    } else if (next.do === 'take') {
      const request = { agentId: next.agent, toolNames: next.tools, limit: next.limit };
      const pair = { ours: await ours.take(request), model: await model.take(request) };
      expect(pair.ours.items).toEqual(pair.model.items);
      leases.push(pair);
    } else if (next.do === 'end') {
      const pair = leases[next.lease % leases.length];
      await pair?.ours[next.how]();
      await pair?.model[next.how]();
    } else expect(await ours[next.call](next.agent)).toEqual(await model[next.call](next.agent));
  }
  for (const { id } of items) expect(await ours.status(id)).toEqual(await model.status(id));
  for (const agentId of AGENTS) expect(await ours.pending(agentId)).toEqual(await model.pending(agentId));
  expect(lives(changes)).toEqual(lives(expected));
}

describe.skipIf(!hasRedis)('the same as in memory', () => {
  it('RD-2: in any order of calls it answers as the mailbox in memory does', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const bench = await redis.open({ maxRemembered: 10_000 });
        await compare(steps, bench);
        await bench.mailbox.close();
      }),
      { numRuns: 150 },
    );
  });
});
