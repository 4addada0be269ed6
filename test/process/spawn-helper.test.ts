import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createLimiter } from '../../src/base/async/limiter.js';
import { readFrames, writeFrame } from '../../src/process/helper-protocol.js';
import { runLimited } from '../../src/process/run-limited.js';
import type { ProcessRequest } from '../../src/process/run-process.js';
import { createSpawnHelper, type SpawnHelper } from '../../src/process/spawn-helper.js';
import { shouldUseHelper } from '../../src/process/spawn-mode.js';
import { compileProgram } from '../support/compile-program.js';
import { startLimit } from '../support/limit.js';
import {
  type Bench,
  fixturePath,
  isRunning,
  processTest,
  readPids,
  until,
} from '../support/process-harness.js';

const PARENT = await compileProgram(fixturePath('parent-with-helper.ts'));

let helper: SpawnHelper | undefined;
afterEach(() => helper?.close());

function newRequest({ dir, pidFile }: Bench, request: Partial<ProcessRequest>): ProcessRequest {
  const env = { PATH: process.env['PATH'] ?? '', PIDS: pidFile };
  return { command: 'true', cwd: dir, env, stdin: '', timeoutMs: 50_000, ...request };
}

/** The helper, once it runs a program that reports its parent. Never this process: it would be ended. */
async function helperOf(bench: Bench): Promise<number> {
  const [pid = 0] = await bench.reported(3);
  expect(pid).not.toBe(process.pid);
  return pid;
}

describe('a spawn helper that dies', () => {
  processTest('takes its processes along, says so, and is replaced', async (bench) => {
    helper = createSpawnHelper();
    const victim = newRequest(bench, { command: fixturePath('report-parent.sh'), args: [] });
    const running = helper.run(victim);
    const helperPid = await helperOf(bench);
    const [, ...group] = await bench.reported(3);
    await until(() => running.pid !== undefined, 'a known pid');
    process.kill(helperPid, 'SIGKILL');
    const { end } = await running.done;
    expect(end).toMatchObject({ kind: 'failed-to-start', code: 'EHELPER' });
    await until(() => !group.some(isRunning), 'the end of the group');
    const next = await helper.run(newRequest(bench, { command: 'echo $PPID' })).done;
    expect(next.end).toEqual({ kind: 'exited', exitCode: 0 });
    expect(Number(next.stdout)).not.toBe(helperPid);
    await helper.close();
  });

  processTest('by SIGTERM ends what it runs by itself', async (bench) => {
    helper = createSpawnHelper();
    const running = helper.run(newRequest(bench, { command: fixturePath('report-parent.sh'), args: [] }));
    const helperPid = await helperOf(bench);
    process.kill(helperPid, 'SIGTERM');
    expect((await running.done).end).toMatchObject({ kind: 'failed-to-start', code: 'EHELPER' });
    await helper.close();
  });

  processTest('CO-31 or is stopped does not hold up who aborts', async (bench) => {
    helper = createSpawnHelper({ overdueMs: 2000 });
    const limits = { killGraceMs: 100, drainCapMs: 100 };
    const command = fixturePath('report-parent.sh');
    const running = helper.run(newRequest(bench, { command, args: [], limits, timeoutMs: 600_000 }));
    const helperPid = await helperOf(bench);
    await until(() => running.pid !== undefined, 'a known pid');
    process.kill(helperPid, 'SIGSTOP');
    running.abort();
    expect((await running.done).end).toEqual({ kind: 'aborted' });
    await until(() => !isRunning(running.pid ?? 0), 'the end of the process');
    await helper.close();
  });

  processTest('CO-31 or does not answer delays nothing else, and is replaced', async (bench) => {
    helper = createSpawnHelper({ overdueMs: 2000 });
    const limits = { killGraceMs: 100, drainCapMs: 100 };
    const command = fixturePath('report-parent.sh');
    const running = helper.run(newRequest(bench, { command, args: [], limits }));
    const helperPid = await helperOf(bench);
    await until(() => running.pid !== undefined, 'a known pid');
    process.kill(helperPid, 'SIGSTOP');
    running.setTimeout(200);
    expect((await running.done).end).toEqual({ kind: 'timed-out' });
    await until(() => !isRunning(running.pid ?? 0), 'the end of the process');
    // Either without a helper or with another one.
    const next = await helper.run(newRequest(bench, { command: 'echo $PPID' })).done;
    expect(next.end).toEqual({ kind: 'exited', exitCode: 0 });
    expect(Number(next.stdout)).not.toBe(helperPid);
    await until(() => !isRunning(helperPid), 'the end of the helper');
    const later = await helper.run(newRequest(bench, { command: 'echo $PPID' })).done;
    expect([Number(later.stdout) === helperPid, Number(later.stdout) === process.pid]).toEqual([
      false,
      false,
    ]);
    await helper.close();
  });

  processTest(
    'CO-31 or is stopped before a start refuses within the deadline, and starts it never',
    async (bench) => {
      helper = createSpawnHelper();
      const { stdout } = await helper.run(newRequest(bench, { command: 'echo $PPID' })).done;
      const helperPid = Number(stdout);
      process.kill(helperPid, 'SIGSTOP');
      // It would be 5 s if the helper's own limit counted.
      const limit = startLimit(4500);
      const late = helper.run(newRequest(bench, { command: 'touch started', timeoutMs: 1000 }));
      expect((await late.done).end).toMatchObject({ kind: 'failed-to-start', code: 'EHELPER' });
      expect(limit.passed).toBe(false);
      process.kill(helperPid, 'SIGCONT');
      // What is asked after it is answered after it.
      const ran = () => helper?.run(newRequest(bench, { command: 'echo $PPID; ls' })).done;
      let answer = await ran();
      while (!answer?.stdout.startsWith(stdout)) answer = await ran();
      expect(answer.stdout).not.toContain('started');
      await helper.close();
    },
  );
});

describe('a deadline that is moved after the end', () => {
  processTest('does not make the helper look stuck', async (bench) => {
    helper = createSpawnHelper({ overdueMs: 1 });
    const limits = { killGraceMs: 1, drainCapMs: 1 };
    const first = helper.run(newRequest(bench, { command: 'echo $PPID', limits }));
    const { stdout } = await first.done;
    first.setTimeout(1);
    first.abort();
    const waiting = newRequest(bench, { command: 'sleep 0.2; echo $PPID' });
    expect((await helper.run(waiting).done).stdout).toBe(stdout);
    await helper.close();
  });
});

describe('a spawn helper that cannot start', () => {
  const { execPath } = process;
  afterEach(() => {
    process.execPath = execPath;
  });

  for (const program of ['/no/such/node', '/bin/false', '/bin/true']) {
    processTest(`is done without (${program})`, async (bench) => {
      helper = createSpawnHelper();
      process.execPath = program;
      const outputs: string[] = [];
      for (let round = 0; round < 5; round++) {
        const { stdout } = await helper.run(newRequest(bench, { command: `echo ${round} $PPID` })).done;
        outputs.push(stdout);
      }
      expect(outputs).toEqual([0, 1, 2, 3, 4].map((round) => `${round} ${process.pid}\n`));
      const running = helper.run(newRequest(bench, { command: 'sleep 100' }));
      running.setTimeout(50);
      expect((await running.done).end).toEqual({ kind: 'timed-out' });
    });
  }
});

describe('a spawn helper that never gets ready', () => {
  const { execPath } = process;
  afterEach(() => {
    process.execPath = execPath;
  });

  processTest(
    'CO-31 is done without after half of the deadline; an abort does not wait for it',
    async (bench) => {
      process.execPath = join(bench.dir, 'node');
      writeFileSync(process.execPath, '#!/bin/sh\nexec sleep 100\n', { mode: 0o755 });
      helper = createSpawnHelper();
      const first = helper.run(newRequest(bench, { command: 'echo $PPID', timeoutMs: 1000 }));
      const aborted = helper.run(newRequest(bench, { command: 'touch ran' }));
      aborted.abort();
      expect((await aborted.done).end).toEqual({ kind: 'aborted' });
      expect((await first.done).stdout).toBe(`${process.pid}\n`);
      expect(existsSync(join(bench.dir, 'ran'))).toBe(false);
      await helper.close();
    },
  );
});

describe('an application with a spawn helper', () => {
  const start = ({ run, pidFile }: Bench, ending: string, told: string[] = []) => {
    writeFileSync(pidFile, '');
    const onText = (_: string, text: string): void => void told.push(text);
    return run({
      command: process.execPath,
      args: [PARENT, ending, fixturePath('report-parent.sh'), pidFile],
      cwd: process.cwd(),
      onText,
    });
  };

  processTest('ends by itself when the helper is idle, and the helper with it', async (bench) => {
    const { end, stdout } = await start(bench, 'idle').done;
    expect([end, stdout]).toEqual([{ kind: 'exited', exitCode: 0 }, 'idle\n']);
    expect(await bench.reported(1)).toHaveLength(1);
  });

  processTest(
    'CO-31 goes on while it waits for a helper that is stuck, and is answered soon',
    async (bench) => {
      const { end, stdout } = await start(bench, 'stuck').done;
      expect([end, stdout]).toEqual([{ kind: 'exited', exitCode: 0 }, 'EHELPER\nexited\n']);
    },
  );

  processTest('takes helper and processes along when it exits', async (bench) => {
    expect((await start(bench, 'exit').done).end).toEqual({ kind: 'exited', exitCode: 4 });
    expect(await bench.reported(3)).toHaveLength(3);
  });

  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
    processTest(`takes helper and processes along when it dies by ${signal}`, async (bench) => {
      const told: string[] = [];
      const running = start(bench, 'wait', told);
      await until(() => told.join('').includes('ready'), 'a ready application');
      process.kill(Number(running.pid), signal);
      expect((await running.done).end).toEqual({ kind: 'signalled', signal });
      await until(() => !readPids(bench.pidFile).some(isRunning), 'the end of helper and group');
    });
  }
});

describe('a spawn helper', () => {
  processTest('runs many at once and mixes nothing up', async (bench) => {
    helper = createSpawnHelper();
    const { run } = helper;
    const limiter = createLimiter();
    const all = Array.from({ length: 400 }, (_, index) => {
      const told: string[] = [];
      const request = newRequest(bench, {
        command: 'read line; echo "$line"; echo "$line" >&2; exit $((line % 200))',
        stdin: `${index}\n`,
        onText: (stream, text) => told.push(stream + text),
      });
      return runLimited(limiter, request, run).done.then((result) => ({ ...result, told }));
    });
    for (const [index, { end, stdout, stderr, told }] of (await Promise.all(all)).entries()) {
      expect(end).toEqual({ kind: 'exited', exitCode: index % 200 });
      expect([stdout, stderr]).toEqual([`${index}\n`, `${index}\n`]);
      expect(told.sort()).toEqual([`stderr${index}\n`, `stdout${index}\n`]);
    }
    await helper.close();
  });

  processTest('ends what runs when it is closed, and starts nothing afterwards', async (bench) => {
    helper = createSpawnHelper();
    const request = newRequest(bench, {
      command: fixturePath('ignore-term.sh'),
      args: [],
      limits: { killGraceMs: 100 },
    });
    const running = helper.run(request);
    await bench.reported(2);
    await helper.close();
    expect((await running.done).end).toEqual({ kind: 'aborted' });
    expect(() => helper?.run(request)).toThrow(/closed/);
    await helper.close();
  });

  processTest('is out of the reach of the terminal, whose Ctrl-C is for the application', async (bench) => {
    helper = createSpawnHelper();
    const { stdout } = await helper.run(
      newRequest(bench, { command: 'cut -d " " -f 1,5,6 /proc/$PPID/stat' }),
    ).done;
    const [pid, group, session] = stdout.trim().split(' ');
    expect([group, session]).toEqual([pid, pid]);
    await helper.close();
  });

  processTest('that was never used has nothing to close', async () => {
    await createSpawnHelper().close();
  });

  test('is used when asked for, or when the host is large', () => {
    expect(shouldUseHelper('direct', 10 ** 10)).toBe(false);
    expect(shouldUseHelper('helper', 0)).toBe(true);
    expect([1, 10 ** 9].map((rss) => shouldUseHelper('auto', rss))).toEqual([false, true]);
    expect(shouldUseHelper('auto', 50, 50)).toBe(true);
  });
});

describe('frames', () => {
  test('arrive as they were sent, however the stream is cut', () => {
    const frames = fc.array(fc.record({ head: fc.jsonValue(), body: fc.uint8Array({ maxLength: 40 }) }));
    fc.assert(
      fc.property(frames, fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (sent, cuts) => {
        const bytes = Buffer.concat(
          sent.flatMap(({ head, body }) => {
            const out = new PassThrough();
            writeFrame(out, head, body);
            return [out.read() ?? Buffer.alloc(0)];
          }),
        );
        const channel = new PassThrough();
        const received: unknown[] = [];
        readFrames(channel, (head, body) => received.push({ head, body: [...body] }));
        for (let at = 0; at < bytes.length; ) {
          const size = cuts.next().value ?? 1;
          channel.emit('data', bytes.subarray(at, at + size));
          at += size;
        }
        expect(received).toEqual(
          sent.map(({ head, body }) => ({ head: JSON.parse(JSON.stringify(head)), body: [...body] })),
        );
      }),
    );
  });
});
