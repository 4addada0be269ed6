// One process of the load: it puts items at a rate, or it serves agents as soon as they are told that something waits.
import { setTimeout } from 'node:timers/promises';
import { openRedisMailbox } from '../../dist/injection/mailboxes/redis/index.js';

const [url, prefix, role, first, last] = process.argv.slice(2);
const mailbox = await openRedisMailbox({
  url,
  prefix,
  timeoutMs: 120_000,
  watch: role === 'read',
  maxItems: 1_000_000,
});
const agents = Array.from({ length: Number(last) - Number(first) }, (_, i) => `agent-${Number(first) + i}`);

/** More puts than this are not under way at once: whoever cannot keep up is not asked for more. */
const MAX_UNDER_WAY = 2000;
const TICK_MS = 5;

/** Monotonic, and the same for all processes of a machine. */
const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

async function write({ rate, seconds, length }) {
  const latencies = [];
  const failures = [];
  let underWay = 0;
  let issued = 0;
  const begun = nowMs();
  const put = async () => {
    const started = nowMs();
    underWay += 1;
    try {
      const to = agents[Math.floor(Math.random() * agents.length)];
      await mailbox.put({ content: `${started} `.padEnd(length, 'x'), to });
      latencies.push(nowMs() - started);
    } catch (error) {
      failures.push(error.message);
    } finally {
      underWay -= 1;
    }
  };
  while (nowMs() - begun < seconds * 1000) {
    const due = ((nowMs() - begun) / 1000) * rate;
    for (; issued < due && underWay < MAX_UNDER_WAY; issued++) void put();
    await setTimeout(TICK_MS);
  }
  while (underWay > 0) await setTimeout(TICK_MS);
  return { put: latencies.length, latencies, failures, ms: nowMs() - begun };
}

/** By agent: whether it is being served, and whether something came meanwhile. */
const busy = new Map();
let handedOver = [];

async function serve(agentId) {
  if (busy.has(agentId)) {
    busy.set(agentId, true);
    return;
  }
  do {
    busy.set(agentId, false);
    const lease = await mailbox.take({ agentId });
    const at = nowMs();
    for (const { content } of lease.items) handedOver.push(at - Number.parseFloat(content));
    if (lease.items.length > 0) await lease.acknowledge();
  } while (busy.get(agentId));
  busy.delete(agentId);
}

if (role === 'read') {
  for (let i = 0; i < agents.length; i += 50) {
    await Promise.all(agents.slice(i, i + 50).map((agentId) => mailbox.join(agentId)));
  }
  const own = new Set(agents);
  mailbox.onChange(({ agentId, state }) => {
    if (state === 'queued' && own.has(agentId)) void serve(agentId);
  });
}

/** Takes from agents that have nothing, as at every end of a tool call. */
async function takeNothing({ seconds, atOnce }) {
  let count = 0;
  const begun = nowMs();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, i) => {
      for (let j = i; nowMs() - begun < seconds * 1000; j += atOnce) {
        await mailbox.take({ agentId: agents[j % agents.length] });
        count += 1;
      }
    }),
  );
  return { count, ms: nowMs() - begun };
}

const tasks = {
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return { seconds: (user + system) / 1e6 };
  },
  write,
  takeNothing,
  collect: () => {
    const taken = handedOver;
    handedOver = [];
    return { handedOver: taken, underWay: busy.size };
  },
  close: async () => {
    await mailbox.close();
    return {};
  },
};

process.on('message', async ({ task, ...details }) => {
  process.send({ task, ...(await tasks[task](details)) });
  if (task === 'close') process.disconnect();
});
process.send({ task: 'ready' });
