/**
 * The one place that knows Windows from POSIX: how a shell line is started and how a tree of processes is ended.
 *
 * The Windows half is UNTESTED: it follows the documentation of Node and taskkill and has never run.
 */

import { spawn, spawnSync } from 'node:child_process';
import {
  childrenOf,
  type EndedLeader,
  groupExists,
  groupRuns,
  groupsLeftBy,
  signalGroup,
} from './process-group.js';

export interface ShellStart {
  readonly file: string;
  readonly args: readonly string[];
  /** Set where Node itself has to quote the line for the shell. */
  readonly shell?: string;
}

export interface Platform {
  /** Whether a child leads a process group of its own. */
  readonly ownGroup: boolean;
  /** Whether Node's own spawn finds and starts all that a person could in a shell. */
  readonly startsPlainly: boolean;
  /** The variables without which no program starts at all. */
  readonly bareEnvironment: Readonly<Record<string, string>>;
  shellStart(line: string, shell: string | undefined): ShellStart;
  /** Asks the tree to end (SIGTERM, then SIGCONT so that a stopped one hears it). */
  requestEnd(pid: number): void;
  /** Ends the tree. `now`: it must have happened on return, because this process is about to be gone. */
  forceEnd(pid: number, now?: boolean): void;
  exists(pid: number): boolean;
  /** As `exists`, but not deceived by zombies, and expensive. */
  runs(pid: number): boolean;
  /** Its children, as far as the system tells; expensive. */
  children(pid: number): number[];
  /** What is left of processes that have ended, as trees that can be ended; expensive. */
  leftBy(leaders: readonly EndedLeader[]): number[];
}

const posix: Platform = {
  ownGroup: true,
  startsPlainly: true,
  bareEnvironment: {},
  shellStart: (line, shell = '/bin/sh') => ({ file: shell, args: ['-c', line] }),
  requestEnd(pid) {
    signalGroup(pid, 'SIGTERM');
    signalGroup(pid, 'SIGCONT');
  },
  forceEnd(pid) {
    if (groupExists(pid)) signalGroup(pid, 'SIGKILL');
  },
  exists: groupExists,
  runs: groupRuns,
  children: childrenOf,
  leftBy: groupsLeftBy,
};

const windows: Platform = {
  // `detached` there means a console window, not a group; taskkill walks the tree by parent instead.
  ownGroup: false,
  startsPlainly: false,
  bareEnvironment: { SystemRoot: process.env['SystemRoot'] ?? 'C:\\Windows' },
  shellStart: (line, shell = process.env['ComSpec'] ?? 'cmd.exe') => ({ file: line, args: [], shell }),
  requestEnd(pid) {
    taskkill(['/PID', String(pid), '/T']);
  },
  forceEnd(pid, now = false) {
    taskkill(['/PID', String(pid), '/T', '/F'], now);
  },
  exists: isAlive,
  runs: isAlive,
  children: () => [],
  leftBy: () => [],
};

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function taskkill(args: string[], now = false): void {
  if (now) {
    spawnSync('taskkill', args, { stdio: 'ignore', windowsHide: true });
    return;
  }
  const child = spawn('taskkill', args, { stdio: 'ignore', windowsHide: true });
  child.on('error', () => {});
  child.unref();
}

export const platform: Platform = process.platform === 'win32' ? windows : posix;
