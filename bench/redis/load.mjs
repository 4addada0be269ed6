// One Redis under load: rates, latencies, memory, and how long it takes to be back after it was killed.
// node bench/redis/load.mjs [--agents=1000] [--seconds=6] [--rates=250,500,…] [--json=file]
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from 'redis';
import { openRedisMailbox } from '../../dist/injection/mailboxes/redis/index.js';
import { readInfo, startRedis } from './server.mjs';

const option = (name, otherwise) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
const AGENTS = Number(option('agents', '1000'));
const SECONDS = Number(option('seconds', '6'));
const RATES = option('rates', '250,500,1000,1500,2000,3000,4000,6000,8000').split(',').map(Number);
const LENGTH = Number(option('length', '300'));
const WAITING = Number(option('waiting', '50000'));

const nowMs = () => performance.now();
const at = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
const round = (value, digits = 1) => Number(value.toFixed(digits));

function startWorker(url, role, first, last) {
  const path = fileURLToPath(new URL('./worker.mjs', import.meta.url));
  const child = fork(path, [url, 'load', role, String(first), String(last)]);
  const answers = new Map();
  child.on('message', ({ task, ...answer }) => answers.get(task)?.(answer));
  const answerTo = (task) => new Promise((resolve) => answers.set(task, resolve));
  const ready = answerTo('ready');
  return {
    ready,
    ask: (task, details = {}) => {
      const answer = answerTo(task);
      child.send({ task, ...details });
      return answer;
    },
  };
}

/** Processor time of the server, in seconds. */
async function serverCpu(client) {
  const info = await readInfo(client);
  return Number(info.used_cpu_user) + Number(info.used_cpu_sys);
}

/** Processor time so far, in seconds: of the server, of those who make the load, and of the whole machine. */
async function readClocks({ client, writer, reader }) {
  const [wrote, read] = await Promise.all([writer.ask('cpu'), reader.ask('cpu')]);
  const times = cpus().map((cpu) => cpu.times);
  const busy = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0) / 1000;
  return { server: await serverCpu(client), load: wrote.seconds + read.seconds, machine: busy, at: nowMs() };
}

async function measureRate(rate, { client, writer, reader }) {
  await reader.ask('collect');
  const before = await readClocks({ client, writer, reader });
  const written = await writer.ask('write', { rate, seconds: SECONDS, length: LENGTH });
  const after = await readClocks({ client, writer, reader });
  const inTime = (await reader.ask('collect')).handedOver;
  const latencies = [...inTime];
  const patience = nowMs() + 60_000;
  while (latencies.length < written.put && nowMs() < patience) {
    await setTimeout(50);
    latencies.push(...(await reader.ask('collect')).handedOver);
  }
  const puts = written.latencies.toSorted((a, b) => a - b);
  const deliveries = latencies.toSorted((a, b) => a - b);
  const seconds = written.ms / 1000;
  const percent = (used) => round((used / ((after.at - before.at) / 1000)) * 100, 0);
  const [server, load] = [after.server - before.server, after.load - before.load];
  return {
    offered: rate,
    putPerSecond: round(written.put / seconds, 0),
    // Handed over while items were still being put: what came after only emptied the queue.
    handedOverPerSecond: round(inTime.length / seconds, 0),
    lost: written.put - latencies.length,
    failures: written.failures.length,
    putP50: round(at(puts, 0.5)),
    putP99: round(at(puts, 0.99)),
    p50: round(at(deliveries, 0.5)),
    p99: round(at(deliveries, 0.99)),
    // Of one core each.
    serverPercent: percent(server),
    loadPercent: percent(load),
    othersPercent: percent(after.machine - before.machine - server - load),
  };
}

async function measureRates() {
  const server = await startRedis(['--appendonly', 'yes', '--appendfsync', 'everysec']);
  const client = await createClient({ url: server.url }).connect();
  const writer = startWorker(server.url, 'write', 0, AGENTS);
  const reader = startWorker(server.url, 'read', 0, AGENTS);
  await Promise.all([writer.ready, reader.ready]);
  await measureRate(200, { client, writer, reader });
  const rows = [];
  let [best, worse] = [0, 0];
  for (const rate of RATES) {
    const row = await measureRate(rate, { client, writer, reader });
    rows.push(row);
    console.log(JSON.stringify(row));
    worse = row.handedOverPerSecond < best * 1.1 ? worse + 1 : 0;
    best = Math.max(best, row.handedOverPerSecond);
    // A busy moment is no end: twice no better is.
    if (worse === 2) break;
  }
  const cpu = await serverCpu(client);
  const empty = await writer.ask('takeNothing', { seconds: SECONDS, atOnce: 100 });
  const emptyTakes = {
    perSecond: round(empty.count / (empty.ms / 1000), 0),
    serverMicrosEach: round((((await serverCpu(client)) - cpu) / empty.count) * 1e6),
  };
  await Promise.all([writer.ask('close'), reader.ask('close')]);
  await client.close();
  await server.stop();
  return { rows, emptyTakes };
}

/** Processor time of the server for one item, from put to acknowledged, with nothing else going on. */
async function measureCost() {
  const server = await startRedis(['--appendonly', 'yes', '--appendfsync', 'everysec']);
  const client = await createClient({ url: server.url }).connect();
  const mailbox = await openRedisMailbox({ url: server.url, prefix: 'cost', timeoutMs: 120_000 });
  const count = 10_000;
  const rows = {};
  const measure = async (name, work) => {
    const before = await serverCpu(client);
    await work();
    rows[name] = round((((await serverCpu(client)) - before) / count) * 1e6);
  };
  const inTurn = async (work) => {
    for (let i = 0; i < count; i += 100)
      await Promise.all(Array.from({ length: 100 }, (_, j) => work(i + j)));
  };
  const leases = [];
  const agent = (i) => `agent-${i % 100}`;
  await measure('put', () => inTurn((i) => mailbox.put({ content: 'x'.repeat(LENGTH), to: agent(i) })));
  await measure('take', () =>
    inTurn(async (i) => leases.push(await mailbox.take({ agentId: agent(i), limit: 1 }))),
  );
  await measure('acknowledge', () => inTurn((i) => leases[i].acknowledge()));
  await mailbox.close();
  await client.close();
  await server.stop();
  return rows;
}

/** The server keeps the scripts; that is not to be counted. */
async function warmUp(url) {
  const mailbox = await openRedisMailbox({ url, prefix: 'warm' });
  await mailbox.put({ content: 'x', to: 'a' });
  await mailbox.put({ content: 'x' });
  await (await mailbox.take({ agentId: 'a' })).acknowledge();
  await mailbox.close();
}

async function measureMemoryAndRecovery() {
  const server = await startRedis(['--appendonly', 'yes', '--appendfsync', 'everysec']);
  let client = await createClient({ url: server.url }).connect();
  const mailbox = await openRedisMailbox({ url: server.url, prefix: 'memory', timeoutMs: 120_000 });
  const memory = async () => Number((await readInfo(client)).used_memory);
  const agents = Array.from({ length: AGENTS }, (_, i) => `agent-${i}`);
  await warmUp(server.url);
  const empty = await memory();
  for (const agentId of agents) await mailbox.join(agentId);
  const joined = await memory();
  for (let i = 0; i < WAITING; i += 200) {
    const puts = Array.from({ length: 200 }, (_, j) =>
      mailbox.put({ content: 'x'.repeat(LENGTH), to: agents[(i + j) % AGENTS] }),
    );
    await Promise.all(puts);
  }
  const full = await memory();
  await client.close();
  const fileBytes = server.fileBytes();

  const open = await mailbox.take({ agentId: 'agent-0', limit: 1 });
  const killed = nowMs();
  await server.kill();
  await server.begin();
  const answersAfterMs = nowMs() - killed;
  for (;;) {
    try {
      const lease = await mailbox.take({ agentId: 'agent-1', limit: 1 });
      await lease.acknowledge();
      break;
    } catch {
      await setTimeout(5);
    }
  }
  const worksAfterMs = nowMs() - killed;

  client = await createClient({ url: server.url }).connect();
  await open.acknowledge();
  let handedOver = 2;
  for (const agentId of agents) {
    const lease = await mailbox.take({ agentId });
    handedOver += lease.items.length;
    await lease.acknowledge();
  }
  const remembered = await memory();
  await mailbox.close();
  await client.close();
  await server.stop();
  return {
    bytesPerAgent: round((joined - empty) / AGENTS, 0),
    bytesPerWaitingItem: round((full - joined) / WAITING, 0),
    ofThatContent: LENGTH,
    bytesPerRememberedItem: round((remembered - joined) / WAITING, 0),
    fileMegabytes: round(fileBytes / 1e6),
    answersAfterMs: round(answersAfterMs, 0),
    worksAfterMs: round(worksAfterMs, 0),
    lost: WAITING - handedOver,
  };
}

async function measureBroadcast() {
  const server = await startRedis(['--appendonly', 'yes', '--appendfsync', 'everysec']);
  const client = await createClient({ url: server.url }).connect();
  const mailbox = await openRedisMailbox({ url: server.url, prefix: 'all', timeoutMs: 120_000 });
  const agents = Array.from({ length: AGENTS }, (_, i) => `agent-${i}`);
  for (const agentId of agents) await mailbox.join(agentId);
  const puts = [];
  const count = 20;
  for (let i = 0; i < count; i++) {
    const started = nowMs();
    await mailbox.put({ content: 'x'.repeat(LENGTH) });
    puts.push(nowMs() - started);
  }
  const cpu = await serverCpu(client);
  const started = nowMs();
  let copies = 0;
  for (let i = 0; i < AGENTS; i += 50) {
    await Promise.all(
      agents.slice(i, i + 50).map(async (agentId) => {
        const lease = await mailbox.take({ agentId });
        copies += lease.items.length;
        await lease.acknowledge();
      }),
    );
  }
  const seconds = (nowMs() - started) / 1000;
  const result = {
    putMs: round(
      at(
        puts.toSorted((a, b) => a - b),
        0.5,
      ),
      2,
    ),
    copies,
    copiesPerSecond: round(copies / seconds, 0),
    serverMicrosPerCopy: round((((await serverCpu(client)) - cpu) / copies) * 1e6),
  };
  await mailbox.close();
  await client.close();
  await server.stop();
  return result;
}

async function describeMachine() {
  const server = await startRedis([]);
  const client = await createClient({ url: server.url }).connect();
  const { redis_version: redis, mem_allocator: allocator } = await readInfo(client);
  await client.close();
  await server.stop();
  return {
    date: new Date().toISOString(),
    node: process.version,
    redis,
    allocator,
    processor: cpus()[0]?.model,
    cores: availableParallelism(),
    memoryGigabytes: round(totalmem() / 1e9, 0),
    loadBefore: round(loadavg()[0]),
  };
}

const results = { machine: await describeMachine() };
console.log(results.machine);
const parts = {
  cost: measureCost,
  rates: measureRates,
  memory: measureMemoryAndRecovery,
  broadcast: measureBroadcast,
};
for (const [name, measure] of Object.entries(parts)) {
  results[name] = await measure();
  console.log(name, results[name]);
}
const file = option('json');
if (file !== undefined) writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
