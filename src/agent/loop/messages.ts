/** The messages of a run, in the Agent SDK's shapes, so that programs written for it can read them. */
import type { UUID } from 'node:crypto';
import type { InjectionMessage } from '../../injection/messages.js';
import type { HookMessage } from '../../runner/messages/hook-messages.js';
import type { ContentBlock } from '../models/port.js';
import type { ModelSpending, WireUsage } from '../models/usage.js';

interface Envelope {
  readonly uuid: UUID;
  readonly session_id: string;
}

/** The session is ready for a prompt. */
export interface InitMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'init';
  readonly cwd: string;
  readonly model: string;
  readonly permissionMode: string;
  readonly tools: readonly string[];
  readonly mcp_servers: readonly { readonly name: string; readonly status: string }[];
  readonly agents: readonly string[];
  /** Absent if the session was given none. */
  readonly skills?: readonly string[];
}

/** A message of the model: thinking, text and tool calls. */
export interface AssistantMessage extends Envelope {
  readonly type: 'assistant';
  readonly message: {
    readonly id: string;
    readonly type: 'message';
    readonly role: 'assistant';
    readonly model: string;
    readonly content: readonly ContentBlock[];
    readonly stop_reason: string | null;
    readonly usage: WireUsage;
  };
  /** The Agent tool call that started the agent; null for the main agent. */
  readonly parent_tool_use_id: string | null;
}

/** A message to the model: a tool result, text that no person wrote, or what the user said while the agent worked (`send`). */
export interface UserMessage extends Envelope {
  readonly type: 'user';
  readonly message: { readonly role: 'user'; readonly content: readonly ContentBlock[] };
  readonly parent_tool_use_id: string | null;
  /** No person wrote it: hook feedback, or the summary of a compaction. */
  readonly isSynthetic?: boolean;
  /** What hooks saw as `tool_response`. */
  readonly tool_use_result?: unknown;
}

/** A piece of streamed text or thinking; emitted only with `includePartialMessages`. */
export interface PartialMessage extends Envelope {
  readonly type: 'stream_event';
  readonly event: {
    readonly type: 'content_block_delta';
    readonly index: number;
    readonly delta:
      | { readonly type: 'text_delta'; readonly text: string }
      | { readonly type: 'thinking_delta'; readonly thinking: string };
  };
  readonly parent_tool_use_id: string | null;
}

export interface StatusMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'status';
  readonly status: 'compacting' | null;
  /** Why a compaction failed. */
  readonly compact_error?: string;
}

/** The conversation was compacted: the model knows what came before only from the summary. */
export interface CompactBoundaryMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'compact_boundary';
  readonly compact_metadata: { readonly trigger: 'manual' | 'auto'; readonly pre_tokens: number };
}

/** A request to the model failed before the answer began, and is tried again after a delay. */
export interface ApiRetryMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'api_retry';
  /** Starts at 1. */
  readonly attempt: number;
  readonly max_retries: number;
  readonly retry_delay_ms: number;
  /** The HTTP status, if there was one. */
  readonly error_status: number | null;
  /** The Agent SDK's word for the error. */
  readonly error: string;
  readonly parent_tool_use_id: string | null;
}

/** A denied tool call, and who denied it. */
export interface PermissionDeniedMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'permission_denied';
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly decision_reason_type: string;
  readonly message: string;
}

/** A message for people: a hook's system message, or why a prompt did not reach the model. */
export interface InformationalMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'informational';
  readonly content: string;
  readonly level: 'info' | 'warning';
}

/** A tool call is still running: after each second in which it printed something, and every ten seconds otherwise. */
export interface ToolProgressMessage extends Envelope {
  readonly type: 'tool_progress';
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly parent_tool_use_id: string | null;
  readonly elapsed_time_seconds: number;
  /** What it has printed so far, if the tool says so. Hooks have not seen the output yet, so it is not shown. */
  readonly total_lines?: number;
  readonly total_bytes?: number;
}

export interface TaskStartedMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'task_started';
  readonly task_id: string;
  readonly tool_use_id: string;
  readonly description: string;
  readonly subagent_type: string;
  readonly is_backgrounded: boolean;
}

/** A background agent or a background command has ended. */
export interface TaskNotificationMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'task_notification';
  readonly task_id: string;
  readonly status: 'completed' | 'failed' | 'stopped';
  /** The agent's transcript; empty for a command. */
  readonly output_file: string;
  readonly summary: string;
}

/** Why a turn ended. */
export type EndReason =
  | 'completed'
  | 'max_turns'
  /** The session has cost as much as `maxBudgetUsd` allows. */
  | 'max_budget_usd'
  /** Answers were cut off by the limit of their length, again and again. */
  | 'max_tokens'
  | 'refusal'
  /** The agent repeated itself for `stallCap` turns. */
  | 'no_progress'
  /** A hook answered `continue: false`. */
  | 'hook_stopped'
  | 'prompt_blocked'
  /** Hooks blocked the stop more often than `stopCap` allows. */
  | 'stop_hook_cap'
  | 'tool_deferred'
  /** The answer to a permission question ended the turn. */
  | 'permission_interrupt'
  | 'aborted'
  | 'model_error'
  /** A hook before or after the request to the model refused it. */
  | 'model_call_blocked'
  | 'compacted'
  | 'compaction_blocked'
  | 'cleared'
  /** A programming error around the loop, such as a disposed runner. */
  | 'internal_error';

export interface PermissionDenial {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: unknown;
}

/** The end of a turn; exactly one for each prompt. */
export interface ResultMessage extends Envelope {
  readonly type: 'result';
  readonly subtype: 'success' | 'error_max_turns' | 'error_max_budget_usd' | 'error_during_execution';
  readonly is_error: boolean;
  readonly terminal_reason: EndReason;
  /** The agent's last text, or why a hook blocked the prompt. */
  readonly result: string;
  readonly errors?: readonly string[];
  /** The model's own stop reason. */
  readonly stop_reason: string | null;
  /** The `stopReason` of the hook that ended the turn. */
  readonly hook_stop_reason?: string;
  /** The number of requests to the model. */
  readonly num_turns: number;
  readonly duration_ms: number;
  /** The part of it spent waiting for the model. */
  readonly duration_api_ms: number;
  /** The tokens of this prompt, subagents and summaries included. */
  readonly usage: WireUsage;
  /** What the session has cost so far. Models without a known price count as 0. */
  readonly total_cost_usd: number;
  /** What the session has used so far, by model. */
  readonly modelUsage: Readonly<Record<string, ModelSpending>>;
  /** The models that were used and whose price is not known. */
  readonly unpriced_models?: readonly string[];
  /** Denied tool calls. */
  readonly permission_denials: readonly PermissionDenial[];
  readonly deferred_tool_use?: { readonly id: string; readonly name: string; readonly input: unknown };
}

/** All messages of a run, discriminated by `type` and `subtype`. */
export type LoopMessage =
  | InitMessage
  | AssistantMessage
  | UserMessage
  | PartialMessage
  | HookMessage
  | InjectionMessage
  | StatusMessage
  | CompactBoundaryMessage
  | ApiRetryMessage
  | PermissionDeniedMessage
  | InformationalMessage
  | ToolProgressMessage
  | TaskStartedMessage
  | TaskNotificationMessage
  | ResultMessage;

/** A message without its id and session id. */
export type NewMessage<M extends LoopMessage = Exclude<LoopMessage, HookMessage | InjectionMessage>> =
  M extends Envelope ? Omit<M, 'uuid' | 'session_id'> : never;

/** A retry as a sentence for people. */
export function retryLine({
  error,
  error_status,
  retry_delay_ms,
  attempt,
  max_retries,
}: ApiRetryMessage): string {
  const why = `${error.replaceAll('_', ' ')}${error_status === null ? '' : `, ${error_status}`}`;
  const seconds = (retry_delay_ms / 1000).toFixed(1);
  return `The model did not answer (${why}). Trying again in ${seconds} s, ${attempt} of ${max_retries}.`;
}

/** What stands before a user's words that reach the model in the middle of a run. */
export const SAID_MEANWHILE = 'The user says while you work:\n';
