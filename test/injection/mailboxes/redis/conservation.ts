/**
 * Conservation over one Redis or a cluster: writers and readers as processes of their own, some killed, and in a cluster a
 * master as well, right after its replica has lost touch with it. Run by hand:
 * npx tsx test/injection/mailboxes/redis/conservation.ts --over cluster --items 2000 --wait 1
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from 'redis';
import { until as untilSo } from './support/bench.js';
import { type RedisCluster, startCluster } from './support/cluster.js';
import { openAt } from './support/open-at.js';
import { AGENTS, plannedItem, targetsOfPlanned } from './support/plan.js';
import { type Program, run } from './support/programs.js';
import { RedisServer } from './support/server.js';

export interface Ordeal {
  readonly over: 'redis' | 'cluster';
  /** Items of each of three writers. */
  readonly items: number;
  /** Processes that are killed. */
  readonly kills: number;
  /** Replicas that must confirm every change. */
  readonly waitReplicas: number;
}

export interface Account {
  /** Items whose `put` was confirmed, once for each agent they are for. */
  readonly confirmed: number;
  readonly delivered: number;
  readonly expired: number;
  /** Confirmed, and gone: neither delivered, nor expired, nor waiting. */
  readonly lost: readonly string[];
  /** Sent again after its delivery was confirmed. */
  readonly doubled: readonly string[];
  /** Sent again because the first sender died before its delivery was confirmed. */
  readonly sentAgain: number;
  readonly kills: number;
  readonly seconds: number;
}

const WRITERS = ['w1', 'w2', 'w3'];
const PREFIX = 'conservation';

/** Keeps a program running until it is done: when it was killed, it is started again. */
function keepRunning(start: () => Program, onFailure: (error: Error) => void) {
  let current = start();
  let stopped = false;
  const ended = (async () => {
    for (;;) {
      const how = await current.ended;
      if (stopped || how === 0) return;
      // One that fails must not look like a mailbox that stalls.
      if (how !== 'SIGKILL') onFailure(new Error(`a program ended with ${how}`));
      current = start();
    }
  })();
  return {
    kill: () => current.kill(),
    stop: () => {
      stopped = true;
      current.kill();
    },
    ended,
  };
}

export async function conserve({ over, items, kills, waitReplicas }: Ordeal): Promise<Account> {
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'hookline-ordeal-'));
  const journal = join(folder, 'journal');
  writeFileSync(journal, '');
  const cluster = over === 'cluster' ? await startCluster(3, { withReplicas: true }) : undefined;
  const server =
    cluster === undefined ? await RedisServer.start({ args: ['--appendonly', 'yes'] }) : undefined;
  const servers = cluster === undefined ? [server as RedisServer] : [...cluster.servers, ...cluster.replicas];
  const address = servers.map(({ url }) => url).join(',');
  const programs: ReturnType<typeof keepRunning>[] = [];
  const ends: (() => Promise<void>)[] = [];
  try {
    const opened = await openAt(address, { prefix: PREFIX, maxRemembered: 100_000, timeoutMs: 5000 });
    ends.push(opened.end);
    const { mailbox } = opened;
    for (const agentId of AGENTS) await mailbox.join(agentId);
    const wait = String(waitReplicas);
    let ready = 0;
    const failures: Error[] = [];
    const begin = (name: Parameters<typeof run>[0], args: readonly string[]) =>
      keepRunning(
        () =>
          run(name, args, () => {
            ready += 1;
          }),
        (error) => failures.push(error),
      );
    const until = (isSo: () => boolean | Promise<boolean>, what: string): Promise<void> =>
      untilSo(() => {
        if (failures[0] !== undefined) throw failures[0];
        return isSo();
      }, what);
    const writers = WRITERS.map((writer) =>
      begin('conserving-writer', [address, PREFIX, writer, String(items), journal, wait]),
    );
    const readers = AGENTS.map((agentId) =>
      begin('conserving-reader', [address, PREFIX, agentId, journal, wait]),
    );
    programs.push(...writers, ...readers);
    await until(() => ready >= programs.length, 'everybody is ready');
    const puts = (): number => readFileSync(journal, 'utf8').match(/^put /gm)?.length ?? 0;
    const total = items * WRITERS.length;
    for (let i = 0; i < kills; i++) {
      await until(() => puts() > (total * i) / (kills + 1), 'the work goes on');
      programs[(i * 5) % programs.length]?.kill();
      if (i === Math.floor(kills / 2)) await loseServer(cluster, server, puts);
    }
    await Promise.all(writers.map(({ ended }) => ended));
    // Leases of the dead run out, and the readers take what was in them.
    await until(async () => {
      const waiting = await Promise.all(AGENTS.map((agentId) => mailbox.pending(agentId)));
      return waiting.every(({ length }) => length === 0);
    }, 'everything is taken');
    await sleep(LEASE_MS + 1000);
    await until(async () => {
      const waiting = await Promise.all(AGENTS.map((agentId) => mailbox.pending(agentId)));
      return waiting.every(({ length }) => length === 0);
    }, 'everything is taken once more');
    await sleep(500);
    for (const program of programs) program.stop();
    await Promise.all(programs.map(({ ended }) => ended));
    const account = judge(readFileSync(journal, 'utf8'));
    return { ...account, kills, seconds: Math.round((performance.now() - begun) / 1000) };
  } finally {
    for (const program of programs) program.stop();
    await Promise.all(programs.map(({ ended }) => ended));
    for (const end of ends) await end();
    await Promise.all([cluster?.stop(), server?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of the readers. */
const LEASE_MS = 5000;
/** How long the master goes on alone before it dies. */
const ALONE_MS = 400;

/**
 * The worst that asynchronous replication allows: a master whose replica has lost touch goes on, confirms, and dies; the
 * replica takes over without what it has missed. A single server with an append-only file is killed and started again.
 */
async function loseServer(
  cluster: RedisCluster | undefined,
  server: RedisServer | undefined,
  puts: () => number,
): Promise<void> {
  if (server !== undefined) {
    await server.kill();
    await server.begin();
    return;
  }
  const [master, replica] = [cluster?.servers[0], cluster?.replicas[0]];
  if (master === undefined || replica === undefined) throw new Error('there is no cluster');
  const before = puts();
  const client = await createClient({ url: master.url }).connect();
  replica.signal('SIGSTOP');
  await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'replica']);
  client.destroy();
  await sleep(ALONE_MS);
  await master.kill();
  replica.signal('SIGCONT');
  const heir = await createClient({ url: replica.url }).connect();
  await untilSo(async () => String(await heir.sendCommand(['ROLE'])).startsWith('master'), 'a new master');
  heir.destroy();
  // It comes back as a replica: with `waitReplicas` nothing is confirmed without one.
  await master.begin();
  await untilSo(() => puts() > before + 20, 'the work goes on with the new master');
}

function judge(journal: string): Omit<Account, 'kills' | 'seconds'> {
  const lines = journal.split('\n').filter((line) => line !== '');
  const sent = new Map<string, number>();
  const delivered = new Set<string>();
  const doubled = new Set<string>();
  const confirmed: string[] = [];
  let expired = 0;
  let sentAgain = 0;
  for (const line of lines) {
    const [what = '', ...rest] = line.split(' ');
    const about = rest.join(' ');
    if (what === 'put') confirmed.push(about);
    if (what === 'delivered') delivered.add(about);
    if (what !== 'sent') continue;
    if (delivered.has(about)) doubled.add(about);
    else if (sent.has(about)) sentAgain += 1;
    sent.set(about, (sent.get(about) ?? 0) + 1);
  }
  const lost: string[] = [];
  let copies = 0;
  for (const id of new Set(confirmed)) {
    const [, writer = '', i = '0'] = /^(.*)-(\d+)$/.exec(id) ?? [];
    const item = plannedItem(writer, Number(i));
    for (const agentId of targetsOfPlanned(item)) {
      copies += 1;
      if (item.expiresAt !== undefined) expired += 1;
      else if (!sent.has(`${agentId} ${id}`)) lost.push(`${agentId} ${id}`);
    }
  }
  return { confirmed: copies, delivered: delivered.size, expired, lost, doubled: [...doubled], sentAgain };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      over: { type: 'string', default: 'cluster' },
      items: { type: 'string', default: '1000' },
      kills: { type: 'string', default: '12' },
      wait: { type: 'string', default: '0' },
    },
  });
  const account = await conserve({
    over: values.over === 'redis' ? 'redis' : 'cluster',
    items: Number(values.items),
    kills: Number(values.kills),
    waitReplicas: Number(values.wait),
  });
  const { lost, doubled, ...rest } = account;
  console.log({ ...rest, lost: lost.length, doubled: doubled.length });
}
