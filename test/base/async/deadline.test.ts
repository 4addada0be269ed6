import { expect } from 'vitest';
import { describeEveryWay, isRunning, stateOf, until } from '../../support/process-harness.js';

const SUCCESS = { kind: 'exited', exitCode: 0 };

describeEveryWay('deadline', (check) => {
  check('a shell and its sleeping child are both gone at the deadline', async ({ fixture }) => {
    const { end, durationMs } = await fixture('sleep-in-shell.sh', [], { timeoutMs: 500 }).done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect(durationMs).toBeGreaterThan(495);
    expect(durationMs).toBeLessThan(20_000);
  });

  check('two sleepers in one shell line are both gone at the deadline', async ({ run, reported }) => {
    const command = 'sleep 100 & echo $! >> "$PIDS"; echo $$ >> "$PIDS"; sleep 100';
    const { end, durationMs } = await run({ command, timeoutMs: 500 }).done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect(durationMs).toBeLessThan(20_000);
    expect((await reported(2)).some(isRunning)).toBe(false);
  });

  check('a group that ignores SIGTERM gets SIGKILL after the grace', async ({ fixture }) => {
    const { end, durationMs } = await fixture('ignore-term.sh', [], {
      timeoutMs: 200,
      limits: { killGraceMs: 300 },
    }).done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect(durationMs).toBeGreaterThan(495);
    expect(durationMs).toBeLessThan(20_000);
  });

  check('a child that ignores SIGTERM is ended although its parent obeyed', async ({ fixture, reported }) => {
    const running = fixture('orphan-ignores-term.sh', [], { limits: { killGraceMs: 200 } });
    const pids = await reported(2);
    running.abort();
    expect((await running.done).end).toEqual({ kind: 'aborted' });
    expect(pids.some(isRunning)).toBe(false);
  });

  check('a stopped process hears that it should end', async ({ fixture, reported }) => {
    const running = fixture('stop-itself.sh', [], { limits: { killGraceMs: 50_000 } });
    const [pid = 0] = await reported(1);
    await until(() => stateOf(pid) === 'T', 'the stop');
    running.setTimeout(100);
    const { end, durationMs } = await running.done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect(durationMs).toBeLessThan(20_000);
  });

  check(
    'a process that ignores SIGTERM and stops itself again is ended by force',
    async ({ fixture, reported }) => {
      const running = fixture('stop-and-ignore.sh', [], { limits: { killGraceMs: 200 } });
      const [pid = 0] = await reported(1);
      await until(() => stateOf(pid) === 'T', 'the stop');
      running.setTimeout(100);
      const { end, durationMs } = await running.done;
      expect(end).toEqual({ kind: 'timed-out' });
      expect(durationMs).toBeLessThan(20_000);
    },
  );

  check('what was printed before the deadline is kept', async ({ run }) => {
    const { end, stdout, stderr } = await run({
      command: 'echo out; echo err >&2; sleep 100',
      timeoutMs: 300,
    }).done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect([stdout, stderr]).toEqual(['out\n', 'err\n']);
  });

  check('a deadline can be moved while the process runs, either way', async ({ run, fixture }) => {
    const longer = run({ command: 'until [ -e go ]; do sleep 0.01; done', timeoutMs: 300 });
    longer.setTimeout(15_000);
    const shorter = fixture('hang-unread.sh', [], { timeoutMs: 15_000 });
    shorter.setTimeout(200);
    expect((await shorter.done).end).toEqual({ kind: 'timed-out' });
    await run({ command: 'sleep 0.3; touch go' }).done;
    expect((await longer.done).end).toEqual(SUCCESS);
  });

  check('a timeout that no timer can hold is refused before anything starts', async ({ run, dir }) => {
    for (const timeoutMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
      expect(() => run({ command: `touch ${dir}/started`, timeoutMs })).toThrow(RangeError);
    }
    expect((await run({ command: 'ls' }).done).stdout).toBe('');
    const running = run({ command: 'true', timeoutMs: 2 ** 31 - 1 });
    expect(() => running.setTimeout(2 ** 31)).toThrow(RangeError);
    expect((await running.done).end).toEqual(SUCCESS);
  });
});

describeEveryWay('abort', (check) => {
  check('an abort ends the whole group', async ({ fixture, reported }) => {
    const running = fixture('sleep-in-shell.sh');
    await reported(2);
    running.abort();
    const { end, pid } = await running.done;
    expect(end).toEqual({ kind: 'aborted' });
    expect(running.pid).toBe(pid);
  });

  check('an abort in the moment of the start ends the process', async ({ fixture }) => {
    const running = fixture('sleep-in-shell.sh');
    running.abort();
    expect((await running.done).end).toEqual({ kind: 'aborted' });
  });

  check(
    'an abort after the exit, while the pipes are held, ends the helper too',
    async ({ fixture, reported }) => {
      const heard: string[] = [];
      const running = fixture('leave-helper.sh', [], {
        limits: { drainGraceMs: 10_000, drainCapMs: 10_000 },
        onText: (_, text) => heard.push(text),
      });
      await reported(1);
      await until(() => heard.length > 0 && !isRunning(running.pid ?? 0), 'the exit of the leader');
      running.abort();
      expect((await running.done).end).toEqual({ kind: 'aborted' });
    },
  );

  check('the first reason wins, and later ones change nothing', async ({ fixture }) => {
    const heard: string[] = [];
    const running = fixture('answer-term.sh', [], {
      timeoutMs: 200,
      limits: { killGraceMs: 500 },
      onText: (_, text) => heard.push(text),
    });
    await until(() => heard.length > 0, 'an answer to SIGTERM');
    running.abort();
    running.setTimeout(1);
    expect((await running.done).end).toEqual({ kind: 'timed-out' });
    running.abort();
    running.setTimeout(1);
    expect((await running.done).end).toEqual({ kind: 'timed-out' });
  });
});
