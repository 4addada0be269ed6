/**
 * One tool call of a host that has its own loop, with its hooks: PreToolUse, permission, the tool, then PostToolUse or
 * PostToolUseFailure. The host runs the tool and shows the end of the call to its model.
 */
import { messageOf } from '../base/errors.js';
import type { FireInput, HookEvent } from '../events/types.js';
import type { PermissionCall, PermissionVerdict } from '../permissions/permissions.js';
import type { HookOutcome } from '../runner/outcome.js';
import { type Asking, askHooks, reportProblem } from './ask-hooks.js';
import { endsBeforeTool, objectionsOf, textsForModel } from './model-texts.js';

/** The arguments of a tool call. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** A call that a hook or a rule wants a person to approve. */
export interface ToolQuestion {
  readonly toolName: string;
  /** Includes changes by hooks. */
  readonly input: ToolInput;
  readonly reason: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Asks a person; resolves with whether the call may run. If it rejects, the call is refused. */
export type Ask = (question: ToolQuestion) => boolean | Promise<boolean>;

/** What all calls of a host have in common. */
export interface CallContext extends Asking {
  /** Input fields that all events get in addition to those of the runner. */
  readonly base: Readonly<Record<string, unknown>>;
  /** The agent whose own hooks run in addition to the global ones. */
  readonly agentId: string | undefined;
  /** `host`: the host asks between `judgeCall` and `finishCall`. Absent: a call that needs approval is refused. */
  readonly ask: Ask | 'host' | undefined;
  /** Applies permission rules in addition to the hooks. */
  readonly decide?: ((call: Omit<PermissionCall, 'cwd'>) => PermissionVerdict) | undefined;
  readonly onOutcome: (outcome: HookOutcome) => void;
}

/**
 * A tool call, as the host describes it. If `check` throws, the call is refused; if `run` throws, it has failed. The
 * other functions must not throw.
 */
export interface ToolCall<R> {
  /** The tool's name, as hooks and matchers see it. */
  readonly name: string;
  readonly input: ToolInput;
  /** The host's id of the call. */
  readonly id: string;
  readonly signal?: AbortSignal | undefined;
  /** Further input fields of the tool events, such as `mcp_server`. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the tool changes nothing; rules treat such a tool as harmless. Default: false. */
  readonly readOnly?: boolean | undefined;
  /** Returns what is wrong with an input that hooks have rewritten. */
  check?(input: ToolInput): string | undefined | Promise<string | undefined>;
  /** Runs the tool. A rejection is a failed call. */
  run(input: ToolInput): R | Promise<R>;
  /** Returns the error text of a result that reports a failure. Default: only a throw is a failure. */
  failureIn?(result: R): string | undefined;
  /** Returns what hooks see of a result. Default: the result. */
  responseOf?(result: R): unknown;
  /** Whether what the tool threw only pauses the call: it is thrown on, and the call is run again later. Default: no. */
  pauses?(error: unknown): boolean;
  /** Whether the tool continues after its result, so that its end cannot be observed. Default: no. */
  continuesAfter?(result: R): boolean;
}

/** How a call ended, and what the model reads in addition to it. */
export type ToolEnd<R> =
  | {
      readonly status: 'done' | 'failed';
      /** The input that the tool was run with. */
      readonly input: ToolInput;
      /** Absent if the tool threw. */
      readonly result?: R;
      /** What the tool threw. */
      readonly error?: unknown;
      /** The output that hooks put in place of the tool's. */
      readonly updatedOutput?: unknown;
      readonly texts: readonly string[];
    }
  | {
      readonly status: 'refused';
      readonly reason: string;
      readonly texts: readonly string[];
    };

/** Whether a call may run, before a person was asked. */
export interface Judgement {
  readonly behavior: 'allow' | 'ask' | 'deny';
  /** Includes changes by hooks. */
  readonly input: ToolInput;
  /** Why it is refused, or why a person must decide. */
  readonly reason: string | undefined;
  readonly texts: readonly string[];
}

/** Fires PreToolUse, and PermissionRequest if a person would be asked. Rejects only with the reason of an abort. */
export async function judgeCall<R>(context: CallContext, call: ToolCall<R>): Promise<Judgement> {
  const before = await fire('PreToolUse', context, call, inputOf(context, call, call.input));
  call.signal?.throwIfAborted();
  const input = before.updatedInput ?? call.input;
  const texts = textsForModel(before);
  try {
    const refused = await whyRefused(call, before);
    if (refused !== undefined) return { behavior: 'deny', input, reason: refused, texts };
    const { behavior, reason } = decide(context, call, before, input);
    const judgement = { behavior, input, reason, texts };
    // A hook that asks wants a person to decide; without one, other hooks cannot decide instead.
    const needsPerson = before.decision === 'ask' && context.ask === undefined;
    return behavior === 'ask' && !needsPerson
      ? await askPermissionHooks(context, call, judgement)
      : judgement;
  } catch (error) {
    call.signal?.throwIfAborted();
    reportProblem(context.onProblem, error);
    return { behavior: 'deny', input, reason: `${call.name} was not run: ${messageOf(error)}`, texts };
  }
}

/** Asks a person if needed, and runs the tool if it may run. Rejects only with the reason of an abort or a pause. */
export async function finishCall<R>(
  context: CallContext,
  call: ToolCall<R>,
  judgement: Judgement,
): Promise<ToolEnd<R>> {
  const { texts, input } = judgement;
  const refused = await whyNotApproved(context, call, judgement);
  if (refused !== undefined) return { status: 'refused', reason: refused, texts };
  // The question may have taken long.
  call.signal?.throwIfAborted();
  const startedAt = performance.now();
  const seen = () => ({
    ...inputOf(context, call, input),
    duration_ms: Math.round(performance.now() - startedAt),
  });
  const failed = (error: string) =>
    fire('PostToolUseFailure', context, call, { ...seen(), error, is_interrupt: false });
  let result: R;
  try {
    result = await call.run(input);
  } catch (error) {
    // After an abort no further hooks run.
    call.signal?.throwIfAborted();
    if (call.pauses?.(error) === true) throw error;
    const after = await failed(messageOf(error));
    return { status: 'failed', input, error, ...rewriteOf(after), texts: [...texts, ...textsAfter(after)] };
  }
  if (call.continuesAfter?.(result) === true) return { status: 'done', input, result, texts };
  const failure = call.failureIn?.(result);
  const after =
    failure === undefined
      ? await fire('PostToolUse', context, call, {
          ...seen(),
          tool_response: call.responseOf === undefined ? result : call.responseOf(result),
        })
      : await failed(failure);
  return {
    status: failure === undefined ? 'done' : 'failed',
    input,
    result,
    ...rewriteOf(after),
    texts: [...texts, ...textsAfter(after)],
  };
}

async function whyRefused(
  call: Pick<ToolCall<never>, 'name' | 'check'>,
  before: HookOutcome,
): Promise<string | undefined> {
  const { decision, reason, stopReason, updatedInput } = before;
  if (decision === 'deny') return reason ?? `${call.name} was refused by a hook.`;
  if (endsBeforeTool(before)) return stopReason ?? `${call.name} was not run: a hook has ended the run.`;
  if (decision === 'defer') return `${call.name} was deferred, to be decided later${because(reason)}`;
  const wrong = updatedInput === undefined ? undefined : await call.check?.(updatedInput);
  return wrong === undefined
    ? undefined
    : `A hook changed the input of ${call.name} to an invalid one: ${wrong}`;
}

function decide<R>(
  { decide: applyRules }: CallContext,
  { name, readOnly = false }: ToolCall<R>,
  { decision, reason }: HookOutcome,
  input: ToolInput,
): { behavior: Judgement['behavior']; reason: string | undefined } {
  const hook = decision === 'allow' || decision === 'ask' ? { decision, reason } : undefined;
  if (applyRules === undefined) return { behavior: decision === 'ask' ? 'ask' : 'allow', reason };
  return applyRules({ toolName: name, input, readOnly, hook });
}

/** PermissionRequest hooks may decide in the place of a person. */
async function askPermissionHooks<R>(
  context: CallContext,
  call: ToolCall<R>,
  judgement: Judgement,
): Promise<Judgement> {
  const { name: tool_name } = call;
  const outcome = await fire('PermissionRequest', context, call, {
    ...context.base,
    tool_name,
    tool_input: judgement.input,
  });
  call.signal?.throwIfAborted();
  const texts = [...judgement.texts, ...textsForModel(outcome)];
  const input = outcome.updatedInput ?? judgement.input;
  const refused = await whyRefused(call, outcome);
  if (refused !== undefined) return { behavior: 'deny', input, reason: refused, texts };
  if (outcome.decision !== 'allow') return { ...judgement, texts };
  // Rules that deny also hold for an input that such a hook has put in.
  const { behavior, reason } = decide(context, call, outcome, input);
  return { behavior: behavior === 'deny' ? 'deny' : 'allow', input, reason, texts };
}

async function whyNotApproved<R>(
  { ask, onProblem }: CallContext,
  { name, signal }: ToolCall<R>,
  { behavior, reason, input }: Judgement,
): Promise<string | undefined> {
  if (behavior === 'allow') return undefined;
  if (behavior === 'deny') return reason ?? `${name} was refused.`;
  try {
    const approved = typeof ask === 'function' && (await ask({ toolName: name, input, reason, signal }));
    if (approved === true) return undefined;
    return `${name} needs a person's approval, which was not given${because(reason)}`;
  } catch (error) {
    signal?.throwIfAborted();
    reportProblem(onProblem, error);
    return `${name} was not run: ${messageOf(error)}`;
  }
}

const because = (reason: string | undefined): string => (reason === undefined ? '.' : `: ${reason}`);

/** A tool that has run cannot be refused; the hooks' objections are read beside its result. */
const textsAfter = (after: HookOutcome): string[] => [...objectionsOf(after), ...textsForModel(after)];

const rewriteOf = (after: HookOutcome): { updatedOutput?: unknown } =>
  'updatedOutput' in after ? { updatedOutput: after.updatedOutput } : {};

async function fire<E extends HookEvent>(
  event: E,
  context: CallContext,
  { id, signal }: Pick<ToolCall<unknown>, 'id' | 'signal'>,
  input: FireInput<E>,
): Promise<HookOutcome<E>> {
  const { agentId, onOutcome, onProblem } = context;
  const outcome = await askHooks(context, event, input, { signal, toolUseID: id, agentId });
  try {
    onOutcome(outcome);
  } catch (error) {
    reportProblem(onProblem, error);
  }
  return outcome;
}

function inputOf<R>({ base }: CallContext, { name, id, fields }: ToolCall<R>, tool_input: ToolInput) {
  return { ...base, ...fields, tool_name: name, tool_input, tool_use_id: id };
}
