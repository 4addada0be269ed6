/**
 * Answers that arrive after their fire has ended: what they may still do, and where they wait for the next model
 * request.
 */
import { rowOf } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import type { Verdict } from '../handlers/verdict.js';
import { isActedOn, isThere, LATE_KEYS, type LateKey, OUTCOME_ROWS } from './outcome-rows.js';

/** The answer of a background hook, for the next request to the model. */
export interface LateAnswer {
  readonly hookId: string;
  readonly name: string;
  readonly event: AnyEvent;
  readonly agentId: string | undefined;
  readonly additionalContext?: string;
  readonly systemMessage?: string;
}

/** A background hook wakes the agent: what it says, and why, in a line for people. */
export interface WakeUp extends Pick<LateAnswer, 'hookId' | 'name' | 'event' | 'agentId'> {
  readonly message: string;
  readonly summary: string;
}

/** If no one takes late answers for this long, the oldest are no longer useful. */
const MAX_WAITING = 1024;

/** Contract: every answer is handed out at most once. */
export class LateAnswers {
  #waiting: LateAnswer[] = [];

  add(answer: LateAnswer): void {
    if (LATE_KEYS.every((key) => answer[key] === undefined)) return;
    this.#waiting.push(answer);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
  }

  /** Returns and removes what has arrived, for one agent or for all. */
  take(agentId?: string): LateAnswer[] {
    const mine = (answer: LateAnswer): boolean => agentId === undefined || answer.agentId === agentId;
    const taken = this.#waiting.filter(mine);
    this.#waiting = this.#waiting.filter((answer) => !mine(answer));
    return taken;
  }
}

/** Reduces a verdict that comes too late to decide anything to its information. */
export function withoutEffects(event: AnyEvent, verdict: Verdict): Verdict {
  const tooLate = OUTCOME_ROWS.some((row) => isActedOn(row) && isThere(row, verdict));
  return {
    outcome: verdict.outcome,
    ...(verdict.failure !== undefined && { failure: verdict.failure }),
    ...(rowOf(event).late === 'context' && lateFields(verdict)),
    notes: [...(verdict.notes ?? []), ...(tooLate ? ['it answered too late to decide anything'] : [])],
  };
}

/** The parts of a verdict that may still be delivered late. */
export function lateFields(verdict: Verdict): Pick<LateAnswer, LateKey> {
  return Object.fromEntries(
    LATE_KEYS.flatMap((key) => (verdict[key] === undefined ? [] : [[key, verdict[key]]])),
  );
}
