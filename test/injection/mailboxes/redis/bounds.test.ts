import { describe, expect, it } from 'vitest';
import { MailboxError } from '../../../../src/injection/mailbox-error.js';
import type { RedisMailbox } from '../../../../src/injection/mailboxes/redis/index.js';
import { refusalOf } from '../../../support/runner.js';
import { ids } from '../../support.js';
import { until, useRedis } from './support/bench.js';
import { hasRedis } from './support/server.js';

const redis = useRedis();

async function problemOf(call: () => unknown): Promise<string> {
  const error = await refusalOf(call);
  return error instanceof MailboxError ? error.problem : error.code;
}

describe.skipIf(!hasRedis)('items', () => {
  it('RD-12: an agent that has its fill refuses more, and says so', async () => {
    const { mailbox } = await redis.open({ maxItems: 2 });
    await mailbox.put({ id: 'x', content: '1', to: 'a' });
    await mailbox.put({ id: 'y', content: '2', to: 'a' });
    const error = await refusalOf(() => mailbox.put({ id: 'z', content: '3', to: 'a' }));
    expect(error.message).toContain('there are 2 undelivered items for "a", and the limit is 2');
  });

  it('RD-12: so does the log; it says who is furthest behind, and whoever leaves makes room', async () => {
    const { mailbox } = await redis.open({ maxItems: 2 });
    for (const agentId of ['fast', 'slow']) await mailbox.join(agentId);
    for (const id of ['x', 'y']) await mailbox.put({ id, content: '1' });
    await (await mailbox.take({ agentId: 'fast' })).acknowledge();
    const error = await refusalOf(() => mailbox.put({ id: 'z', content: '3' }));
    expect(error.message).toContain(
      'there are 2 undelivered items for several agents, and the limit is 2; "slow" is',
    );
    await mailbox.leave('slow');
    await mailbox.put({ id: 'z', content: '3' });
    expect(ids((await mailbox.take({ agentId: 'fast' })).items)).toEqual(['z']);
    // What is being sent still needs its place.
    await mailbox.put({ id: 'w', content: '3' });
    expect(await problemOf(() => mailbox.put({ id: 'v', content: '3' }))).toBe('full');
  });
});

describe.skipIf(!hasRedis)('who gets an item', () => {
  it('RD-4: forty agents and a hundred items for all of them, whoever joins when', {
    timeout: 60_000,
  }, async () => {
    const prefix = redis.newPrefix();
    const [one, other] = [await redis.open({ prefix }), await redis.open({ prefix })];
    const agents = Array.from({ length: 40 }, (_, i) => `agent ${i}`);
    const got = new Map<string, string[]>(agents.map((agentId) => [agentId, []]));
    const serve = async (agentId: string, { mailbox }: typeof one): Promise<void> => {
      const lease = await mailbox.take({ agentId });
      got.get(agentId)?.push(...ids(lease.items));
      await lease.acknowledge();
    };
    const put = async (from: number): Promise<void> => {
      for (let i = from; i < from + 50; i++) await other.mailbox.put({ id: `i${i}`, content: 'x' });
    };
    await Promise.all([put(0), put(50), ...agents.map((agentId, i) => serve(agentId, i % 2 ? one : other))]);
    await Promise.all(agents.flatMap((agentId) => [serve(agentId, one), serve(agentId, other)]));
    for (const items of got.values()) {
      expect(items).toHaveLength(100);
      expect(new Set(items).size).toBe(100);
    }
  });

  it('RD-4: several who read for one agent at once take an item in once, even if it is forgotten at once', {
    timeout: 60_000,
  }, async () => {
    const prefix = redis.newPrefix();
    const open = () => redis.open({ prefix, maxRemembered: 0 });
    const boxes = [await open(), await open(), await open(), await open()];
    await boxes[0]?.mailbox.join('a');
    const got: string[] = [];
    let isDone = false;
    const serve = async (mailbox: RedisMailbox): Promise<void> => {
      while (!isDone) {
        const lease = await mailbox.take({ agentId: 'a' });
        got.push(...ids(lease.items));
        await lease.acknowledge();
      }
    };
    const serving = boxes.map(({ mailbox }) => serve(mailbox));
    for (let i = 0; i < 200; i++) await boxes[i % 4]?.mailbox.put({ id: `i${i}`, content: 'x' });
    await until(() => got.length >= 200, 'all are there');
    isDone = true;
    await Promise.all(serving);
    expect(got.toSorted()).toEqual(Array.from({ length: 200 }, (_, i) => `i${i}`).toSorted());
  });

  it('RD-2: a thousand items are handed over in one lease, in order', { timeout: 60_000 }, async () => {
    const { mailbox } = await redis.open();
    const names = Array.from({ length: 1000 }, (_, i) => `i${i}`);
    for (const id of names) await mailbox.put({ id, content: 'x', to: 'a' });
    expect(ids(await mailbox.pending('a'))).toEqual(names);
    const lease = await mailbox.take({ agentId: 'a' });
    expect(ids(lease.items)).toEqual(names);
    await lease.release();
    expect(ids(await mailbox.carryOver('a'))).toEqual(names);
    expect(await mailbox.status('i999')).toEqual({ a: 'carried' });
  });
});

describe.skipIf(!hasRedis)('leases', () => {
  it('RD-6: each lease has the length that its taker wanted, whoever comes by', async () => {
    const prefix = redis.newPrefix();
    const patient = await redis.open({ prefix, leaseMs: 60_000 });
    const hasty = await redis.open({ prefix, leaseMs: 50 });
    for (const id of ['x', 'y']) await patient.mailbox.put({ id, content: 'x', to: 'a' });
    const long = await patient.mailbox.take({ agentId: 'a', limit: 1 });
    await hasty.mailbox.take({ agentId: 'a', limit: 1 });
    await until(async () => (await hasty.mailbox.pending('a')).length === 1, 'the short lease runs out');
    expect(ids(await patient.mailbox.pending('a'))).toEqual(['y']);
    await long.acknowledge();
    expect(await patient.mailbox.status('x')).toEqual({ a: 'delivered' });
  });

  it('RD-7: a sweep looks after agents that nobody serves', async () => {
    const prefix = redis.newPrefix();
    const { mailbox: writer } = await redis.open({ prefix });
    const { mailbox, told } = await redis.open({ prefix });
    await writer.put({ id: 'one', content: 'x', to: 'nobody', expiresAt: 1 });
    await writer.put({ id: 'two', content: 'x', to: ['nobody', 'somebody'], expiresAt: 1 });
    await mailbox.sweep();
    expect(told().sort()).toEqual(['nobody two expired', 'somebody two expired']);
  });
});
