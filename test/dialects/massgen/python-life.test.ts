/** Python handlers that hang or die: terminated is terminated, nothing is lost in silence, nothing is left. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isRunning } from '../../support/process-harness.js';
import { another, massgenTest, one } from './support.js';

const handler = (name: string, more?: string): string => one('PreToolUse', `handlers.${name}`, more);

/** Name, how many pids it reports, and whether the process survives its end. */
for (const [name, pids, survives] of [
  ['hangs', 2, false],
  ['hangs_politely', 1, true],
  ['hangs_with_child', 2, false],
  ['hangs_in_thread', 1, false],
  ['holds_the_loop', 1, false],
  ['refuses_to_end', 1, false],
] as const) {
  massgenTest(`MG-31 handlers.${name} is terminated at its deadline, with all it started`, async (bench) => {
    await bench.use(handler(name, 'timeout: 1') + another('PostToolUse', 'handlers.count'));
    const before = await bench.fire('PostToolUse');
    const started = performance.now();
    const outcome = await bench.fire('PreToolUse');
    expect(outcome.failures).toMatchObject([{ kind: 'timed-out', blocked: false }]);
    expect(outcome.decision).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(15_000);
    const reported = await bench.reported(pids);
    const doomed = survives ? reported.slice(1) : reported;
    expect(doomed.filter(isRunning), 'it has ended when its result is there').toEqual([]);
    const after = await bench.fire('PostToolUse');
    const processOf = (text?: string): string | undefined => text?.split(' ').at(-1);
    const same = processOf(after.injections[0]?.content) === processOf(before.injections[0]?.content);
    expect(same, 'the same process goes on').toBe(survives);
  });
}

massgenTest('MG-31 a deadline denies with fail_closed', async ({ use, fire }) => {
  await use(handler('hangs_politely', 'timeout: 1\nfail_closed: true'));
  expect((await fire('PreToolUse')).decision).toBe('deny');
});

massgenTest('MG-31 an aborted fire ends its call', async ({ use, fire, reported }) => {
  await use(handler('hangs'));
  const controller = new AbortController();
  const outcome = fire('PreToolUse', {}, { signal: controller.signal });
  const pids = await reported(2);
  controller.abort();
  expect(await outcome).toMatchObject({ aborted: true, failures: [{ kind: 'aborted' }] });
  expect(pids.filter(isRunning)).toEqual([]);
});

massgenTest('MG-32 a call that had begun in a lost process fails and is not repeated', async (bench) => {
  const { use, fire, reported, dir } = bench;
  await use(
    `${handler('hangs', 'matcher: Hang\ntimeout: 1')}    - { handler: handlers.waits_for_file, matcher: Wait }\n`,
  );
  const innocent = fire('PreToolUse', { gate: join(dir, 'gate') }, { tool: 'Wait' });
  await reported(1);
  const guilty = fire('PreToolUse', {}, { tool: 'Hang' });
  expect((await guilty).failures).toMatchObject([{ kind: 'timed-out' }]);
  const [failure] = (await innocent).failures;
  expect(failure).toMatchObject({ kind: 'threw' });
  expect(failure?.message).toContain('handlers.hangs');
  expect(failure?.message).toContain('not repeated');
  writeFileSync(join(dir, 'gate'), '');
  const again = await fire('PreToolUse', { gate: join(dir, 'gate') }, { tool: 'Wait' });
  expect(again.injections).toMatchObject([{ content: 'through the gate' }]);
});

massgenTest(
  'MG-32 a call that had not begun is served by the next process',
  async ({ use, fire, reported }) => {
    await use(
      `${handler('holds_the_loop', 'matcher: Hang\ntimeout: 1')}    - { handler: handlers.count, matcher: Wait }\n`,
    );
    const guilty = fire('PreToolUse', {}, { tool: 'Hang' });
    const [pid] = await reported(1);
    const waiting = await fire('PreToolUse', {}, { tool: 'Wait' });
    expect((await guilty).failures).toMatchObject([{ kind: 'timed-out' }]);
    expect(waiting.failures).toEqual([]);
    expect(waiting.injections[0]?.content).toMatch(/^1 in \d+$/);
    expect(waiting.injections[0]?.content).not.toBe(`1 in ${pid}`);
  },
);

for (const [name, how] of [
  ['dies', 'exit code 0'],
  ['crashes', 'SIGSEGV'],
] as const) {
  massgenTest(
    `MG-33 handlers.${name} is a failure, and the next call gets a new process`,
    async ({ use, fire }) => {
      await use(handler(name, 'fail_closed: true') + another('PostToolUse', 'handlers.count'));
      const outcome = await fire('PreToolUse');
      expect(outcome).toMatchObject({ decision: 'deny', failures: [{ blocked: true }] });
      expect(outcome.failures[0]?.message).toContain(how);
      expect((await fire('PostToolUse')).injections[0]?.content).toMatch(/^1 in/);
    },
  );
}

massgenTest(
  'MG-35 dispose ends the process, also in the middle of a call',
  async ({ use, fire, reported }) => {
    const config = await use(handler('hangs'));
    const outcome = fire('PreToolUse');
    const pids = await reported(2);
    await config.dispose();
    expect(pids.filter(isRunning)).toEqual([]);
    expect((await outcome).failures).toHaveLength(1);
    expect((await fire('PreToolUse')).failures).toHaveLength(1);
  },
);
