import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { describeEveryWay, isRunning, stateOf, until } from '../support/process-harness.js';

const SUCCESS = { kind: 'exited', exitCode: 0 };

describeEveryWay('deadline', (check) => {
  check('a shell and its sleeping child are both gone at the deadline', async ({ fixture }) => {
    const { end, durationMs } = await fixture('sleep-in-shell.sh', [], { timeoutMs: 500 }).done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect(durationMs).toBeGreaterThan(495);
    expect(durationMs).toBeLessThan(1500);
  });

  check('two sleepers in one shell line are both gone at the deadline', async ({ run, reported }) => {
    const command = 'sleep 100 & echo $! >> "$PIDS"; echo $$ >> "$PIDS"; sleep 100';
    const { end, durationMs } = await run({ command, timeoutMs: 500 }).done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect(durationMs).toBeLessThan(1500);
    expect((await reported(2)).some(isRunning)).toBe(false);
  });

  check('a group that ignores SIGTERM gets SIGKILL after the grace', async ({ fixture }) => {
    const { end, durationMs } = await fixture('ignore-term.sh', [], {
      timeoutMs: 200,
      limits: { killGraceMs: 300 },
    }).done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect(durationMs).toBeGreaterThan(495);
    expect(durationMs).toBeLessThan(3000);
  });

  check('a child that ignores SIGTERM is ended although its parent obeyed', async ({ fixture, reported }) => {
    const running = fixture('orphan-ignores-term.sh', [], { limits: { killGraceMs: 200 } });
    const pids = await reported(2);
    running.abort();
    expect((await running.done).end).toEqual({ kind: 'aborted' });
    expect(pids.some(isRunning)).toBe(false);
  });

  check('a stopped process hears that it should end', async ({ fixture, reported }) => {
    const running = fixture('stop-itself.sh', [], { limits: { killGraceMs: 15_000 } });
    const [pid = 0] = await reported(1);
    await until(() => stateOf(pid) === 'T', 'the stop');
    running.setTimeout(100);
    const { end, durationMs } = await running.done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect(durationMs).toBeLessThan(5000);
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
      expect(durationMs).toBeLessThan(5000);
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

describeEveryWay('after the exit', (check) => {
  check('a helper that holds the pipes neither delays nor loses the answer, and lives on', async (bench) => {
    const { end, stdout, durationMs } = await bench.fixture('leave-helper.sh').done;
    expect(end).toEqual(SUCCESS);
    expect(stdout).toBe('{"answer":42}\n');
    expect(durationMs).toBeLessThan(2500);
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
    expect(durationMs).toBeLessThan(2500);
    bench.spare(...(await bench.reported(1)));
  });

  check('a daemon in its own session does not hold up the deadline of its parent', async (bench) => {
    const running = bench.fixture('hang-with-daemon.sh');
    bench.spare(...(await bench.reported(1)));
    running.setTimeout(100);
    const { end, durationMs } = await running.done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect(durationMs).toBeLessThan(3000);
  });

  check('what a child prints after the exit is kept as long as it keeps printing', async ({ fixture }) => {
    const { end, stdout } = await fixture('talk-after-exit.sh', ['8'], { limits: { drainGraceMs: 400 } })
      .done;
    expect(end).toEqual(SUCCESS);
    expect(stdout.split('\n').filter(Boolean)).toHaveLength(8);
  });

  check('a child that prints for ever after the exit is heard only up to the cap', async (bench) => {
    const limits = { drainGraceMs: 300, drainCapMs: 600 };
    const { end, stdout, durationMs } = await bench.fixture('talk-after-exit.sh', ['1000'], { limits }).done;
    expect(end).toEqual(SUCCESS);
    expect(stdout).toContain('line 1\n');
    expect(durationMs).toBeGreaterThan(595);
    expect(durationMs).toBeLessThan(3000);
  });

  check('too much output from a child after the exit is still too much', async (bench) => {
    const limits = { maxStdoutBytes: 10, drainGraceMs: 1000 };
    const { end } = await bench.fixture('talk-after-exit.sh', ['1000'], { limits }).done;
    expect(end).toEqual({ kind: 'too-much-output', stream: 'stdout', limit: 10 });
  });

  check('when the last holder of the pipes ends, nothing more is waited for', async ({ run }) => {
    const limits = { drainGraceMs: 15_000, drainCapMs: 15_000 };
    const { end, durationMs } = await run({ command: 'sleep 0.2 & exit 3', limits }).done;
    expect(end).toEqual({ kind: 'exited', exitCode: 3 });
    expect(durationMs).toBeGreaterThan(195);
    expect(durationMs).toBeLessThan(5000);
  });

  check('with both pipes closed the exit is the end, without any grace', async ({ run }) => {
    const limits = { drainGraceMs: 10_000, drainCapMs: 10_000 };
    const { end, durationMs } = await run({ command: 'exec >&- 2>&-; exit 3', limits }).done;
    expect(end).toEqual({ kind: 'exited', exitCode: 3 });
    expect(durationMs).toBeLessThan(5000);
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

describeEveryWay('exits and signals', (check) => {
  for (const code of [0, 1, 2, 126, 127, 255]) {
    check(`exit code ${code} is told as it is`, async ({ fixture }) => {
      expect((await fixture('exit-with.sh', [String(code)]).done).end).toEqual({
        kind: 'exited',
        exitCode: code,
      });
    });
  }

  for (const signal of ['SEGV', 'KILL', 'TERM', 'HUP']) {
    check(`death by SIG${signal} is a death, never an exit`, async ({ fixture }) => {
      const { end, stdout } = await fixture('die-by.sh', [signal]).done;
      expect(end).toEqual({ kind: 'signalled', signal: `SIG${signal}` });
      expect(stdout).toBe('before\n');
    });
  }

  check('a failed assertion is a death by SIGABRT', async ({ fixture }) => {
    expect((await fixture('abort.mjs').done).end).toEqual({ kind: 'signalled', signal: 'SIGABRT' });
  });

  check('children of a process that was killed do not stay behind', async ({ fixture, reported }) => {
    expect((await fixture('crash-with-child.sh').done).end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    const [child = 0] = await reported(1);
    await until(() => !isRunning(child), 'the end of the child');
  });

  check('200 forked children are all gone after the deadline', async ({ fixture, reported }) => {
    const running = fixture('fork-many.sh');
    const pids = await reported(200);
    running.setTimeout(1);
    const { end } = await running.done;
    expect(end).toEqual({ kind: 'timed-out' });
    expect(pids.filter(isRunning)).toEqual([]);
  });

  check('an ended process leaves no zombie, and zombies of its own do not delay its end', async (bench) => {
    const running = bench.fixture('leave-zombies.sh');
    const pids = await bench.reported(3);
    await until(() => pids.some((pid) => stateOf(pid) === 'Z'), 'a zombie');
    running.abort();
    const { end, pid = 0, durationMs } = await running.done;
    expect(end).toEqual({ kind: 'aborted' });
    expect(stateOf(pid)).toBeUndefined();
    expect(durationMs).toBeLessThan(1500);
  });

  check('what a process changes about itself changes nothing here', async ({ fixture }) => {
    const state = (): unknown[] => [process.cwd(), process.umask().toString(8)];
    const before = state();
    expect((await fixture('change-itself.sh').done).stdout).toBe('changed\n');
    expect(state()).toEqual(before);
  });

  check('100 runs in a row leave the listeners of this process as they were', async ({ run }) => {
    const count = (): number[] =>
      ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException'].map((event) =>
        process.listenerCount(event),
      );
    const before = count();
    for (let round = 0; round < 100; round++) await run({ command: '/bin/true', args: [] }).done;
    expect(count()).toEqual(before);
  });
});

describeEveryWay('isolation', (check) => {
  check('a process gets its three descriptors and no other', async ({ run }) => {
    const list = { command: 'ls', args: ['-1', '/proc/self/fd'] };
    // Descriptors that this process was itself started with are not ours to close.
    const plain = spawnSync(list.command, list.args, { encoding: 'utf8' }).stdout;
    expect((await run(list).done).stdout).toBe(plain);
  });

  check('a process leads a group and a session of its own', async ({ run }) => {
    const { stdout, pid } = await run({ command: 'cut -d " " -f 5,6 /proc/$$/stat' }).done;
    expect(stdout).toBe(`${pid} ${pid}\n`);
  });
});
