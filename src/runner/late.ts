/** Answers that came after their fire went on: what they may still do, and where they wait to be taken. */
import { rowOf } from '../events/schemas.js';
import type { HookEvent } from '../events/types.js';
import type { Verdict } from '../handlers/verdict.js';

/** Something a hook in the background has to tell, for the next request to the model. */
export interface LateAnswer {
  readonly hookId: string;
  readonly name: string;
  readonly event: HookEvent;
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
    if (answer.additionalContext === undefined && answer.systemMessage === undefined) return;
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
export function onlyTells(event: HookEvent, verdict: Verdict): Verdict {
  const {
    decision,
    continue: goesOn,
    updatedInput,
    hasUpdatedOutput,
    additionalContext,
    systemMessage,
  } = verdict;
  const tooLate =
    decision !== undefined || goesOn !== undefined || updatedInput !== undefined || hasUpdatedOutput;
  const tells = rowOf(event).late === 'context';
  return {
    outcome: verdict.outcome,
    ...(verdict.failure !== undefined && { failure: verdict.failure }),
    ...(tells && additionalContext !== undefined && { additionalContext }),
    ...(tells && systemMessage !== undefined && { systemMessage }),
    notes: [...(verdict.notes ?? []), ...(tooLate ? ['it answered too late to decide anything'] : [])],
  };
}
