/** Compaction: replaces the conversation with a summary, unless a hook blocks it. The last exchange stays. */
import { type ContentBlock, ModelError, type ModelMessage } from '../models/port.js';
import { capText } from '../tools/cap-content.js';
import type { Agent } from './agent.js';
import { estimateTokens, windowOf } from './context-window.js';
import { estimateMessages } from './estimate-tokens.js';
import { shortenResults, startOfTail } from './prune.js';
import { reasonOf, refusals } from './reminders.js';
import { emitMessage, type Session } from './session.js';
import { fireSessionStart } from './session-start.js';
import { summarise } from './summarise.js';

/** The share of the context window that triggers compaction; the rest is for the next answer and its tools. */
const COMPACTION_THRESHOLD = 0.9;
/** The share that the last exchange may keep. */
const TAIL_SHARE = 0.5;
/** The share that one text of the last prompt may keep. */
const PROMPT_SHARE = 0.25;

export type Compaction = { readonly done: true } | { readonly done: false; readonly why: string };

export async function compactIfFull(session: Session, agent: Agent, signal: AbortSignal): Promise<void> {
  const limit = COMPACTION_THRESHOLD * windowOf(session, agent);
  const isFull = agent.mustCompact || estimateTokens(agent) >= limit;
  agent.mustCompact = false;
  if (!isFull || agent.messages.length < 2) return;
  try {
    await compact(session, agent, 'auto', null, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    // Compaction was automatic, so the work continues with the full conversation as long as the model accepts it.
    const compact_error = `The conversation could not be compacted: ${error.message}`;
    emitMessage(session, { type: 'system', subtype: 'status', status: null, compact_error });
  }
}

/** Throws as a request to the model does; the conversation is then unchanged. */
export async function compact(
  session: Session,
  agent: Agent,
  trigger: 'manual' | 'auto',
  customInstructions: string | null,
  signal: AbortSignal,
): Promise<Compaction> {
  emitMessage(session, { type: 'system', subtype: 'status', status: 'compacting' });
  const outcome = await session.hooks.fire(
    'PreCompact',
    agent,
    { trigger, custom_instructions: customInstructions },
    { signal },
  );
  signal.throwIfAborted();
  const [refusal] = refusals(outcome.results);
  if (refusal !== undefined || outcome.continue === false) {
    const reason = refusal === undefined ? (outcome.stopReason ?? 'no reason given') : reasonOf(refusal);
    const why = `A PreCompact hook blocked the compaction: ${reason}`;
    emitMessage(session, { type: 'system', subtype: 'status', status: null, compact_error: why });
    return { done: false, why };
  }
  const preTokens = estimateTokens(agent);
  const { prompt, tail } = keptOf(agent, windowOf(session, agent));
  let summary: string;
  try {
    const instructions = [customInstructions, ...outcome.additionalContext].filter((text) => text);
    summary = await summarise(session, agent, instructions as string[], signal);
    const text = continuation(agent, summary);
    agent.startFrom([{ type: 'text', text }, ...prompt], tail, trigger, preTokens);
  } finally {
    emitMessage(session, { type: 'system', subtype: 'status', status: null });
  }
  emitMessage(session, {
    type: 'system',
    subtype: 'compact_boundary',
    compact_metadata: { trigger, pre_tokens: preTokens },
  });
  if (agent === session.main) await fireSessionStart(session, 'compact', signal);
  await session.hooks.fire('PostCompact', agent, { trigger, compact_summary: summary }, { signal });
  // Context from hooks belongs in the very next request, and after tool calls no other message comes before it.
  if (agent.nextContext.length > 0) agent.appendUserMessage([], { isMeta: true });
  return { done: true };
}

/** What the model has not answered yet stays as it is: the last prompt, and the last calls with their results. */
function keptOf(
  { messages, lastPrompt }: Agent,
  window: number,
): { readonly prompt: readonly ContentBlock[]; readonly tail: readonly ModelMessage[] } {
  const tail = messages.slice(startOfTail(messages));
  const [first, ...rest] = tail;
  if (first === undefined) return { prompt: [], tail: [] };
  if (first.role === 'user' && rest.length === 0) return { prompt: capped(first.content, window), tail: [] };
  const asked = lastPrompt ?? messages.findLast(isPrompt)?.content ?? [];
  const intro: ContentBlock = { type: 'text', text: 'The last prompt of the user, word for word:' };
  const limit = TAIL_SHARE * window;
  const characters = Math.floor((limit * 4) / Math.max(1, rest[0]?.content.length ?? 1));
  return {
    prompt: asked.length === 0 ? [] : [intro, ...capped(asked, window)],
    tail: estimateMessages(tail) > limit ? shortenResults(tail, characters) : tail,
  };
}

const isPrompt = ({ role, content }: ModelMessage): boolean =>
  role === 'user' && content.every(({ type }) => type !== 'tool_result');

/** A prompt that would fill the window by itself is cut in its middle, which it says. */
function capped(content: readonly ContentBlock[], window: number): readonly ContentBlock[] {
  const characters = Math.floor(PROMPT_SHARE * window * 4);
  return content.map((block) =>
    block.type === 'text' ? { ...block, text: capText(block.text, characters) } : block,
  );
}

function continuation({ transcript }: Agent, summary: string): string {
  const where =
    transcript === undefined ? '' : `\n\nThe full conversation is in the transcript: ${transcript.path}`;
  return `The conversation so far became too long and was replaced by this summary.\n\n${summary}${where}\n\nContinue the work from there. Do not repeat finished work, and do not ask what the summary already answers.`;
}
