/** The hooks that ask a model: a prompt, or an agent that may use tools before it answers. */
import { HookError, show } from '../base/errors.js';
import { privateView } from '../base/json/private-view.js';
import { beginning, readJsonObject } from '../base/json/read-json.js';
import { rowOf } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import { callOutside } from './call-outside.js';
import type { Completion } from './completion.js';
import type { HookRun, RunHook } from './hook.js';

export interface PromptOptions {
  readonly kind: 'prompt' | 'agent';
  /** `$ARGUMENTS` stands for the input as JSON; without it, the JSON is added at the end. */
  readonly prompt: string;
  readonly model?: string | undefined;
  /** With this, a prompt that says no does not end the run: the agent gets the reason and continues. */
  readonly continueOnBlock?: boolean | undefined;
}

/** A hook's request to a model. */
export interface HookModelRequest {
  readonly kind: 'prompt' | 'agent';
  /** The prompt, with the input filled in. The expected answer is `{"ok": true}` or `{"ok": false, "reason": "…"}`. */
  readonly prompt: string;
  /** As the hook's author wrote it; absent: the application chooses. */
  readonly model?: string;
  readonly event: AnyEvent;
  readonly input: Readonly<Record<string, unknown>>;
  /** Aborts at the deadline, or when the answer is no longer awaited. */
  readonly signal: AbortSignal;
}

/**
 * The interface to a model. For `agent` requests the application runs an agent with tools and returns its final
 * message.
 */
export interface HookModel {
  /** The model's answer as text. If it rejects, the hook has failed. */
  complete(request: HookModelRequest): Promise<string>;
}

const PLACEHOLDER = '$ARGUMENTS';

/** Reads the fields of a prompt or agent hook. Throws a HookError, code `invalid_hook`. */
export function checkPromptOptions(
  event: AnyEvent,
  kind: 'prompt' | 'agent',
  fields: Readonly<Record<string, unknown>>,
): PromptOptions {
  const { prompt, model, continueOnBlock } = fields;
  const refuse = (what: string, value: unknown, wanted: string): HookError =>
    new HookError(
      'invalid_hook',
      `${what} of the ${kind} hook for ${event} is ${show(value)}; give ${wanted}.`,
    );
  if (typeof prompt !== 'string' || prompt.trim() === '')
    throw refuse('The prompt', prompt, 'what the model is to judge, with $ARGUMENTS where the input belongs');
  if (model !== undefined && typeof model !== 'string')
    throw refuse('The model', model, 'the name of a model');
  if (continueOnBlock !== undefined && typeof continueOnBlock !== 'boolean')
    throw refuse('continueOnBlock', continueOnBlock, 'true or false');
  return Object.freeze({ kind, prompt, model, continueOnBlock });
}

export function promptHook(options: PromptOptions, model: HookModel): RunHook {
  return (run) =>
    callOutside(run, async (signal): Promise<Completion> => {
      const answer: unknown = await model.complete({
        kind: options.kind,
        prompt: fillPrompt(options.prompt, run),
        ...(options.model !== undefined && { model: options.model }),
        event: run.event,
        input: privateView(run.input) as Readonly<Record<string, unknown>>,
        signal,
      });
      const judgement = readJudgement(answer);
      if (!judgement.read) return { kind: 'threw', error: new Error(judgement.problem) };
      return { kind: 'returned', output: act(judgement, options, run.event) };
    });
}

/** The input is data: a `$ARGUMENTS` or `$&` inside it is not expanded. */
function fillPrompt(prompt: string, run: HookRun): string {
  const json = Buffer.from(run.wire()).toString('utf8').trimEnd();
  return prompt.includes(PLACEHOLDER) ? prompt.replaceAll(PLACEHOLDER, () => json) : `${prompt}\n\n${json}`;
}

/** Where a prompt that says no also ends the run, unless `continueOnBlock` is set: as Claude Code 2.1.325 does. */
const ENDS_THE_RUN: ReadonlySet<string> = new Set(['tool', 'feedback', 'idling']);

function act(
  { ok, reason, impossible }: { ok: boolean; reason: string; impossible: boolean },
  { kind, prompt, continueOnBlock }: PromptOptions,
  event: AnyEvent,
): unknown {
  if (ok) return undefined;
  const { blocks } = rowOf(event);
  if (blocks === 'stopping') {
    // A condition that can never be met must not keep the agent running for ever.
    if (impossible && kind === 'prompt') return { systemMessage: `A condition cannot be met: ${reason}` };
    // The agent continues with this text and has not seen the condition.
    return { decision: 'block', reason: `[${prompt}]: ${reason}` };
  }
  const refusal = { decision: 'block', reason: `The condition of the ${kind} hook is not met: ${reason}` };
  if (kind === 'agent' || continueOnBlock === true || !ENDS_THE_RUN.has(blocks)) return refusal;
  return { ...refusal, continue: false, stopReason: reason };
}

type Judgement =
  | { readonly read: true; readonly ok: boolean; readonly reason: string; readonly impossible: boolean }
  | { readonly read: false; readonly problem: string };

const FENCE = '```';
const WANTED = 'expected {"ok": true} or {"ok": false, "reason": "..."}';

/** One JSON object, alone or in a fence. Anything else is a failure; nothing is guessed. */
function readJudgement(answer: unknown): Judgement {
  if (typeof answer !== 'string') return unread(`the model returned a ${typeof answer}`);
  const json = readJsonObject(withoutFence(answer.trim()));
  if (!json.ok) return unread(`the model's answer is not a JSON object: ${json.problem}`);
  const { ok, reason = '', impossible = false } = json.value;
  if (typeof ok !== 'boolean') return unread(`the model's answer has no \`ok\`: ${beginning(answer.trim())}`);
  if (typeof reason !== 'string') return unread("the `reason` in the model's answer is not text");
  if (typeof impossible !== 'boolean')
    return unread("the `impossible` in the model's answer is not true or false");
  // A refusal without a reason is still a refusal.
  return { read: true, ok, reason: reason.trim() === '' ? 'no reason was given' : reason, impossible };
}

function unread(what: string): Judgement {
  return { read: false, problem: `${what}; ${WANTED}` };
}

function withoutFence(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || text.length < 2 * FENCE.length) return text;
  const lineEnd = text.indexOf('\n');
  if (lineEnd < 0 || !/^[\w-]*$/.test(text.slice(FENCE.length, lineEnd).trim())) return text;
  return text.slice(lineEnd + 1, -FENCE.length);
}
