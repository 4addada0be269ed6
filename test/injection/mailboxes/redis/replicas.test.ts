/** What a replica that takes over knows: the window of asynchronous replication, and the option that closes it. */
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  openRedisMailbox,
  type RedisMailboxOptions,
} from '../../../../src/injection/mailboxes/redis/index.js';
import { ids } from '../../support.js';
import { openFor, until } from './support/bench.js';
import { type RedisCluster, startCluster } from './support/cluster.js';
import { hasRedis, RedisServer } from './support/server.js';

/** A master and its replica, in step. */
async function pair() {
  const master = await RedisServer.start({ args: ['--repl-diskless-sync-delay', '0'] });
  const replica = await RedisServer.start({ args: ['--replicaof', '127.0.0.1', String(master.port)] });
  onTestFinished(async () => {
    replica.signal('SIGCONT');
    await Promise.all([master.stop(), replica.stop()]);
  });
  const ask = async (server: RedisServer, ...args: string[]): Promise<string> => {
    const client = await createClient({ url: server.url }).connect();
    try {
      return String(await client.sendCommand(args));
    } finally {
      client.destroy();
    }
  };
  // The link is up a moment before the master counts the replica.
  await until(async () => (await ask(master, 'INFO', 'replication')).includes('state=online'), 'a replica');
  await until(async () => (await ask(master, 'WAIT', '1', '500')) === '1', 'a replica that confirms');
  const open = (options: RedisMailboxOptions = {}) =>
    openFor({ url: master.url, prefix: 'pair', timeoutMs: 2500, ...options });
  return {
    master,
    replica,
    open,
    /** The replica hears nothing of its master any more. */
    part: async (): Promise<void> => {
      replica.signal('SIGSTOP');
      await ask(master, 'CLIENT', 'KILL', 'TYPE', 'replica');
    },
    /** The master dies, and the replica takes over with what it has. */
    takeOver: async () => {
      await master.kill();
      replica.signal('SIGCONT');
      await ask(replica, 'REPLICAOF', 'NO', 'ONE');
      const { mailbox } = await openFor({ url: replica.url, prefix: 'pair' });
      return ids(await mailbox.pending('a'));
    },
  };
}

describe.skipIf(!hasRedis)('replicas', { timeout: 60_000 }, () => {
  it('RD-10: without waiting, what a replica had not received is lost when it takes over', async () => {
    const { open, part, takeOver } = await pair();
    const { mailbox } = await open({ waitReplicas: 1 });
    await mailbox.put({ id: 'in step', content: 'x', to: 'a' });
    const hasty = (await open()).mailbox;
    await part();
    await hasty.put({ id: 'in the window', content: 'x', to: 'a' });
    expect(await takeOver()).toEqual(['in step']);
  });

  it('RD-19: with waitReplicas nothing is confirmed that a replica has not received, so nothing of it is lost', async () => {
    const { open, part, takeOver } = await pair();
    const { mailbox } = await open({ waitReplicas: 1 });
    await mailbox.put({ id: 'confirmed', content: 'x', to: 'a' });
    await part();
    await expect(mailbox.put({ id: 'refused', content: 'x', to: 'a' })).rejects.toMatchObject({
      name: 'MailboxUnavailableError',
      mayHaveHappened: true,
      message: expect.stringContaining('0 of 1 replicas confirmed it within 2000 ms'),
    });
    expect(await takeOver()).toEqual(['confirmed']);
  });

  it('RD-19: what was not confirmed can be repeated, and counts once', async () => {
    const { open, replica } = await pair();
    const { mailbox } = await open({ waitReplicas: 1 });
    replica.signal('SIGSTOP');
    const item = { id: 'x', content: 'x', to: 'a' };
    await expect(mailbox.put(item)).rejects.toThrow('Repeat it');
    replica.signal('SIGCONT');
    await until(
      () =>
        mailbox.put(item).then(
          () => true,
          () => false,
        ),
      'a confirmed put',
    );
    const lease = await mailbox.take({ agentId: 'a' });
    expect(ids(lease.items)).toEqual(['x']);
    replica.signal('SIGSTOP');
    await expect(lease.acknowledge()).rejects.toMatchObject({
      name: 'MailboxUnavailableError',
      mayHaveHappened: true,
    });
    replica.signal('SIGCONT');
    await until(
      () =>
        lease.acknowledge().then(
          () => true,
          () => false,
        ),
      'a confirmed acknowledge',
    );
    expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
  });

  it('RD-19: a number that makes no sense, and a client that cannot wait, are refused', async () => {
    const { master } = await pair();
    await expect(openRedisMailbox({ url: master.url, waitReplicas: -1 })).rejects.toThrow(
      'waitReplicas of a mailbox in Redis is -1',
    );
    const client = { isOpen: true } as never;
    await expect(openRedisMailbox({ client, waitReplicas: 1 })).rejects.toThrow(
      '`waitReplicas` needs a `client`',
    );
  });
});

describe.skipIf(!hasRedis)('a cluster with replicas', () => {
  let cluster: RedisCluster | undefined;
  beforeAll(async () => {
    if (hasRedis) cluster = await startCluster(3, { withReplicas: true });
  }, 60_000);
  afterAll(() => cluster?.stop());

  it('RD-19: every change is confirmed by the replica of its server, also after a server has changed places', {
    timeout: 60_000,
  }, async () => {
    const client = await cluster?.connect();
    onTestFinished(() => client?.destroy());
    const { mailbox } = await openFor({ client: client as never, waitReplicas: 1 });
    const agents = Array.from({ length: 12 }, (_, i) => `agent ${i}`);
    const round = async (name: string): Promise<void> => {
      for (const agentId of agents)
        await mailbox.put({ id: `${name} ${agentId}`, content: 'x', to: agentId });
      for (const agentId of agents) {
        const lease = await mailbox.take({ agentId });
        expect(ids(lease.items)).toEqual([`${name} ${agentId}`]);
        await lease.acknowledge();
      }
    };
    await round('before');
    const [replica] = cluster?.replicas ?? [];
    const heir = createClient({ url: replica?.url ?? '' });
    heir.on('error', () => {});
    await heir.connect();
    // Nothing is being written, so it need not wait for the others' consent, which takes long on a busy machine.
    await heir.sendCommand(['CLUSTER', 'FAILOVER', 'TAKEOVER']);
    await until(async () => String(await heir.sendCommand(['ROLE'])).startsWith('master'), 'a new master');
    await until(
      async () => String(await heir.sendCommand(['INFO', 'replication'])).includes('state=online'),
      'its replica',
    );
    heir.destroy();
    // The client still knows the old places: it is told where the slots are now, and nothing is done twice.
    await round('after');
  });
});
