import { writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { trackGroup } from '../../src/process/live-groups.js';
import { compileProgram } from '../support/compile-program.js';
import { type Bench, fixturePath, isRunning, processTest, until } from '../support/process-harness.js';

const PARENT = await compileProgram(fixturePath('parent.ts'));

/** The outer application runs a group that ignores SIGTERM; its two pids are reported. */
function startParent({ run, pidFile }: Bench, ending: string) {
  writeFileSync(pidFile, '');
  const heard = { text: '' };
  const running = run({
    command: process.execPath,
    args: [PARENT, ending, fixturePath('ignore-term.sh'), pidFile],
    cwd: process.cwd(),
    onText: (_, text) => {
      heard.text += text;
    },
  });
  return { running, ready: () => until(() => heard.text.includes('ready'), 'a ready parent') };
}

describe('when the application ends, its processes end', () => {
  for (const [ending, end] of [
    ['exit', { kind: 'exited', exitCode: 4 }],
    ['throw', { kind: 'exited', exitCode: 1 }],
    ['reject', { kind: 'exited', exitCode: 1 }],
  ] as const) {
    processTest(`CO-15 by ${ending}`, async (bench) => {
      const { running } = startParent(bench, ending);
      expect((await running.done).end).toEqual(end);
      const pids = await bench.reported(2);
      await until(() => !pids.some(isRunning), 'the end of the group');
    });
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    processTest(
      `CO-15 by ${signal}, which still kills the application as it does without us`,
      async (bench) => {
        const { running, ready } = startParent(bench, 'wait');
        await ready();
        process.kill(Number(running.pid), signal);
        expect((await running.done).end).toEqual({ kind: 'signalled', signal });
        const pids = await bench.reported(2);
        await until(() => !pids.some(isRunning), 'the end of the group');
      },
    );
  }

  processTest(
    'by a signal handler of its own, which decides alone and whose exit still cleans up',
    async (bench) => {
      const { running, ready } = startParent(bench, 'own-handler');
      await ready();
      process.kill(Number(running.pid), 'SIGTERM');
      expect((await running.done).end).toEqual({ kind: 'exited', exitCode: 1 });
      const pids = await bench.reported(2);
      await until(() => !pids.some(isRunning), 'the end of the group');
    },
  );

  for (const ending of ['once-handler', 'signal-exit']) {
    processTest(`by a signal that other code raises again (${ending})`, async (bench) => {
      const { running, ready } = startParent(bench, ending);
      await ready();
      process.kill(Number(running.pid), 'SIGTERM');
      expect((await running.done).end).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
      const pids = await bench.reported(2);
      await until(() => !pids.some(isRunning), 'the end of the group');
    });
  }
});

describe('the listeners of the process', () => {
  const events = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'];
  const counts = (): number[] => events.map((event) => process.listenerCount(event));

  test('are there only while something runs, once for all of it', async () => {
    await turn();
    const before = counts();
    const first = trackGroup();
    const second = trackGroup();
    expect(counts()).toEqual(before.map((count) => count + 1));
    first.forget();
    first.forget();
    expect(counts()).toEqual(before.map((count) => count + 1));
    second.forget();
    await turn();
    expect(counts()).toEqual(before);
  });

  test('stay for a process that starts as soon as the last has ended', async () => {
    const before = counts();
    const added: string[] = [];
    const note = (event: string): void => {
      added.push(event);
    };
    process.on('newListener', note);
    for (let i = 0; i < 10; i++) {
      const group = trackGroup();
      await Promise.resolve();
      group.forget();
    }
    await turn();
    process.off('newListener', note);
    expect(added).toEqual(events);
    expect(counts()).toEqual(before);
  });
});
