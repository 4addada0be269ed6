/** The Python process and the application it belongs to: neither keeps the other alive. */
import { describe, expect } from 'vitest';
import { compileProgram } from '../../support/compile-program.js';
import { isRunning, processTest, until } from '../../support/process-harness.js';
import { FIXTURES, hasPython } from './support.js';

const PROGRAM = await compileProgram(`${FIXTURES}application.ts`);

const application = (ending: string, pidFile: string) => ({
  command: process.execPath,
  args: [PROGRAM, ending, FIXTURES, pidFile],
  cwd: process.cwd(),
  env: { PYTHONDONTWRITEBYTECODE: '1' },
});

describe.skipIf(!hasPython)('a Python process and its application', () => {
  processTest(
    'MG-35 an idle process does not keep the application alive, and ends with it',
    async (bench) => {
      const { end, stdout } = await bench.run(application('idle', bench.pidFile)).done;
      expect(end).toEqual({ kind: 'exited', exitCode: 0 });
      const pid = Number(/^pid (\d+)/.exec(stdout)?.[1]);
      expect(pid).toBeGreaterThan(1);
      await until(() => !isRunning(pid), 'the end of the Python process');
    },
  );

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    processTest(
      `MG-35 when ${signal} ends the application, its Python process ends with all it started`,
      async (bench) => {
        const running = bench.run(application('busy', bench.pidFile));
        const pids = await bench.reported(2);
        process.kill(Number(running.pid), signal);
        expect((await running.done).end).toEqual({ kind: 'signalled', signal });
        await until(() => !pids.some(isRunning), 'the end of everything');
      },
    );
  }
});
