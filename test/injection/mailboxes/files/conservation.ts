/**
 * Conservation under fire: writers and readers as processes of their own, killed at every step, over and over; then every
 * item must have ended once for everyone it was for. Run by hand: npx tsx test/injection/mailboxes/files/conservation.ts --items 10000
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { agentFolder, readEndFile } from '../../../../src/injection/mailboxes/files/file-names.js';
import { openFileMailbox } from '../../../../src/injection/mailboxes/files/index.js';
import { hashId } from '../../../../src/injection/mailboxes/files/item-name.js';
import { compileProgram } from '../../../support/compile-program.js';
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

/** Before and after each change of the disk, by the one who puts it and those who take it. */
const CHANGES_PER_ITEM = 20;
const WORKER = await compileProgram(new URL('./programs/worker.ts', import.meta.url));

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

interface Range {
  /** Processes that can be shot at. */
  readonly ready: Set<ChildProcess>;
  readonly all: Set<ChildProcess>;
}

async function runProcesses(
  { items, writers, readersPerAgent, deaths }: Fire,
  base: string,
  directory: string,
  journals: string,
): Promise<number> {
  const stopFile = join(base, 'stop');
  const range: Range = { ready: new Set(), all: new Set() };
  let dead = 0;
  const run = async (order: Omit<WorkerOrder, 'directory' | 'stopFile'>): Promise<void> => {
    for (;;) {
      const dieRate = dead < deaths ? deaths / (CHANGES_PER_ITEM * items) : 0;
      const code = await runOnce({ ...order, directory, stopFile }, dieRate, range);
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
  const shots = shoot(range.ready, Math.floor(deaths / 3), shooting.signal);
  try {
    await done;
  } finally {
    shooting.abort();
    await shots;
    for (const child of range.all) child.kill('SIGKILL');
  }
  return dead;
}

function runOnce(order: WorkerOrder, dieRate: number, range: Range): Promise<number | NodeJS.Signals> {
  const child = spawn(process.execPath, [WORKER, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DIE_RATE: String(dieRate) },
  });
  range.all.add(child);
  child.stdout.on('data', () => range.ready.add(child));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      range.all.delete(child);
      range.ready.delete(child);
      resolve(signal ?? code ?? -1);
    });
  });
}

/** From outside a process can be hit between two operations, and in the middle of one. */
async function shoot(targets: ReadonlySet<ChildProcess>, shots: number, signal: AbortSignal): Promise<void> {
  for (let left = shots; left > 0 && !signal.aborted; ) {
    await sleep(100 + Math.random() * 400, undefined, { signal }).catch(() => undefined);
    const target = [...targets][Math.floor(Math.random() * targets.size)];
    if (signal.aborted || target === undefined) continue;
    target.kill('SIGKILL');
    left -= 1;
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
  const { ends, count } = readEnds(directory, wrong);
  for (let index = 0; index < items; index++) {
    const id = `item-${index}`;
    const expected = plannedEnds(index);
    // The mailbox is asked for some; for all of them the names of the files are enough.
    const states = index % 100 === 0 ? ((await mailbox.status(id)) ?? {}) : (ends.get(hashId(id)) ?? {});
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
  if (count !== counts.copies) wrong.push(`${count} files have ended for ${counts.copies} copies`);
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

/** How each item has ended, by the hash of its id; there may be no files but those that have. */
function readEnds(
  directory: string,
  wrong: string[],
): { readonly ends: Map<string, Record<string, string>>; readonly count: number } {
  const ends = new Map<string, Record<string, string>>();
  const left = readdirSync(join(directory, 'staging'));
  let count = 0;
  for (const agentId of [...AGENTS, LATE]) {
    const filesIn = (folder: string): string[] =>
      readdirSync(join(directory, 'agents', agentFolder(agentId), folder));
    left.push(...filesIn('new'), ...filesIn('claimed'));
    for (const file of filesIn('done')) {
      const end = readEndFile(file);
      if (end === undefined) throw new Error(`${file} is no name of an end`);
      count += 1;
      ends.set(end.name.idHash, { ...ends.get(end.name.idHash), [agentId]: end.ending });
    }
  }
  if (left.length > 0) wrong.push(`left behind: ${left.slice(0, 5).join(', ')}`);
  return { ends, count };
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
