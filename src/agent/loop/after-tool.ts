/** Fires the hooks that run after a tool; they can replace the output that the model reads. */
import { z } from 'zod';
import type { HookOutcome } from '../../runner/outcome.js';
import type { ToolResultBlock } from '../models/port.js';
import { capContent } from '../tools/cap-content.js';
import type { Tool, ToolContent, ToolOutcome } from '../tools/tool.js';
import type { Agent } from './agent.js';
import { remindOfContext, remindOfRefusals } from './reminders.js';
import type { Session } from './session.js';
import { type Call, errorBlock, show, stopRequestOf, type UsedTool } from './tool-result.js';

export async function afterSuccess(
  session: Session,
  agent: Agent,
  { use, tool, input }: Call,
  outcome: Extract<ToolOutcome, { ok: true }>,
  duration: number,
  signal: AbortSignal,
): Promise<UsedTool> {
  const after = await session.hooks.fire(
    'PostToolUse',
    agent,
    {
      tool_name: tool.name,
      tool_input: input,
      tool_response: outcome.response,
      tool_use_id: use.id,
      duration_ms: duration,
      ...originOf(tool),
    },
    { signal, toolUseID: use.id },
  );
  const replaced = 'updatedOutput' in after;
  const content = replaced ? contentOf(tool, after.updatedOutput) : outcome.content;
  const block: ToolResultBlock = { type: 'tool_result', tool_use_id: use.id, content };
  const response = replaced ? after.updatedOutput : outcome.response;
  show(session, agent, block, response, after.suppressOutput);
  return { ...resultAfterHooks(block, `PostToolUse:${tool.name}`, after), response };
}

export async function afterFailure(
  session: Session,
  agent: Agent,
  { use, tool, input }: Call,
  error: string,
  duration: number,
  signal: AbortSignal,
): Promise<UsedTool> {
  const after = await session.hooks.fire(
    'PostToolUseFailure',
    agent,
    {
      tool_name: tool.name,
      tool_input: input,
      tool_use_id: use.id,
      error,
      is_interrupt: false,
      duration_ms: duration,
      ...originOf(tool),
    },
    { signal, toolUseID: use.id },
  );
  const block = errorBlock(use, error);
  show(session, agent, block, error, after.suppressOutput);
  return { ...resultAfterHooks(block, `PostToolUseFailure:${tool.name}`, after), response: error };
}

/** Builds the result from what the hooks returned. The tool has already run, so a refusal only adds a reminder. */
function resultAfterHooks(
  block: ToolResultBlock,
  place: string,
  after: HookOutcome<'PostToolUse'> | HookOutcome<'PostToolUseFailure'>,
): UsedTool {
  return {
    block,
    reminders: [
      ...remindOfRefusals(place, after.results),
      ...remindOfContext(place, after.additionalContext),
    ],
    injections: after.injections,
    halt: stopRequestOf(after),
  };
}

/** The content the model reads when a hook has replaced the output. Capped like the tool's own output. */
function contentOf(tool: Tool, output: unknown): ToolContent {
  return capContent(typeof output === 'string' ? output : (tool.show?.(output) ?? toContent(output)));
}

function toContent(output: unknown): ToolContent {
  const blocks = BLOCKS.safeParse(output);
  return blocks.success ? blocks.data : (JSON.stringify(output) ?? '');
}

/** Accepts only blocks that model services accept: an invalid block would make every later request fail. */
const BLOCKS = z.array(
  z.union([
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({
      type: z.literal('image'),
      source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
    }),
    // The image shape of MCP servers, which hooks also see.
    z
      .object({ type: z.literal('image'), data: z.string(), mimeType: z.string() })
      .transform(({ data, mimeType }) => ({
        type: 'image' as const,
        source: { type: 'base64' as const, media_type: mimeType, data },
      })),
  ]),
);

export const originOf = ({ mcpServer }: Tool): { mcp_server?: { name: string; source: string } } =>
  mcpServer === undefined ? {} : { mcp_server: { name: mcpServer, source: 'dynamic' } };
