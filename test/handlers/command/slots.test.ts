/** Process slots: nobody waits for one without end, and guards do not wait behind those who only watch. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { commandTest, only } from '../../support/command-harness.js';
import { until } from '../../support/process-harness.js';
import { bash, SAMPLES, turns } from '../../support/runner.js';

/** Holds its slot until the test makes the file `go`. */
const HOLD = 'touch held; until [ -e go ]; do sleep 0.02; done';
const options = { maxProcesses: 1 };

commandTest(
  'CO-29 a guard that gets no process slot within its own deadline has failed, and says what to do',
  async ({ runner, line, dir }) => {
    runner.on('Notification', line(HOLD));
    runner.on('PreToolUse', { onFailure: 'block' }, line('touch started', { timeout: 0.2 }));
    const holding = runner.fire('Notification', SAMPLES.Notification);
    await until(() => existsSync(join(dir, 'held')), 'a held slot');
    const outcome = await runner.fire('PreToolUse', bash());
    expect(only(outcome)).toMatchObject({ outcome: 'cancelled', decision: 'deny' });
    expect(outcome.failures).toMatchObject([{ kind: 'no-slot', blocked: true }]);
    expect(outcome.reason).toMatch(/process slot was not free within 0\.2 s; raise maxProcesses/);
    writeFileSync(join(dir, 'go'), '');
    expect((await holding).failures).toEqual([]);
    expect(existsSync(join(dir, 'started'))).toBe(false);
  },
  { options },
);

commandTest(
  'CO-29 hooks in the background that hold every slot do not hold up a guard either',
  async ({ runner, line, dir }) => {
    const background = { ...line(HOLD), async: true };
    runner.on('Stop', { dialect: 'claude-code' }, [background, { ...background, name: 'second' }]);
    runner.on('PreToolUse', line('touch started', { timeout: 0.2 }));
    expect((await runner.fire('Stop', SAMPLES.Stop)).pending).toHaveLength(2);
    await until(() => existsSync(join(dir, 'held')), 'a held slot');
    expect((await runner.fire('PreToolUse', bash())).failures).toMatchObject([{ kind: 'no-slot' }]);
    writeFileSync(join(dir, 'go'), '');
    await runner.drain();
  },
  { options: { maxProcesses: 2 } },
);

commandTest(
  'CO-29 a burst fails no hook: waiting takes nothing from the time to run',
  async ({ runner, line }) => {
    runner.on('PreToolUse', line('sleep 0.05', { timeout: 15 }));
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => runner.fire('PreToolUse', bash())));
    expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
  },
  { options: { maxProcesses: 4 } },
);

commandTest(
  'CO-30 hooks that can refuse get the next slot before those that only watch, regardless of their order',
  async ({ runner, line, dir }) => {
    const noting = (name: string) => line(`echo ${name} >> order`);
    runner.on('SubagentStart', line(HOLD));
    runner.on('Notification', noting('watcher'));
    runner.on('PreToolUse', { dialect: 'claude-code' }, { ...noting('background'), async: true });
    runner.on('PreToolUse', noting('guard'));
    const holding = runner.fire('SubagentStart', SAMPLES.SubagentStart);
    await until(() => existsSync(join(dir, 'held')), 'a held slot');
    const fires = [
      runner.fire('Notification', SAMPLES.Notification),
      runner.fire('PreToolUse', bash()),
      runner.fire('PreToolUse', bash()),
    ];
    await turns();
    writeFileSync(join(dir, 'go'), '');
    await Promise.all([holding, ...fires, runner.drain()]);
    await runner.drain();
    const order = readFileSync(join(dir, 'order'), 'utf8').trim().split('\n');
    expect(order).toEqual(['guard', 'guard', 'watcher', 'background', 'background']);
  },
  { options },
);

commandTest(
  'CO-29 AB-1 an aborted fire leaves the queue at once',
  async ({ runner, line, dir }) => {
    runner.on('Notification', line(HOLD));
    runner.on('PreToolUse', line('touch started'));
    const holding = runner.fire('Notification', SAMPLES.Notification);
    await until(() => existsSync(join(dir, 'held')), 'a held slot');
    const controller = new AbortController();
    const waiting = runner.fire('PreToolUse', bash(), { signal: controller.signal });
    controller.abort();
    expect((await waiting).failures).toMatchObject([{ kind: 'aborted' }]);
    writeFileSync(join(dir, 'go'), '');
    await holding;
    expect(existsSync(join(dir, 'started'))).toBe(false);
  },
  { options },
);
