/** Commands that misbehave: each is bounded, leaves nothing, and tells one story. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { commandTest, only } from '../../support/command-harness.js';
import { isRunning } from '../../support/process-harness.js';
import { bash } from '../../support/runner.js';

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const started = performance.now();
  return [await work, performance.now() - started];
}

commandTest(
  'CO-9 DL-1 a shell whose children sleep ends with all of them at its deadline',
  async ({ fire, line }) => {
    const hook = line('sleep 100 & echo $! >> "$PIDS"; echo $$ >> "$PIDS"; sleep 100', { timeout: 0.5 });
    const [outcome, ms] = await timed(fire(hook));
    expect(only(outcome)).toMatchObject({ outcome: 'cancelled', failure: { kind: 'timed-out' } });
    expect(ms).toBeGreaterThanOrEqual(499);
    expect(ms).toBeLessThan(20_000);
  },
);

commandTest('CO-9 one that ignores TERM is killed after the grace', async ({ fire, fixture }) => {
  const [outcome, ms] = await timed(fire(fixture('ignore-term.sh', [], { timeout: 0.3 })));
  expect(outcome.failures[0]?.kind).toBe('timed-out');
  expect(ms).toBeLessThan(20_000);
});

commandTest('CO-9 one that has stopped itself is ended', async ({ fire, fixture }) => {
  const outcome = await fire(fixture('stop-itself.sh', [], { timeout: 0.3 }));
  expect(outcome.failures[0]?.kind).toBe('timed-out');
});

commandTest('CO-9 two hundred children are ended together', async ({ fire, fixture }) => {
  const outcome = await fire(fixture('fork-many.sh', [], { timeout: 1.5 }));
  expect(outcome.failures[0]?.kind).toBe('timed-out');
});

commandTest(
  'CO-11 CO-12 an answer counts although a helper holds the pipe, and the helper lives',
  async (bench) => {
    const { fire, line, reported, spare } = bench;
    const hook = line('sleep 100 & echo $! >> "$PIDS"; echo \'{"decision":"block"}\'', { timeout: 50 });
    const [outcome, ms] = await timed(fire(hook));
    spare(...(await reported(1)));
    expect(outcome.decision).toBe('deny');
    expect(ms).toBeLessThan(20_000);
  },
);

commandTest('CO-11 a daemon in a session of its own does not hold up the fire', async (bench) => {
  const { fire, fixture, reported, spare } = bench;
  const [outcome, ms] = await timed(fire(fixture('leave-daemon.sh', [], { timeout: 50 })));
  spare(...(await reported(1)));
  expect(only(outcome).outcome).toBe('success');
  expect(ms).toBeLessThan(20_000);
});

commandTest(
  'CO-10 10 MB that is not read: fine when it exits, bounded when it hangs',
  async ({ runner, fixture }) => {
    const huge = { ...bash(), tool_input: { content: 'x'.repeat(10_000_000) } };
    const remove = runner.on('PreToolUse', fixture('exit-unread.sh'));
    expect(only(await runner.fire('PreToolUse', huge)).outcome).toBe('success');
    remove();
    runner.on('PreToolUse', fixture('hang-unread.sh', [], { timeout: 0.3 }));
    const [outcome, ms] = await timed(runner.fire('PreToolUse', huge));
    expect(outcome.failures[0]?.kind).toBe('timed-out');
    expect(ms).toBeLessThan(20_000);
  },
);

commandTest('CO-13 a gigabyte is cut off and memory stays bounded', async ({ fire, fixture }) => {
  const before = process.memoryUsage().rss;
  for (const stream of ['stdout', 'stderr']) {
    const outcome = await fire(fixture('print-bytes.sh', ['1000000000', stream]));
    expect(outcome.failures[0]).toMatchObject({ kind: 'too-much-output' });
    expect(outcome.failures[0]?.message).toContain(stream);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
});

commandTest('CO-14 death by a signal is never success', async ({ fire, fixture }) => {
  for (const signal of ['SEGV', 'KILL', 'TERM']) {
    const outcome = await fire(fixture('die-by.sh', [signal]));
    expect(only(outcome)).toMatchObject({ outcome: 'error', failure: { kind: 'signal' } });
    expect(only(outcome).exitCode).toBeUndefined();
    expect(outcome.failures[0]?.message).toContain(signal);
  }
});

commandTest('CO-8 a deleted directory is named', async ({ runner, line, dir }) => {
  runner.on('PreToolUse', line('true', { cwd: join(dir, 'gone') }));
  const outcome = await runner.fire('PreToolUse', bash());
  expect(outcome.failures[0]).toMatchObject({ kind: 'failed-to-start' });
  expect(outcome.failures[0]?.message).toContain(join(dir, 'gone'));
  rmSync(join(dir, 'gone'), { force: true });
});

commandTest('AB-1 nothing is started by a fire that is already aborted', async ({ runner, line, dir }) => {
  runner.on('PreToolUse', line('touch started'));
  const outcome = await runner.fire('PreToolUse', bash(), { signal: AbortSignal.abort() });
  expect(outcome).toMatchObject({ aborted: true, results: [{ outcome: 'cancelled' }] });
  expect(existsSync(join(dir, 'started'))).toBe(false);
});

commandTest('AB-1 CO-12 an aborted fire ends its commands and starts no more', async (bench) => {
  const { runner, fixture, line, dir, reported } = bench;
  runner.on('PreToolUse', fixture('sleep-in-shell.sh'));
  runner.on('PreToolUse', line('touch started'));
  const controller = new AbortController();
  const fired = runner.fire('PreToolUse', bash(), { signal: controller.signal });
  await reported(2);
  controller.abort();
  const [outcome, ms] = await timed(fired);
  expect(outcome.results.map((result) => result.outcome)).toEqual(['cancelled', 'cancelled']);
  expect(existsSync(join(dir, 'started'))).toBe(false);
  expect(ms).toBeLessThan(20_000);
});

commandTest('CO-16 dispose ends running commands and waits until none is left', async (bench) => {
  const { runner, fixture, reported } = bench;
  runner.on('PreToolUse', { parallel: true }, [fixture('sleep-in-shell.sh'), fixture('sleep-in-shell.sh')]);
  const fired = runner.fire('PreToolUse', bash());
  const pids = await reported(4);
  await runner.dispose();
  expect(pids.filter(isRunning)).toEqual([]);
  expect((await fired).results.map((result) => result.outcome)).toEqual(['cancelled', 'cancelled']);
});

commandTest(
  'CO-9 OR-2 one command that hangs costs its parallel siblings nothing',
  async ({ runner, line }) => {
    runner.on('PreToolUse', { parallel: true }, [
      line('sleep 100', { timeout: 0.3 }),
      line('echo \'{"decision":"block","reason":"second"}\''),
    ]);
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome.results.map((result) => result.outcome)).toEqual(['cancelled', 'success']);
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'second' });
  },
);
