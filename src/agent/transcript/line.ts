/** The lines of a transcript: what is given to be written, and what then stands in the file. */
import type { ContentBlock, ModelUsage, StopReason } from '../models/port.js';

/** What a person said, what tools gave back, or what hooks and the host had to tell the model. */
export interface NewUserLine {
  readonly type: 'user';
  readonly content: string | readonly ContentBlock[];
  /** What hooks see as the tool's response; for the tool result of this line. */
  readonly toolUseResult?: unknown;
  /** The prompt that this line belongs to. */
  readonly promptId?: string | undefined;
  /** No person wrote it: feedback of hooks, reminders. */
  readonly isMeta?: boolean | undefined;
}

/** An answer of the model. Lines that follow each other with the same `id` are read as one message. */
export interface NewAssistantLine {
  readonly type: 'assistant';
  readonly content: readonly ContentBlock[];
  readonly model: string;
  /** Absent: the answer was cut short. */
  readonly stopReason?: StopReason | undefined;
  readonly usage?: ModelUsage | undefined;
  /** Default: a new one. */
  readonly id?: string | undefined;
}

/** The conversation goes on from a summary. Its two lines are written in one piece, so that neither is there alone. */
export interface NewCompaction {
  readonly type: 'compaction';
  readonly trigger: 'manual' | 'auto';
  /** How large the conversation was before. */
  readonly preTokens: number;
  readonly summary: string | readonly ContentBlock[];
}

/** The conversation was forgotten: a resumed one begins after this line. */
export interface NewClear {
  readonly type: 'clear';
}

/** For those who read the file; no model is ever sent it. */
export interface NewNotice {
  readonly type: 'system';
  readonly subtype: string;
  readonly content: string;
  readonly level?: 'info' | 'warning' | 'error' | undefined;
}

export type NewLine = NewUserLine | NewAssistantLine | NewCompaction | NewClear | NewNotice;

interface LineBase {
  /** The line before; null where a conversation begins. */
  readonly parentUuid: string | null;
  /** True for the lines of a subagent. */
  readonly isSidechain: boolean;
  readonly userType: 'external';
  readonly cwd: string;
  readonly sessionId: string;
  readonly version: string;
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
    readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
  };
}

export interface SystemLine extends LineBase {
  readonly type: 'system';
  readonly subtype: string;
  readonly content: string;
  readonly level: 'info' | 'warning' | 'error';
  /** Where a conversation begins within a file: the line before. */
  readonly logicalParentUuid?: string | null;
  readonly compactMetadata?: { readonly trigger: 'manual' | 'auto'; readonly preTokens: number };
}

export type TranscriptLine = UserLine | AssistantLine | SystemLine;

/** The system lines that mean something to those who read a conversation. */
export const COMPACT_BOUNDARY = 'compact_boundary';
export const CLEARED = 'conversation_cleared';

/** No longer line is written or read: a line is held in memory as a whole. */
export const MAX_LINE = 64 * 1024 * 1024;
