/** Processes that append to a transcript. */
import { execa } from 'execa';
import { compileProgram } from '../../support/compile-program.js';

const PROGRAM = await compileProgram(new URL('fixtures/append-turns.ts', import.meta.url));

/** A process of its own that appends turns; `limit` is the largest file that it may write, in KiB. */
export function writer(path: string, name: string, turns: number, size: number, limit = 'unlimited') {
  const args = [PROGRAM, path, name, `${turns}`, `${size}`];
  return execa('bash', ['-c', `ulimit -f ${limit}; exec "$@"`, 'bash', process.execPath, ...args]);
}
