/**
 * The one way in which a tool is ever run: known and well-formed, then hooks, then permission, then the tool, then hooks
 * again. Whoever wants a tool run, the main agent, a subagent or a second try, comes through here.
 */

import type { Injection } from '../hooks/verdict.js';
import type { ToolResultBlock, ToolUseBlock } from '../models/port.js';
import { isUnparsedInput } from '../models/tool-input.js';
import type { HookOutcome } from '../pipeline/outcome.js';
import { runTool } from '../tools/run-tool.js';
import {
  checkInput,
  type Tool,
  type ToolContent,
  type ToolContext,
  type ToolOutcome,
} from '../tools/tool.js';
import type { Agent } from './agent.js';
import { obtainPermission } from './ask-permission.js';
import { reasonOf, refusals, remindOfContext, remindOfRefusals } from './reminders.js';
import { type Halt, type Session, say } from './session.js';
import { hostFor } from './tool-host.js';

/** What became of one call. */
export interface UsedTool {
  readonly block: ToolResultBlock;
  /** What the model is to read beside the result. */
  readonly reminders: readonly string[];
  readonly injections: readonly Injection[];
  readonly halt?: Halt | undefined;
}

/** A call whose tool is known. */
export interface Call {
  readonly use: ToolUseBlock;
  readonly tool: Tool;
  readonly input: unknown;
}

/** Contract: always an answer to the call, whatever happened; rejects only as `HookRunner.fire` does. */
export async function useTool(
  session: Session,
  agent: Agent,
  use: ToolUseBlock,
  signal: AbortSignal,
): Promise<UsedTool> {
  const tool = agent.findTool(use.name);
  if (tool === undefined) return reject(session, agent, use, unknownTool(agent, use.name));
  const problem = problemWith(tool, use.input);
  if (problem !== undefined) return reject(session, agent, use, problem);
  const before = await fireBefore(session, agent, { use, tool, input: use.input }, signal);
  const reminders = remindOfContext(`PreToolUse:${tool.name}`, before.additionalContext);
  const used = await decideAndRun(session, agent, { use, tool, input: use.input }, before, signal);
  return {
    ...used,
    reminders: [...reminders, ...used.reminders],
    injections: [...before.injections, ...used.injections],
    halt: used.halt ?? haltOf(before),
  };
}

async function decideAndRun(
  session: Session,
  agent: Agent,
  asked: Call,
  before: HookOutcome<'PreToolUse'>,
  signal: AbortSignal,
): Promise<UsedTool> {
  const { use, tool } = asked;
  if (signal.aborted || before.aborted) return reject(session, agent, use, notRun(tool));
  if (before.decision === 'deny') return refuse(session, agent, asked, refusalText(tool, before));
  if (before.decision === 'defer') return defer(use, tool);
  if (before.continue === false && !before.results.every(letsToolFinish))
    return reject(session, agent, use, `${tool.name} was not run: a hook ended the run before it.`);
  const call = before.updatedInput === undefined ? asked : { ...asked, input: before.updatedInput };
  const problem = problemWith(tool, call.input);
  if (problem !== undefined)
    return reject(session, agent, use, `A hook changed the input of ${tool.name}. ${problem}`);
  const permission = await obtainPermission(session, agent, call, before, signal);
  if (!permission.allowed) {
    const refused = refuse(session, agent, call, permission.message, permission.by);
    return { ...refused, halt: permission.interrupt ? { reason: 'permission_interrupt' } : undefined };
  }
  return run(session, agent, { ...call, input: permission.input }, signal);
}

async function run(session: Session, agent: Agent, call: Call, signal: AbortSignal): Promise<UsedTool> {
  const { use, tool, input } = call;
  const startedAt = performance.now();
  const outcome = await runTool(tool, input, contextFor(session, agent, use, signal));
  // An abort ends everything; nobody is asked about a tool that was cut off.
  if (!outcome.ok && outcome.interrupted === true) return reject(session, agent, use, outcome.error);
  const duration = Math.round(performance.now() - startedAt);
  return outcome.ok
    ? afterSuccess(session, agent, call, outcome, duration, signal)
    : afterFailure(session, agent, call, outcome.error, duration, signal);
}

function fireBefore(
  session: Session,
  agent: Agent,
  { use, tool, input }: Call,
  signal: AbortSignal,
): Promise<HookOutcome<'PreToolUse'>> {
  const own = { tool_name: tool.name, tool_input: input, tool_use_id: use.id, ...originOf(tool) };
  return session.hooks.fire('PreToolUse', agent, own, { signal, toolUseID: use.id });
}

async function afterSuccess(
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
  show(session, agent, block, replaced ? after.updatedOutput : outcome.response, after.suppressOutput);
  return judged(block, `PostToolUse:${tool.name}`, after);
}

async function afterFailure(
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
  return judged(block, `PostToolUseFailure:${tool.name}`, after);
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
    halt: haltOf(after),
  };
}

/** Nobody was asked: the call could not be, or may not be. The model reads why. */
function reject(session: Session, agent: Agent, use: ToolUseBlock, error: string): UsedTool {
  const block = errorBlock(use, error);
  show(session, agent, block, error, false);
  return { block, reminders: [], injections: [] };
}

/** Somebody said no. */
function refuse(session: Session, agent: Agent, call: Call, error: string, by = 'hook'): UsedTool {
  const { use, tool, input } = call;
  session.tally.denials.push({ tool_name: tool.name, tool_use_id: use.id, tool_input: input });
  say(session, {
    type: 'system',
    subtype: 'permission_denied',
    tool_name: tool.name,
    tool_use_id: use.id,
    decision_reason_type: by,
    message: error,
  });
  return reject(session, agent, use, error);
}

/** Somebody decides later, when the run is over. The conversation has to stay valid until then. */
function defer(use: ToolUseBlock, tool: Tool): UsedTool {
  const block = errorBlock(use, `${tool.name} was put off: it is decided later whether it runs.`);
  return { block, reminders: [], injections: [], halt: { reason: 'tool_deferred', deferred: use } };
}

function show(
  session: Session,
  agent: Agent,
  block: ToolResultBlock,
  result: unknown,
  suppressed: boolean,
): void {
  const hidden = { ...block, content: '(a hook suppressed this output)' };
  say(session, {
    type: 'user',
    message: { role: 'user', content: [suppressed ? hidden : block] },
    parent_tool_use_id: agent.parentToolUseId,
    ...(!suppressed && { tool_use_result: result }),
  });
}

function problemWith(tool: Tool, input: unknown): string | undefined {
  if (isUnparsedInput(input))
    return `The input of ${tool.name} is not a JSON object. Call ${tool.name} again with one.`;
  const checked = checkInput(tool, input);
  return checked.ok ? undefined : checked.error;
}

function contextFor(session: Session, agent: Agent, use: ToolUseBlock, signal: AbortSignal): ToolContext {
  return {
    cwd: agent.cwd,
    setCwd: (path) => {
      agent.cwd = path;
    },
    signal,
    environmentFiles: session.hooks.environmentFiles(),
    toolUseId: use.id,
    host: hostFor(session, agent),
  };
}

/** What the model reads of an output that a hook has put in the place of the tool's own. */
function contentOf(tool: Tool, output: unknown): ToolContent {
  if (typeof output === 'string') return output;
  const shown = tool.show?.(output);
  if (shown !== undefined) return shown;
  if (Array.isArray(output) && output.every(isBlock)) return output;
  return JSON.stringify(output) ?? '';
}

const isBlock = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  (value.type === 'text' || value.type === 'image');

const originOf = ({ mcpServer }: Tool): { mcp_server?: { name: string; source: string } } =>
  mcpServer === undefined ? {} : { mcp_server: { name: mcpServer, source: 'dynamic' } };

const letsToolFinish = (result: HookOutcome['results'][number]): boolean =>
  result.continue !== false || result.toolFinishes === true;

function haltOf(outcome: HookOutcome): Halt | undefined {
  return outcome.continue === false ? { reason: 'hook_stopped', stopReason: outcome.stopReason } : undefined;
}

function refusalText(tool: Tool, before: HookOutcome<'PreToolUse'>): string {
  const [first] = refusals(before.results);
  const reason = before.reason ?? (first === undefined ? 'it gives no reason' : reasonOf(first));
  return `PreToolUse:${tool.name} hook refused this call: ${reason}`;
}

const notRun = ({ name }: Tool): string => `${name} was not run: the run was interrupted.`;

const errorBlock = (use: ToolUseBlock, content: string): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: use.id,
  content,
  is_error: true,
});

function unknownTool(agent: Agent, name: string): string {
  return `There is no tool ${name}. There are: ${agent.tools.map((tool) => tool.name).join(', ') || 'none'}.`;
}
