/** Measures the time of rounds, for the hook that warns and the hook that denies. */
import { HookError, show } from '../../base/errors.js';

/** The time limits of rounds. */
export interface RoundTimerOptions {
  /** Soft limit of an agent's first round, in seconds; absent: none. */
  readonly initialSeconds?: number | undefined;
  /** Soft limit of every later round, in seconds; absent: none. */
  readonly subsequentSeconds?: number | undefined;
  /** Seconds from the warning until tools are denied. Default: 120. */
  readonly graceSeconds?: number | undefined;
  /** The round is ended after this many denials in a row. Default: 10. */
  readonly maxDenials?: number | undefined;
  /** A monotonic clock in milliseconds. Default: `performance.now`. */
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
 * Measures the time of rounds, for the hook that warns and the hook that denies. Each agent has its own round. A round
 * that was not started explicitly starts when it is first queried.
 *
 * Only the constructor throws: a `HookError` with the code `invalid_option` for a limit that is not a number of at
 * least 0, and for `maxDenials` that is not a whole one.
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
    })) {
      if (value === undefined || (Number.isFinite(value) && value >= 0)) continue;
      refuse(name, value, 'a number of at least 0');
    }
    if (!(Number.isSafeInteger(maxDenials) && maxDenials >= 0))
      refuse('maxDenials', maxDenials, 'a whole number of at least 0');
    this.#limits = [initialSeconds, subsequentSeconds];
    this.graceSeconds = graceSeconds;
    this.maxDenials = maxDenials;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Starts an agent's next round, or the round with the given number, and resets all state of the previous one. */
  resetForNewRound(agentId: string, number = (this.#rounds.get(agentId)?.number ?? -1) + 1): void {
    this.#rounds.set(agentId, begin(number, this.#now()));
  }

  /** The number of an agent's round, from 0. */
  roundOf(agentId: string): number {
    return this.#round(agentId).number;
  }

  /** The soft limit of its round in seconds; undefined if there is none. */
  limitOf(agentId: string): number | undefined {
    return this.#limits[this.#round(agentId).number === 0 ? 0 : 1];
  }

  /** Seconds since its round started. */
  elapsedSeconds(agentId: string): number {
    return (this.#now() - this.#round(agentId).startedAt) / 1000;
  }

  /** Seconds until the soft limit, negative after it; undefined if there is none. */
  secondsLeft(agentId: string): number | undefined {
    const limit = this.limitOf(agentId);
    return limit === undefined ? undefined : limit - this.elapsedSeconds(agentId);
  }

  /** Whether the soft limit has passed and the agent has not been warned. */
  needsWarning(agentId: string): boolean {
    const left = this.secondsLeft(agentId);
    return left !== undefined && left <= 0 && this.#round(agentId).warnedAt === undefined;
  }

  /** Starts the grace period. The returned function undoes it. */
  noteWarning(agentId: string): () => void {
    const round = this.#round(agentId);
    round.warnedAt = this.#now();
    return () => {
      round.warnedAt = undefined;
    };
  }

  /** Whether the agent was warned in this round. */
  hasWarned(agentId: string): boolean {
    return this.#round(agentId).warnedAt !== undefined;
  }

  /** Whether the agent was warned and its grace period is over. */
  isOver(agentId: string): boolean {
    const { warnedAt } = this.#round(agentId);
    return warnedAt !== undefined && this.#now() - warnedAt >= this.graceSeconds * 1000;
  }

  /** Counts a denial; returns the number of denials in a row. */
  noteDenial(agentId: string): number {
    const round = this.#round(agentId);
    round.denials += 1;
    if (round.denials >= this.maxDenials) round.isForced = true;
    return round.denials;
  }

  /** Resets the number of denials in a row, because a tool was allowed. */
  noteAllowed(agentId: string): void {
    this.#round(agentId).denials = 0;
  }

  /** Whether the agent ignored too many denials and its round must be ended from outside. */
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

function refuse(name: string, value: unknown, wanted: string): never {
  throw new HookError('invalid_option', `${name} of a round timer is ${show(value)}; give ${wanted}.`);
}
