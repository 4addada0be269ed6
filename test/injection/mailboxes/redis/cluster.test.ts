import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ids } from '../../support.js';
import { openFor, until } from './support/bench.js';
import { type RedisCluster, startCluster } from './support/cluster.js';
import { hasRedis } from './support/server.js';

let cluster: RedisCluster | undefined;
beforeAll(async () => {
  if (hasRedis) cluster = await startCluster();
}, 60_000);
afterAll(() => cluster?.stop());

async function connect(): Promise<Awaited<ReturnType<RedisCluster['connect']>>> {
  if (cluster === undefined) throw new Error('there is no cluster');
  const client = await cluster.connect();
  onTestFinished(() => client.destroy());
  return client;
}

describe.skipIf(!hasRedis)('a cluster', () => {
  it('RD-13: everything of one agent is in one place, and agents are spread over all servers', {
    timeout: 60_000,
  }, async () => {
    const { mailbox } = await openFor({ client: await connect(), prefix: 'spread' });
    const agents = Array.from({ length: 30 }, (_, i) => `agent ${i}`);
    for (const agentId of agents) await mailbox.join(agentId);
    for (const agentId of agents) {
      const fields = { content: 'x', to: agentId, matcher: 'Bash', expiresAt: Date.now() + 60_000 };
      await mailbox.put(fields);
    }
    await mailbox.put({ id: 'all', content: 'x' });
    const homes = new Map<string, Set<number>>();
    for (const [i, { url }] of (cluster?.servers ?? []).entries()) {
      const client = await createClient({ url }).connect();
      for (const key of await client.keys('*:agent:*')) {
        const tag = /\{(.*?)\}/.exec(key)?.[1] ?? '';
        homes.set(tag, (homes.get(tag) ?? new Set()).add(i));
      }
      await client.close();
    }
    expect(homes.size).toBe(30);
    expect([...homes.values()].every((places) => places.size === 1)).toBe(true);
    expect(new Set([...homes.values()].flatMap((places) => [...places])).size).toBe(3);
  });

  it('RD-13: it does what one server does: by name, to several, to all, under leases, exactly once', {
    timeout: 60_000,
  }, async () => {
    const client = await connect();
    const [one, other] = [
      await openFor({ client, prefix: 'team', watch: true }),
      await openFor({ client: await connect(), prefix: 'team' }),
    ];
    const agents = Array.from({ length: 12 }, (_, i) => `agent ${i}`);
    for (const agentId of agents.slice(0, 6)) await one.mailbox.join(agentId);
    await Promise.all(
      agents.map((agentId) => one.mailbox.put({ id: `for ${agentId}`, content: 'x', to: agentId })),
    );
    await other.mailbox.put({ id: 'several', content: 'x', to: agents.slice(3, 9), priority: 1 });
    await other.mailbox.put({ id: 'all', content: 'x', priority: 2 });
    const serve = async (agentId: string, { mailbox }: typeof one): Promise<string[]> => {
      const lease = await mailbox.take({ agentId });
      await lease.acknowledge();
      return ids(lease.items);
    };
    for (const [i, agentId] of agents.entries()) {
      const [a, b] = await Promise.all([serve(agentId, one), serve(agentId, other)]);
      const expected = ['all', ...(i >= 3 && i < 9 ? ['several'] : []), `for ${agentId}`];
      expect([...a, ...b].toSorted()).toEqual(expected.toSorted());
    }
    const everybody = Object.fromEntries(agents.map((agentId) => [agentId, 'delivered']));
    expect(await other.mailbox.status('all')).toEqual(everybody);
    expect(Object.keys((await one.mailbox.status('several')) ?? {})).toEqual(agents.slice(3, 9));
    await other.mailbox.put({ id: 'rest', content: 'x', to: ['agent 1', 'agent 11'] });
    expect(ids(await one.mailbox.carryOver('agent 11'))).toEqual(['rest']);
    expect(await one.mailbox.status('rest')).toEqual({ 'agent 1': 'queued', 'agent 11': 'carried' });
    await until(() => one.told().includes('agent 11 rest queued'), 'others are heard');
    await one.mailbox.close();
    // A client that was given stays open.
    expect(client.isOpen).toBe(true);
  });
});
