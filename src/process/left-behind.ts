/**
 * What commands have left in the background, to be ended at some later time.
 *
 * Known limit: a descendant that made a session of its own (setsid) is not found.
 */
import { endGroup } from './end-group.js';
import { platform } from './platform.js';
import { currentTick, type EndedLeader } from './process-group.js';

export class LeftBehind {
  readonly #graceMs: number;
  #leaders: EndedLeader[] = [];

  /** `graceMs`: the time from TERM to KILL. */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** A process that led its own session has just ended; what it started may go on. */
  note(pid: number): void {
    this.#leaders.push({ pid, endedAt: currentTick() });
  }

  /** Ends all of it. Resolves when nothing of it runs any more. Never rejects. */
  async close(): Promise<void> {
    const groups = platform.leftBy(this.#leaders);
    this.#leaders = [];
    await Promise.all(
      groups.map((group) => new Promise<void>((gone) => endGroup(group, this.#graceMs, true, gone))),
    );
  }
}
