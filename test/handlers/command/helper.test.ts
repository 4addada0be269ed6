/** Commands started through the helper: nothing changes but who the parent is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Runner } from '../../../src/index.js';
import { commandTest, only } from '../../support/command-harness.js';
import { isRunning } from '../../support/process-harness.js';

const options = { spawn: 'helper' } as const;

commandTest(
  'CO-27 answers, exit codes and stderr come through the helper',
  async ({ fire, line, dir }) => {
    expect(
      (await fire(line('echo $PPID > parent; cat >/dev/null; echo \'{"decision":"block"}\''))).decision,
    ).toBe('deny');
    expect(Number(readFileSync(join(dir, 'parent'), 'utf8'))).not.toBe(process.pid);
    expect(await fire(line('echo no >&2; exit 2'))).toMatchObject({ decision: 'deny', reason: 'no' });
    expect(only(await fire(line('exit 3'))).exitCode).toBe(3);
  },
  { options },
);

commandTest(
  'CO-27 CO-9 deadlines and groups hold through the helper',
  async ({ fire, line }) => {
    const hook = line('sleep 100 & echo $! >> "$PIDS"; echo $$ >> "$PIDS"; sleep 100', { timeout: 0.5 });
    expect((await fire(hook)).failures[0]?.kind).toBe('timed-out');
  },
  { options },
);

commandTest(
  'CO-27 CO-24 work in the background goes on through the helper',
  async ({ fire, line }) => {
    const outcome = await fire(
      line('echo \'{"async":true}\'; sleep 0.2; echo \'{"decision":"block","reason":"late"}\''),
    );
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'late' });
  },
  { options },
);

commandTest(
  'CO-27 CO-16 the helper ends with the runner',
  async ({ runner, fire, line, dir }) => {
    await fire(line('echo $PPID > parent'));
    const helper = Number(readFileSync(join(dir, 'parent'), 'utf8'));
    expect(isRunning(helper)).toBe(true);
    await runner.dispose();
    expect(isRunning(helper)).toBe(false);
  },
  { options },
);

commandTest(
  'CO-27 without the helper this process starts its commands itself',
  async ({ fire, line, dir }) => {
    await fire(line('echo $PPID > parent'));
    expect(Number(readFileSync(join(dir, 'parent'), 'utf8'))).toBe(process.pid);
    expect(() => new Runner({ spawn: 'fork' as never })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    );
  },
  { options: { spawn: 'direct' } },
);
