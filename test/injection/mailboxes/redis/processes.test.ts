import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { InjectionState } from '../../../../src/injection/port.js';
import { isWholeForm } from '../../../support/matrix.js';
import { until, useRedis } from './support/bench.js';
import { AGENTS, plannedItem, targetsOfPlanned } from './support/plan.js';
import { type Program, run } from './support/programs.js';
import { hasRedis } from './support/server.js';

const redis = useRedis();

const WRITERS = ['w1', 'w2', 'w3'];
const PER_WRITER = isWholeForm ? 700 : 350;
const KILLS = 12;

/** Keeps a program running: whenever it was killed, it is started again. */
function keepRunning(start: () => Program): { kill(): void; stop(): void; readonly ended: Promise<void> } {
  let current = start();
  let stopped = false;
  const ended = (async () => {
    for (;;) {
      const how = await current.ended;
      if (how !== 'SIGKILL' || stopped) return;
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

describe.skipIf(!hasRedis)('several processes', () => {
  it('RD-3: writers and readers are killed at any moment, and every item ends for every agent exactly once', {
    timeout: 300_000,
  }, async () => {
    const prefix = redis.newPrefix();
    const folder = mkdtempSync(join(tmpdir(), 'hookline-sent-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'sent');
    writeFileSync(file, '');
    const { mailbox } = await redis.open({
      prefix,
      watch: true,
      maxRemembered: 100_000,
      timeoutMs: 30_000,
    });
    const ends = new Map<string, InjectionState[]>();
    mailbox.onChange(({ agentId, id, state }) => {
      const key = `${agentId} ${id}`;
      if (state !== 'queued') ends.set(key, [...(ends.get(key) ?? []), state]);
    });
    for (const agentId of AGENTS) await mailbox.join(agentId);

    const done = new Map(WRITERS.map((writer) => [writer, 0]));
    const writers = WRITERS.map((writer) =>
      keepRunning(() =>
        run(
          'writer',
          [redis.server.url, prefix, writer, String(done.get(writer)), String(PER_WRITER)],
          (line) => done.set(writer, Number(line)),
        ),
      ),
    );
    // Two processes for every agent.
    const readers = [...AGENTS, ...AGENTS].map((agentId) =>
      keepRunning(() => run('reader', [redis.server.url, prefix, agentId, file])),
    );
    onTestFinished(async () => {
      for (const program of [...writers, ...readers]) program.stop();
      await Promise.all([...writers, ...readers].map(({ ended }) => ended));
    });

    for (let i = 0; i < KILLS; i++) {
      await setTimeout(100 + Math.random() * 400);
      const victims = i % 3 === 0 ? writers : readers;
      victims[Math.floor(Math.random() * victims.length)]?.kill();
    }
    await Promise.all(writers.map(({ ended }) => ended));
    expect([...done.values()]).toEqual(WRITERS.map(() => PER_WRITER));

    const expected = WRITERS.flatMap((writer) =>
      Array.from({ length: PER_WRITER }, (_, i) => plannedItem(writer, i)).flatMap((item) =>
        targetsOfPlanned(item).map((agentId) => ({
          key: `${agentId} ${item.id}`,
          late: item.expiresAt === 1,
        })),
      ),
    );
    await until(() => ends.size >= expected.length, 'everything has an end', 120_000);
    for (const reader of readers) reader.stop();
    await Promise.all(readers.map(({ ended }) => ended));

    expect(expected.length).toBeGreaterThan(WRITERS.length * PER_WRITER);
    const wanted = expected.map(({ key, late }) => [key, [late ? 'expired' : 'delivered']]);
    expect(expected.map(({ key }) => [key, ends.get(key)])).toEqual(wanted);
    expect(ends.size).toBe(expected.length);

    // What a reader had sent when it was killed, and had not acknowledged yet, is sent again: only that, and no more.
    const sent = new Map<string, number>();
    for (const key of readFileSync(file, 'utf8').trim().split('\n')) sent.set(key, (sent.get(key) ?? 0) + 1);
    expect(expected.filter(({ key, late }) => sent.has(key) === late)).toEqual([]);
    const again = [...sent.values()].filter((times) => times > 1).length;
    expect(again).toBeLessThanOrEqual(KILLS * 8);
  });
});
