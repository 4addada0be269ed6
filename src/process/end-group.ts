/** Ends a whole process group: requests termination, waits, kills, and reports when the group is gone. */

import { platform } from './platform.js';

/** After SIGKILL only a process stuck in the kernel can remain; do not wait longer for it. */
const FORCED_WAIT_MS = 1000;
const MAX_POLL_MS = 50;
/**
 * The poll at which the expensive scan runs first, about a millisecond after the leader's exit; then ever less often.
 */
const FIRST_SCAN = 2;

export interface Ending {
  /** Call this when the leader has exited; only then can the group be gone. */
  leaderExited(): void;
}

export function endGroup(pid: number, graceMs: number, leaderIsGone: boolean, onGone: () => void): Ending {
  let polls = 0;
  let nextScan = FIRST_SCAN;
  let finished = false;
  let poll: NodeJS.Timeout | undefined;
  let timer = setTimeout(force, graceMs);

  platform.requestEnd(pid);
  if (leaderIsGone) check();

  function check(): void {
    if (finished) return;
    polls++;
    if (isGone()) finish();
    else poll = setTimeout(check, Math.min(2 ** (polls - 1), MAX_POLL_MS));
  }
  function isGone(): boolean {
    if (!platform.exists(pid)) return true;
    if (polls < nextScan) return false;
    nextScan *= 2;
    return !platform.runs(pid);
  }
  function force(): void {
    platform.forceEnd(pid);
    timer = setTimeout(finish, FORCED_WAIT_MS);
  }
  function finish(): void {
    finished = true;
    clearTimeout(timer);
    clearTimeout(poll);
    onGone();
  }
  return { leaderExited: check };
}
