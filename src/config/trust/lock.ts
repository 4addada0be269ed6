/** A lock across processes: a file that only one process can create, and that expires after a crash. */
import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { problem, TrustError } from './problem.js';

export interface LockOptions {
  /** How long to wait for other processes. */
  readonly waitMs?: number;
  /** A writer needs milliseconds; a lock of this age was left behind by a crash. */
  readonly staleMs?: number;
}

/**
 * Holds the lock while `work` runs. Call `stillOurs` before writing, to check that no other process has taken it over.
 * Rejects with a TrustError if the wait times out.
 */
export async function withLock<T>(
  file: string,
  work: (stillOurs: () => Promise<boolean>) => Promise<T>,
  { waitMs = 10_000, staleMs = 30_000 }: LockOptions = {},
): Promise<T> {
  const lock = `${file}.lock`;
  const owner = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  const deadline = Date.now() + waitMs;
  while (!(await create(lock, owner))) {
    await breakStale(lock, staleMs);
    if (Date.now() > deadline) {
      throw new TrustError(
        problem(
          'store_locked',
          `The trust store '${file}' has been locked by another process for ${waitMs / 1000} s. If none is running, delete '${lock}' and '${lock}.break'.`,
        ),
      );
    }
    await sleep(5 + Math.random() * 20);
  }
  const stillOurs = async (): Promise<boolean> => (await contentOf(lock)) === owner;
  try {
    return await work(stillOurs);
  } finally {
    if (await stillOurs()) await rm(lock, { force: true });
  }
}

/** Whether the file was created by this call. */
async function create(path: string, content: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx', 0o600);
    await handle.writeFile(content).finally(() => handle.close());
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}

/**
 * If two processes find the same lock stale, the second must not remove the new lock of the first. So only the holder
 * of `.break` may remove it, after checking again. A crash in between leaves `.break` behind, which the error message
 * mentions.
 */
async function breakStale(lock: string, staleMs: number): Promise<void> {
  if (!(await isStale(lock, staleMs))) return;
  const permit = `${lock}.break`;
  if (!(await create(permit, String(process.pid)))) return;
  try {
    if (await isStale(lock, staleMs)) await rm(lock, { force: true });
  } finally {
    await rm(permit, { force: true });
  }
}

async function isStale(lock: string, staleMs: number): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(lock);
    if (Date.now() - mtimeMs > staleMs) return true;
    const { pid, host } = JSON.parse((await contentOf(lock)) ?? '') as { pid?: unknown; host?: unknown };
    return host === hostname() && typeof pid === 'number' && !isAlive(pid);
  } catch {
    // Removed meanwhile, or not yet written.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
