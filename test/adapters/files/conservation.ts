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
  for (const [i] of writing.entries()) writeFileSync(join(journals, `writer-${i}`), '', { flag: 'a' });
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
  const sent = countLines(journals, wrong);
  for (const { id } of late.items) sent.set(`${LATE} ${id}`, [{ acknowledged: true }]);
  const counts = { copies: 0, delivered: 0, expired: 0, sentAgain: 0 };
  const ends = await readEnds(directory);
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

/** A send that is not followed by its acknowledge must be the last word of a process that died. */
function countLines(journals: string, wrong: string[]): Map<string, { acknowledged: boolean }[]> {
  const sent = new Map<string, { acknowledged: boolean }[]>();
  for (const file of readdirSync(journals).filter((name) => name.startsWith('reader-'))) {
    const agentId = AGENTS[Number(file.split('-')[1])] ?? '';
    const open = new Map<string, { acknowledged: boolean; pid: string }>();
    for (const { what, id, pid } of linesOf(join(journals, file))) {
      if (what === 'problem') wrong.push(id);
      for (const [key, each] of open) {
        if (each.pid !== pid) open.delete(key);
      }
      if (what === 'sent') {
        const send = { acknowledged: false, pid };
        open.set(id, send);
        const key = `${agentId} ${id}`;
        const sends = sent.get(key) ?? [];
        if (sends.some((each) => each.acknowledged)) wrong.push(`${key} was sent after it was acknowledged`);
        sent.set(key, [...sends, send]);
      }
      if (what === 'acknowledged') {
        const send = open.get(id);
        if (send === undefined) wrong.push(`${id} was acknowledged and not sent`);
        else send.acknowledged = true;
        open.delete(id);
      }
    }
  }
  return sent;
}

function linesOf(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [what = '', id = '', pid = ''] = line.split(' ');
      return { what, id, pid };
    });
}

async function readEnds(directory: string): Promise<number> {
  const agents = readdirSync(join(directory, 'agents'));
  return agents.reduce((sum, agent) => sum + readdirSync(join(directory, 'agents', agent, 'done')).length, 0);
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
