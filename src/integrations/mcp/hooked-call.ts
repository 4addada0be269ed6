/** Runs one tool call with its hooks before and after. Used by servers and clients. */
import { messageOf } from '../../base/errors.js';
import type { FireInput, HookEvent } from '../../events/types.js';
import type { HookOutcome } from '../../runner/outcome.js';
import { askHooks, reportProblem } from '../ask-hooks.js';
import { contextBy, endsBeforeTool, systemMessagesForModel } from '../model-texts.js';
import { textOf } from '../tool-content.js';
import { hookedName, type Surroundings } from './options.js';
import {
  addTexts,
  blocksOf,
  isFailed,
  isTask,
  refusal,
  responseOf,
  rewriteResult,
  type ToolResult,
} from './result.js';

type Input = Readonly<Record<string, unknown>>;

export interface HookedCall<R extends ToolResult> {
  /** The server's name of the tool. */
  readonly tool: string;
  readonly input: Input | undefined;
  readonly toolUseID: string;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Validates an input that hooks have rewritten and returns what is invalid; absent if the tool's side validates it.
   */
  check?(input: Input): string | undefined | Promise<string | undefined>;
  run(input: Input | undefined): Promise<R>;
}

/** Rejects with the error of `run`, after the hooks for the failure have run; or with the reason of an abort. */
export async function callWithHooks<R extends ToolResult>(
  surroundings: Surroundings,
  call: HookedCall<R>,
): Promise<R | ToolResult> {
  const before = await fire('PreToolUse', surroundings, call, inputFor(surroundings, call, call.input));
  call.signal?.throwIfAborted();
  const texts = modelTexts(before);
  const input = before.updatedInput ?? call.input;
  const refused = await whyRefused(surroundings, call, before, input);
  if (refused !== undefined) return refusal([refused, ...texts]);
  // The approval may have taken long.
  call.signal?.throwIfAborted();
  const startedAt = performance.now();
  const seen = () => ({
    ...inputFor(surroundings, call, input),
    duration_ms: Math.round(performance.now() - startedAt),
  });
  let result: R;
  try {
    result = await call.run(input);
  } catch (error) {
    // After an abort no further hooks run.
    if (call.signal?.aborted !== true) await reportFailure(surroundings, call, seen(), messageOf(error));
    throw error;
  }
  // The tool has not finished: it continues as a task, whose end cannot be observed here.
  if (isTask(result)) return result;
  const after = isFailed(result)
    ? await reportFailure(surroundings, call, seen(), textOf(blocksOf(result)) || 'It did not say why.')
    : await fire('PostToolUse', surroundings, call, { ...seen(), tool_response: responseOf(result) });
  const rewritten = 'updatedOutput' in after ? rewriteResult(result, after.updatedOutput) : result;
  return addTexts(rewritten, [...texts, ...objections(after), ...modelTexts(after)]);
}

async function whyRefused(
  { ask, serverName, onProblem }: Surroundings,
  call: HookedCall<ToolResult>,
  before: HookOutcome,
  input: Input | undefined,
): Promise<string | undefined> {
  const { decision, reason, stopReason, updatedInput } = before;
  const toolName = hookedName(serverName, call.tool);
  if (decision === 'deny') return reason ?? `${toolName} was refused by a hook.`;
  if (endsBeforeTool(before)) return stopReason ?? `${toolName} was not run: a hook has ended the run.`;
  if (decision === 'defer') return `${toolName} was deferred, to be decided later${because(reason)}`;
  try {
    const wrong = updatedInput === undefined ? undefined : await call.check?.(updatedInput);
    if (wrong !== undefined) return `A hook changed the input of ${toolName} to an invalid one: ${wrong}`;
    if (decision !== 'ask') return undefined;
    const question = { toolName, input: input ?? {}, reason, signal: call.signal };
    if ((await ask?.(question)) === true) return undefined;
    return `${toolName} needs a person's approval, which was not given${because(reason)}`;
  } catch (error) {
    reportProblem(onProblem, error);
    return `${toolName} was not run: ${messageOf(error)}`;
  }
}

const because = (reason: string | undefined): string => (reason === undefined ? '.' : `: ${reason}`);

function reportFailure(
  surroundings: Surroundings,
  call: HookedCall<ToolResult>,
  input: ReturnType<typeof inputFor>,
  error: string,
): Promise<HookOutcome> {
  return fire('PostToolUseFailure', surroundings, call, { ...input, error, is_interrupt: false });
}

async function fire<E extends HookEvent>(
  event: E,
  surroundings: Surroundings,
  { toolUseID, agentId, signal }: HookedCall<ToolResult>,
  input: FireInput<E>,
): Promise<HookOutcome<E>> {
  const outcome = await askHooks(surroundings, event, input, { signal, toolUseID, agentId });
  try {
    surroundings.onOutcome(outcome as unknown as HookOutcome);
  } catch (error) {
    reportProblem(surroundings.onProblem, error);
  }
  return outcome;
}

function inputFor(
  { serverName }: Surroundings,
  { tool, toolUseID, sessionId }: HookedCall<ToolResult>,
  input: Input | undefined,
) {
  return {
    tool_name: hookedName(serverName, tool),
    tool_input: input ?? {},
    tool_use_id: toolUseID,
    mcp_server: { name: serverName },
    ...(sessionId !== undefined && { session_id: sessionId }),
  };
}

/** A tool that has run cannot be denied; the hooks' objections are added to its result. */
function objections({ decision, reason }: HookOutcome): string[] {
  return decision === 'deny' && reason !== undefined ? [reason] : [];
}

function modelTexts(outcome: HookOutcome): string[] {
  return [...contextBy(outcome), ...systemMessagesForModel(outcome)];
}
