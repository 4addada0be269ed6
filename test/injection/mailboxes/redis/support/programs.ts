/** Programs of the tests, as processes that can be killed at any moment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Program {
  /** Resolves with how it ended. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  kill(): void;
}

export function run(
  name: string,
  args: readonly string[],
  onLine: (line: string) => void = () => {},
): Program {
  const path = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('../../../../../', import.meta.url)),
  });
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', onLine);
  return {
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal))),
    kill: () => {
      child.kill('SIGKILL');
    },
  };
}
