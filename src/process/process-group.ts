/** Signals and probes a POSIX process group by the pid of its leader. */

import { readdirSync, readFileSync } from 'node:fs';

/** Returns false when nobody is left to receive it. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // EPERM means that somebody is there who is not ours to signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True while the id is taken, even if only by a zombie. One system call. */
export function groupExists(pid: number): boolean {
  return signalGroup(pid, 0);
}

/**
 * True while a member can still run code. Where process 1 does not reap (a container without an init), killed
 * orphans stay zombies for ever and `groupExists` never becomes false. Reads the whole of /proc: call it seldom.
 */
export function groupRuns(pid: number): boolean {
  if (!groupExists(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    return readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && runsInGroup(entry, pid));
  } catch {
    return true;
  }
}

function runsInGroup(entry: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
    // "pid (name) state ppid pgrp …": the name may itself contain spaces and parentheses.
    const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(pgrp) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}
