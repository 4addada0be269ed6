/** Runs a prompt from submission to result. */
import { randomUUID } from 'node:crypto';
import { messageOf } from '../../base/errors.js';
import type { HookOutcome } from '../../runner/outcome.js';
import { ModelError, type PromptBlock, type TextBlock } from '../models/port.js';
import { toWireUsage } from '../models/usage.js';
import { addText } from '../transcript/added-text.js';
import { expansionOf } from './expand-prompt.js';
import { noteInterrupt } from './interrupted.js';
import type { EndReason, ResultMessage } from './messages.js';
import { BlockedCall } from './model-hooks.js';
import { type Admitted, admitNotices } from './notices.js';
import { remindOfContext } from './reminders.js';
import { emitMessage, newTally, type Session, takeStopRequest } from './session.js';
import { fireStopFailure } from './stop-failure.js';
import { fireUserPromptSubmit } from './submit-hooks.js';
import { type TurnEnd, takeTurns } from './take-turns.js';
import { shownIn } from './tool-result.js';
import { closeOpenCalls } from './use-tools.js';

/** A prompt: a text, or blocks with texts, images and files. Hooks see its texts. */
export type Prompt = string | readonly PromptBlock[];

/** Contract: never rejects, and emits exactly one result. */
export async function runPrompt(
  session: Session,
  prompt: Prompt,
  source: 'user' | 'sdk',
  signal: AbortSignal,
): Promise<ResultMessage> {
  return turnWithResult(session, signal, async () => {
    const halt = takeStopRequest(session);
    if (halt !== undefined)
      return { reason: halt.reason, stopReason: halt.stopReason, text: stopped(halt.stopReason) };
    return (await submit(session, prompt, source, signal)) ?? takeTurns(session, session.main, signal);
  });
}

/** Runs a turn for notices that arrived after the agent had stopped. */
export async function runNotices(session: Session, signal: AbortSignal): Promise<ResultMessage | undefined> {
  const { main } = session;
  session.promptId = randomUUID();
  let admitted: Admitted;
  try {
    admitted = await admitNotices(session, main, signal);
  } catch (error) {
    return turnWithResult(session, signal, () => Promise.reject(error));
  }
  const { texts, halt } = admitted;
  if (halt !== undefined)
    return withResult(session, signal, async () => ({ ...halt, text: stopped(halt.stopReason) }));
  if (texts.length === 0) return undefined;
  return turnWithResult(session, signal, () => {
    main.appendUserMessage(texts, { promptId: session.promptId, isMeta: true });
    return takeTurns(session, main, signal);
  });
}

/** Runs a turn and emits its result. If it failed, StopFailure fires before that. */
function turnWithResult(
  session: Session,
  signal: AbortSignal,
  work: () => Promise<TurnEnd>,
): Promise<ResultMessage> {
  const { main } = session;
  const before = main.messages.at(-1);
  return withResult(session, signal, async () => {
    const end = await work().catch(failureOf);
    if (signal.aborted) {
      closeOpenCalls(main, 'the run ended before it.');
      noteInterrupt(main, before);
    }
    await fireStopFailure(session, session.main, end, signal);
    return end;
  });
}

/** Runs the work and emits its result. */
export async function withResult(
  session: Session,
  signal: AbortSignal,
  work: () => Promise<TurnEnd>,
): Promise<ResultMessage> {
  session.tally = newTally();
  const done = await work().catch(failureOf);
  const end = signal.aborted ? INTERRUPTED : done;
  closeOpenCalls(session.main, 'the run ended before it.');
  session.spending.record(session.main.transcript);
  await session.main.transcript?.flush();
  const result = toResult(session, end);
  session.emit(result);
  return result;
}

/** Returns how the run ended if the prompt did not reach the model. */
async function submit(
  session: Session,
  prompt: Prompt,
  source: 'user' | 'sdk',
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const { main } = session;
  session.promptId = randomUUID();
  const text = typeof prompt === 'string' ? prompt : textOf(prompt);
  const outcome = await fireUserPromptSubmit(session, main, { prompt: text, source }, signal);
  signal.throwIfAborted();
  const refused = refusalOf(session, outcome, text);
  if (refused !== undefined) return refused;
  const context = [
    ...remindOfContext(outcome.event, outcome.additionalContext),
    ...outcome.injections.map(shownIn(session)).map(addText),
  ];
  const expansion = typeof prompt === 'string' ? expansionOf(session, prompt) : undefined;
  if (expansion !== undefined) {
    const expanded = await session.hooks.fire('UserPromptExpansion', main, expansion.input, { signal });
    signal.throwIfAborted();
    const blocked = refusalOf(session, expanded, text);
    if (blocked !== undefined) return blocked;
    context.push(...remindOfContext(expanded.event, expanded.additionalContext));
    session.activeSkills.add(expansion.skill);
  }
  context.push(...session.hooks.takeLate(main).map(addText));
  const { promptId } = session;
  const blocks = typeof prompt === 'string' ? [toBlock(expansion?.command ?? prompt)] : prompt;
  main.appendUserMessage([...context, ...blocks], { promptId });
  if (expansion !== undefined) {
    const loaded = toBlock(expansion.loaded);
    main.appendUserMessage([loaded], { promptId, isMeta: true });
    main.lastPrompt = [...blocks, loaded];
  }
  return undefined;
}

/** How the run ends if hooks keep a prompt from the model. */
function refusalOf(
  session: Session,
  outcome: HookOutcome<'UserPromptSubmit'> | HookOutcome<'UserPromptExpansion'>,
  text: string,
): TurnEnd | undefined {
  if (outcome.continue === false)
    return { reason: 'hook_stopped', stopReason: outcome.stopReason, text: stopped(outcome.stopReason) };
  if (outcome.decision !== 'deny') return undefined;
  const hidden = outcome.hookSpecificOutputs.some((output) => output.suppressOriginalPrompt === true);
  const prompted = hidden ? '' : `\n\nThe prompt was: ${text}`;
  const why = `A ${outcome.event} hook blocked the prompt:\n${outcome.reason ?? 'No reason given.'}${prompted}`;
  emitMessage(session, { type: 'system', subtype: 'informational', content: why, level: 'warning' });
  return { reason: 'prompt_blocked', text: why };
}

const textOf = (prompt: readonly PromptBlock[]): string =>
  prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

const toBlock = (text: string): TextBlock => ({ type: 'text', text });

const stopped = (reason: string | undefined): string =>
  `A hook ended the run: ${reason ?? 'no reason given.'}`;

const INTERRUPTED: TurnEnd = { reason: 'aborted', error: 'The run was interrupted.' };

function failureOf(error: unknown): TurnEnd {
  if (error instanceof BlockedCall && error.halt !== undefined)
    return { ...error.halt, text: stopped(error.halt.stopReason) };
  const reason = reasonFor(error);
  return { reason, error: messageOf(error), cause: error };
}

function reasonFor(error: unknown): EndReason {
  if (error instanceof BlockedCall) return 'model_call_blocked';
  return error instanceof ModelError ? 'model_error' : 'internal_error';
}

/** Ends that the Agent SDK has a word for. */
const SUBTYPES: Readonly<Partial<Record<EndReason, ResultMessage['subtype']>>> = {
  max_turns: 'error_max_turns',
  max_budget_usd: 'error_max_budget_usd',
};

function toResult(session: Session, end: TurnEnd): ResultMessage {
  const { tally, main, spending } = session;
  const unpriced = spending.unpriced();
  const failed = end.error !== undefined;
  return {
    type: 'result',
    subtype: failed ? (SUBTYPES[end.reason] ?? 'error_during_execution') : 'success',
    is_error: failed,
    terminal_reason: end.reason,
    result: end.text ?? (failed ? '' : (main.shownText ?? main.lastText)),
    ...(failed && { errors: [end.error ?? ''] }),
    stop_reason: end.modelStop ?? null,
    ...(end.stopReason !== undefined && { hook_stop_reason: end.stopReason }),
    num_turns: tally.turns,
    duration_ms: Math.round(performance.now() - tally.startedAt),
    duration_api_ms: Math.round(tally.modelMs),
    usage: toWireUsage(tally.usage),
    total_cost_usd: spending.totalUsd,
    modelUsage: spending.byModel(),
    ...(unpriced.length > 0 && { unpriced_models: unpriced }),
    permission_denials: tally.denials,
    ...(end.deferred && {
      deferred_tool_use: { id: end.deferred.id, name: end.deferred.name, input: end.deferred.input },
    }),
    uuid: randomUUID(),
    session_id: session.id,
  };
}
