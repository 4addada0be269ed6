/** Code that runs before and after each request to the model: `beforeModel` and `afterModel` of a loop. */
import { abortable, onAbort } from '../../base/async/abortable.js';
import { toTimerMs } from '../../base/async/timeout.js';
import { HookError, messageOf, show } from '../../base/errors.js';
import {
  type ContentBlock,
  type Model,
  ModelError,
  type ModelMessage,
  type ModelTool,
  type ModelUsage,
  type StopReason,
} from '../models/port.js';
import type { StopRequest } from './session.js';

/** A request to the model before it is sent. Do not change it in place: return what should be different. */
export interface ModelCallRequest {
  readonly model: Model;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** `summary`: the conversation is being compacted. */
  readonly purpose: 'turn' | 'summary';
}

/** An answer of the model before anybody has seen it. */
export interface ModelCallAnswer {
  readonly content: readonly ContentBlock[];
  readonly stopReason: StopReason;
  readonly usage: ModelUsage;
}

/** What is known about a call besides its request and answer. */
export interface ModelCallContext {
  /** The same before and after the call. */
  readonly callId: string;
  readonly sessionId: string;
  /** The subagent that asks, or the loop's `agentId`; undefined for the main agent without one. */
  readonly agentId: string | undefined;
  /** Aborted at the timeout and when the run ends. */
  readonly signal: AbortSignal;
}

/** What should be different about this request. The conversation itself stays as it is. */
export interface BeforeModelResult {
  readonly model?: Model | undefined;
  readonly system?: string | undefined;
  readonly messages?: readonly ModelMessage[] | undefined;
  readonly tools?: readonly ModelTool[] | undefined;
  /** An answer in the place of the model's, for example from a cache: the model is not asked. */
  readonly answer?: { readonly content: readonly ContentBlock[] } | undefined;
  /** Refuses the request: the reason why the turn ends. */
  readonly refuse?: string | undefined;
}

/** What should be different about this answer. */
export interface AfterModelResult {
  readonly content?: readonly ContentBlock[] | undefined;
  /** Refuses the answer, which is not shown then: the reason why the turn ends. */
  readonly refuse?: string | undefined;
}

/** Looks at a request before it is sent. */
export type BeforeModel = (
  request: ModelCallRequest,
  context: ModelCallContext,
) => BeforeModelResult | undefined | void | Promise<BeforeModelResult | undefined | void>;

/** Looks at an answer before anybody sees it. */
export type AfterModel = (
  answer: ModelCallAnswer,
  request: ModelCallRequest,
  context: ModelCallContext,
) => AfterModelResult | undefined | void | Promise<AfterModelResult | undefined | void>;

/** A function with its limits. */
export interface BoundedModelHook<Hook> {
  readonly hook: Hook;
  /** Seconds. Default: 60. */
  readonly timeout?: number | undefined;
  /** `block`: a hook that throws, takes too long or returns something invalid refuses the call. Default: `block`. */
  readonly onFailure?: 'block' | 'continue' | undefined;
}

/** A request or an answer was refused. If a hook ended the turn, `halt` says so. */
export class BlockedCall extends ModelError {
  readonly halt: StopRequest | undefined;

  constructor(message: string, halt?: StopRequest) {
    super('blocked', message);
    this.halt = halt;
  }
}

const DEFAULT_SECONDS = 60;

/** Throws a `HookError` if a hook is not a function, or its limits are invalid. */
export function checkModelHook(name: string, given: unknown): void {
  if (given === undefined) return;
  const { hook, timeout = DEFAULT_SECONDS, onFailure = 'block' } = bounded(given as BeforeModel);
  if (typeof hook !== 'function')
    throw new HookError(
      'invalid_option',
      `${name} is ${show(given)}; give a function, or { hook, timeout }.`,
    );
  if (onFailure !== 'block' && onFailure !== 'continue')
    throw new HookError(
      'invalid_option',
      `onFailure of ${name} is ${show(onFailure)}; give 'block' or 'continue'.`,
    );
  try {
    toTimerMs(timeout);
  } catch (cause) {
    throw new HookError('invalid_timeout', `${name}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Runs a hook within its limits. Returns undefined if it has nothing to say, or failed and may. Throws a `BlockedCall` if
 * it refuses or its failure does, and the signal's reason.
 */
export async function runModelHook<Hook, Result extends { readonly refuse?: string | undefined }>(
  name: 'beforeModel' | 'afterModel',
  given: Hook | BoundedModelHook<Hook>,
  signal: AbortSignal,
  call: (hook: Hook, signal: AbortSignal) => unknown,
  problemOf: (result: Result) => string | undefined,
): Promise<{ readonly result?: Result; readonly failure?: string }> {
  const { hook, timeout = DEFAULT_SECONDS, onFailure = 'block' } = bounded(given);
  const own = new AbortController();
  const timer = setTimeout(
    () => own.abort(new Error(`it did not finish within ${timeout} s`)),
    toTimerMs(timeout),
  );
  const stop = onAbort(signal, () => own.abort(signal.reason));
  let result: Result;
  try {
    const said = await abortable((async () => call(hook, own.signal))(), own.signal);
    if (said === undefined || said === null) return {};
    const problem =
      typeof said === 'object' ? problemOf(said as Result) : `it returned ${show(said)} instead of an object`;
    if (problem !== undefined) throw new Error(problem);
    result = said as Result;
  } catch (error) {
    signal.throwIfAborted();
    const failure = `${name} failed: ${messageOf(error)}`;
    if (onFailure === 'block') throw new BlockedCall(failure);
    return { failure };
  } finally {
    clearTimeout(timer);
    stop();
  }
  if (result.refuse !== undefined) throw new BlockedCall(`${name} refused: ${result.refuse}`);
  return { result };
}

function bounded<Hook>(given: Hook | BoundedModelHook<Hook>): BoundedModelHook<Hook> {
  return typeof given === 'object' && given !== null && 'hook' in given ? given : { hook: given as Hook };
}
