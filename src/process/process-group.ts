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
  const all = listProcesses();
  return all === undefined || all.some(({ group, state }) => group === pid && state !== 'Z' && state !== 'X');
}

/** The children of a process, as far as the system tells. As expensive as `groupRuns`. */
export function childrenOf(pid: number): number[] {
  return (listProcesses() ?? []).filter(({ parent }) => parent === pid).map((child) => child.pid);
}

interface ProcessEntry {
  readonly pid: number;
  readonly state: string | undefined;
  readonly parent: number;
  readonly group: number;
}

/** Undefined where there is no /proc to read. */
function listProcesses(): ProcessEntry[] | undefined {
  try {
    return readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? readEntry(Number(entry)) : []));
  } catch {
    return undefined;
  }
}

function readEntry(pid: number): ProcessEntry[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // "pid (name) state ppid pgrp …": the name may itself contain spaces and parentheses.
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
    return [{ pid, state, parent: Number(parent), group: Number(group) }];
  } catch {
    return []; // It ended meanwhile.
  }
}
