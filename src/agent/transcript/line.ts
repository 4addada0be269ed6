/** The lines of a transcript: entries to be written, and lines as they are in the file. */
import { randomUUID } from 'node:crypto';
import type { ContentBlock, ModelUsage, StopReason } from '../models/port.js';
import { type ModelSpending, toWireUsage, type WireUsage } from '../models/usage.js';
import type { AddedText, HookContext } from './added-text.js';
import type { ReplacedBlock } from './replaced-blocks.js';

/** A prompt, tool results, or text for the model from hooks and the host. */
export interface NewUserLine {
  readonly type: 'user';
  /** Added texts have lines of their own, so that the line of a prompt has nothing else. */
  readonly content: string | readonly (ContentBlock | AddedText)[];
  /** What hooks see as `tool_response`, by the ids of the calls. Each result has a line of its own. */
  readonly toolUseResults?: Readonly<Record<string, unknown>> | undefined;
  /** The prompt that this line belongs to. */
  readonly promptId?: string | undefined;
  /** No person wrote it: hook feedback or reminders. */
  readonly isMeta?: boolean | undefined;
}

/** An answer of the model. Consecutive lines with the same `id` are read as one message. */
export interface NewAssistantLine {
  readonly type: 'assistant';
  readonly content: readonly ContentBlock[];
  readonly model: string;
  /** Absent if the answer was cut short. */
  readonly stopReason?: StopReason | undefined;
  readonly usage?: ModelUsage | undefined;
  /** Default: a new one. */
  readonly id?: string | undefined;
}

/** The conversation continues from a summary. Its two lines are written together, so that neither exists alone. */
export interface NewCompaction {
  readonly type: 'compaction';
  readonly trigger: 'manual' | 'auto';
  /** The size of the conversation before. */
  readonly preTokens: number;
  readonly summary: string | readonly ContentBlock[];
}

/** The conversation was cleared: a resumed session starts after this line. */
export interface NewClear {
  readonly type: 'clear';
}

/** For readers of the file; never sent to a model. */
export interface NewNotice {
  readonly type: 'system';
  readonly subtype: string;
  readonly content: string;
  readonly level?: 'info' | 'warning' | 'error' | undefined;
}

/** What the session has used and cost so far, summaries and subagents included. A resumed session counts on from the last one. */
export interface NewSpending {
  readonly type: 'spending';
  readonly byModel: Readonly<Record<string, ModelSpending>>;
}

/** Blocks of the conversation were replaced by smaller ones: old results, or images that the service cannot read. */
export interface NewReplacement {
  readonly type: 'replacement';
  readonly blocks: readonly ReplacedBlock[];
}

/** The session has got a title. */
export interface NewTitle {
  readonly type: 'title';
  readonly title: string;
}

export type NewLine =
  | NewUserLine
  | NewAssistantLine
  | NewCompaction
  | NewClear
  | NewNotice
  | NewSpending
  | NewReplacement
  | NewTitle;

interface LineBase {
  /** The uuid of the line before; null where a conversation starts. */
  readonly parentUuid: string | null;
  /** True for the lines of a subagent. */
  readonly isSidechain: boolean;
  readonly userType: 'external';
  readonly cwd: string;
  readonly sessionId: string;
  readonly version: string;
  /** Absent outside of a git repository. */
  readonly gitBranch?: string;
  readonly agentId?: string;
  readonly uuid: string;
  /** ISO 8601, in UTC. */
  readonly timestamp: string;
}

export interface UserLine extends LineBase {
  readonly type: 'user';
  readonly message: { readonly role: 'user'; readonly content: string | readonly ContentBlock[] };
  readonly toolUseResult?: unknown;
  readonly promptId?: string;
  readonly isMeta?: true;
  readonly isCompactSummary?: true;
}

export interface AssistantLine extends LineBase {
  readonly type: 'assistant';
  readonly message: {
    readonly id: string;
    readonly type: 'message';
    readonly role: 'assistant';
    readonly model: string;
    readonly content: readonly ContentBlock[];
    readonly stop_reason: StopReason | null;
    readonly usage: WireUsage;
  };
}

/** What hooks added for the model. */
export interface AttachmentLine extends LineBase {
  readonly type: 'attachment';
  readonly attachment: HookContext & { readonly type: typeof HOOK_CONTEXT };
}

/** The title of the session; the last one counts. */
export interface TitleLine extends LineBase {
  readonly type: typeof TITLE;
  readonly customTitle: string;
}

export interface SystemLine extends LineBase {
  readonly type: 'system';
  readonly subtype: string;
  readonly content: string;
  readonly level: 'info' | 'warning' | 'error';
  /** The line before, where a conversation starts within a file. */
  readonly logicalParentUuid?: string | null;
  readonly compactMetadata?: { readonly trigger: 'manual' | 'auto'; readonly preTokens: number };
  /** With the subtype `spending`. */
  readonly modelUsage?: Readonly<Record<string, ModelSpending>>;
  /** With the subtype `blocks_replaced`. */
  readonly replacedBlocks?: readonly ReplacedBlock[];
}

export type TranscriptLine = UserLine | AssistantLine | AttachmentLine | TitleLine | SystemLine;

/** The type of an attachment with the context of hooks. */
export const HOOK_CONTEXT = 'hook_additional_context';
/** The type of a line with the title of the session. */
export const TITLE = 'custom-title';

/** Subtypes of system lines that affect how a conversation is read. */
export const COMPACT_BOUNDARY = 'compact_boundary';
export const CLEARED = 'conversation_cleared';
export const REPLACED = 'blocks_replaced';
/** The subtype of lines that say what a session has used. */
export const SPENDING = 'spending';

/** The maximum length of a line, because a line is held in memory as a whole. */
export const MAX_LINE = 64 * 1024 * 1024;

/** An answer in the form of the Messages API, for lines and for messages of a run. */
export function assistantMessage(entry: NewAssistantLine): AssistantLine['message'] {
  return {
    id: entry.id ?? `msg_${randomUUID().replaceAll('-', '')}`,
    type: 'message',
    role: 'assistant',
    model: entry.model,
    content: entry.content,
    stop_reason: entry.stopReason ?? null,
    usage: toWireUsage(entry.usage ?? { inputTokens: 0, outputTokens: 0 }),
  };
}
