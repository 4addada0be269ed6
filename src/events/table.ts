/** The one table of events: everything that is said about an event anywhere is derived from its row. */
import { z } from 'zod';
import { addsContext, permissionAnswer, permissionUpdate, toolCall, toolOrigin, turnEnd } from './fields.js';

/** What one row says. Rules elsewhere read these words; none switches on an event's name. */
export interface EventRow {
  /** The event's own input fields. */
  readonly input: z.core.$ZodLooseShape;
  /** The fields of `hookSpecificOutput`, beside `hookEventName`. */
  readonly specific: z.core.$ZodLooseShape;
  /** The input field that matchers look at; with null, matchers mean nothing. */
  readonly subject: string | null;
  /**
   * What a refusal (`decision: 'block'`, a deny, exit code 2) prevents. `feedback`: it is too late to prevent
   * anything, the reason is still told to the model. `nothing`: a refusal has no effect.
   */
  readonly blocks:
    | 'tool'
    | 'prompt'
    | 'stopping'
    | 'compaction'
    | 'completion'
    | 'idling'
    | 'feedback'
    | 'nothing';
  /** What a command's plain text on stdout is, in dialects that read it. */
  readonly plainText: 'context' | 'instructions' | 'nothing';
  /** What an answer may still do when it arrives after the fire went on. */
  readonly late: 'context' | 'nothing';
  /** The input fields that a rewritten input or output replaces, for the hooks that come after. */
  readonly rewrites: {
    readonly input?: string;
    readonly output?: string;
  };
}

type Shape = z.core.$ZodLooseShape;

interface CheckedRow<Input extends Shape, Specific extends Shape> extends EventRow {
  readonly input: Input;
  readonly specific: Specific;
  readonly subject: (keyof Input & string) | null;
  readonly rewrites: { readonly input?: keyof Input & string; readonly output?: keyof Input & string };
}

/** Checks a row where it is written: a subject or a rewritten field that the input lacks does not compile. */
function row<Input extends Shape, Specific extends Shape>(
  definition: CheckedRow<Input, Specific>,
): CheckedRow<Input, Specific> {
  return definition;
}

/** The fifteen events, in the order of an agent's documentation. */
export const events = {
  PreToolUse: row({
    input: { ...toolCall, tool_use_id: z.string(), ...toolOrigin },
    specific: {
      ...addsContext,
      permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
      permissionDecisionReason: z.string().optional(),
      updatedInput: z.record(z.string(), z.unknown()).optional(),
    },
    subject: 'tool_name',
    blocks: 'tool',
    plainText: 'nothing',
    late: 'context',
    rewrites: { input: 'tool_input' },
  }),
  PostToolUse: row({
    input: {
      ...toolCall,
      tool_response: z.unknown(),
      tool_use_id: z.string(),
      duration_ms: z.number().optional(),
      ...toolOrigin,
    },
    specific: {
      ...addsContext,
      updatedMCPToolOutput: z.unknown().optional(),
      updatedToolOutput: z.unknown().optional(),
    },
    subject: 'tool_name',
    blocks: 'feedback',
    plainText: 'nothing',
    late: 'context',
    rewrites: { output: 'tool_response' },
  }),
  PostToolUseFailure: row({
    input: {
      ...toolCall,
      tool_use_id: z.string(),
      error: z.string(),
      is_interrupt: z.boolean().optional(),
      duration_ms: z.number().optional(),
      ...toolOrigin,
    },
    specific: addsContext,
    subject: 'tool_name',
    blocks: 'feedback',
    plainText: 'nothing',
    late: 'context',
    rewrites: {},
  }),
  Notification: row({
    input: { message: z.string(), title: z.string().optional(), notification_type: z.string() },
    specific: addsContext,
    subject: 'notification_type',
    blocks: 'nothing',
    plainText: 'nothing',
    late: 'nothing',
    rewrites: {},
  }),
  UserPromptSubmit: row({
    input: { prompt: z.string() },
    specific: addsContext,
    subject: null,
    blocks: 'prompt',
    plainText: 'context',
    late: 'context',
    rewrites: {},
  }),
  SessionStart: row({
    input: {
      source: z.enum(['startup', 'resume', 'clear', 'compact']),
      agent_type: z.string().optional(),
      model: z.string().optional(),
      seconds_since_last_response: z.number().optional(),
      context_tokens: z.number().optional(),
      prompt_cache_likely_expired: z.boolean().optional(),
      estimated_cache_write_usd: z.number().optional(),
    },
    specific: addsContext,
    subject: 'source',
    blocks: 'nothing',
    plainText: 'context',
    late: 'context',
    rewrites: {},
  }),
  SessionEnd: row({
    input: {
      reason: z.enum(['clear', 'logout', 'prompt_input_exit', 'other', 'bypass_permissions_disabled']),
    },
    specific: {},
    subject: 'reason',
    blocks: 'nothing',
    plainText: 'nothing',
    late: 'nothing',
    rewrites: {},
  }),
  Stop: row({
    input: turnEnd,
    specific: addsContext,
    subject: null,
    blocks: 'stopping',
    plainText: 'nothing',
    late: 'nothing',
    rewrites: {},
  }),
  SubagentStart: row({
    input: { agent_id: z.string(), agent_type: z.string() },
    specific: addsContext,
    subject: 'agent_type',
    blocks: 'nothing',
    plainText: 'nothing',
    late: 'context',
    rewrites: {},
  }),
  SubagentStop: row({
    input: { ...turnEnd, agent_id: z.string(), agent_transcript_path: z.string(), agent_type: z.string() },
    specific: addsContext,
    subject: 'agent_type',
    blocks: 'stopping',
    plainText: 'nothing',
    late: 'nothing',
    rewrites: {},
  }),
  PreCompact: row({
    input: { trigger: z.enum(['manual', 'auto']), custom_instructions: z.string().nullable() },
    specific: addsContext,
    subject: 'trigger',
    blocks: 'compaction',
    plainText: 'instructions',
    late: 'nothing',
    rewrites: {},
  }),
  PermissionRequest: row({
    input: { ...toolCall, permission_suggestions: z.array(permissionUpdate).optional() },
    specific: { decision: permissionAnswer },
    subject: 'tool_name',
    blocks: 'tool',
    plainText: 'nothing',
    late: 'nothing',
    rewrites: { input: 'tool_input' },
  }),
  Setup: row({
    input: { trigger: z.enum(['init', 'maintenance']) },
    specific: addsContext,
    subject: 'trigger',
    blocks: 'nothing',
    plainText: 'nothing',
    late: 'nothing',
    rewrites: {},
  }),
  TeammateIdle: row({
    input: { teammate_name: z.string(), team_name: z.string() },
    specific: {},
    subject: null,
    blocks: 'idling',
    plainText: 'nothing',
    late: 'nothing',
    rewrites: {},
  }),
  TaskCompleted: row({
    input: {
      task_id: z.string(),
      task_subject: z.string(),
      task_description: z.string().optional(),
      teammate_name: z.string().optional(),
      team_name: z.string().optional(),
    },
    specific: {},
    subject: null,
    blocks: 'completion',
    plainText: 'nothing',
    late: 'nothing',
    rewrites: {},
  }),
} as const;
