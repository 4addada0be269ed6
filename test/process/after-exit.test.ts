import { expect } from 'vitest';
import { describeEveryWay } from '../support/process-harness.js';

const SUCCESS = { kind: 'exited', exitCode: 0 };

describeEveryWay('after the exit', (check) => {
  check('a helper that holds the pipes neither delays nor loses the answer, and lives on', async (bench) => {
    const { end, stdout, durationMs } = await bench.fixture('leave-helper.sh').done;
    expect(end).toEqual(SUCCESS);
    expect(stdout).toBe('{"answer":42}\n');
    expect(durationMs).toBeLessThan(20_000);
    bench.spare(...(await bench.reported(1)));
  });

  check('a helper is left alone after a failure that the program chose itself', async (bench) => {
    const { end } = await bench.fixture('leave-helper.sh', ['2']).done;
    expect(end).toEqual({ kind: 'exited', exitCode: 2 });
    bench.spare(...(await bench.reported(1)));
  });

  check('a helper does not make its program miss the deadline', async (bench) => {
    const { end } = await bench.fixture('leave-helper.sh', [], {
      timeoutMs: 200,
      limits: { drainGraceMs: 400 },
    }).done;
    expect(end).toEqual(SUCCESS);
    bench.spare(...(await bench.reported(1)));
  });

  check('a daemon in its own session holding the pipes does not delay the answer', async (bench) => {
    const { end, stdout, durationMs } = await bench.fixture('leave-daemon.sh').done;
    expect(end).toEqual(SUCCESS);
    expect(stdout).toBe('{}\n');
    expect(durationMs).toBeLessThan(20_000);
    bench.spare(...(await bench.reported(1)));
  });

  check('a daemon in its own session does not hold up the deadline of its parent', async (bench) => {
    const running = bench.fixture('hang-with-daemon.sh');
    bench.spare(...(await bench.reported(1)));
    running.setTimeout(100);
    const { end, durationMs } = await running.done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect(durationMs).toBeLessThan(20_000);
  });

  check('what a child prints after the exit is kept as long as it keeps printing', async ({ fixture }) => {
    const { end, stdout } = await fixture('talk-after-exit.sh', ['8'], { limits: { drainGraceMs: 400 } })
      .done;
    expect(end).toEqual(SUCCESS);
    expect(stdout.split('\n').filter(Boolean)).toHaveLength(8);
  });

  check('a child that prints for ever after the exit is heard only up to the cap', async (bench) => {
    const limits = { drainGraceMs: 2000, drainCapMs: 2200 };
    const { end, stdout, durationMs } = await bench.fixture('talk-after-exit.sh', ['1000'], { limits }).done;
    expect(end).toEqual(SUCCESS);
    expect(stdout).toContain('line 1\n');
    expect(durationMs).toBeGreaterThan(2195);
    expect(durationMs).toBeLessThan(20_000);
  });

  check('too much output from a child after the exit is still too much', async (bench) => {
    const limits = { maxStdoutBytes: 10, drainGraceMs: 1000 };
    const { end } = await bench.fixture('talk-after-exit.sh', ['1000'], { limits }).done;
    expect(end).toEqual({ kind: 'too-much-output', stream: 'stdout', limit: 10 });
  });

  check('when the last holder of the pipes ends, nothing more is waited for', async ({ run }) => {
    const limits = { drainGraceMs: 50_000, drainCapMs: 50_000 };
    const { end, durationMs } = await run({ command: 'sleep 0.2 & exit 3', limits }).done;
    expect(end).toEqual({ kind: 'exited', exitCode: 3 });
    expect(durationMs).toBeGreaterThan(195);
    expect(durationMs).toBeLessThan(20_000);
  });

  check('with both pipes closed the exit is the end, without any grace', async ({ run }) => {
    const limits = { drainGraceMs: 50_000, drainCapMs: 50_000 };
    const { end, durationMs } = await run({ command: 'exec >&- 2>&-; exit 3', limits }).done;
    expect(end).toEqual({ kind: 'exited', exitCode: 3 });
    expect(durationMs).toBeLessThan(20_000);
  });
});
