import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  MailboxUnavailableError,
  openRedisMailbox,
  type RedisClientLike,
  type RedisMailboxOptions,
} from '../../../../src/injection/mailboxes/redis/index.js';
import { refusalOf } from '../../../support/runner.js';
import { ids } from '../../support.js';
import { openFor, until, useRedis } from './support/bench.js';
import { run } from './support/programs.js';
import { findFreePort, hasRedis, RedisServer } from './support/server.js';

const redis = useRedis();
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

describe('opening', () => {
  const wrong: readonly RedisMailboxOptions[] = [
    {},
    { url: 'redis://x', client: {} as RedisClientLike },
    { url: 'http://localhost' },
    { url: 'redis://x', prefix: '' },
    { url: 'redis://x', leaseMs: 0 },
    { url: 'redis://x', leaseMs: 86_400_001 },
    { url: 'redis://x', maxItems: 1.5 },
    { url: 'redis://x', maxContentLength: 10 },
    { url: 'redis://x', rememberMs: 2000, leaseMs: 1, retentionMs: 1000 },
    { url: 'redis://x', timeoutMs: Number.NaN },
  ];
  it.each(wrong)('RD-1: a mailbox with %j is refused', async (options) => {
    expect((await refusalOf(() => openRedisMailbox(options))).code).toBe('invalid_option');
  });

  it('RD-1: where no server answers, it says so, and keeps the password to itself', async () => {
    const port = await findFreePort();
    const error: unknown = await openRedisMailbox({ url: `redis://ada:secret@127.0.0.1:${port}` }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(MailboxUnavailableError);
    expect(String(error)).toMatch(new RegExp(`No Redis answers at redis://127\\.0\\.0\\.1:${port} \\(.+\\)`));
    expect(String(error)).not.toContain('secret');
  });

  it('RD-1: a client that is not connected is refused', async () => {
    const client = createClient();
    expect((await refusalOf(() => openRedisMailbox({ client }))).message).toContain('call `connect` first');
  });

  it('RD-1: it loads where the package is not installed, and says what to install when it is needed', {
    timeout: 60_000,
  }, async () => {
    const program = `
      import { openRedisMailbox } from './src/injection/mailboxes/redis/index.ts';
      const error = await openRedisMailbox({ url: 'redis://127.0.0.1:1' }).catch((thrown) => thrown);
      console.log(error.code, error.message);
    `;
    const { stdout } = await execa(
      process.execPath,
      [
        '--import',
        'tsx',
        '--import',
        here('./support/without-redis.mjs'),
        '--input-type=module',
        '-e',
        program,
      ],
      { cwd: here('../../../..') },
    );
    expect(stdout).toBe(
      'invalid_option A mailbox in Redis needs the package redis, which is not installed: npm install redis',
    );
  });
});

describe.skipIf(!hasRedis)('opening with a server', () => {
  it('RD-1: who gives the same prefix shares a mailbox; others have their own', async () => {
    const client = await createClient({ url: redis.server.url }).connect();
    onTestFinished(() => client.close());
    const prefix = redis.newPrefix();
    const [one, other] = [await openFor({ client, prefix }), await redis.open({ prefix })];
    const foreign = await redis.open({ prefix: `${prefix}:agent:a` });
    await one.mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await one.mailbox.put({ id: 'all', content: 'x' });
    expect(await foreign.mailbox.pending('a')).toEqual([]);
    expect(ids((await other.mailbox.take({ agentId: 'a' })).items)).toEqual(['x', 'all']);
  });

  it('RD-1: a server before version 7 is refused', async () => {
    const unused = (): never => {
      throw new Error('nobody needs it');
    };
    const old: RedisClientLike = {
      isOpen: true,
      evalSha: async () => '',
      eval: async () => '',
      exists: unused,
      get: unused,
      set: unused,
      pExpire: unused,
      del: unused,
      duplicate: unused,
    };
    const error = await refusalOf(() => openRedisMailbox({ client: old }));
    expect(error.message).toContain('needs Redis 7 or later');
  });

  it('RD-15: closing ends the use of it here; others go on, and what waits is still there', async () => {
    const prefix = redis.newPrefix();
    const [one, other] = [await redis.open({ prefix }), await redis.open({ prefix })];
    await one.mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await Promise.all([one.mailbox.close(), one.mailbox.close()]);
    const error = await refusalOf(() => one.mailbox.put({ content: 'x', to: 'a' }));
    expect(error).toMatchObject({
      code: 'disposed',
      message: 'The mailbox has been closed; put is refused.',
    });
    for (const call of ['pending', 'carryOver', 'status', 'join', 'leave'] as const) {
      expect((await refusalOf(() => one.mailbox[call]('a'))).code).toBe('disposed');
    }
    expect(ids(await other.mailbox.pending('a'))).toEqual(['x']);
  });

  it.each(['', 'lease'])(
    'RD-15: a process that has closed it ends by itself %s',
    { timeout: 60_000 },
    async (how) => {
      const prefix = redis.newPrefix();
      const lines: string[] = [];
      const program = run('short-life', [redis.server.url, prefix, how], (line) => lines.push(line));
      expect(await program.ended).toBe(0);
      expect(lines).toEqual(['taken', 'closed']);
      const { mailbox } = await redis.open({ prefix });
      expect(await mailbox.status('x')).toEqual({ a: how === 'lease' ? 'queued' : 'delivered' });
    },
  );

  it('RD-15: so does one that closes it when the server has gone', { timeout: 60_000 }, async () => {
    const server = await RedisServer.start();
    onTestFinished(() => server.stop());
    const lines: string[] = [];
    const program = run('short-life', [server.url, 'x', 'alone'], (line) => {
      lines.push(line);
      if (line === 'taken') void server.kill();
    });
    expect(await program.ended).toBe(0);
    expect(lines).toEqual(['taken', 'closed']);
  });
});

describe.skipIf(!hasRedis)('changes', () => {
  it('RD-14: what is done here is told here; with watch, what others do too, each change once', async () => {
    const prefix = redis.newPrefix();
    const writer = await redis.open({ prefix });
    const watcher = await redis.open({ prefix, watch: true });
    await writer.mailbox.put({ id: 'x', content: 'x', to: 'a', source: { kind: 'peer', label: 'ada' } });
    await writer.mailbox.put({ id: 'all', content: 'x', to: ['a', 'b'], strategy: 'user_message' });
    const lease = await watcher.mailbox.take({ agentId: 'a' });
    await lease.acknowledge();
    await writer.mailbox.leave('b', 'it crashed:\n100 % of "b"');
    await until(() => watcher.changes.length >= 6, 'all is heard');
    expect(watcher.told().toSorted()).toEqual([
      'a all delivered',
      'a all queued',
      'a x delivered',
      'a x queued',
      'b all failed',
      'b all queued',
    ]);
    expect(writer.told()).toEqual(['a x queued', 'a all queued', 'b all queued', 'b all failed']);
    expect(watcher.changes.find(({ id }) => id === 'x')).toEqual({
      id: 'x',
      agentId: 'a',
      state: 'queued',
      source: { kind: 'peer', label: 'ada' },
      strategy: 'tool_result',
      at: expect.any(Number),
    });
    expect(watcher.changes.find(({ state }) => state === 'failed')).toMatchObject({
      strategy: 'user_message',
      reason: 'it crashed:\n100 % of "b"',
    });
  });

  it('RD-14: a listener that fails changes nothing, and the watch is over with the mailbox', async () => {
    const prefix = redis.newPrefix();
    const writer = await redis.open({ prefix });
    const watcher = await redis.open({ prefix, watch: true });
    const heard: string[] = [];
    const stop = watcher.mailbox.onChange(({ id }) => heard.push(id));
    await writer.mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await until(() => watcher.changes.length === 1, 'it is heard');
    stop();
    await writer.mailbox.put({ id: 'y', content: 'x', to: 'a' });
    await until(() => watcher.changes.length === 2, 'it is heard');
    expect(heard).toEqual(['x']);
    const client = await createClient({ url: redis.server.url }).connect();
    onTestFinished(() => client.close());
    const listeners = async (): Promise<number> =>
      Number((await client.info('clients')).match(/pubsub_clients:(\d+)/)?.[1] ?? 0);
    await watcher.mailbox.close();
    const quiet = await redis.open({ prefix, announce: false });
    await quiet.mailbox.put({ id: 'z', content: 'x', to: 'a' });
    expect(quiet.told()).toEqual(['a z queued']);
    await until(async () => (await listeners()) === 0, 'nobody listens any more');
  });
});
