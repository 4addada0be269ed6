import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MailboxUnavailableError } from '../../../../src/injection/mailboxes/redis/index.js';
import type { InjectionItem, Lease } from '../../../../src/injection/port.js';
import { ids } from '../../support.js';
import { openFor, until } from './support/bench.js';
import { hasRedis, RedisServer } from './support/server.js';

async function startServer(...args: string[]): Promise<RedisServer> {
  const server = await RedisServer.start({ args });
  onTestFinished(() => server.stop());
  return server;
}

async function failureOf(call: () => Promise<unknown>): Promise<MailboxUnavailableError> {
  const error = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MailboxUnavailableError);
  return error as MailboxUnavailableError;
}

/** Does it until it succeeds, as a host does while a server is away. */
async function persist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      expect(error).toBeInstanceOf(MailboxUnavailableError);
      await setTimeout(10);
    }
  }
}

describe.skipIf(!hasRedis)('a server that is away', () => {
  it('RD-9: calls are refused at once with a clear error, and work again when it is back', {
    timeout: 60_000,
  }, async () => {
    const server = await startServer('--appendonly', 'yes', '--appendfsync', 'always');
    const { mailbox } = await openFor({ url: server.url });
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await mailbox.put({ id: 'all', content: 'x' });
    const lease = await mailbox.take({ agentId: 'a', limit: 1 });
    await server.kill();
    await until(
      async () => !(await failureOf(() => mailbox.put({ content: 'y', to: 'a' }))).mayHaveHappened,
      'the client knows',
    );
    const put = await failureOf(() => mailbox.put({ content: 'y', to: 'a' }));
    expect(put.message).toMatch(/^Redis cannot be reached \(.+\); put was not executed\. .+ retry later\.$/);
    await failureOf(() => mailbox.take({ agentId: 'a' }));
    await failureOf(() => mailbox.status('x'));
    // Not knowing is no end: the lease can still be ended.
    await failureOf(() => lease.acknowledge());
    await server.begin();
    await persist(() => lease.acknowledge());
    expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
    expect(ids((await mailbox.take({ agentId: 'a' })).items)).toEqual(['all']);
  });

  it('RD-9: a server that hangs is given up on in time, and it is said that the call may have happened', {
    timeout: 60_000,
  }, async () => {
    const server = await startServer();
    const { mailbox } = await openFor({ url: server.url, timeoutMs: 3000 });
    await mailbox.put({ id: 'first', content: 'x', to: 'a' });
    server.signal('SIGSTOP');
    const item = { id: 'x', content: 'x', to: 'a' };
    const error = await failureOf(() => mailbox.put(item));
    expect(error.mayHaveHappened).toBe(true);
    expect(error.message).toContain('no response within 3000 ms');
    server.signal('SIGCONT');
    await persist(() => mailbox.put(item));
    expect(ids(await mailbox.pending('a'))).toEqual(['first', 'x']);
  });

  it('RD-11: without memory nothing is put by halves; what is there can be taken and acknowledged, which makes room', {
    timeout: 60_000,
  }, async () => {
    const server = await startServer('--maxmemory', '4mb', '--maxmemory-policy', 'noeviction');
    const { mailbox, told } = await openFor({ url: server.url });
    await mailbox.join('a');
    let last = 0;
    const error = await failureOf(async () => {
      for (; ; last++) await mailbox.put({ id: `i${last}`, content: 'x'.repeat(10_000), to: 'a' });
    });
    expect(error).toMatchObject({ outOfMemory: true, mayHaveHappened: false });
    expect(error.message).toMatch(/^Redis refused put: OOM .* It has no memory left/);
    expect(await mailbox.status(`i${last}`)).toBeUndefined();
    expect(told()).toHaveLength(last);
    const lease = await mailbox.take({ agentId: 'a', limit: 20 });
    expect(lease.items).toHaveLength(20);
    await lease.acknowledge();
    expect(await mailbox.status('i0')).toEqual({ a: 'delivered' });
    // Redis frees what was deleted a moment later.
    const again = (): Promise<unknown> =>
      mailbox.put({ id: `i${last}`, content: 'x'.repeat(10_000), to: 'a' });
    await vi.waitFor(again, { timeout: 20_000, interval: 50 });
    expect(await mailbox.status(`i${last}`)).toEqual({ a: 'queued' });
  });

  it('RD-17: what puts items at risk is said', async () => {
    const risky = await startServer('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
    const { mailbox } = await openFor({ url: risky.url });
    expect(await mailbox.doubts()).toEqual([
      expect.stringContaining('appendonly is off'),
      expect.stringContaining('maxmemory-policy is allkeys-lru'),
    ]);
    const safe = await startServer('--appendonly', 'yes');
    expect(await (await openFor({ url: safe.url })).mailbox.doubts()).toEqual([]);
  });
});

describe.skipIf(!hasRedis)('a server that is killed', () => {
  it('RD-10: killed and started again in the middle of the work, it has lost and doubled nothing', {
    timeout: 120_000,
  }, async () => {
    const server = await startServer('--appendonly', 'yes', '--appendfsync', 'always');
    const leaseMs = 6000;
    const open = () => openFor({ url: server.url, leaseMs, maxRemembered: 10_000 });
    const [writer, reader, other] = [await open(), await open(), await open()];
    const agents = ['a', 'b'];
    for (const agentId of agents) await writer.mailbox.join(agentId);

    const count = 300;
    const sent = new Map<string, number>();
    /** What could not be acknowledged in time, because the server was away for so long, may be sent again. */
    const late = new Set<string>();
    let isDone = false;
    const write = async (): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const to = i % 3 === 0 ? { all: true as const } : (agents[i % 2] ?? '');
        await persist(() => writer.mailbox.put({ id: `i${i}`, content: 'x', to }));
      }
    };
    const send = (agentId: string, items: readonly InjectionItem[]): void => {
      for (const { id } of items) sent.set(`${agentId} ${id}`, (sent.get(`${agentId} ${id}`) ?? 0) + 1);
    };
    const read = async (agentId: string, { mailbox }: typeof reader): Promise<void> => {
      while (!isDone) {
        let begun = 0;
        const lease: Lease = await persist(() => {
          begun = Date.now();
          return mailbox.take({ agentId, limit: 3 });
        });
        send(agentId, lease.items);
        await persist(() => lease.acknowledge());
        if (Date.now() - begun >= leaseMs) for (const { id } of lease.items) late.add(`${agentId} ${id}`);
        if (lease.items.length === 0) await setTimeout(5);
      }
    };
    const readers = agents.flatMap((agentId) => [read(agentId, reader), read(agentId, other)]);
    const writing = write();
    for (let kills = 0; kills < 3; kills++) {
      const before = sent.size;
      await until(() => sent.size >= Math.min(before + 30, 390), 'work goes on');
      await server.kill();
      await server.begin();
    }
    await writing;
    // Two thirds are for one agent, one third for both.
    await until(() => sent.size === 400, 'everything has been sent', 60_000);
    isDone = true;
    await Promise.all(readers);

    expect([...sent].filter(([key, times]) => times !== 1 && !late.has(key))).toEqual([]);
    for (let i = 0; i < count; i++) {
      const states = Object.values((await persist(() => writer.mailbox.status(`i${i}`))) ?? {});
      expect(states).toEqual(i % 3 === 0 ? ['delivered', 'delivered'] : ['delivered']);
    }
  });
});
