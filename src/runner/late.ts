/** Answers that came after their fire went on: what they may still do, and where they wait to be taken. */
import { rowOf } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import type { Verdict } from '../handlers/verdict.js';
import { isActedOn, isThere, LATE_KEYS, type LateKey, OUTCOME_ROWS } from './outcome-rows.js';

/** Something a hook in the background has to tell, for the next request to the model. */
export interface LateAnswer {
  readonly hookId: string;
  readonly name: string;
  readonly event: AnyEvent;
  readonly agentId: string | undefined;
  readonly additionalContext?: string;
  readonly systemMessage?: string;
}

/** Nobody has taken any for so long that the oldest ones are of no use any more. */
const MAX_WAITING = 1024;

/** Contract: every answer is handed over at most once. */
export class LateAnswers {
  #waiting: LateAnswer[] = [];

  add(answer: LateAnswer): void {
    if (LATE_KEYS.every((key) => answer[key] === undefined)) return;
    this.#waiting.push(answer);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
  }

  /** Hands over what has arrived, for one agent or for all. */
  take(agentId?: string): LateAnswer[] {
    const mine = (answer: LateAnswer): boolean => agentId === undefined || answer.agentId === agentId;
    const taken = this.#waiting.filter(mine);
    this.#waiting = this.#waiting.filter((answer) => !mine(answer));
    return taken;
  }
}

/** What is left of a verdict that comes too late to decide anything. */
export function onlyTells(event: AnyEvent, verdict: Verdict): Verdict {
  const tooLate = OUTCOME_ROWS.some((row) => isActedOn(row) && isThere(row, verdict));
  return {
    outcome: verdict.outcome,
    ...(verdict.failure !== undefined && { failure: verdict.failure }),
    ...(rowOf(event).late === 'context' && toldBy(verdict)),
    notes: [...(verdict.notes ?? []), ...(tooLate ? ['it answered too late to decide anything'] : [])],
  };
}

/** What of a verdict may be told late. */
export function toldBy(verdict: Verdict): Pick<LateAnswer, LateKey> {
  return Object.fromEntries(
    LATE_KEYS.flatMap((key) => (verdict[key] === undefined ? [] : [[key, verdict[key]]])),
  );
}
