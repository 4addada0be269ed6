/** A log that shows when it was changed: each line is JSON, and holds the hash of the line before it. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileErrorOf, HookError, show } from '../base/errors.js';

/** What `verifyAudit` found. */
export interface AuditReport {
  readonly ok: boolean;
  /** The lines that are in order, from the first. */
  readonly entries: number;
  /** The hash of the last of them: the next line must hold it. */
  readonly head: string;
  /** The first line that does not fit. */
  readonly broken?: { readonly line: number; readonly problem: string };
}

interface AuditLine {
  readonly seq: number;
  readonly at: string;
  readonly prev: string;
  readonly entry: unknown;
  readonly hash: string;
}

/** The hash before the first line. */
const START = '0'.repeat(64);
const WAIT_MS = 5000;
/** A process that holds the lock for longer has ended without removing it. */
const STALE_MS = 10_000;
/** A longer line is cut by `appendAudit`, so the last line is always in a tail of this length. */
const TAIL = 1 << 20;

/**
 * Appends one entry, and resolves to its hash. Several processes may append at once. Rejects with a HookError if the file
 * cannot be written, its last line is damaged, or another process does not finish in five seconds.
 */
export async function appendAudit(file: string, entry: unknown): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  const release = await lock(`${file}.lock`);
  try {
    const handle = await open(file, 'a+', 0o600);
    try {
      const last = await lastLine(handle, file);
      const line = { seq: last.seq + 1, at: new Date().toISOString(), prev: last.hash, entry };
      const hash = hashOf(line);
      const text = `${JSON.stringify({ ...line, hash })}\n`;
      if (text.length > TAIL / 4)
        throw new HookError('invalid_option', 'The entry of the audit log is too long.');
      await handle.appendFile(text);
      await handle.sync();
      return hash;
    } finally {
      await handle.close();
    }
  } finally {
    await release();
  }
}

/** Reads the whole file and checks each line against the one before. Rejects with a HookError if it cannot be read. */
export async function verifyAudit(file: string): Promise<AuditReport> {
  let entries = 0;
  let head = START;
  const text = createReadStream(file, 'utf8');
  try {
    for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
      const read = parseLine(line);
      const problem = typeof read === 'string' ? read : problemOf(read, entries + 1, head);
      if (typeof read === 'string' || problem !== undefined)
        return { ok: false, entries, head, broken: { line: entries + 1, problem: problem ?? '' } };
      entries += 1;
      head = read.hash;
    }
  } catch (error) {
    throw new HookError(
      'invalid_option',
      `The audit log ${show(file)} cannot be read: ${fileErrorOf(error)}.`,
    );
  } finally {
    text.destroy();
  }
  return { ok: true, entries, head };
}

function problemOf(line: AuditLine, seq: number, prev: string): string | undefined {
  if (line.seq !== seq)
    return `It has the number ${show(line.seq)}, but is number ${seq}: a line was added or removed.`;
  if (line.prev !== prev) return 'It does not follow the line before it: one of the two was changed.';
  const { hash, ...rest } = line;
  return hashOf(rest) === hash ? undefined : 'Its content was changed.';
}

/** A sentence if it is not a line of an audit log. */
function parseLine(text: string): AuditLine | string {
  try {
    const line = JSON.parse(text) as AuditLine;
    if (typeof line.seq === 'number' && typeof line.prev === 'string' && typeof line.hash === 'string')
      return line;
  } catch {}
  return 'It is not a line of an audit log.';
}

/** The keys are always written in this order, so that a hash can be computed again. */
function hashOf({ seq, at, prev, entry }: Omit<AuditLine, 'hash'>): string {
  return createHash('sha256')
    .update(JSON.stringify([seq, at, prev, entry]))
    .digest('hex');
}

async function lastLine(
  handle: Awaited<ReturnType<typeof open>>,
  file: string,
): Promise<Pick<AuditLine, 'seq' | 'hash'>> {
  const { size } = await handle.stat();
  if (size === 0) return { seq: 0, hash: START };
  const length = Math.min(size, TAIL);
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  const text = buffer.toString('utf8');
  const line = text.endsWith('\n')
    ? parseLine(text.trimEnd().split('\n').at(-1) ?? '')
    : 'It is not complete.';
  if (typeof line !== 'string') return line;
  throw new HookError(
    'invalid_config',
    `The last line of ${show(file)} is damaged. Move the file away: a new one begins with the next entry.`,
  );
}

/** Resolves to a function that releases it. */
async function lock(path: string): Promise<() => Promise<void>> {
  const deadline = Date.now() + WAIT_MS;
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    try {
      await writeFile(path, `${process.pid} ${randomUUID()}`, { flag: 'wx', mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const left = await leftBehind(path);
    if (left !== undefined) await removeLock(path, left);
    else if (Date.now() > deadline)
      throw new HookError('invalid_option', `Another process holds ${show(path)}. Remove it if none runs.`);
    else await sleep(wait + Math.random() * wait);
  }
}

/** The content of a lock whose process has ended; undefined for any other. */
async function leftBehind(path: string): Promise<string | undefined> {
  const content = await readFile(path, 'utf8').catch(() => undefined);
  const stats = await stat(path).catch(() => undefined);
  if (content === undefined || stats === undefined) return undefined;
  if (Date.now() - stats.mtimeMs > STALE_MS) return content;
  const [pid = ''] = content.split(' ');
  if (!/^\d+$/.test(pid)) return undefined;
  try {
    process.kill(Number(pid), 0);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? content : undefined;
  }
}

/** Only this lock: another process may have removed it, and locked again, in the meantime. */
async function removeLock(path: string, content: string): Promise<void> {
  const taken = `${path}.${randomUUID()}`;
  try {
    await rename(path, taken);
  } catch {
    return;
  }
  if ((await readFile(taken, 'utf8').catch(() => '')) !== content)
    await link(taken, path).catch(() => undefined);
  await rm(taken, { force: true });
}
