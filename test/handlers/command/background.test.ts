/** Commands that first say `{"async": true}` and answer later. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Dialect } from '../../../src/config/dialect.js';
import { hookline } from '../../../src/dialects/hookline/index.js';
import { readAsyncLine } from '../../../src/handlers/command/async-line.js';
import { commandTest, only } from '../../support/command-harness.js';
import { isRunning, until } from '../../support/process-harness.js';
import { processorMs } from '../../support/processor-time.js';
import { bash } from '../../support/runner.js';

/** Like the default dialect, but a fire does not wait for late answers. */
const impatient: Dialect = { ...hookline, async: { waits: false, unitMs: 1, defaultMs: 10_000 } };
const ANNOUNCE = 'echo \'{"async":true}\'';
const LATE = 'echo \'{"decision":"block","reason":"late"}\'';

it.each([
  ['{"async":true}', 14],
  ['{"async":true}\n', 15],
  ['  {"async": true, "asyncTimeout": 5}\nrest', 37],
  ['\n{"async":true}\nrest', 16],
  ['{"\\u0061sync":true}\nrest', 20],
])('CO-24 %j announces background work', (opening, length) => {
  expect(readAsyncLine(opening)).toMatchObject({ length });
});

it.each([
  ['{"async":false}', 'no'],
  ['{"decision":"block"}', 'no'],
  ['{}\n', 'no'],
  ['text {"async":true}', 'no'],
  ['[{"async":true}]', 'no'],
  ['{"async":true} text\n', 'no'],
  [`{"a":"${'x'.repeat(2000)}`, 'no'],
  ['{"async":', 'undecided'],
  ['', 'undecided'],
  [' \n', 'undecided'],
])('CO-26 %j: %s', (opening, answer) => {
  expect(readAsyncLine(opening)).toBe(answer);
});

commandTest(
  'CO-24 CO-25 AS-1 the answer that comes later is folded in, and the command runs once',
  async (bench) => {
    const { fire, line, dir } = bench;
    const outcome = await fire(line(`echo x >> runs; ${ANNOUNCE}; sleep 0.2; ${LATE}`));
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'late', pending: [], failures: [] });
    expect(readFileSync(join(dir, 'runs'), 'utf8')).toBe('x\n');
    expect(only(outcome).stdout).toBe('{"decision":"block","reason":"late"}\n');
  },
);

commandTest('CO-24 an announcement alone, without a line end, is enough', async ({ fire, line }) => {
  const outcome = await fire(line('printf \'{"async":true}\'; sleep 0.1'));
  expect(only(outcome).outcome).toBe('success');
  expect(outcome.failures).toEqual([]);
});

commandTest('CO-25 asyncTimeout ends the whole group', async ({ fire, line }) => {
  const hook = line('echo \'{"async":true,"asyncTimeout":0.3}\'; sleep 100 & echo $! >> "$PIDS"; sleep 100');
  const outcome = await fire(hook);
  expect(outcome.failures[0]).toMatchObject({ kind: 'timed-out' });
  expect(outcome.failures[0]?.message).toContain('0.3 s');
});

commandTest(
  'CO-25 from the announcement on the deadline is asyncTimeout, not the timeout',
  async ({ fire, line }) => {
    const outcome = await fire(line(`${ANNOUNCE}; sleep 3; ${LATE}`, { timeout: 2 }));
    expect(outcome).toMatchObject({ decision: 'deny', failures: [] });
  },
);

commandTest(
  'AS-3 CO-25 a bad asyncTimeout is a failure, and the command is ended',
  async ({ fire, line }) => {
    const hook = line('echo $$ >> "$PIDS"; echo \'{"async":true,"asyncTimeout":"soon"}\'; exec sleep 100');
    expect((await fire(hook)).failures[0]).toMatchObject({ kind: 'invalid-output' });
  },
);

commandTest('CO-26 an announcement on the second line is part of the answer', async ({ fire, line }) => {
  const outcome = await fire(line(`echo '{}'; ${ANNOUNCE}`));
  expect(outcome.failures[0]).toMatchObject({ kind: 'invalid-output' });
});

commandTest(
  'AS-4 where a dialect does not wait, the fire goes on and the answer is handed over',
  async (bench) => {
    const { runner, line, record, dir } = bench;
    const wait = `until [ -e ${dir}/go ]; do sleep 0.01; done`;
    runner.on('PreToolUse', { dialect: impatient }, line(`${ANNOUNCE}; ${wait}; ${LATE}`));
    runner.on('Stop', line(`touch ${dir}/go`));
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome.decision).toBeUndefined();
    expect(outcome.pending).toHaveLength(1);
    expect(record.messages.filter((message) => message.subtype === 'hook_response')).toEqual([]);
    await runner.fire('Stop', { stop_hook_active: false });
    const late = await outcome.pending[0]?.completion;
    expect(late).toMatchObject({ outcome: 'success', stdout: '{"decision":"block","reason":"late"}\n' });
    expect(late).not.toHaveProperty('decision');
    await runner.drain();
  },
);

commandTest('AS-6 CO-16 dispose ends what is in the background', async ({ runner, line, reported }) => {
  const hook = line(`${ANNOUNCE}; echo $$ >> "$PIDS"; exec sleep 100`);
  runner.on('PreToolUse', { dialect: impatient }, hook);
  const outcome = await runner.fire('PreToolUse', bash());
  const [pid] = await reported(1);
  await runner.dispose();
  expect(isRunning(pid as number)).toBe(false);
  expect(await outcome.pending[0]?.completion).toMatchObject({ outcome: 'cancelled' });
});

commandTest(
  'AS-5 at most so many are in the background; the next fire waits, and nothing is lost',
  async ({ runner, line, dir }) => {
    const wait = `until [ -e ${dir}/go ]; do sleep 0.01; done`;
    runner.on(
      'PreToolUse',
      { dialect: impatient },
      line(`${ANNOUNCE}; echo x >> ${dir}/announced; ${wait}; ${LATE}`),
    );
    runner.on('Stop', line(`touch ${dir}/go`));
    let settled = 0;
    const fires = Array.from({ length: 4 }, () =>
      runner.fire('PreToolUse', bash()).finally(() => {
        settled += 1;
      }),
    );
    await until(
      () => existsSync(`${dir}/announced`) && readFileSync(`${dir}/announced`, 'utf8').length === 8,
    );
    await until(() => settled === 2, 'two fires');
    await runner.fire('Stop', { stop_hook_active: false });
    const outcomes = await Promise.all(fires);
    const late = await Promise.all(outcomes.map((outcome) => outcome.pending[0]?.completion));
    expect(late.map((result) => result?.outcome)).toEqual(['success', 'success', 'success', 'success']);
  },
  { options: { maxBackground: 2 } },
);

commandTest('AS-7 what arrives late is returned once, for the right agent', async ({ runner, line }) => {
  const tell = 'echo \'{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"told"}}\'';
  runner.on('PreToolUse', { dialect: impatient, name: 'teller' }, line(`${ANNOUNCE}; ${tell}`));
  runner.on('Notification', { dialect: impatient }, line(`${ANNOUNCE}; echo '{"systemMessage":"unheard"}'`));
  await runner.fire('PreToolUse', bash(), { agentId: 'ada' });
  await runner.fire('Notification', { message: 'm', notification_type: 't' });
  await runner.drain();
  expect(runner.takeLate('bob')).toEqual([]);
  expect(runner.takeLate('ada')).toMatchObject([
    { name: 'teller', event: 'PreToolUse', agentId: 'ada', additionalContext: 'told' },
  ]);
  expect(runner.takeLate()).toEqual([]);
});

commandTest(
  'AS-5 AB-1 a fire that waits for room in the background can be aborted',
  async ({ runner, line, reported }) => {
    runner.on('PreToolUse', { dialect: impatient }, line(`${ANNOUNCE}; echo $$ >> "$PIDS"; exec sleep 100`));
    await runner.fire('PreToolUse', bash());
    const controller = new AbortController();
    const second = runner.fire('PreToolUse', bash(), { signal: controller.signal });
    await reported(2);
    controller.abort();
    expect((await second).aborted).toBe(true);
  },
  { options: { maxBackground: 1 } },
);

commandTest(
  'AS-8 CO-24 a guard that decides while it announces has failed, and is ended',
  async ({ fire, line }) => {
    const hook = line('echo $$ >> "$PIDS"; echo \'{"async":true,"decision":"block"}\'; exec sleep 100', {
      onFailure: 'block',
    });
    expect(await fire(hook)).toMatchObject({
      decision: 'deny',
      failures: [{ kind: 'invalid-output', blocked: true }],
    });
  },
);

commandTest(
  'DL-1 CO-24 a command that is async from the start is bounded by its own timeout',
  async ({ runner, line }) => {
    const hook = { ...line('echo $$ >> "$PIDS"; exec sleep 100', { timeout: 0.3 }), async: true };
    runner.on('PreToolUse', { dialect: impatient }, hook);
    const outcome = await runner.fire('PreToolUse', bash());
    expect(await outcome.pending[0]?.completion).toMatchObject({ failure: { kind: 'timed-out' } });
  },
);

commandTest(
  'AS-5 hundreds of fires that wait for room cost no more than their work',
  async ({ runner }) => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    runner.on('PreToolUse', { dialect: impatient }, () => ({ async: true, result: gate }));
    const fires = Array.from({ length: 1000 }, () => runner.fire('PreToolUse', bash()));
    const started = processorMs();
    await new Promise((resolve) => setImmediate(resolve));
    open();
    await Promise.all(fires);
    await runner.drain();
    expect(processorMs() - started).toBeLessThan(5000);
  },
  { options: { maxBackground: 2 } },
);

commandTest(
  'FA-6 CO-28 a directory for variables that cannot be made is a failure of the hook',
  async ({ fire, line }) => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = '/nonexistent';
    try {
      expect((await fire(line('true'), 'SessionStart')).failures[0]?.kind).toBe('threw');
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  },
);

commandTest(
  'AS-9 a guard that announces itself where its answer is not awaited refuses, and is ended',
  async (bench) => {
    const { runner, line, reported } = bench;
    const guard = line(`echo $$ >> "$PIDS"; ${ANNOUNCE}; sleep 100; ${LATE}`);
    runner.on('PreToolUse', { dialect: impatient, onFailure: 'block' }, guard);
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome).toMatchObject({ decision: 'deny', pending: [], failures: [{ blocked: true }] });
    expect(outcome.reason).toContain('its answer is not awaited');
    for (const pid of await reported(1)) expect(isRunning(pid)).toBe(false);
  },
);

commandTest(
  'CF-28 a command that is async and set to block is refused where its answer is not awaited',
  async (bench) => {
    const { runner, line } = bench;
    const guard = line('exit 2', { async: true });
    const refused = expect.objectContaining({
      code: 'invalid_hook',
      message: expect.stringContaining('Remove `async` or `onFailure`'),
    });
    const options = { dialect: 'claude-code', onFailure: 'block' } as const;
    expect(() => runner.on('PreToolUse', options, guard)).toThrow(refused);
    expect(() =>
      runner.on('PreToolUse', { dialect: 'claude-code' }, { ...guard, onFailure: 'block' }),
    ).toThrow(refused);
    expect(() => runner.on('PostToolUse', options, guard)).not.toThrow();
    expect(() => runner.on('PreToolUse', { dialect: 'claude-code' }, guard)).not.toThrow();
  },
);

commandTest(
  'CF-28 AS-1 where a fire waits for it, a command that is async refuses like any other',
  async (bench) => {
    const { fire, line } = bench;
    const outcome = await fire(line('echo no >&2; exit 2', { async: true, onFailure: 'block' }));
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'no' });
  },
);
