/**
 * The only file that distinguishes Windows from POSIX: how a shell line is started and how a process tree is ended.
 *
 * The Windows part is UNTESTED: it follows the documentation of Node and taskkill and has never run.
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
  /** Set if Node itself must quote the line for the shell. */
  readonly shell?: string;
}

export interface Platform {
  /** Whether a child leads its own process group. */
  readonly ownGroup: boolean;
  /** Whether Node's own spawn finds and starts everything that a shell could. */
  readonly startsPlainly: boolean;
  /** The variables without which no program starts at all. */
  readonly bareEnvironment: Readonly<Record<string, string>>;
  shellStart(line: string, shell: string | undefined): ShellStart;
  /** Requests termination of the tree (SIGTERM, then SIGCONT so that a stopped process receives it). */
  requestEnd(pid: number): void;
  /** Kills the tree. `now`: it must be done on return, because this process is about to exit. */
  forceEnd(pid: number, now?: boolean): void;
  exists(pid: number): boolean;
  /** Like `exists`, but ignores zombies, and is expensive. */
  runs(pid: number): boolean;
  /** Its children, as far as the system reports them; expensive. */
  children(pid: number): number[];
  /** The groups that remain of ended processes, so that they can be ended; expensive. */
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
  // On Windows, `detached` means a console window, not a group; taskkill walks the tree by parent instead.
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
