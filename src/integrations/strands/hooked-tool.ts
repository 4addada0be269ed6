/** A tool of the host with its hooks around it, for one call. */
import { messageOf } from '../../base/errors.js';
import type { HookSession, ToolCall, ToolEnd } from '../session/index.js';
import { fieldOf } from '../tool-content.js';
import { whileRunning } from '../while-running.js';
import { blocksOf, failureIn, responseOf } from './blocks.js';
import type { HostTool, StrandsModule, ToolContext, ToolResult } from './host.js';

/** Runs in the place of the host's tool. Its input is the one that hooks have seen, whatever the host passes. */
export function hookedTool(
  strands: StrandsModule,
  session: HookSession,
  tool: HostTool,
  { call, approved }: { call: Omit<ToolCall<ToolResult>, 'run'>; approved: boolean },
): HostTool {
  const { name, description, toolSpec } = tool;
  return {
    name,
    description,
    toolSpec,
    stream: (context) =>
      whileRunning(async (pass) => {
        const { toolUse } = context;
        const end = await session.run<ToolResult>(
          {
            ...call,
            failureIn,
            responseOf,
            // The question of a tool to a person.
            pauses: (error) => fieldOf(error, 'name') === 'InterruptError',
            run: (input) => lastOf(tool, { ...context, toolUse: { ...toolUse, input } }, pass),
          },
          { approved },
        );
        return resultOf(strands, end, toolUse.toolUseId);
      }),
  };
}

/** Passes on what the tool reports, and returns its result. */
async function lastOf(
  tool: HostTool,
  context: ToolContext,
  pass: (event: unknown) => void,
): Promise<ToolResult> {
  const events = tool.stream(context);
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) return value;
    pass(value);
  }
}

/** What the model reads. */
function resultOf(strands: StrandsModule, end: ToolEnd<ToolResult>, toolUseId: string): ToolResult {
  const own = (): Pick<ToolResult, 'status' | 'content' | 'error'> => {
    if (end.status === 'refused') return { status: 'error', content: blocksOf(strands, end.reason) };
    const status = end.status === 'failed' ? 'error' : 'success';
    if ('updatedOutput' in end) return { status, content: blocksOf(strands, end.updatedOutput) };
    return end.result ?? { status, content: blocksOf(strands, messageOf(end.error)) };
  };
  const { status, content, error } = own();
  const texts = end.texts.map((text) => new strands.TextBlock(text));
  const data = { toolUseId, status, content: [...content, ...texts], ...(error && { error }) };
  return new strands.ToolResultBlock(data as never);
}
