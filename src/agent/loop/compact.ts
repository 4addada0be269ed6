/** Compaction: replaces the conversation with a summary, unless a hook blocks it. */
import { ModelError, type ModelMessage, type TextBlock } from '../models/port.js';
import type { Agent } from './agent.js';
import { offered } from './call-model.js';
import { prepareCall, streamAnswer } from './model-call.js';
import { DEFAULT_CONTEXT_WINDOW } from './options.js';
import { reasonOf, refusals } from './reminders.js';
import { emitMessage, type Session } from './session.js';
import { fireSessionStart } from './session-start.js';
import { countUsage } from './spending.js';

/** The share of the context window that triggers compaction; the rest is for the next answer and its tools. */
const COMPACTION_THRESHOLD = 0.9;
/** A rough estimate for content the model has not counted yet. */
const CHARACTERS_PER_TOKEN = 4;

export type Compaction = { readonly done: true } | { readonly done: false; readonly why: string };

export async function compactIfFull(session: Session, agent: Agent, signal: AbortSignal): Promise<void> {
  const limit = COMPACTION_THRESHOLD * (session.options.contextWindow ?? DEFAULT_CONTEXT_WINDOW);
  if (estimateTokens(agent) < limit || agent.messages.length < 2) return;
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

/** The model's last count, plus an estimate of what was added since. */
export function estimateTokens({ contextTokens, messages }: Agent): number {
  const counted = messages.findLastIndex(({ role }) => role === 'assistant');
  const since = contextTokens === 0 ? messages : messages.slice(counted + 1);
  return contextTokens + Math.ceil(JSON.stringify(since).length / CHARACTERS_PER_TOKEN);
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
  let summary: string;
  try {
    const instructions = [customInstructions, ...outcome.additionalContext].filter((text) => text);
    summary = await summarise(session, agent, instructions as string[], signal);
    agent.startFrom([{ type: 'text', text: continuation(agent, summary) }], trigger, preTokens);
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

async function summarise(
  session: Session,
  agent: Agent,
  instructions: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const text = [SUMMARY_REQUEST, ...instructions.map((each) => `Additional instructions: ${each}`)].join(
    '\n\n',
  );
  let summary = '';
  const call = await prepareCall(session, agent, agent.model, {
    system: agent.system,
    messages: withRequest(agent.messages, { type: 'text', text }),
    tools: offered(session, agent),
    purpose: 'summary',
    signal,
  });
  for await (const event of streamAnswer(session, agent, call)) {
    if (event.type === 'text') summary += event.text;
    if (event.type !== 'end') continue;
    countUsage(session, call.model.name, event.usage);
  }
  signal.throwIfAborted();
  const marked = /<summary>([\s\S]*?)<\/summary>/.exec(summary)?.[1];
  const found = (marked ?? summary).trim();
  if (found === '')
    throw new ModelError('broken_stream', 'The model gave no summary, so the conversation stays as it is.');
  return found;
}

/** Appends the request to the last message if that is the user's: model services require alternating roles. */
function withRequest(messages: readonly ModelMessage[], request: TextBlock): readonly ModelMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [request] }];
  return [...messages.slice(0, -1), { role: 'user', content: [...last.content, request] }];
}

function continuation({ transcript }: Agent, summary: string): string {
  const where =
    transcript === undefined ? '' : `\n\nThe full conversation is in the transcript: ${transcript.path}`;
  return `The conversation so far became too long and was replaced by this summary.\n\n${summary}${where}\n\nContinue the work from there. Do not repeat finished work, and do not ask what the summary already answers.`;
}

const SUMMARY_REQUEST = `Do not use any tool now. Write a summary of this conversation, from which the work can continue without the conversation itself: everything before it will be removed. The reader knows only what the summary says, so be exact rather than short.

Cover, in this order:
1. What the user wants: every request and every preference about how to do it, in the user's own words where they matter, and everything that was refused or ruled out.
2. What is known by now: files and places that were examined, with their paths, the names, values and commands that will be needed again, and what they mean for the task.
3. What was done: each change, where, why, and how it was checked, with the result of the check.
4. What went wrong and how it was solved, so that nothing is tried twice.
5. What was in progress, and the next step.
6. What remains to be done, and what to ask the user, if anything.

Leave out greetings, praise and everything that does not matter for the remaining work. Put the summary between <summary> and </summary> and write nothing after it.`;
