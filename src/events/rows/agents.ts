/** The events of agents at work: when they start, stop or idle, and when a task is done. */
import { z } from 'zod';
import { addsContext, open, turnEnd } from '../fields.js';
import { row } from '../row.js';

export const Stop = row({
  input: turnEnd,
  answer: addsContext,
  matcherField: null,
  moment: 'turn-ends',
  blocks: 'stopping',
});

/** Fires instead of Stop, or of SubagentStop inside a subagent, when the turn failed. */
export const StopFailure = row({
  input: () => ({
    error: open(
      'authentication_failed',
      'oauth_org_not_allowed',
      'account_on_hold',
      'verification_required',
      'billing_error',
      'rate_limit',
      'overloaded',
      'invalid_request',
      'model_not_found',
      'server_error',
      'unknown',
      'max_output_tokens',
      'cloud_credential_error',
    ),
    error_details: z.string().optional(),
    last_assistant_message: z.string().optional(),
  }),
  answer: () => ({}),
  matcherField: 'error',
});

export const SubagentStart = row({
  input: () => ({ agent_id: z.string(), agent_type: z.string() }),
  answer: addsContext,
  matcherField: 'agent_type',
  moment: 'subagent-begins',
  late: 'context',
});

export const SubagentStop = row({
  input: () => ({
    ...turnEnd(),
    agent_id: z.string(),
    agent_transcript_path: z.string(),
    agent_type: z.string(),
  }),
  answer: addsContext,
  matcherField: 'agent_type',
  moment: 'subagent-ends',
  blocks: 'stopping',
});

export const TeammateIdle = row({
  input: () => ({ teammate_name: z.string(), team_name: z.string() }),
  answer: () => ({}),
  matcherField: null,
  blocks: 'idling',
});

export const TaskCompleted = row({
  input: () => ({
    task_id: z.string(),
    task_subject: z.string(),
    task_description: z.string().optional(),
    teammate_name: z.string().optional(),
    team_name: z.string().optional(),
  }),
  answer: () => ({}),
  matcherField: null,
  blocks: 'completion',
});
