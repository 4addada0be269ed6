/** The time of a round, shared by the hook that warns and the hook that refuses. */
import { HookError, show } from '../../base/errors.js';

/** How long rounds may take. */
export interface RoundTimerOptions {
  /** Soft limit of an agent's first round, in seconds; absent: none. */
  readonly initialSeconds?: number | undefined;
  /** Soft limit of every later round, in seconds; absent: none. */
  readonly subsequentSeconds?: number | undefined;
  /** From the warning to the refusal of tools. Default: 120 seconds. */
  readonly graceSeconds?: number | undefined;
  /** After so many refusals in a row the round is ended. Default: 10. */
  readonly maxDenials?: number | undefined;
  /** Milliseconds, never going back. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

interface Round {
  readonly number: number;
  readonly startedAt: number;
  warnedAt: number | undefined;
  denials: number;
  isForced: boolean;
}

/**
 * The time of rounds, shared by the hook that warns and the hook that refuses. Each agent has its own round. One that
 * nobody has begun begins when it is first looked at.
 *
 * Only making one throws: a `HookError`, code `invalid_option`, for a limit that is no number from 0 on.
 */
export class RoundTimer {
  readonly graceSeconds: number;
  readonly maxDenials: number;
  readonly #limits: readonly [initial: number | undefined, subsequent: number | undefined];
  readonly #now: () => number;
  readonly #rounds = new Map<string, Round>();

  constructor(options: RoundTimerOptions = {}) {
    const { initialSeconds, subsequentSeconds, graceSeconds = 120, maxDenials = 10 } = options;
    for (const [name, value] of Object.entries({
      initialSeconds,
      subsequentSeconds,
      graceSeconds,
      maxDenials,
    })) {
      if (value === undefined || (Number.isFinite(value) && value >= 0)) continue;
      throw new HookError(
        'invalid_option',
        `${name} of a round timer is ${show(value)}; give a number from 0 on.`,
      );
    }
    this.#limits = [initialSeconds, subsequentSeconds];
    this.graceSeconds = graceSeconds;
    this.maxDenials = maxDenials;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Begins an agent's next round, or the one with that number: everything of the last one is forgotten. */
  resetForNewRound(agentId: string, number = (this.#rounds.get(agentId)?.number ?? -1) + 1): void {
    this.#rounds.set(agentId, begin(number, this.#now()));
  }

  /** The number of an agent's round; the first one is 0. */
  roundOf(agentId: string): number {
    return this.#round(agentId).number;
  }

  /** The soft limit of its round, in seconds; undefined: there is none. */
  limitOf(agentId: string): number | undefined {
    return this.#limits[this.#round(agentId).number === 0 ? 0 : 1];
  }

  /** How long its round has lasted. */
  elapsedSeconds(agentId: string): number {
    return (this.#now() - this.#round(agentId).startedAt) / 1000;
  }

  /** Until the soft limit; below zero after it; undefined where there is none. */
  secondsLeft(agentId: string): number | undefined {
    const limit = this.limitOf(agentId);
    return limit === undefined ? undefined : limit - this.elapsedSeconds(agentId);
  }

  /** Whether the soft limit is reached and nobody has said so yet. */
  needsWarning(agentId: string): boolean {
    const left = this.secondsLeft(agentId);
    return left !== undefined && left <= 0 && this.#round(agentId).warnedAt === undefined;
  }

  /** The grace begins. The returned function takes it back. */
  noteWarning(agentId: string): () => void {
    const round = this.#round(agentId);
    round.warnedAt = this.#now();
    return () => {
      round.warnedAt = undefined;
    };
  }

  /** Whether it was warned in this round. */
  hasWarned(agentId: string): boolean {
    return this.#round(agentId).warnedAt !== undefined;
  }

  /** Whether the agent was warned and its grace is over. */
  isOver(agentId: string): boolean {
    const { warnedAt } = this.#round(agentId);
    return warnedAt !== undefined && this.#now() - warnedAt >= this.graceSeconds * 1000;
  }

  /** Counts a refusal; returns how many there have been in a row. */
  noteDenial(agentId: string): number {
    const round = this.#round(agentId);
    round.denials += 1;
    if (round.denials >= this.maxDenials) round.isForced = true;
    return round.denials;
  }

  /** A tool was let through: the refusals in a row begin anew. */
  noteAllowed(agentId: string): void {
    this.#round(agentId).denials = 0;
  }

  /** The agent did not listen: its round has to be ended from outside. */
  mustTerminate(agentId: string): boolean {
    return this.#round(agentId).isForced;
  }

  #round(agentId: string): Round {
    let round = this.#rounds.get(agentId);
    if (round === undefined) {
      round = begin(0, this.#now());
      this.#rounds.set(agentId, round);
    }
    return round;
  }
}

function begin(number: number, startedAt: number): Round {
  return { number, startedAt, warnedAt: undefined, denials: 0, isForced: false };
}
