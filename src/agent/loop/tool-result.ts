/** The result of a tool call: the block for the model, and the messages of the run. */
import type { Injection } from '../../handlers/verdict.js';
import { setApart } from '../../injection/set-apart.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { ToolResultBlock, ToolUseBlock } from '../models/port.js';
import type { Tool } from '../tools/tool.js';
import type { AddedText } from '../transcript/added-text.js';
import type { Agent } from './agent.js';
import { emitMessage, type Session, type StopRequest } from './session.js';

/** The result of one tool call. */
export interface UsedTool {
  readonly block: ToolResultBlock;
  /** Reminders for the model, next to the result. */
  readonly reminders: readonly AddedText[];
  readonly injections: readonly Injection[];
  readonly halt?: StopRequest | undefined;
  /** What hooks saw as `tool_response`; for the transcript. */
  readonly response?: unknown;
  /** The tool that was called and its input as hooks saw them; absent if there is no such tool. */
  readonly tool?: string;
  readonly input?: unknown;
}

/** How the model reads an injection of a hook: marked, unless the session wants it plain. */
export const shownIn =
  ({ options }: Pick<Session, 'options'>) =>
  (injection: Injection): string =>
    options.markInjections === false ? injection.content : setApart(injection);

/** A call of a known tool. */
export interface Call {
  readonly use: ToolUseBlock;
  readonly tool: Tool;
  readonly input: unknown;
}

/** Rejects a call without asking for permission: it is invalid or cannot run. The model reads the reason. */
export function reject(session: Session, agent: Agent, use: ToolUseBlock, error: string): UsedTool {
  const block = errorBlock(use, error);
  show(session, agent, block, error, false);
  return { block, reminders: [], injections: [], response: error };
}

/** Denies a call, and emits and counts the denial. */
export function refuse(session: Session, agent: Agent, call: Call, error: string, by = 'hook'): UsedTool {
  const { use, tool, input } = call;
  session.tally.denials.push({ tool_name: tool.name, tool_use_id: use.id, tool_input: input });
  emitMessage(session, {
    type: 'system',
    subtype: 'permission_denied',
    tool_name: tool.name,
    tool_use_id: use.id,
    decision_reason_type: by,
    message: error,
  });
  return reject(session, agent, use, error);
}

/** Defers the decision until after the run. The error result keeps the conversation valid until then. */
export function defer({ use, tool, input }: Call): UsedTool {
  const block = errorBlock(use, `${tool.name} was deferred: whether it runs is decided later.`);
  const deferred = { ...use, input };
  return { block, reminders: [], injections: [], halt: { reason: 'tool_deferred', deferred } };
}

export function show(
  session: Session,
  agent: Agent,
  block: ToolResultBlock,
  result: unknown,
  suppressed: boolean,
): void {
  const hidden = { ...block, content: '(a hook suppressed this output)' };
  emitMessage(session, {
    type: 'user',
    message: { role: 'user', content: [suppressed ? hidden : block] },
    parent_tool_use_id: agent.parentToolUseId,
    ...(!suppressed && { tool_use_result: result }),
  });
}

export function stopRequestOf(outcome: HookOutcome): StopRequest | undefined {
  return outcome.continue === false ? { reason: 'hook_stopped', stopReason: outcome.stopReason } : undefined;
}

export const errorBlock = (use: ToolUseBlock, content: string): ToolResultBlock => ({
  type: 'tool_result',
  tool_use_id: use.id,
  // Services reject an empty error result.
  content: content.trim() === '' ? `${use.name} failed and gave no reason.` : content,
  is_error: true,
});
