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

/** A process that led a session of its own and has ended. */
export interface EndedLeader {
  readonly pid: number;
  /** Ticks since the system was started; undefined where it does not count them. */
  readonly endedAt: number | undefined;
}

/** Now, as the system counts the starts of processes. */
export function currentTick(): number | undefined {
  try {
    // Hundredths of a second, with two places behind the point.
    return Math.round(Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 100);
  } catch {
    return undefined;
  }
}

/**
 * The groups that are left of the leaders' sessions. By now the number of a leader may belong to others, with a session of
 * their own: it is the old session only while somebody is in it who was there before the leader ended. As expensive as
 * `groupRuns`, however many leaders there are.
 */
export function groupsLeftBy(leaders: readonly EndedLeader[]): number[] {
  if (leaders.length === 0) return [];
  const all = listProcesses();
  // Without sessions to look at: while the group is there, nobody else can get its number, but as a process.
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
  /** Ticks since the system was started. */
  readonly start: number;
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
    return []; // It ended meanwhile.
  }
}
