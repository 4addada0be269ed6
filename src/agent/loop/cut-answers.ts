/** Answers that end before they are complete: cut off by a limit, paused or refused. */
import { remind } from '../../base/text/remind.js';
import type { ToolUseBlock } from '../models/port.js';
import type { Agent } from './agent.js';
import type { Answer } from './call-model.js';
import type { TurnEnd } from './take-turns.js';

/** The turn ends with this answer in a row that is cut off. */
const MAX_CUTS = 3;
/** The limit is raised after this one. */
const RAISED_AFTER = 2;
/** Further pauses in a row do not look like progress. */
const MAX_PAUSES = 50;

/** A call that is not run because the answer ended within it. */
export interface CutCall {
  readonly use: ToolUseBlock;
  /** What the model reads in the place of a result. */
  readonly why: string;
}

/** What to do after an answer. `end`: the turn is over. `goOn`: ask the model again, without its tools. */
export type AfterAnswer =
  | { readonly end: TurnEnd }
  | { readonly end?: undefined; readonly goOn: boolean; readonly cut?: CutCall | undefined };

export class CutAnswers {
  #cuts = 0;
  #pauses = 0;

  /** Tells the agent what happened to its answer. */
  after(agent: Agent, answer: Answer): AfterAnswer {
    const { stopReason, text } = answer;
    // A pause with calls of ours waits for their results.
    const isPaused = stopReason === 'pause_turn' && answer.toolUses.length === 0;
    this.#pauses = isPaused ? this.#pauses + 1 : 0;
    if (isPaused) return this.#pauses > MAX_PAUSES ? { end: pausedTooOften(stopReason) } : { goOn: true };
    if (stopReason === 'refusal')
      return { end: { reason: 'refusal', error: refused(text), text, modelStop: stopReason } };
    const isFull = stopReason === 'model_context_window_exceeded';
    if (stopReason !== 'max_tokens' && !isFull) {
      this.#cuts = 0;
      agent.isCut = false;
      return { goOn: false };
    }
    this.#cuts += 1;
    if (isFull) agent.mustCompact = true;
    if (this.#cuts >= MAX_CUTS)
      return {
        end: {
          reason: 'max_tokens',
          error: cutTooOften(this.#cuts, answer.outputTokens),
          text: agent.lastText,
          modelStop: stopReason,
        },
      };
    if (this.#cuts >= RAISED_AFTER) agent.maxTokens = agent.model.maxTokens?.raised;
    const limit = agent.maxTokens ?? agent.model.maxTokens?.usual ?? answer.outputTokens;
    if (answer.toolUses.length > 0)
      return { goOn: false, cut: answer.cutCall && { use: answer.cutCall, why: notRun(answer, limit) } };
    agent.isCut = true;
    agent.appendUserMessage([{ type: 'text', text: remind(goOnFrom(answer, limit)) }], { isMeta: true });
    return { goOn: true };
  }
}

const room = (limit: number): string =>
  limit > 0 ? ` An answer may have at most ${limit} tokens, thinking included.` : '';

const notRun = ({ cutCall, outputTokens }: Answer, limit: number): string =>
  `${cutCall?.name} was not run: your answer was cut off after ${outputTokens} tokens, in the middle of this call.${room(limit)} Do it in smaller steps: several calls with less content each.`;

const goOnFrom = ({ outputTokens }: Answer, limit: number): string =>
  `Your answer was cut off after ${outputTokens} tokens.${room(limit)} Go on exactly where it ended, without repeating anything, and come to an end.`;

const cutTooOften = (cuts: number, tokens: number): string =>
  `${cuts} answers in a row were cut off by the limit of their length, the last one after ${tokens} tokens. Raise \`maxTokens\` of the model, or ask for less at once.`;

const refused = (text: string): string =>
  text === '' ? 'The model refused to answer.' : `The model refused to answer: ${text}`;

const pausedTooOften = (modelStop: string): TurnEnd => ({
  reason: 'no_progress',
  error: `The service paused the answer ${MAX_PAUSES} times in a row.`,
  modelStop,
});
