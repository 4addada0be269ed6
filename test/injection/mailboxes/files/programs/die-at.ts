/**
 * Makes a program die by SIGKILL right before or after one of its file operations: before the import of what it tests.
 * DIE_RATE=0.001: at one in a thousand changes of the disk it dies, and at one in twenty thousand looks at it. DIE_AT=17: the seventeenth does; operations are counted twice, before and after. DIE_JOURNAL: a file.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const rate = Number(process.env['DIE_RATE'] ?? 0);
const at = Number(process.env['DIE_AT'] ?? 0);
let count = 0;

/** Where it died is written down before, for those who count. */
const journal = process.env['DIE_JOURNAL'];

const CHANGES = ['rename', 'link', 'unlink', 'mkdir', 'rm', 'chmod', 'write', 'writeFile', 'sync'];

function maybeDie(when: 'before' | 'after', name: string): void {
  count += 1;
  if (count !== at && Math.random() >= (CHANGES.includes(name) ? rate : rate / 20)) return;
  if (journal !== undefined) fs.appendFileSync(journal, `${when} ${name}\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** For points that matter and have no file operation of their own: far more likely than a change of the disk. */
export function mayDieHere(name: string): void {
  if (Math.random() >= rate * 60) return;
  if (journal !== undefined) fs.appendFileSync(journal, `here ${name}\n`);
  process.kill(process.pid, 'SIGKILL');
}

type AnyAsync = (...args: unknown[]) => Promise<unknown>;

function wrap(holder: object, names: readonly string[]): void {
  // The functions are only passed on, with whatever they take.
  const functions = holder as Record<string, AnyAsync>;
  for (const name of names) {
    const original = functions[name];
    if (original === undefined) continue;
    functions[name] = async function (this: unknown, ...args: unknown[]) {
      maybeDie('before', name);
      const result = await original.apply(this, args);
      maybeDie('after', name);
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
