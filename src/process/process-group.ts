/** Signals and probes a POSIX process group by the pid of its leader. */

import { readdirSync, readFileSync } from 'node:fs';

/** Returns false if no process is left to receive it. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // EPERM means that a process exists that we may not signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True while the id is in use, even by a zombie. One system call. */
export function groupExists(pid: number): boolean {
  return signalGroup(pid, 0);
}

/**
 * True while a member can still run code. If process 1 does not reap (a container without an init), killed orphans stay
 * zombies forever and `groupExists` never becomes false. Reads all of /proc: call it rarely.
 */
export function groupRuns(pid: number): boolean {
  if (!groupExists(pid)) return false;
  const all = listProcesses();
  return all === undefined || all.some(({ group, state }) => group === pid && state !== 'Z' && state !== 'X');
}

/** The children of a process, as far as the system reports them. As expensive as `groupRuns`. */
export function childrenOf(pid: number): number[] {
  return (listProcesses() ?? []).filter(({ parent }) => parent === pid).map((child) => child.pid);
}

/** A process that led its own session and has ended. */
export interface EndedLeader {
  readonly pid: number;
  /** Ticks since boot; undefined if the system does not count them. */
  readonly endedAt: number | undefined;
}

/** The current time in the unit of process start times. */
export function currentTick(): number | undefined {
  try {
    // Hundredths of a second, with two decimal places.
    return Math.round(Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 100);
  } catch {
    return undefined;
  }
}

/**
 * The groups that remain of the leaders' sessions. A leader's pid may have been reused for a new session by now: it is
 * the old session only while it has a member that started before the leader ended. As expensive as `groupRuns`, for any
 * number of leaders.
 */
export function groupsLeftBy(leaders: readonly EndedLeader[]): number[] {
  if (leaders.length === 0) return [];
  const all = listProcesses();
  // Without session data: while the group exists, its id cannot be reused for another group, only for a process.
  if (all === undefined)
    return leaders.map(({ pid }) => pid).filter((pid) => groupExists(pid) && !processExists(pid));
  const running = all.filter(({ state }) => state !== 'Z' && state !== 'X');
  const groups = leaders.flatMap(({ pid, endedAt = -1 }) => {
    const members = running.filter(({ session }) => session === pid);
    return members.some(({ start }) => start <= endedAt) ? members.map(({ group }) => group) : [];
  });
  return [...new Set(groups)];
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

interface ProcessEntry {
  readonly pid: number;
  readonly state: string | undefined;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Ticks since boot. */
  readonly start: number;
}

/** Undefined without /proc. */
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
    // "pid (name) state ppid pgrp session …": the name may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20);
    const [state, parent, group, session] = fields;
    return [
      {
        pid,
        state,
        parent: Number(parent),
        group: Number(group),
        session: Number(session),
        start: Number(fields[19]),
      },
    ];
  } catch {
    return []; // It has ended meanwhile.
  }
}
