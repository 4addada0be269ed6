import { setTimeout } from 'node:timers/promises';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  MailboxUnavailableError,
  type RedisClientLike,
} from '../../../../src/injection/mailboxes/redis/index.js';
import { END, RELEASE } from '../../../../src/injection/mailboxes/redis/lua/leases.js';
import type { InjectionState } from '../../../../src/injection/port.js';
import { ids } from '../../support.js';
import { openFor, until, useRedis } from './support/bench.js';
import { hasRedis } from './support/server.js';

const redis = useRedis();

type Loss = 'request' | 'reply' | undefined;

/** A real client whose requests, or whose replies, get lost now and then. */
async function connectBadly(lose: (sha: string) => Loss): Promise<RedisClientLike> {
  const client = await createClient({ url: redis.server.url }).connect();
  onTestFinished(() => client.close());
  const send = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
    const lost = lose(what);
    if (lost === 'request') throw new Error('the request was lost');
    const reply = await call();
    if (lost === 'reply') throw new Error('the reply was lost');
    return reply;
  };
  return {
    isOpen: true,
    eval: (script, options) => client.eval(script, options),
    evalSha: (sha, options) => send(sha, () => client.evalSha(sha, options)),
    exists: (keys) => send('exists', () => client.exists(keys)),
    get: (key) => send('get', () => client.get(key)),
    set: (key, value, options) => send('set', () => client.set(key, value, options)),
    pExpire: (key, ms, mode) => send('pExpire', () => client.pExpire(key, ms, mode)),
    del: (key) => send('del', () => client.del(key)),
    duplicate: () => client.duplicate(),
  };
}

async function persist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      expect(error).toBeInstanceOf(MailboxUnavailableError);
    }
  }
}

describe.skipIf(!hasRedis)('requests and replies that get lost', () => {
  it('RD-5: whoever repeats what has failed has put every item once, and it ends for every agent once', {
    timeout: 120_000,
  }, async () => {
    const prefix = redis.newPrefix();
    const agents = ['a', 'b', 'c'];
    const watcher = await redis.open({ prefix, watch: true, maxRemembered: 10_000 });
    const ends = new Map<string, InjectionState[]>();
    watcher.mailbox.onChange(({ agentId, id, state }) => {
      const key = `${agentId} ${id}`;
      if (state !== 'queued') ends.set(key, [...(ends.get(key) ?? []), state]);
    });
    for (const agentId of agents) await watcher.mailbox.join(agentId);
    let isOpening = true;
    const lose = (): Loss => {
      if (isOpening || Math.random() > 0.3) return undefined;
      return Math.random() < 0.5 ? 'request' : 'reply';
    };
    const open = async () =>
      openFor({ client: await connectBadly(lose), prefix, leaseMs: 700, maxRemembered: 10_000 });
    const [one, other] = [await open(), await open()];
    isOpening = false;

    const count = 120;
    const write = async ({ mailbox }: typeof one): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const to = i % 3 === 0 ? { all: true as const } : i % 3 === 1 ? ['b', 'c'] : 'a';
        await persist(() => mailbox.put({ id: `i${i}`, content: 'x', to }));
      }
    };
    let isDone = false;
    const read = async (agentId: string, { mailbox }: typeof one): Promise<void> => {
      while (!isDone) {
        const lease = await persist(() => mailbox.take({ agentId, limit: 4 }));
        await persist(() => lease.acknowledge());
        if (lease.items.length === 0) await setTimeout(5);
      }
    };
    const readers = agents.flatMap((agentId) => [read(agentId, one), read(agentId, other)]);
    // Both write the same items.
    await Promise.all([write(one), write(other)]);
    await until(() => ends.size >= 40 * 3 + 40 * 2 + 40, 'everything has an end', 60_000);
    isDone = true;
    await Promise.all(readers);
    expect(ends.size).toBe(240);
    expect([...ends.values()].filter((states) => states.join() !== 'delivered')).toEqual([]);
  });

  it.each(['acknowledge', 'release'] as const)(
    'RD-5: whoever repeats %s after a release whose reply was lost does not end the lease of the next one',
    async (repeated) => {
      const prefix = redis.newPrefix();
      let isLost = false;
      const client = await connectBadly((sha) => (isLost && sha === RELEASE.sha ? 'reply' : undefined));
      const [first, next] = [await openFor({ client, prefix }), await redis.open({ prefix })];
      await first.mailbox.put({ id: 'x', content: 'x', to: 'a' });
      // A script is loaded with its first call.
      await (await first.mailbox.take({ agentId: 'a' })).release();
      const old = await first.mailbox.take({ agentId: 'a' });
      isLost = true;
      await expect(old.release()).rejects.toThrow(MailboxUnavailableError);
      isLost = false;
      const lease = await next.mailbox.take({ agentId: 'a' });
      expect(ids(lease.items)).toEqual(['x']);
      await old[repeated]();
      expect(await next.mailbox.pending('a')).toEqual([]);
      expect(await next.mailbox.status('x')).toEqual({ a: 'queued' });
      await lease.acknowledge();
      expect(next.told()).toEqual(['a x delivered']);
    },
  );

  it('RD-8: items that were not carried over after all are still there', async () => {
    const prefix = redis.newPrefix();
    let isLost = true;
    const client = await connectBadly((sha) => (isLost && sha === END.sha ? 'request' : undefined));
    const { mailbox } = await openFor({ client, prefix, leaseMs: 200 });
    for (const id of ['x', 'y']) await mailbox.put({ id, content: 'x', to: 'a' });
    await expect(mailbox.carryOver('a')).rejects.toThrow(MailboxUnavailableError);
    expect(await mailbox.status('x')).toEqual({ a: 'queued' });
    await until(async () => (await mailbox.pending('a')).length === 2, 'they wait again');
    isLost = false;
    expect(ids(await mailbox.carryOver('a'))).toEqual(['x', 'y']);
  });
});
