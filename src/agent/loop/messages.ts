/** What a run tells those who watch it: the Agent SDK's message shapes, so that programs written for it can read them. */
import type { UUID } from 'node:crypto';
import type { InjectionMessage } from '../../injection/messages.js';
import type { HookMessage } from '../../runner/messages/hook-messages.js';
import type { ContentBlock } from '../models/port.js';

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
}

/** Something the model said: text, and the tools it wants to use. */
export interface AssistantMessage extends Envelope {
  readonly type: 'assistant';
  readonly message: {
    readonly id: string;
    readonly type: 'message';
    readonly role: 'assistant';
    readonly model: string;
    readonly content: readonly ContentBlock[];
    readonly stop_reason: string | null;
    readonly usage: Usage;
  };
  /** The call of the Agent tool whose agent speaks; null for the main one. */
  readonly parent_tool_use_id: string | null;
}

/** Something the model was told: a tool's result, or a text that no person wrote. */
export interface UserMessage extends Envelope {
  readonly type: 'user';
  readonly message: { readonly role: 'user'; readonly content: readonly ContentBlock[] };
  readonly parent_tool_use_id: string | null;
  /** Nobody typed it: feedback of a hook, the summary of a compaction. */
  readonly isSynthetic?: boolean;
  /** What hooks saw as `tool_response`. */
  readonly tool_use_result?: unknown;
}

/** A piece of text as it comes; only when they are asked for. */
export interface PartialMessage extends Envelope {
  readonly type: 'stream_event';
  readonly event: {
    readonly type: 'content_block_delta';
    readonly index: number;
    readonly delta: { readonly type: 'text_delta'; readonly text: string };
  };
  readonly parent_tool_use_id: string | null;
}

export interface StatusMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'status';
  readonly status: 'compacting' | null;
  /** Why a compaction did not come about. */
  readonly compact_error?: string;
}

/** From here on the model knows what was before only by its summary. */
export interface CompactBoundaryMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'compact_boundary';
  readonly compact_metadata: { readonly trigger: 'manual' | 'auto'; readonly pre_tokens: number };
}

/** A call that was not permitted, and who said so. */
export interface PermissionDeniedMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'permission_denied';
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly decision_reason_type: string;
  readonly message: string;
}

/** A word for people: what a hook has to say to them, why a prompt did not reach the model. */
export interface InformationalMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'informational';
  readonly content: string;
  readonly level: 'info' | 'warning';
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

/** An agent in the background is done. */
export interface TaskNotificationMessage extends Envelope {
  readonly type: 'system';
  readonly subtype: 'task_notification';
  readonly task_id: string;
  readonly status: 'completed' | 'failed' | 'stopped';
  /** The agent's transcript. */
  readonly output_file: string;
  readonly summary: string;
}

/** Why a turn ended. */
export type EndReason =
  | 'completed'
  | 'max_turns'
  /** A hook answered `continue: false`. */
  | 'hook_stopped'
  | 'prompt_blocked'
  /** Hooks kept the agent from stopping more often than allowed. */
  | 'stop_hook_cap'
  | 'tool_deferred'
  /** Whoever was asked for permission wants the turn to end. */
  | 'permission_interrupt'
  | 'aborted'
  | 'model_error'
  | 'compacted'
  | 'compaction_blocked'
  | 'cleared'
  /** A mistake in the program around the loop, such as a runner that is disposed. */
  | 'internal_error';

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface PermissionDenial {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: unknown;
}

/** The end of a turn; exactly one for every prompt. */
export interface ResultMessage extends Envelope {
  readonly type: 'result';
  readonly subtype: 'success' | 'error_max_turns' | 'error_during_execution';
  readonly is_error: boolean;
  readonly terminal_reason: EndReason;
  /** The last text of the agent; why there is none, where a hook kept the prompt from it. */
  readonly result: string;
  readonly errors?: readonly string[];
  /** The model's own reason to stop. */
  readonly stop_reason: string | null;
  /** What the hook that ended the turn gave as `stopReason`. */
  readonly hook_stop_reason?: string;
  /** How often the model was asked. */
  readonly num_turns: number;
  readonly duration_ms: number;
  /** Of it, waiting for the model. */
  readonly duration_api_ms: number;
  readonly usage: Usage;
  /** Calls that were not permitted. */
  readonly permission_denials: readonly PermissionDenial[];
  readonly deferred_tool_use?: { readonly id: string; readonly name: string; readonly input: unknown };
}

/** Everything a run tells, told apart by `type` and `subtype`. */
export type LoopMessage =
  | InitMessage
  | AssistantMessage
  | UserMessage
  | PartialMessage
  | HookMessage
  | InjectionMessage
  | StatusMessage
  | CompactBoundaryMessage
  | PermissionDeniedMessage
  | InformationalMessage
  | TaskStartedMessage
  | TaskNotificationMessage
  | ResultMessage;

/** A message before it gets its id and its session. */
export type NewMessage<M extends LoopMessage = Exclude<LoopMessage, HookMessage | InjectionMessage>> =
  M extends Envelope ? Omit<M, 'uuid' | 'session_id'> : never;
