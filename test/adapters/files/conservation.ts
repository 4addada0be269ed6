/**
 * Conservation under fire: writers and readers as processes of their own, killed at every step, over and over; then every
 * item must have ended once for everyone it was for. Run by hand: npx tsx test/adapters/files/conservation.ts --items 10000
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openFileMailbox } from '../../../src/adapters/files/index.js';
import { AGENTS, LATE, plannedEnds } from './programs/plan.js';
import type { WorkerOrder } from './programs/worker.js';

export interface Fire {
  readonly items: number;
  readonly writers: number;
  readonly readersPerAgent: number;
  /** So many processes die at a file operation of their own choosing, or by a shot from outside. */
  readonly deaths: number;
}

export interface Verdict {
  readonly items: number;
  /** One for each agent that an item was for. */
  readonly copies: number;
  readonly deaths: number;
  readonly delivered: number;
  readonly expired: number;
  /** Sent by a process that died before its acknowledge had counted, and sent again: the window. */
  readonly sentAgain: number;
  /** Anything that should not be: an item that is lost, doubled, or ended otherwise than it had to. */
  readonly wrong: readonly string[];
  readonly seconds: number;
}

const WORKER = fileURLToPath(new URL('./programs/worker.ts', import.meta.url));

export async function conserveUnderFire(fire: Fire): Promise<Verdict> {
  const base = mkdtempSync(join(tmpdir(), 'hookline-fire-'));
  const begun = performance.now();
  try {
    const directory = join(base, 'mailbox');
    const journals = join(base, 'journals');
    mkdirSync(journals);
    const deaths = await runProcesses(fire, base, directory, journals);
    const verdict = await judge(fire, directory, journals);
    return { ...verdict, deaths, seconds: (performance.now() - begun) / 1000 };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function runProcesses(
  { items, writers, readersPerAgent, deaths }: Fire,
  base: string,
  directory: string,
  journals: string,
): Promise<number> {
  const stopFile = join(base, 'stop');
  const living = new Set<ChildProcess>();
  let dead = 0;
  const run = async (order: Omit<WorkerOrder, 'directory' | 'stopFile'>): Promise<void> => {
    for (;;) {
      const isMortal = dead < deaths;
      const code = await runOnce({ ...order, directory, stopFile }, isMortal, living);
      if (code === 0) return;
      if (code !== 'SIGKILL') throw new Error(`a ${order.role} ended with ${code}`);
      dead += 1;
    }
  };
  const share = Math.ceil(items / writers);
  const writing = Array.from({ length: writers }, (_, i) =>
    run({
      role: 'writer',
      journal: join(journals, `writer-${i}`),
      agentId: '',
      from: i * share,
      to: Math.min(items, (i + 1) * share),
    }),
  );
  const reading = AGENTS.flatMap((agentId, a) =>
    Array.from({ length: readersPerAgent }, (_, i) =>
      run({ role: 'reader', journal: join(journals, `reader-${a}-${i}`), agentId, from: 0, to: 0 }),
    ),
  );
  const done = Promise.all([Promise.all(writing).then(() => writeFileSync(stopFile, '')), ...reading]);
  const shooting = new AbortController();
  const shots = shoot(living, () => dead < deaths, shooting.signal);
  try {
    await done;
  } finally {
    shooting.abort();
    await shots;
    for (const child of living) child.kill('SIGKILL');
  }
  return dead;
}

function runOnce(
  order: WorkerOrder,
  isMortal: boolean,
  living: Set<ChildProcess>,
): Promise<number | NodeJS.Signals> {
  const child = spawn(process.execPath, ['--import', 'tsx', WORKER, JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DIE_RATE: isMortal ? '0.001' : '0' },
  });
  living.add(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      living.delete(child);
      resolve(signal ?? code ?? -1);
    });
  });
}

/** From outside a process can be hit between two operations, and in the middle of one. */
async function shoot(
  living: ReadonlySet<ChildProcess>,
  goesOn: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && goesOn()) {
    await sleep(300 + Math.random() * 900, undefined, { signal }).catch(() => undefined);
    const targets = [...living];
    if (!signal.aborted && goesOn()) targets[Math.floor(Math.random() * targets.length)]?.kill('SIGKILL');
  }
}

interface Line {
  readonly what: string;
  readonly id: string;
  readonly pid: string;
  readonly time: bigint;
  readonly agentId: string;
}

interface Send {
  readonly pid: string;
  acknowledged: boolean;
}

async function judge(
  { items }: Fire,
  directory: string,
  journals: string,
): Promise<Omit<Verdict, 'deaths' | 'seconds'>> {
  const wrong: string[] = [];
  const mailbox = await openFileMailbox({
    directory,
    maxRemembered: 1_000_000,
    onProblem: ({ message }) => wrong.push(message),
  });
  const late = await mailbox.take({ agentId: LATE });
  await late.acknowledge();
  await mailbox.refresh();
  const sent = readSends(journals, wrong);
  for (const { id } of late.items) sent.set(`${LATE} ${id}`, [{ pid: '', acknowledged: true }]);
  const counts = { copies: 0, delivered: 0, expired: 0, sentAgain: 0 };
  const ends = countEnds(directory, wrong);
  for (let index = 0; index < items; index++) {
    const id = `item-${index}`;
    const expected = plannedEnds(index);
    const states = (await mailbox.status(id)) ?? {};
    if (JSON.stringify(sorted(states)) !== JSON.stringify(sorted(expected)))
      wrong.push(`${id} is ${JSON.stringify(states)}, not ${JSON.stringify(expected)}`);
    for (const [agentId, state] of Object.entries(expected)) {
      counts.copies += 1;
      counts[state] += 1;
      const sends = sent.get(`${agentId} ${id}`) ?? [];
      sent.delete(`${agentId} ${id}`);
      if (state === 'expired' && sends.length > 0) wrong.push(`${id} has expired and was sent to ${agentId}`);
      if (state === 'delivered' && sends.length === 0) wrong.push(`${id} was never sent to ${agentId}`);
      if (sends.filter(({ acknowledged }) => acknowledged).length > 1)
        wrong.push(`${id} was acknowledged twice by ${agentId}`);
      counts.sentAgain += Math.max(0, sends.length - 1);
    }
  }
  for (const key of sent.keys()) wrong.push(`${key} was sent and should not exist`);
  if (ends !== counts.copies) wrong.push(`${ends} files have ended for ${counts.copies} copies`);
  await mailbox.close();
  return { items, ...counts, wrong };
}

/** All sends by agent and item, in the order of time. */
function readSends(journals: string, wrong: string[]): Map<string, Send[]> {
  const sends = new Map<string, Send[]>();
  const lines = readdirSync(journals)
    .filter((file) => file.startsWith('reader-'))
    .flatMap((file) => linesOf(join(journals, file), AGENTS[Number(file.split('-')[1])] ?? ''))
    .sort((a, b) => (a.time < b.time ? -1 : 1));
  for (const { what, id, pid, agentId } of lines) {
    const key = `${agentId} ${id}`;
    const before = sends.get(key) ?? [];
    if (what === 'problem') wrong.push(id);
    if (what === 'sent') {
      if (before.some(({ acknowledged }) => acknowledged))
        wrong.push(`${key} was sent after its acknowledge`);
      if (before.some((send) => send.pid === pid)) wrong.push(`${key} was sent twice by one process`);
      sends.set(key, [...before, { pid, acknowledged: false }]);
    }
    if (what === 'acknowledged') {
      const send = before.findLast((each) => each.pid === pid);
      if (send === undefined) wrong.push(`${key} was acknowledged and not sent`);
      else send.acknowledged = true;
    }
  }
  return sends;
}

function linesOf(file: string, agentId: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [what = '', id = '', pid = '', time = '0'] = line.split(' ');
      return { what, id, pid, time: BigInt(time), agentId };
    });
}

/** Counts the files that have ended; there may be no others. */
function countEnds(directory: string, wrong: string[]): number {
  const left = readdirSync(join(directory, 'staging'));
  let ended = 0;
  for (const agent of readdirSync(join(directory, 'agents'))) {
    const filesIn = (folder: string): string[] => readdirSync(join(directory, 'agents', agent, folder));
    left.push(...filesIn('new'), ...filesIn('claimed'));
    ended += filesIn('done').length;
  }
  if (left.length > 0) wrong.push(`left behind: ${left.slice(0, 5).join(', ')}`);
  return ended;
}

function sorted(record: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--items');
  const items = at < 0 ? 10_000 : Number(process.argv[at + 1]);
  const deaths = Math.max(10, Math.round(items / 100));
  const verdict = await conserveUnderFire({ items, writers: 3, readersPerAgent: 2, deaths });
  console.log(JSON.stringify({ ...verdict, wrong: verdict.wrong.slice(0, 20) }, null, 2));
  process.exitCode = verdict.wrong.length === 0 ? 0 : 1;
}
