/** Ends a whole process group: asks, waits a grace, forces, and says when nothing of it runs any more. */

import { platform } from './platform.js';

/** After SIGKILL only a process stuck inside the kernel is left; nobody waits for that one. */
const FORCED_WAIT_MS = 1000;
const MAX_POLL_MS = 50;
/** The poll that asks the expensive question first, a millisecond after the leader's exit; then ever more seldom. */
const FIRST_SCAN = 2;

export interface Ending {
  /** The leader's exit was seen; only then can the group be gone. */
  leaderExited(): void;
}

export function endGroup(pid: number, graceMs: number, leaderIsGone: boolean, onGone: () => void): Ending {
  let polls = 0;
  let nextScan = FIRST_SCAN;
  let finished = false;
  let poll: NodeJS.Timeout | undefined;
  let rung = setTimeout(force, graceMs);

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
    rung = setTimeout(finish, FORCED_WAIT_MS);
  }
  function finish(): void {
    finished = true;
    clearTimeout(rung);
    clearTimeout(poll);
    onGone();
  }
  return { leaderExited: check };
}
