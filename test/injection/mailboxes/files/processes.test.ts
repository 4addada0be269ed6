/** Real processes on one directory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compileProgram } from '../../../support/compile-program.js';
import { until } from '../../../support/process-harness.js';
import { watchProcess } from '../../../support/runner.js';
import { conserveUnderFire } from './conservation.js';
import { AGENTS, plannedEnds, plannedItem } from './programs/plan.js';
import type { WorkerOrder } from './programs/worker.js';
import { boxOf, drain, filesOf, makeFileMailbox } from './support.js';

watchProcess();

const WORKER = await compileProgram(new URL('./programs/worker.ts', import.meta.url));
const SLOW = { timeout: 120_000 };

function start(
  order: WorkerOrder,
  env: NodeJS.ProcessEnv = {},
): { child: ChildProcess; ended: Promise<unknown> } {
  const child = spawn(process.execPath, [WORKER, JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended };
}

function ordersFor(directory: string): (order: Partial<WorkerOrder>) => WorkerOrder {
  const journals = join(dirname(directory), 'journals');
  mkdirSync(journals, { recursive: true });
  let count = 0;
  return (order) => ({
    role: 'reader',
    directory,
    journal: join(journals, `${count++}`),
    agentId: AGENTS[0],
    from: 0,
    to: 0,
    stopFile: join(journals, 'stop'),
    ...order,
  });
}

/** The lines of a journal that begin so, without the rest. A process that had nothing to note has made none. */
function noted(journal: string, what: string): string[] {
  if (!existsSync(journal)) return [];
  const lines = readFileSync(journal, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith(`${what} `)).map((line) => line.split(' ')[1] ?? '');
}

/** The text of a file, unless it has gone. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

describe('processes', () => {
  it(
    'FI-6: a reader never meets half a file while another process writes: 5,000 readings',
    SLOW,
    async () => {
      const { directory } = await makeFileMailbox();
      const order = ordersFor(directory)({ role: 'writer', to: 5000 });
      const { child, ended } = start(order);
      const folders = (): string[] => [
        join(directory, 'ids'),
        join(directory, 'log'),
        ...readdirSync(join(directory, 'agents')).flatMap((agent) =>
          ['new', 'done']
            .map((folder) => join(directory, 'agents', agent, folder))
            // An agent's folder is there a moment before what is in it.
            .filter((folder) => existsSync(folder)),
        ),
      ];
      const read = new Map<string, number>();
      let readings = 0;
      await until(
        () => {
          for (const folder of folders()) {
            for (const file of readdirSync(folder).slice(-40)) {
              const text = readIfThere(join(folder, file));
              // The writer has moved it meanwhile.
              if (text === undefined) continue;
              const { item } = JSON.parse(text) as { item: { id: string; content: string } };
              expect(item.content).toBe(plannedItem(Number(item.id.split('-')[1])).content);
              read.set(item.id, (read.get(item.id) ?? 0) + 1);
              readings += 1;
            }
          }
          return readings >= 5000 && read.size >= 50;
        },
        'enough readings',
        60_000,
      );
      child.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
    },
  );

  it('FI-9: of eight processes that take for one agent each item is taken by exactly one', SLOW, async () => {
    const { mailbox, directory } = await makeFileMailbox();
    const make = ordersFor(directory);
    const orders = Array.from({ length: 8 }, () => make({}));
    const readers = orders.map((order) => start(order));
    const items = Array.from({ length: 200 }, (_, i) => `own-${i}`);
    for (const id of items) await mailbox.put({ id, content: id, to: AGENTS[0] });
    writeFileSync(orders[0]?.stopFile ?? '', '');
    expect(await Promise.all(readers.map(({ ended }) => ended))).toEqual(readers.map(() => 0));
    const taken = orders.flatMap(({ journal }) => noted(journal, 'acknowledged'));
    expect(taken.sort()).toEqual(items.sort());
    expect(filesOf(boxOf(directory, AGENTS[0], 'done'))).toHaveLength(200);
  });

  it(
    'FI-12: a writer that is killed and started again, over and over, loses and doubles nothing',
    SLOW,
    async () => {
      const { mailbox, directory } = await makeFileMailbox({ maxRemembered: 10_000 });
      const order = ordersFor(directory)({ role: 'writer', to: 30 });
      let deaths = 0;
      // Each life dies a little later than the one before, at one operation after another.
      for (let at = 90; (await start(order, { DIE_AT: String(at) }).ended) !== 0; at += 241) deaths += 1;
      expect(deaths).toBeGreaterThan(2);
      const got = new Map<string, number>();
      for (const agent of AGENTS)
        for (const id of await drain(mailbox, agent))
          got.set(`${agent} ${id}`, (got.get(`${agent} ${id}`) ?? 0) + 1);
      const expected = Array.from({ length: 30 }, (_, i) => plannedEnds(i)).flatMap((ends, i) =>
        AGENTS.filter((agent) => ends[agent] === 'delivered').map(
          (agent) => [`${agent} item-${i}`, 1] as const,
        ),
      );
      expect([...got].sort()).toEqual(expected.sort());
    },
  );
});

describe('under fire', () => {
  it(
    'FI-13: with processes dying at every step each item ends once for everyone it is for; what was sent again was sent by the dead',
    SLOW,
    async () => {
      const verdict = await conserveUnderFire({ items: 600, writers: 2, readersPerAgent: 1, deaths: 12 });
      expect(verdict.wrong).toEqual([]);
      expect(verdict.deaths).toBeGreaterThanOrEqual(3);
      expect(verdict.copies).toBe(verdict.delivered + verdict.expired);
      // Nobody is sent an item again but by the death of who had sent it, and a death has at most a handful in hand.
      expect(verdict.sentAgain).toBeLessThanOrEqual(8 * verdict.deaths);
    },
  );
});
