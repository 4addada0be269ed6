/** What an agent does when a request fails for a reason that can be mended: another model, or a smaller conversation. */
import { type ContentBlock, ModelError, type TextBlock } from '../models/port.js';
import { capText } from '../tools/cap-content.js';
import type { Agent } from './agent.js';
import { compact } from './compact.js';
import { learnFromOverflow, windowOf } from './context-window.js';
import { pruneOldest, shortenResults, startOfTail, withoutImages } from './prune.js';
import { emitMessage, type Session } from './session.js';
import { fallBackTo } from './switch-model.js';

/** Another model may answer when these codes end the retries. */
const FALLBACK_CODES: ReadonlySet<ModelError['code']> = new Set([
  'overloaded',
  'rate_limited',
  'unavailable',
]);
/** The share of the context window that old results may leave after they were removed. */
const PRUNED_SHARE = 0.6;
/** What a result keeps if even the last exchange is too long, in characters. */
const SHORTENED = 2000;

/** An answer that breaks off this often in a row does not get through. */
const MAX_BREAKS = 2;

export class Recovery {
  /** How often in a row the conversation was too long. */
  #overflows = 0;

  /** How often in a row an answer broke off, and a service could not read an image. */
  #breaks = 0;
  #unreadable = 0;

  /** A request was answered. */
  reset(): void {
    this.#overflows = 0;
    this.#breaks = 0;
    this.#unreadable = 0;
  }

  /** Returns whether the request should be sent again. Throws the signal's reason. */
  async after(session: Session, agent: Agent, error: unknown, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || !(error instanceof ModelError)) return false;
    if (FALLBACK_CODES.has(error.code)) return fallBack(session, agent, error);
    if (error.code === 'broken_stream') return this.#askAgain(session, error);
    if (error.code === 'bad_request' && /\bimage\b/i.test(error.message))
      return this.#removeImages(session, agent, error);
    if (error.code !== 'context_overflow') return false;
    this.#overflows += 1;
    learnFromOverflow(session, agent, error);
    if (this.#overflows === 1 && prune(session, agent)) return true;
    if (this.#overflows <= 2) return makeRoom(session, agent, signal);
    if (this.#overflows > 3) return false;
    agent.replaceMessages(shortenResults(agent.messages, SHORTENED));
    return true;
  }

  /** Nothing of an answer that broke off is in the conversation, and none of its calls has run. */
  #askAgain(session: Session, error: ModelError): boolean {
    this.#breaks += 1;
    if (this.#breaks > MAX_BREAKS) return false;
    warn(session, `${error.message} The model is asked again.`);
    return true;
  }

  /** An image that the service cannot read would end every later turn too. The last ones are removed first, then all. */
  #removeImages(session: Session, agent: Agent, error: ModelError): boolean {
    this.#unreadable += 1;
    const { messages } = agent;
    const smaller = withoutImages(messages, this.#unreadable === 1 ? startOfTail(messages) : 0);
    if (this.#unreadable > 2 || smaller === undefined) return false;
    agent.replaceMessages(smaller);
    warn(session, `${error.message} Images were removed, and the model is asked again.`);
    return true;
  }
}

async function fallBack(session: Session, agent: Agent, error: ModelError): Promise<boolean> {
  const { fallbackModel } = session.options;
  if (fallbackModel === undefined || agent.model === fallbackModel) return false;
  warn(session, `${error.message} ${fallbackModel.name} takes over for the rest of this prompt.`);
  await fallBackTo(session, agent, fallbackModel);
  return true;
}

/** Returns whether removing old results is likely to be enough. */
function prune(session: Session, agent: Agent): boolean {
  const target = (PRUNED_SHARE * windowOf(session, agent)) / agent.tokensPerEstimate;
  const pruned = pruneOldest(agent.messages, target);
  if (pruned === undefined || pruned.tokens > target) return false;
  agent.replaceMessages(pruned.messages);
  warn(session, 'The conversation was too long for the model: its oldest tool results were removed.');
  return true;
}

async function makeRoom(session: Session, agent: Agent, signal: AbortSignal): Promise<boolean> {
  if (agent.messages.length < 2) return shortenOlderPrompts(agent);
  try {
    return (await compact(session, agent, 'auto', null, signal)).done;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    const compact_error = `The conversation could not be compacted: ${error.message}`;
    emitMessage(session, { type: 'system', subtype: 'status', status: null, compact_error });
    return false;
  }
}

/** The conversation is one message: prompts without an answer, of which only the last is wanted. */
function shortenOlderPrompts(agent: Agent): boolean {
  const { messages, lastPrompt = [] } = agent;
  const [message] = messages;
  if (message === undefined) return false;
  const isLong = (block: ContentBlock): block is TextBlock =>
    block.type === 'text' && block.text.length > SHORTENED && !lastPrompt.includes(block);
  if (!message.content.some(isLong)) return false;
  const content = message.content.map((block) =>
    isLong(block) ? { ...block, text: capText(block.text, SHORTENED) } : block,
  );
  agent.replaceMessages([{ ...message, content }]);
  return true;
}

function warn(session: Session, content: string): void {
  emitMessage(session, { type: 'system', subtype: 'informational', content, level: 'warning' });
}
