/** One tool call with its hooks: asked before, told after. Servers and clients come through here alike. */
import { messageOf } from '../../base/errors.js';
import type { FireInput, HookEvent } from '../../events/types.js';
import type { HookOutcome } from '../../runner/outcome.js';
import { askHooks, tell } from '../ask-hooks.js';
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
  /** As the server calls it. */
  readonly tool: string;
  readonly input: Input | undefined;
  readonly toolUseID: string;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Says what is wrong with an input that hooks have rewritten; absent where the tool's own side checks. */
  check?(input: Input): string | undefined | Promise<string | undefined>;
  run(input: Input | undefined): Promise<R>;
}

/** Rejects with what `run` rejects with, after the hooks have been told; or with the reason of an abort. */
export async function callWithHooks<R extends ToolResult>(
  surroundings: Surroundings,
  call: HookedCall<R>,
): Promise<R | ToolResult> {
  const before = await fire('PreToolUse', surroundings, call, inputFor(surroundings, call, call.input));
  call.signal?.throwIfAborted();
  const told = toldBy(before);
  const input = before.updatedInput ?? call.input;
  const refused = await whyRefused(surroundings, call, before, input);
  if (refused !== undefined) return refusal([refused, ...told]);
  // A person who was asked may have taken long.
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
    // An abort ends everything; nobody is told of a call that was cut off.
    if (call.signal?.aborted !== true) await tellOfFailure(surroundings, call, seen(), messageOf(error));
    throw error;
  }
  // The tool has not ended: it goes on as a task, whose end nobody here sees.
  if (isTask(result)) return result;
  const after = isFailed(result)
    ? await tellOfFailure(surroundings, call, seen(), textOf(blocksOf(result)) || 'It did not say why.')
    : await fire('PostToolUse', surroundings, call, { ...seen(), tool_response: responseOf(result) });
  const rewritten = 'updatedOutput' in after ? rewriteResult(result, after.updatedOutput) : result;
  return addTexts(rewritten, [...told, ...objections(after), ...toldBy(after)]);
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
  if (decision === 'defer') return `${toolName} was put off, to be decided later${because(reason)}`;
  try {
    const wrong = updatedInput === undefined ? undefined : await call.check?.(updatedInput);
    if (wrong !== undefined) return `A hook changed the input of ${toolName}, and it does not fit: ${wrong}`;
    if (decision !== 'ask') return undefined;
    const question = { toolName, input: input ?? {}, reason, signal: call.signal };
    if ((await ask?.(question)) === true) return undefined;
    return `${toolName} needs a person's agreement, which was not given${because(reason)}`;
  } catch (error) {
    tell(onProblem, error);
    return `${toolName} was not run: ${messageOf(error)}`;
  }
}

const because = (reason: string | undefined): string => (reason === undefined ? '.' : `: ${reason}`);

function tellOfFailure(
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
    tell(surroundings.onProblem, error);
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

/** A tool that has run cannot be refused; what hooks have against it is told. */
function objections({ decision, reason }: HookOutcome): string[] {
  return decision === 'deny' && reason !== undefined ? [reason] : [];
}

function toldBy(outcome: HookOutcome): string[] {
  return [...contextBy(outcome), ...systemMessagesForModel(outcome)];
}
