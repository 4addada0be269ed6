/** The events of a tool call, from the permission question to the result. */
import { z } from 'zod';
import { addsContext, permissionAnswer, permissionUpdate, toolCall, toolOrigin } from '../fields.js';
import { row } from '../row.js';

export const PreToolUse = row({
  input: () => ({ ...toolCall(), tool_use_id: z.string(), ...toolOrigin() }),
  answer: () => ({
    ...addsContext(),
    permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
    permissionDecisionReason: z.string().optional(),
    updatedInput: z.record(z.string(), z.unknown()).optional(),
  }),
  matcherField: 'tool_name',
  moment: 'tool-begins',
  blocks: 'tool',
  late: 'context',
  rewrites: { input: 'tool_input' },
});

export const PermissionRequest = row({
  input: () => ({ ...toolCall(), permission_suggestions: z.array(permissionUpdate()).optional() }),
  answer: () => ({ decision: permissionAnswer() }),
  matcherField: 'tool_name',
  blocks: 'tool',
  rewrites: { input: 'tool_input' },
});

export const PostToolUse = row({
  input: () => ({
    ...toolCall(),
    tool_response: z.unknown(),
    tool_use_id: z.string(),
    duration_ms: z.number().optional(),
    ...toolOrigin(),
  }),
  answer: () => ({
    ...addsContext(),
    updatedMCPToolOutput: z.unknown().optional(),
    updatedToolOutput: z.unknown().optional(),
  }),
  matcherField: 'tool_name',
  moment: 'tool-ended',
  blocks: 'feedback',
  late: 'context',
  rewrites: { output: 'tool_response' },
});

export const PostToolUseFailure = row({
  input: () => ({
    ...toolCall(),
    tool_use_id: z.string(),
    error: z.string(),
    is_interrupt: z.boolean().optional(),
    duration_ms: z.number().optional(),
    ...toolOrigin(),
  }),
  answer: addsContext,
  matcherField: 'tool_name',
  moment: 'tool-ended',
  blocks: 'feedback',
  late: 'context',
});
