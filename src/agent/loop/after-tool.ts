/** After the tool: hooks hear of it, and may say what the model reads of it. */
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
  return { ...judged(block, `PostToolUse:${tool.name}`, after), response };
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
  return { ...judged(block, `PostToolUseFailure:${tool.name}`, after), response: error };
}

/** What hooks say after the tool: it has run, so a refusal is told and changes nothing. */
function judged(
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

/** What the model reads of an output that a hook has put in the place of the tool's own; no longer than that could be. */
function contentOf(tool: Tool, output: unknown): ToolContent {
  return capContent(typeof output === 'string' ? output : (tool.show?.(output) ?? toContent(output)));
}

function toContent(output: unknown): ToolContent {
  const blocks = BLOCKS.safeParse(output);
  return blocks.success ? blocks.data : (JSON.stringify(output) ?? '');
}

/** Only what services take: a block that they refuse would be refused with every further request. */
const BLOCKS = z.array(
  z.union([
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({
      type: z.literal('image'),
      source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
    }),
    // The shape in which MCP servers say it, and hooks see it.
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
