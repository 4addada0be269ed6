// The mailbox in Redis: processor time of the server, beside what streams cost that promise less. Needs `redis-server`.
import { spawnSync } from 'node:child_process';
import { createClient } from 'redis';
import { openRedisMailbox } from '../../dist/injection/mailboxes/redis/index.js';
import { at } from '../measure.mjs';
import { readInfo, startRedis } from '../redis/server.mjs';

const CONTENT = 'x'.repeat(300);
const AGENTS = 20;
/** Items in one block; as many calls are under way at once. */
const BLOCK = 100;

const hasServer = spawnSync('redis-server', ['--version']).status === 0;

export const redisCases = hasServer
  ? {
      'redis-item': {
        title: 'mailbox in Redis: put, take and acknowledge one item, processor time of the server',
        limit: 'XADD, XREADGROUP, XACK',
        run: (options) => versus(rawItems, ourItems, options),
      },
      'redis-empty': {
        title: 'mailbox in Redis: a take that finds nothing, processor time of the server',
        limit: 'EXISTS',
        run: (options) => versus(rawLook, emptyTakes, options),
      },
    }
  : {};

async function versus(makeRaw, makeOurs, { quick }) {
  const server = await startRedis(['--appendonly', 'yes', '--appendfsync', 'everysec']);
  const client = await createClient({ url: server.url }).connect();
  const mailbox = await openRedisMailbox({ url: server.url, prefix: 'bench', timeoutMs: 60_000 });
  const lanes = [
    { name: 'commands of Redis', role: 'limit', block: await makeRaw(client), samples: [] },
    { name: 'hookline', role: 'ours', block: await makeOurs(mailbox), samples: [] },
  ];
  for (let round = 0; round < (quick ? 25 : 60); round++)
    for (let i = 0; i < lanes.length; i++) {
      const { block, samples } = lanes[(round + i) % lanes.length];
      const before = await cpuNs(client);
      await block();
      if (round >= 5) samples.push(((await cpuNs(client)) - before) / BLOCK);
    }
  await mailbox.close();
  await client.close();
  await server.stop();
  const rows = lanes.map(({ name, role, samples }) => {
    const sorted = samples.toSorted((a, b) => a - b);
    return { name, role, p10: at(sorted, 0.1), median: at(sorted, 0.5), blocks: sorted.length };
  });
  return { rows: rows.map((row) => ({ ...row, ratio: row.p10 / rows[0].p10 })) };
}

/** Processor time of the thread that serves commands. */
async function cpuNs(client) {
  const info = await readInfo(client);
  return (Number(info.used_cpu_user_main_thread) + Number(info.used_cpu_sys_main_thread)) * 1e9;
}

const times = (work) => Promise.all(Array.from({ length: BLOCK }, (_, i) => work(i)));
const agent = (i) => `agent-${i % AGENTS}`;

async function rawItems(client) {
  for (let i = 0; i < AGENTS; i++) await client.xGroupCreate(agent(i), 'g', '0', { MKSTREAM: true });
  return async () => {
    await times((i) => client.xAdd(agent(i), '*', { content: CONTENT }));
    const read = await times((i) => client.xReadGroup('g', 'c', { key: agent(i), id: '>' }, { COUNT: 1 }));
    await times((i) => client.xAck(agent(i), 'g', read[i][0].messages[0].id));
  };
}

async function ourItems(mailbox) {
  return async () => {
    await times((i) => mailbox.put({ content: CONTENT, to: agent(i) }));
    const leases = await times((i) => mailbox.take({ agentId: agent(i), limit: 1 }));
    await times((i) => leases[i].acknowledge());
  };
}

const rawLook = async (client) => () => times((i) => client.exists(agent(i)));

async function emptyTakes(mailbox) {
  return () => times((i) => mailbox.take({ agentId: agent(i) }));
}
