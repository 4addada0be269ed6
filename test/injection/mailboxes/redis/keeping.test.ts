import fc from 'fast-check';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { escapeName, makeKeys, unescapeName } from '../../../../src/injection/mailboxes/redis/keys.js';
import { ids } from '../../support.js';
import { type RedisBench, until, useRedis } from './support/bench.js';
import { hasRedis } from './support/server.js';

const redis = useRedis();

async function connect() {
  const client = await createClient({ url: redis.server.url }).connect();
  onTestFinished(() => client.close());
  return client;
}

/** How many commands the server carries out for a call, those within scripts too. */
async function countCommands(
  client: Awaited<ReturnType<typeof connect>>,
  work: () => Promise<unknown>,
  pattern = /calls=(\d+)/g,
): Promise<number> {
  const count = async (): Promise<number> => {
    const stats = await client.info('commandstats');
    return [...stats.matchAll(pattern)].reduce((sum, [, calls]) => sum + Number(calls), 0);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

describe('names', () => {
  it('RD-13: no name reaches into the keys of another, and every name is found again', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ maxLength: 20 }),
      fc.constantFrom('a', 'a}', '{a', '%u', '%75', '\ud800', '%ud800', ':', '*', 'Ä', '😀', '../x'),
    );
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(unescapeName(escapeName(a))).toBe(a);
        expect(escapeName(a) === escapeName(b)).toBe(a === b);
        expect(escapeName(a)).toMatch(/^[\w.@%-]*$/);
        const keys = makeKeys(a);
        expect(keys.agent(b).match(/\{[^{}]*\}/)?.[0]).toBe(keys.agent(b));
      }),
      { numRuns: 400 },
    );
  });
});

describe.skipIf(!hasRedis)('what is kept', () => {
  it('RD-12: every key vanishes when nobody has used it for long, whatever was done with it', async () => {
    const prefix = redis.newPrefix();
    const retentionMs = 3_600_000;
    const { mailbox } = await redis.open({ prefix, retentionMs, rememberMs: 60_000 });
    const client = await connect();
    await mailbox.put({ content: 'x', to: 'a', matcher: 'Bash', expiresAt: Date.now() + 1_000_000 });
    await mailbox.put({ content: 'x', to: ['a', 'b'] });
    await mailbox.put({ content: 'x', expiresAt: 1 });
    const lease = await mailbox.take({ agentId: 'a' });
    await mailbox.put({ content: 'x', to: 'a', matcher: 'Write' });
    await lease.acknowledge();
    await (await mailbox.take({ agentId: 'b' })).release();
    await mailbox.carryOver('b');
    await mailbox.leave('c');
    await mailbox.put({ content: 'x', to: 'c' });
    const keys = await client.keys(`{${escapeName(prefix)}*`);
    expect(keys.length).toBeGreaterThan(15);
    for (const key of keys) {
      const ttl = await client.pTTL(key);
      expect([key, ttl > 0 && ttl <= retentionMs]).toEqual([key, true]);
    }
  });

  it('RD-12: what is used again is kept from then on', async () => {
    const prefix = redis.newPrefix();
    const retentionMs = 3_600_000;
    const { mailbox } = await redis.open({ prefix, retentionMs, rememberMs: 60_000 });
    const client = await connect();
    await mailbox.put({ id: 'x', content: 'x', to: 'a', matcher: 'Bash', expiresAt: Date.now() + 1_000_000 });
    await mailbox.put({ id: 'all', content: 'x' });
    await (await mailbox.take({ agentId: 'a' })).release();
    // As if most of the time had passed.
    const keys = await client.keys(`{${escapeName(prefix)}*`);
    for (const key of keys) await client.pExpire(key, 60_000);
    const [fresh, next] = [Date.now() - retentionMs / 2, Date.now() - retentionMs / 4];
    await client.hSet(`${makeKeys(prefix).agent('a')}:meta`, { fresh, next: next * 1000 });
    expect(ids(await mailbox.pending('a'))).toEqual(['x', 'all']);
    const used = keys.filter((key) => !key.includes(':item:'));
    for (const key of used) expect([key, (await client.pTTL(key)) > 60_000]).toEqual([key, true]);
  });

  it('RD-12: of what has ended, the latest are remembered, for each agent', async () => {
    const { mailbox } = await redis.open({ maxRemembered: 2 });
    for (const id of ['1', '2', '3']) {
      await mailbox.put({ id, content: 'x', to: 'a' });
      await (await mailbox.take({ agentId: 'a' })).acknowledge();
    }
    expect(await mailbox.status('1')).toBeUndefined();
    expect(await mailbox.status('2')).toEqual({ a: 'delivered' });
    expect(await mailbox.status('never')).toBeUndefined();
  });

  it('RD-12: of what has ended, no more than a sixteenth above the limit is stored', async () => {
    const prefix = redis.newPrefix();
    const { mailbox } = await redis.open({ prefix, maxRemembered: 32 });
    const client = await connect();
    const seen = (): Promise<number> => client.zCard(`${makeKeys(prefix).agent('a')}:seen`);
    const counts: number[] = [];
    for (let i = 0; i < 50; i++) {
      await mailbox.put({ id: `i${i}`, content: 'x', to: 'a' });
      await (await mailbox.take({ agentId: 'a' })).acknowledge();
      counts.push(await seen());
    }
    expect(Math.max(...counts)).toBe(34);
    expect(Math.min(...counts.slice(32))).toBe(32);
    expect(await mailbox.status('i49')).toEqual({ a: 'delivered' });
    expect(await mailbox.status('i0')).toBeUndefined();
  });

  it('RD-3: a script that looks at nothing but the item does what the whole script does', async () => {
    const client = await connect();
    /** Everything stored for the agent, with times and lives as whether there are any. */
    const storedFor = async (key: string): Promise<unknown> => {
      const live = async (name: string): Promise<boolean> => (await client.pTTL(`${key}:${name}`)) > 0;
      const [items, lane, seen] = [
        await client.hGetAll(`${key}:items`),
        await client.zRangeWithScores(`${key}:lane:`, 0, -1),
        await client.zRangeWithScores(`${key}:seen`, 0, -1),
      ];
      return {
        items: Object.entries(items).map(([id, text]) => [id, text.replace(/^\d{16}\n/, '')]),
        lane: lane.map(({ value, score }) => [value.replace(/^\d{16} /, ''), score]),
        seen: seen
          .map(({ value, score }) => (score > 0 ? `${value} leased` : `${value} ${-score % 10}`))
          .toSorted(),
        lives: await Promise.all(['items', 'lane:', 'seen'].map(live)),
      };
    };
    const play = async (isWhole: boolean): Promise<unknown> => {
      const prefix = redis.newPrefix();
      const { mailbox, changes } = await redis.open({ prefix });
      const key = makeKeys(prefix).agent('a');
      const seen: unknown[] = [];
      const step = async <T>(work: () => Promise<T>): Promise<T> => {
        if (isWhole) await client.hSet(`${key}:meta`, 'next', '0');
        const result = await work();
        seen.push(await storedFor(key));
        return result;
      };
      await mailbox.join('a');
      await (await mailbox.take({ agentId: 'a' })).acknowledge();
      const put = (id: string, priority = 0) =>
        step(() => mailbox.put({ id, content: `of ${id}`, to: 'a', priority }));
      await put('first');
      await (await mailbox.take({ agentId: 'a' })).release();
      for (const [id, priority] of [
        ['x', 0],
        ['y', 1.5],
        ['z', -2],
        ['x', 0],
      ] as const)
        await put(id, priority);
      const lease = await step(() => mailbox.take({ agentId: 'a', limit: 2 }));
      await put('y', 1.5);
      const rest = await step(() => mailbox.take({ agentId: 'a' }));
      await step(() => lease.acknowledge());
      await put('y', 1.5);
      await step(() => rest.acknowledge());
      await step(() => mailbox.take({ agentId: 'a' }));
      expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
      return [seen, ids(lease.items), ids(rest.items), changes.map(({ at, ...change }) => change)];
    };
    expect(await play(false)).toEqual(await play(true));
  });

  it('RD-12: what has ended is remembered for a time, then it is not known any more', async () => {
    const { mailbox } = await redis.open({ rememberMs: 150, retentionMs: 300_000 });
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await mailbox.put({ id: 'waits', content: 'x', to: 'a', priority: -1 });
    await (await mailbox.take({ agentId: 'a', limit: 1 })).acknowledge();
    await until(async () => (await mailbox.status('x')) === undefined, 'it is forgotten');
    expect(await mailbox.status('waits')).toEqual({ a: 'queued' });
  });

  it('RD-12: the log keeps what somebody still needs and the latest items, and drops the rest', {
    timeout: 60_000,
  }, async () => {
    const { mailbox } = await redis.open({ maxRemembered: 10 });
    for (const agentId of ['a', 'slow']) await mailbox.join(agentId);
    const put = async (from: number, to: number): Promise<void> => {
      for (let i = from; i < to; i++) {
        await mailbox.put({ id: `i${i}`, content: 'x' });
        await (await mailbox.take({ agentId: 'a' })).acknowledge();
      }
    };
    await put(0, 200);
    expect(ids(await mailbox.pending('slow'))).toHaveLength(200);
    expect(ids(await mailbox.pending('later'))).toHaveLength(200);
    await (await mailbox.take({ agentId: 'slow' })).acknowledge();
    await put(200, 300);
    await mailbox.leave('slow');
    await put(300, 400);
    const left = ids(await mailbox.pending('later'));
    expect(left.length).toBeGreaterThanOrEqual(10);
    expect(left.length).toBeLessThan(150);
    expect(left.at(-1)).toBe('i399');
    expect(ids((await mailbox.take({ agentId: 'later' })).items)).toEqual(left);
  });

  it('RD-12: an agent that has nothing left takes no room but for what is remembered', async () => {
    const prefix = redis.newPrefix();
    const { mailbox } = await redis.open({ prefix, maxRemembered: 0 });
    const client = await connect();
    for (let i = 0; i < 20; i++) await mailbox.put({ content: 'x', to: 'a', matcher: `Tool${i}` });
    await (await mailbox.take({ agentId: 'a' })).acknowledge();
    expect(await client.keys(`*${escapeName(prefix)}:*agent:*`)).toEqual([expect.stringMatching(/:meta$/)]);
  });

  it('RD-16: putting, taking, acknowledging and giving back cost the same with 100 and with 5,000 waiting', {
    timeout: 120_000,
  }, async () => {
    const client = await connect();
    const { mailbox }: RedisBench = await redis.open();
    const fill = async (from: number, to: number): Promise<void> => {
      for (let i = from; i < to; i += 100) {
        await Promise.all(
          Array.from({ length: 100 }, (_, j) =>
            mailbox.put({
              content: 'x',
              to: 'a',
              priority: (i + j) % 7,
              matcher: j % 2 ? 'Bash' : undefined,
            }),
          ),
        );
      }
    };
    const cost = (): Promise<number> =>
      countCommands(client, async () => {
        await mailbox.put({ content: 'x', to: 'a' });
        await (await mailbox.take({ agentId: 'a', toolNames: ['Bash'], limit: 2 })).acknowledge();
        await (await mailbox.take({ agentId: 'a', toolNames: ['Bash'], limit: 1 })).release();
      });
    await fill(0, 100);
    await cost();
    const few = await cost();
    await fill(100, 5000);
    expect(await cost()).toBeLessThan(few * 1.2);
  });

  it('RD-16: however many end at once, none is left over, and no call ends more than a thousand', {
    timeout: 120_000,
  }, async () => {
    const client = await connect();
    const { mailbox, changes } = await redis.open({ leaseMs: 3000 });
    const put = async (count: number, fields: object): Promise<void> => {
      for (let i = 0; i < count; i += 100) {
        await Promise.all(
          Array.from({ length: 100 }, () => mailbox.put({ content: 'x', to: 'a', ...fields })),
        );
      }
    };
    const ended = (how: string): number => changes.filter(({ state }) => state === how).length;
    const expiresAt = Date.now() + 4000;
    await put(2200, { expiresAt });
    await until(() => Date.now() > expiresAt, 'their time passes');
    expect(await mailbox.pending('a')).toEqual([]);
    expect(ended('expired')).toBe(2200);
    await put(2200, {});
    expect((await mailbox.take({ agentId: 'a' })).items).toHaveLength(2200);
    await until(async () => (await mailbox.pending('a')).length === 2200, 'the lease runs out');
    const calls = await countCommands(client, () => mailbox.leave('a'), /cmdstat_evalsha?:calls=(\d+)/g);
    expect(ended('failed')).toBe(2200);
    // Three for the items, one for the log, and one for the list of agents.
    expect(calls).toBe(3 + 2);
  });

  it('RD-18: an item that cannot be read fails, and holds up no other', async () => {
    const prefix = redis.newPrefix();
    const { mailbox, changes } = await redis.open({ prefix });
    const client = await connect();
    await mailbox.put({ id: 'bad', content: 'x', to: 'a' });
    await mailbox.put({ id: 'good', content: 'x', to: 'a' });
    const key = `${makeKeys(prefix).agent('a')}:items`;
    const items = await client.hGetAll(key);
    const { bad: text = '' } = items;
    // Somebody else has written something else in its place.
    await client.hSet(key, 'bad', text.replace(/[^\n]*$/, '{"content":7}'));
    expect(ids((await mailbox.take({ agentId: 'a' })).items)).toEqual(['good']);
    expect(changes.at(-1)).toMatchObject({ id: 'bad', state: 'failed', reason: 'it cannot be read' });
  });
});
