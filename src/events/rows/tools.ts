/** The events of a tool call, from the permission question to the result. */
import { z } from 'zod';
import { anything, bySchema, flag, number, optional, record, text, word } from '../field.js';
import {
  type AddsContext,
  addsContext,
  type ToolCall,
  type ToolOrigin,
  toolCall,
  toolOrigin,
} from '../fields.js';
import {
  type PermissionAnswer,
  type PermissionUpdate,
  permissionAnswer,
  permissionUpdate,
} from '../permission-fields.js';
import { row } from '../row.js';

export type PreToolUseInput = ToolCall &
  ToolOrigin & {
    /** Identifies the call; the events after it have the same one. */
    tool_use_id: string;
  };

export type PreToolUseAnswer = AddsContext & {
  /** Whether the tool runs: `allow` without asking, `deny`, `ask` a person, or `defer` the decision. */
  permissionDecision?: 'allow' | 'deny' | 'ask' | 'defer' | undefined;
  /** Why; the model reads it if the call is refused, a person if one is asked. */
  permissionDecisionReason?: string | undefined;
  /** The whole new input of the tool, in place of `tool_input`. */
  updatedInput?: Record<string, unknown> | undefined;
};

export const PreToolUse = row<PreToolUseInput, PreToolUseAnswer>()({
  input: { ...toolCall, tool_use_id: text, ...toolOrigin },
  answer: {
    ...addsContext,
    permissionDecision: optional(word('allow', 'deny', 'ask', 'defer')),
    permissionDecisionReason: optional(text),
    updatedInput: optional(record),
  },
  matcherField: 'tool_name',
  moment: 'tool-begins',
  blocks: 'tool',
  late: 'context',
  rewrites: { input: 'tool_input' },
});

export type PermissionRequestInput = ToolCall &
  ToolOrigin & {
    /** Changes to the rules with which the question would not be asked again. */
    permission_suggestions?: PermissionUpdate[];
  };

export type PermissionRequestAnswer = {
  /** Answers the request in the place of a person: allow, with changes to the input or the rules, or deny. */
  decision: PermissionAnswer;
};

export const PermissionRequest = row<PermissionRequestInput, PermissionRequestAnswer>()({
  input: {
    ...toolCall,
    permission_suggestions: optional(bySchema(() => z.array(permissionUpdate()))),
    ...toolOrigin,
  },
  answer: { decision: bySchema(permissionAnswer) },
  matcherField: 'tool_name',
  blocks: 'tool',
  rewrites: { input: 'tool_input' },
});

export type PostToolUseInput = ToolCall &
  ToolOrigin & {
    /** What the tool returned. */
    tool_response: unknown;
    /** Identifies the call; PreToolUse had the same one. */
    tool_use_id: string;
    /** How long the tool ran, in milliseconds. */
    duration_ms?: number;
  };

export type PostToolUseAnswer = AddsContext & {
  /** What a classifier of the host reads about the call. */
  classifierContext?: string | undefined;
  /** The whole new output of a tool of an MCP server. */
  updatedMCPToolOutput?: unknown;
  /** The whole new output of the tool; the model reads it in place of `tool_response`. */
  updatedToolOutput?: unknown;
};

export const PostToolUse = row<PostToolUseInput, PostToolUseAnswer>()({
  input: {
    ...toolCall,
    tool_response: anything,
    tool_use_id: text,
    duration_ms: optional(number),
    ...toolOrigin,
  },
  answer: {
    ...addsContext,
    classifierContext: optional(text),
    updatedMCPToolOutput: optional(anything),
    updatedToolOutput: optional(anything),
  },
  matcherField: 'tool_name',
  moment: 'tool-ended',
  blocks: 'feedback',
  late: 'context',
  rewrites: { output: 'tool_response' },
});

export type PostToolUseFailureInput = ToolCall &
  ToolOrigin & {
    /** Identifies the call; PreToolUse had the same one. */
    tool_use_id: string;
    /** What went wrong. */
    error: string;
    /** True if a person interrupted the tool. */
    is_interrupt?: boolean;
    /** How long the tool ran, in milliseconds. */
    duration_ms?: number;
  };

export const PostToolUseFailure = row<PostToolUseFailureInput, AddsContext>()({
  input: {
    ...toolCall,
    tool_use_id: text,
    error: text,
    is_interrupt: optional(flag),
    duration_ms: optional(number),
    ...toolOrigin,
  },
  answer: addsContext,
  matcherField: 'tool_name',
  moment: 'tool-ended',
  blocks: 'feedback',
  late: 'context',
});

const calls = bySchema(() =>
  z.array(
    z.looseObject({
      tool_name: z.string(),
      tool_input: z.unknown(),
      tool_use_id: z.string(),
      tool_response: z.unknown().optional(),
    }),
  ),
);

export type PostToolBatchInput = {
  /** The calls of one answer of the model, each with its result. */
  tool_calls: {
    tool_name: string;
    tool_input: unknown;
    tool_use_id: string;
    tool_response?: unknown;
    [field: string]: unknown;
  }[];
};

/** Fires once after all calls of one answer have ended, before the next request. A refusal ends the turn. */
export const PostToolBatch = row<PostToolBatchInput, AddsContext>()({
  input: { tool_calls: calls },
  answer: addsContext,
  matcherField: null,
  blocks: 'action',
});

export type PermissionDeniedInput = ToolCall &
  ToolOrigin & {
    /** Identifies the call; PreToolUse had the same one. */
    tool_use_id: string;
    /** Why the call was denied. */
    reason: string;
  };

export type PermissionDeniedAnswer = {
  /** Whether the model may try the call again. */
  retry?: boolean | undefined;
};

/** Fires when rules or the permission mode deny a call, without a person or a hook. */
export const PermissionDenied = row<PermissionDeniedInput, PermissionDeniedAnswer>()({
  input: { ...toolCall, tool_use_id: text, reason: text, ...toolOrigin },
  answer: { retry: optional(flag) },
  matcherField: 'tool_name',
});
