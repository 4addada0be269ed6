/** Lets a part of this process die at one of its changes to the disk, as a kill would: from there on nothing returns. */
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

type AnyAsync = (...args: unknown[]) => Promise<unknown>;

const never = (): Promise<never> => new Promise(() => undefined);

const CHANGING = ['rename', 'link', 'unlink', 'mkdir', 'rm', 'chmod'];
const READING = ['readdir', 'lstat'];
const ON_HANDLE = ['write', 'writeFile', 'sync', 'chmod', 'stat', 'read', 'readFile'];

/**
 * Runs `work` and kills it right before its change number `at` (1 is the first). True: it has died; false: it came to its
 * end with fewer changes. Meanwhile nothing else may use files.
 */
export async function dieAt(at: number, work: () => Promise<unknown>): Promise<boolean> {
  // The functions are only passed on, with whatever they take.
  const promises = fs.promises as unknown as Record<string, AnyAsync>;
  const probe = await fs.promises.open(process.execPath, 'r');
  const methods = Object.getPrototypeOf(probe) as Record<string, AnyAsync>;
  await probe.close();
  const restore: (() => void)[] = [];
  const opened: Promise<FileHandle>[] = [];
  let changes = 0;
  let isDead = false;
  let noticeDeath = (): void => undefined;
  const death = new Promise<void>((resolve) => {
    noticeDeath = resolve;
  });
  const live = <T>(go: () => Promise<T>, isChange: boolean): Promise<T> => {
    if (isChange && !isDead) {
      changes += 1;
      isDead = changes === at;
      if (isDead) noticeDeath();
    }
    if (isDead) return never();
    // What is under way when it dies is done by the system all the same, and nobody hears of it.
    return go().then((result) => (isDead ? never() : result));
  };
  const replace = (
    holder: Record<string, AnyAsync>,
    name: string,
    by: (original: AnyAsync) => AnyAsync,
  ): void => {
    const original = holder[name];
    if (original === undefined) throw new Error(`there is no ${name}`);
    holder[name] = by(original);
    restore.push(() => {
      holder[name] = original;
    });
  };
  const wrap = (holder: Record<string, AnyAsync>, name: string, isChange: boolean): void =>
    replace(
      holder,
      name,
      (original) =>
        function (this: unknown, ...args: unknown[]) {
          return live(() => original.apply(this, args), isChange);
        },
    );
  try {
    for (const name of CHANGING) wrap(promises, name, true);
    for (const name of READING) wrap(promises, name, false);
    for (const name of ON_HANDLE) wrap(methods, name, name === 'write' || name === 'writeFile');
    replace(promises, 'open', (original) => (...args) => {
      const isChange = typeof args[1] === 'number' && (args[1] & fs.constants.O_CREAT) !== 0;
      return live(() => {
        const handle = original(...args) as Promise<FileHandle>;
        opened.push(handle);
        return handle;
      }, isChange);
    });
    syncBuiltinESMExports();
    return await Promise.race([death.then(() => true), work().then(() => false)]);
  } finally {
    // Whatever of it still runs meets the end of its world first.
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    for (const undo of restore) undo();
    syncBuiltinESMExports();
    if (isDead) {
      for (const opening of await Promise.allSettled(opened))
        if (opening.status === 'fulfilled' && opening.value.fd >= 0) await opening.value.close();
    }
}
