/** Runs one MCP tool call with its hooks before and after. Used by servers and clients. */
import { finishCall, judgeCall, type ToolCall, type ToolInput } from '../tool-call.js';
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

export interface HookedCall<R extends ToolResult> extends Pick<ToolCall<R>, 'check' | 'signal'> {
  /** The server's name of the tool. */
  readonly tool: string;
  readonly input: ToolInput | undefined;
  readonly toolUseID: string;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  run(input: ToolInput | undefined): Promise<R>;
}

/** Rejects with the error of `run`, after the hooks for the failure have run; or with the reason of an abort. */
export async function callWithHooks<R extends ToolResult>(
  surroundings: Surroundings,
  { tool, input, toolUseID, agentId, sessionId, run, ...rest }: HookedCall<R>,
): Promise<R | ToolResult> {
  const { serverName, ...context } = surroundings;
  const shown = input ?? {};
  const call: ToolCall<R> = {
    ...rest,
    name: hookedName(serverName, tool),
    input: shown,
    // A call without arguments stays one, unless a hook adds some.
    run: (changed) => run(changed === shown ? input : changed),
    id: toolUseID,
    fields: { mcp_server: { name: serverName } },
    failureIn: (result) => (isFailed(result) ? textOf(blocksOf(result)) || 'It did not say why.' : undefined),
    responseOf,
    continuesAfter: isTask,
  };
  const base = sessionId === undefined ? {} : { session_id: sessionId };
  const agentContext = { ...context, agentId, base };
  const end = await finishCall(agentContext, call, await judgeCall(agentContext, call));
  if (end.status === 'refused') return refusal([end.reason, ...end.texts]);
  const { result, error, texts } = end;
  if (result === undefined) throw error;
  const rewritten = 'updatedOutput' in end ? rewriteResult(result, end.updatedOutput) : result;
  return addTexts(rewritten, texts);
}
