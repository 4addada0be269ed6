/** The events of a tool call, from the permission question to the result. */
import { z } from 'zod';
import { anything, bySchema, flag, number, optional, record, text, word } from '../field.js';
import { addsContext, permissionAnswer, permissionUpdate, toolCall, toolOrigin } from '../fields.js';
import { row } from '../row.js';

export const PreToolUse = row({
  input: { ...toolCall, tool_use_id: text, ...toolOrigin },
  answer: {
    ...addsContext,
    /** Whether the tool runs: `allow` without asking, `deny`, `ask` a person, or `defer` the decision. */
    permissionDecision: optional(word('allow', 'deny', 'ask', 'defer')),
    /** Why; the model reads it if the call is refused, a person if one is asked. */
    permissionDecisionReason: optional(text),
    /** The whole new input of the tool, in place of `tool_input`. */
    updatedInput: optional(record),
  },
  matcherField: 'tool_name',
  moment: 'tool-begins',
  blocks: 'tool',
  late: 'context',
  rewrites: { input: 'tool_input' },
});

export const PermissionRequest = row({
  input: {
    ...toolCall,
    permission_suggestions: optional(bySchema(() => z.array(permissionUpdate()))),
    ...toolOrigin,
  },
  answer: {
    /** Answers the request in the place of a person: allow, with changes to the input or the rules, or deny. */
    decision: bySchema(permissionAnswer),
  },
  matcherField: 'tool_name',
  blocks: 'tool',
  rewrites: { input: 'tool_input' },
});

export const PostToolUse = row({
  input: {
    ...toolCall,
    tool_response: anything,
    tool_use_id: text,
    duration_ms: optional(number),
    ...toolOrigin,
  },
  answer: {
    ...addsContext,
    /** What a classifier of the host reads about the call. */
    classifierContext: optional(text),
    /** The whole new output of a tool of an MCP server. */
    updatedMCPToolOutput: optional(anything),
    /** The whole new output of the tool; the model reads it in place of `tool_response`. */
    updatedToolOutput: optional(anything),
  },
  matcherField: 'tool_name',
  moment: 'tool-ended',
  blocks: 'feedback',
  late: 'context',
  rewrites: { output: 'tool_response' },
});

export const PostToolUseFailure = row({
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

/** Fires once after all calls of one answer have ended, before the next request. A refusal ends the turn. */
export const PostToolBatch = row({
  input: { tool_calls: calls },
  answer: addsContext,
  matcherField: null,
  blocks: 'action',
});

/** Fires when rules or the permission mode deny a call, without a person or a hook. */
export const PermissionDenied = row({
  input: { ...toolCall, tool_use_id: text, reason: text, ...toolOrigin },
  answer: {
    /** Whether the model may try the call again. */
    retry: optional(flag),
  },
  matcherField: 'tool_name',
});
