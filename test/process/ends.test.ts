import { spawnSync } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import { describeEveryWay, isRunning, stateOf, until } from '../support/process-harness.js';

describeEveryWay('exits and signals', (check) => {
  for (const code of [0, 1, 2, 126, 127, 255]) {
    check(`exit code ${code} is reported as it is`, async ({ fixture }) => {
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
    const running = bench.fixture('leave-zombies.sh', [], { limits: { killGraceMs: 50_000 } });
    const pids = await bench.reported(3);
    await until(() => pids.some((pid) => stateOf(pid) === 'Z'), 'a zombie');
    running.abort();
    const { end, pid = 0, durationMs } = await running.done;
    expect(end).toEqual({ kind: 'aborted' });
    expect(stateOf(pid)).toBeUndefined();
    expect(durationMs).toBeLessThan(20_000);
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
    await turn();
    const before = count();
    for (let round = 0; round < 100; round++) await run({ command: '/bin/true', args: [] }).done;
    await turn();
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
