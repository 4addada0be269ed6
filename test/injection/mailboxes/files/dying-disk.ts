/** A disk that ends a part of this process at one of its changes, as a kill would, or refuses it for lack of room. */
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

type AnyAsync = (...args: unknown[]) => Promise<unknown>;
type Holder = Record<string, AnyAsync>;

const CHANGING = ['rename', 'link', 'unlink', 'mkdir', 'rm', 'chmod'];
const READING = ['readdir', 'lstat'];
const ON_HANDLE = ['write', 'writeFile', 'sync', 'chmod', 'stat', 'read', 'readFile'];
/** What makes room is never refused. */
const NEEDS_ROOM = ['rename', 'link', 'mkdir', 'open', 'write', 'writeFile'];

const never = (): Promise<never> => new Promise(() => undefined);

/** Right before its change number `at` (1 is the first) `work` dies: nothing of it returns. False: it made fewer changes. */
export async function dieAt(at: number, work: () => Promise<unknown>): Promise<boolean> {
  let notice = (): void => undefined;
  const death = new Promise<true>((resolve) => {
    notice = () => resolve(true);
  });
  let isDead = false;
  return withDisk(
    (go, change) => {
      if (change?.number === at) isDead = true;
      if (!isDead) return go().then((result) => (isDead ? never() : result));
      notice();
      return never();
    },
    () => Promise.race([death, work().then(() => false)]),
  );
}

/** From its change number `at` on the disk is full. False: there were fewer changes. */
export async function fillAt(at: number, work: () => Promise<unknown>): Promise<boolean> {
  let isFull = false;
  await withDisk((go, change) => {
    if (change?.number === at) isFull = true;
    if (!isFull || change === undefined || !NEEDS_ROOM.includes(change.name)) return go();
    return Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }));
  }, work);
  return isFull;
}

/** Right before its change number `at` `work` stands still until `meanwhile` is over. False: it made fewer changes. */
export async function pauseAt(
  at: number,
  work: () => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<boolean> {
  let pause: Promise<unknown> | undefined;
  await withDisk(async (go, change) => {
    if (change?.number !== at) return go();
    pause = meanwhile();
    await pause;
    return go();
  }, work);
  return pause !== undefined;
}

/** Runs `work` and counts what it asks of the disk. */
export async function countOperations(
  work: () => Promise<unknown>,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  await withDisk((go, _, name) => {
    counts[name] = (counts[name] ?? 0) + 1;
    return go();
  }, work);
  return counts;
}

interface Change {
  readonly name: string;
  readonly number: number;
}

type Rule = (go: () => Promise<unknown>, change: Change | undefined, name: string) => Promise<unknown>;

/** While `work` runs every file operation is asked about. Meanwhile nothing else may use files. */
async function withDisk<T>(rule: Rule, work: () => Promise<T>): Promise<T> {
  // The functions are only passed on, with whatever they take.
  const promises = fs.promises as unknown as Holder;
  const probe = await fs.promises.open(process.execPath, 'r');
  const methods = Object.getPrototypeOf(probe) as Holder;
  await probe.close();
  const opened: Promise<FileHandle>[] = [];
  const restore: (() => void)[] = [];
  let changes = 0;
  const replace = (holder: Holder, name: string, isChange: (args: unknown[]) => boolean): void => {
    const original = holder[name];
    if (original === undefined) throw new Error(`there is no ${name}`);
    restore.push(() => {
      holder[name] = original;
    });
    holder[name] = function (this: unknown, ...args: unknown[]) {
      const change = isChange(args) ? { name, number: ++changes } : undefined;
      return rule(
        () => {
          const result = original.apply(this, args);
          if (name === 'open') opened.push(result as Promise<FileHandle>);
          return result;
        },
        change,
        name,
      );
    };
  };
  try {
    for (const name of CHANGING) replace(promises, name, () => true);
    for (const name of READING) replace(promises, name, () => false);
    for (const name of ON_HANDLE) replace(methods, name, () => name === 'write' || name === 'writeFile');
    replace(
      promises,
      'open',
      ([, flags]) => typeof flags === 'number' && (flags & fs.constants.O_CREAT) !== 0,
    );
    syncBuiltinESMExports();
    return await work();
  } finally {
    // Whatever still runs of somebody dead meets the end of its world first.
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    for (const undo of restore) undo();
    syncBuiltinESMExports();
    for (const opening of await Promise.allSettled(opened))
      if (opening.status === 'fulfilled' && opening.value.fd >= 0) await opening.value.close();
  }
}
