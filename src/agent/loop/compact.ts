/** Makes room: the conversation so far becomes a summary, if hooks do not object. */
import { ModelError, type ModelMessage, type TextBlock } from '../models/port.js';
import type { Agent } from './agent.js';
import { offered } from './call-model.js';
import { modelEvents } from './model-events.js';
import { DEFAULT_CONTEXT_WINDOW } from './options.js';
import { reasonOf, refusals } from './reminders.js';
import { emitMessage, type Session } from './session.js';
import { fireSessionStart } from './session-start.js';

/** So much of the window may be in use; the rest is for the next answer and its tools. */
const FULL = 0.9;
/** A rough measure for what no model has counted yet. */
const CHARACTERS_PER_TOKEN = 4;

export type Compaction = { readonly done: true } | { readonly done: false; readonly why: string };

export async function compactIfFull(session: Session, agent: Agent, signal: AbortSignal): Promise<void> {
  const limit = FULL * (session.options.contextWindow ?? DEFAULT_CONTEXT_WINDOW);
  if (estimateTokens(agent) < limit || agent.messages.length < 2) return;
  try {
    await compact(session, agent, 'auto', null, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    // Nobody asked for it: the work goes on with the conversation as it is, as long as the model takes it.
    const compact_error = `The conversation could not be compacted: ${error.message}`;
    emitMessage(session, { type: 'system', subtype: 'status', status: null, compact_error });
  }
}

/** What the model counted last, and a guess about what has been added since. */
export function estimateTokens({ contextTokens, messages }: Agent): number {
  const counted = messages.findLastIndex(({ role }) => role === 'assistant');
  const since = contextTokens === 0 ? messages : messages.slice(counted + 1);
  return contextTokens + Math.ceil(JSON.stringify(since).length / CHARACTERS_PER_TOKEN);
}

/** Throws as a request to the model does; the conversation is then as it was. */
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
    const why = `A PreCompact hook does not let the conversation be compacted: ${reason}`;
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
  // What hooks add belongs to the very next request: after tools, nobody tells the agent anything before it.
  if (agent.nextContext.length > 0) agent.appendUserMessage([], { isMeta: true });
  return { done: true };
}

async function summarise(
  session: Session,
  agent: Agent,
  instructions: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const text = [SUMMARY_REQUEST, ...instructions.map((each) => `Also heed this: ${each}`)].join('\n\n');
  let summary = '';
  const events = modelEvents(agent.model, {
    system: agent.system,
    messages: withRequest(agent.messages, { type: 'text', text }),
    tools: offered(session, agent),
    purpose: 'summary',
    signal,
  });
  for await (const event of events) {
    if (event.type === 'text') summary += event.text;
    if (event.type !== 'end') continue;
    session.tally.inputTokens += event.usage.inputTokens;
    session.tally.outputTokens += event.usage.outputTokens;
  }
  signal.throwIfAborted();
  const marked = /<summary>([\s\S]*?)<\/summary>/.exec(summary)?.[1];
  const found = (marked ?? summary).trim();
  if (found === '')
    throw new ModelError('broken_stream', 'The model gave no summary, so the conversation stays as it is.');
  return found;
}

/** The request joins the last message if that is the user's: services want roles to alternate. */
function withRequest(messages: readonly ModelMessage[], request: TextBlock): readonly ModelMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [request] }];
  return [...messages.slice(0, -1), { role: 'user', content: [...last.content, request] }];
}

function continuation({ transcript }: Agent, summary: string): string {
  const where =
    transcript === undefined ? '' : `\n\nEvery word of it is in the transcript: ${transcript.path}`;
  return `The conversation so far became too long and was replaced by this summary.\n\n${summary}${where}\n\nGo on with the work where it was left. Do not repeat what is done and do not ask what the summary answers.`;
}

const SUMMARY_REQUEST = `Do not use any tool now. Write a summary of this conversation, from which the work can go on without the conversation itself: everything before it will be gone. Whoever reads it knows nothing but what it says, so be exact rather than short.

Cover, in this order:
1. What the user wants: every request and every wish about how it is to be done, in the user's own words where they matter, and everything that was refused or ruled out.
2. What is known by now: files and places that were looked at, with their paths, the names, values and commands that will be needed again, and what they mean for the task.
3. What was done: each change, where, why, and how it was checked, with the result of the check.
4. What went wrong and how it was solved, so that nothing is tried twice.
5. What was being done at this very moment, and the next step that follows from it.
6. What is still to do, and what has to be asked of the user, if anything.

Leave out greetings, praise and everything that has no bearing on what is still to come. Put the summary between <summary> and </summary> and write nothing behind it.`;
