/** How large a conversation is and may be. What the service reports goes before estimates. */
import type { ModelError, ModelUsage } from '../models/port.js';
import { totalTokens } from '../models/usage.js';
import type { Agent } from './agent.js';
import { estimateMessages } from './estimate-tokens.js';
import { DEFAULT_CONTEXT_WINDOW } from './options.js';
import type { Session } from './session.js';

/** Smaller additions say too little about the estimate. */
const MIN_TOKENS_TO_LEARN = 500;
const MIN_WINDOW = 1000;

/** The model's context window in tokens, as far as it is known. */
export function windowOf({ options }: Pick<Session, 'options'>, agent: Agent): number {
  return Math.min(options.contextWindow ?? DEFAULT_CONTEXT_WINDOW, agent.learnedWindow);
}

/** The model's last count, plus an estimate of what was added since. */
export function estimateTokens(agent: Agent): number {
  return agent.contextTokens + Math.ceil(estimateMessages(uncounted(agent)) * agent.tokensPerEstimate);
}

/** Call this with the usage of an answer, before the answer joins the conversation. */
export function learnFromUsage(agent: Agent, usage: ModelUsage): void {
  const total = totalTokens(usage);
  const added = estimateMessages(uncounted(agent));
  const counted = total - usage.outputTokens - agent.contextTokens;
  if (agent.contextTokens > 0 && added >= MIN_TOKENS_TO_LEARN && counted > 0) {
    const seen = Math.min(4, Math.max(0.25, counted / added));
    agent.tokensPerEstimate = (agent.tokensPerEstimate + seen) / 2;
  }
  agent.contextTokens = total;
}

/** Call this when the service has refused the conversation as too long. */
export function learnFromOverflow(session: Session, agent: Agent, { message }: ModelError): void {
  const [, sent, most] = /([\d,]+) tokens? > ([\d,]+)/.exec(message) ?? [];
  const [, length] = /maximum (?:context|prompt) length (?:is|of) ([\d,]+)/i.exec(message) ?? [];
  // What the service counted last may be far from what it counts now.
  const size = Math.max(estimateTokens(agent), estimateMessages(agent.messages) * agent.tokensPerEstimate);
  const window = numberOf(most) ?? numberOf(length) ?? 0.9 * size;
  agent.learnedWindow = Math.max(MIN_WINDOW, Math.min(windowOf(session, agent), window));
  const counted = numberOf(sent);
  if (counted !== undefined) agent.contextTokens = 0;
  const estimated = estimateMessages(agent.messages);
  if (counted !== undefined && estimated > 0)
    agent.tokensPerEstimate = Math.min(4, Math.max(0.25, counted / estimated));
}

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text.replaceAll(',', ''));

function uncounted({ contextTokens, messages }: Agent) {
  const counted = messages.findLastIndex(({ role }) => role === 'assistant');
  return contextTokens === 0 ? messages : messages.slice(counted + 1);
}
