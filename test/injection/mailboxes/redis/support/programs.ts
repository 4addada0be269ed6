/** Programs of the tests, as processes that can be killed at any moment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileProgram } from '../../../../support/compile-program.js';

export interface Program {
  /** Resolves with how it ended. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  kill(): void;
}

const NAMES = ['reader', 'writer', 'conserving-reader', 'conserving-writer', 'short-life'] as const;
type Name = (typeof NAMES)[number];

const compiled = Object.fromEntries(
  await Promise.all(
    NAMES.map(async (name) => [name, await compileProgram(new URL(`./${name}.ts`, import.meta.url))]),
  ),
) as Record<Name, string>;

export function run(name: Name, args: readonly string[], onLine: (line: string) => void = () => {}): Program {
  const child: ChildProcess = spawn(process.execPath, [compiled[name], ...args], {
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
