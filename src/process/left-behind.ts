/**
 * Tracks background processes that commands left behind, to end them later.
 *
 * Known limit: a descendant that created its own session (setsid) is not found.
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

  /** Call this when a process that led its own session has ended; its descendants may still run. */
  note(pid: number): void {
    this.#leaders.push({ pid, endedAt: currentTick() });
  }

  /** Ends all of them. Resolves when none runs any more. Never rejects. */
  async close(): Promise<void> {
    const groups = platform.leftBy(this.#leaders);
    this.#leaders = [];
    await Promise.all(
      groups.map((group) => new Promise<void>((gone) => endGroup(group, this.#graceMs, true, gone))),
    );
  }
}
