/**
 * Makes a program die by SIGKILL right before or after one of its file operations: before the import of what it tests.
 * DIE_RATE=0.001: one in a thousand dies. DIE_AT=17: the seventeenth does; operations are counted twice, before and after.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const rate = Number(process.env['DIE_RATE'] ?? 0);
const at = Number(process.env['DIE_AT'] ?? 0);
let count = 0;

function maybeDie(): void {
  count += 1;
  if (count === at || Math.random() < rate) process.kill(process.pid, 'SIGKILL');
}

type AnyAsync = (...args: unknown[]) => Promise<unknown>;

function wrap(holder: object, names: readonly string[]): void {
  // The functions are only passed on, with whatever they take.
  const functions = holder as Record<string, AnyAsync>;
  for (const name of names) {
    const original = functions[name];
    if (original === undefined) continue;
    functions[name] = async function (this: unknown, ...args: unknown[]) {
      maybeDie();
      const result = await original.apply(this, args);
      maybeDie();
      return result;
    };
  }
}

if (rate > 0 || at > 0) {
  const handle = await fs.promises.open(process.execPath, 'r');
  const methods: object = Object.getPrototypeOf(handle);
  await handle.close();
  wrap(methods, ['write', 'writeFile', 'sync', 'chmod', 'stat', 'read', 'readFile']);
  wrap(fs.promises, ['open', 'rename', 'link', 'unlink', 'mkdir', 'readdir', 'lstat', 'rm', 'chmod']);
  syncBuiltinESMExports();
}
