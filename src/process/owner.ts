/** Identifies the process that owns something, and whether it is still alive: a pid alone may have been reused. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Owner {
  /** Where its pid is valid: this boot of this machine, and this process namespace. */
  readonly place: string;
  readonly pid: number;
  /** Its start time in system ticks; `0` if unknown. */
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
  const start = startOf(process.pid);
  return { place, pid: process.pid, start: start === 'unknown' || start === 'gone' ? '0' : start };
}

/** True only if certain. Nothing is certain about processes elsewhere. */
export function isGone(owner: Owner, self: Owner): boolean {
  if (owner.place !== self.place) return false;
  if (owner.pid === self.pid) return owner.start !== self.start;
  const start = startOf(owner.pid);
  if (start === 'gone') return true;
  return start !== 'unknown' && owner.start !== '0' && start !== owner.start;
}

/** The start time of a process; `gone` also for a zombie. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may contain anything; the state follows it, and the start time is the 20th field from
    // there.
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
