/** Which process something belongs to, and whether it still lives: a number alone may be another process's by now. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Owner {
  /** Where its number means something: this machine since it was started, and this process namespace. */
  readonly place: string;
  readonly pid: number;
  /** When it was started, in the system's own count; `0` where that cannot be known. */
  readonly start: string;
}

const OWNER = /^([0-9a-f]{8})-(\d{1,10})-(\d{1,20})$/;

export function writeOwner({ place, pid, start }: Owner): string {
  return `${place}-${pid}-${start}`;
}

export function readOwner(text: string): Owner | undefined {
  const [, place, pid, start] = OWNER.exec(text) ?? [];
  if (place === undefined || pid === undefined || start === undefined) return undefined;
  return { place, pid: Number(pid), start };
}

export function currentOwner(): Owner {
  const parts = [
    hostname(),
    textOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    textOr('', () => readlinkSync('/proc/self/ns/pid')),
  ];
  const place = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8);
  const life = lifeOf(process.pid);
  return { place, pid: process.pid, start: life === 'unknown' || life === 'gone' ? '0' : life };
}

/** True only when it is certain. Of processes elsewhere nothing is. */
export function isGone(owner: Owner, self: Owner): boolean {
  if (owner.place !== self.place) return false;
  if (owner.pid === self.pid) return owner.start !== self.start;
  const life = lifeOf(owner.pid);
  if (life === 'gone') return true;
  return life !== 'unknown' && owner.start !== '0' && life !== owner.start;
}

/** When a process was started; `gone` also for one that has ended and only waits for its parent to notice. */
function lifeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in brackets, may hold anything; behind it come the state and, as the 20th from there, the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'gone' : (fields[19] ?? 'unknown');
  } catch (error) {
    if (process.platform === 'linux' && ['ENOENT', 'ESRCH'].includes(codeOf(error))) return 'gone';
    return canBeSignalled(pid) ? 'unknown' : 'gone';
  }
}

function canBeSignalled(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

function textOr(fallback: string, read: () => string): string {
  try {
    return read();
  } catch {
    return fallback;
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
