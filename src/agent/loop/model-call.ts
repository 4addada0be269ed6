/**
 * The only path on which a request reaches a model: PreModelCall and `beforeModel`, the model, `afterModel` and
 * PostModelCall. It is used for turns and for summaries.
 */
import { randomUUID } from 'node:crypto';
import type {
  ContentBlock,
  Model,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelUsage,
} from '../models/port.js';
import { toWireUsage } from '../models/usage.js';
import { type Agent, scopeOf } from './agent.js';
import { problemOfAnswer, problemOfMessages } from './check-request.js';
import { modelEvents } from './model-events.js';
import {
  type AfterModelResult,
  type BeforeModelResult,
  BlockedCall,
  type ModelCallAnswer,
  type ModelCallContext,
  type ModelCallRequest,
  runModelHook,
} from './model-hooks.js';
import { emitMessage, type Session } from './session.js';
import { countUsage } from './spending.js';
import { wordForError } from './stop-failure.js';
import { stopRequestOf } from './tool-result.js';

/** A request as it goes out. */
export interface ModelCall {
  readonly id: string;
  /** The model that is asked. */
  readonly model: Model;
  readonly request: Asked;
  /** An answer that a hook gave in the place of the model. */
  readonly given?: readonly ContentBlock[] | undefined;
}

/** The events of an answer. */
export type AnswerEvent = Exclude<ModelEvent, { readonly type: 'retry' | 'usage' }>;

type Asked = ModelRequest & { readonly purpose: ModelCallRequest['purpose'] };

/** Asks the hooks about a request. Throws a `BlockedCall` if it may not be sent, or the signal's reason. */
export async function prepareCall(
  session: Session,
  agent: Agent,
  model: Model,
  asked: Asked,
): Promise<ModelCall> {
  const call: ModelCall = { id: randomUUID(), model, request: asked };
  const hooked = session.hooks.hasHooks('PreModelCall', agent)
    ? await fireBefore(session, agent, call)
    : call;
  return hooked.given === undefined ? runBefore(session, agent, hooked) : hooked;
}

/**
 * Streams the answer. If something looks at answers, it is kept back until they have seen the whole. Throws a `BlockedCall`
 * if they refuse it, a `ModelError`, or the signal's reason.
 */
export async function* streamAnswer(
  session: Session,
  agent: Agent,
  call: ModelCall,
): AsyncGenerator<AnswerEvent, void> {
  const events = call.given === undefined ? asked(session, agent, call) : givenEvents(call.given);
  const isHooked = session.hooks.hasHooks('PostModelCall', agent);
  if (!isHooked && session.options.afterModel === undefined) {
    yield* events;
    return;
  }
  const startedAt = performance.now();
  const kept: AnswerEvent[] = [];
  for await (const event of events) kept.push(event);
  const answer = collect(kept);
  // A stream without an end is an error, which the caller reports.
  if (answer === undefined) return;
  let last: ModelCallAnswer;
  try {
    const seen = await runAfter(session, agent, call, answer);
    const duration = Math.round(performance.now() - startedAt);
    last = isHooked ? await fireAfter(session, agent, call, seen, duration) : seen;
  } catch (error) {
    // The service has counted it all the same.
    countUsage(session, call.model.name, answer.usage);
    throw error;
  }
  yield* last.content === answer.content
    ? kept
    : [
        ...eventsOf(last.content),
        { type: 'end', stopReason: answer.stopReason, usage: answer.usage } as const,
      ];
}

/** Asks the model. People who watch see each retry when it begins; what a request without an end has used is counted. */
async function* asked(
  session: Session,
  agent: Agent,
  { model, request }: ModelCall,
): AsyncGenerator<AnswerEvent, void> {
  let used: ModelUsage | undefined;
  try {
    for await (const event of modelEvents(model, request)) {
      // A service does not charge for a request that failed before its answer began.
      used =
        event.type === 'usage'
          ? event.usage
          : event.type === 'retry' || event.type === 'end'
            ? undefined
            : used;
      if (event.type === 'retry') showRetry(session, agent, event);
      else if (event.type !== 'usage') yield event;
    }
  } finally {
    if (used !== undefined) countUsage(session, model.name, used);
  }
}

function showRetry(
  session: Session,
  agent: Agent,
  { attempt, maxRetries, delayMs, error }: Extract<ModelEvent, { readonly type: 'retry' }>,
): void {
  emitMessage(session, {
    type: 'system',
    subtype: 'api_retry',
    attempt,
    max_retries: maxRetries,
    retry_delay_ms: Math.round(delayMs),
    error_status: error.status ?? null,
    error: wordForError(error),
    parent_tool_use_id: agent.parentToolUseId,
  });
}

async function fireBefore(session: Session, agent: Agent, call: ModelCall): Promise<ModelCall> {
  const { system, messages, tools, signal, purpose } = call.request;
  const outcome = await session.hooks.fireDefined(
    'PreModelCall',
    agent,
    {
      model: call.model.name,
      purpose,
      call_id: call.id,
      request: {
        system,
        messages,
        tools: tools.map(({ inputSchema, ...tool }) => ({ ...tool, input_schema: inputSchema })),
      },
    },
    { signal },
  );
  refuseIfBlocked('PreModelCall', outcome, signal);
  const { answer, model: name } = Object.assign({}, ...outcome.hookSpecificOutputs) as {
    readonly answer?: { readonly content: readonly ContentBlock[] };
    readonly model?: string;
  };
  if (answer !== undefined) {
    refuseIf(problemOfAnswer(answer.content), 'A PreModelCall hook answered for the model, but');
    return { ...call, given: answer.content };
  }
  const model = name === undefined ? call.model : session.options.modelFor?.(name);
  if (model === undefined)
    throw new BlockedCall(
      `A PreModelCall hook chose the model ${JSON.stringify(name)}, which this loop does not know. Give it with the option \`modelFor\`.`,
    );
  const updated = outcome.updatedInput;
  if (updated === undefined) return { ...call, model };
  refuseIf(problemOfMessages(updated['messages']), 'A PreModelCall hook changed the request, but');
  const changed = {
    system: updated['system'] as string,
    messages: updated['messages'] as readonly ModelMessage[],
    tools: (updated['tools'] as readonly Record<string, unknown>[]).map(({ input_schema, ...tool }) => ({
      ...tool,
      inputSchema: input_schema,
    })) as unknown as ModelRequest['tools'],
  };
  return { ...call, model, request: { ...call.request, ...changed } };
}

async function runBefore(session: Session, agent: Agent, call: ModelCall): Promise<ModelCall> {
  const { beforeModel } = session.options;
  if (beforeModel === undefined) return call;
  const { signal } = call.request;
  const { result = {}, failure } = await runModelHook(
    'beforeModel',
    beforeModel,
    signal,
    (hook, own) => hook(shown(call), contextOf(session, agent, call, own)),
    problemOfChange,
  );
  if (failure !== undefined) warn(session, failure);
  const { model = call.model, answer } = result;
  return {
    ...call,
    model,
    request: {
      ...call.request,
      system: result.system ?? call.request.system,
      messages: result.messages ?? call.request.messages,
      tools: result.tools ?? call.request.tools,
    },
    given: answer?.content,
  };
}

function problemOfChange({ model, messages, answer, refuse }: BeforeModelResult): string | undefined {
  if (refuse !== undefined) return undefined;
  if (model !== undefined && typeof model?.stream !== 'function')
    return 'the model that it returned has no method `stream`';
  if (answer !== undefined) return problemOfAnswer(answer?.content);
  return messages === undefined ? undefined : problemOfMessages(messages);
}

async function runAfter(
  session: Session,
  agent: Agent,
  call: ModelCall,
  answer: ModelCallAnswer,
): Promise<ModelCallAnswer> {
  const { afterModel } = session.options;
  if (afterModel === undefined) return answer;
  const { result, failure } = await runModelHook(
    'afterModel',
    afterModel,
    call.request.signal,
    (hook, own) => hook(answer, shown(call), contextOf(session, agent, call, own)),
    ({ content }: AfterModelResult) => (content === undefined ? undefined : problemOfAnswer(content)),
  );
  if (failure !== undefined) warn(session, failure);
  return result?.content === undefined ? answer : { ...answer, content: result.content };
}

async function fireAfter(
  session: Session,
  agent: Agent,
  { id, model, request }: ModelCall,
  answer: ModelCallAnswer,
  duration: number,
): Promise<ModelCallAnswer> {
  const { signal, purpose } = request;
  const { content, stopReason, usage } = answer;
  const outcome = await session.hooks.fireDefined(
    'PostModelCall',
    agent,
    {
      model: model.name,
      purpose,
      call_id: id,
      content,
      stop_reason: stopReason,
      usage: toWireUsage(usage),
      duration_ms: duration,
    },
    { signal },
  );
  refuseIfBlocked('PostModelCall', outcome, signal);
  if (!('updatedOutput' in outcome)) return answer;
  refuseIf(problemOfAnswer(outcome.updatedOutput), 'A PostModelCall hook changed the answer, but');
  return { ...answer, content: outcome.updatedOutput as readonly ContentBlock[] };
}

function refuseIfBlocked(
  event: string,
  outcome: Awaited<ReturnType<Session['hooks']['fireDefined']>>,
  signal: AbortSignal,
): void {
  signal.throwIfAborted();
  const halt = stopRequestOf(outcome);
  if (halt !== undefined) throw new BlockedCall(`A ${event} hook ended the turn.`, halt);
  if (outcome.aborted) throw new BlockedCall(`The ${event} hooks did not finish.`);
  if (outcome.decision === 'deny' || outcome.decision === 'ask')
    throw new BlockedCall(`A ${event} hook refused: ${outcome.reason ?? 'no reason given'}`);
}

function refuseIf(problem: string | undefined, what: string): void {
  if (problem !== undefined) throw new BlockedCall(`${what} ${problem}.`);
}

/** The request as hooks in code see it. */
function shown({ model, request: { system, messages, tools, purpose } }: ModelCall): ModelCallRequest {
  return { model, system, messages, tools, purpose };
}

function contextOf(session: Session, agent: Agent, { id }: ModelCall, signal: AbortSignal): ModelCallContext {
  return { callId: id, sessionId: session.id, agentId: scopeOf(agent, session.options), signal };
}

function warn(session: Session, content: string): void {
  emitMessage(session, { type: 'system', subtype: 'informational', content, level: 'warning' });
}

/** Undefined if the stream had no end. */
function collect(events: readonly AnswerEvent[]): ModelCallAnswer | undefined {
  const content: ContentBlock[] = [];
  for (const event of events) {
    if (event.type === 'end') return { content, stopReason: event.stopReason, usage: event.usage };
    // The whole block follows.
    if (event.type === 'thinking_delta') continue;
    const last = content.at(-1);
    if (event.type === 'text' && last?.type === 'text' && last.phase === event.phase)
      content[content.length - 1] = { ...last, text: last.text + event.text };
    else content.push(event);
  }
  return undefined;
}

async function* givenEvents(content: readonly ContentBlock[]): AsyncGenerator<AnswerEvent, void> {
  yield* eventsOf(content);
  const calls = content.some(({ type }) => type === 'tool_use');
  yield {
    type: 'end',
    stopReason: calls ? 'tool_use' : 'end_turn',
    usage: { inputTokens: 0, outputTokens: 0 },
  };
}

type SaidBlock = Exclude<ContentBlock, { type: 'tool_result' | 'image' | 'document' }>;

/** Checked before: no result. A model says no images or files, and services reject empty texts. */
const eventsOf = (content: readonly ContentBlock[]): readonly AnswerEvent[] =>
  content.filter((block): block is SaidBlock =>
    block.type === 'text' ? block.text !== '' : block.type !== 'image' && block.type !== 'document',
  );
