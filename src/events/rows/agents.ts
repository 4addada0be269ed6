/** The events of agents at work: when they start, stop or idle, and when a task is done. */
import { open, optional, text } from '../field.js';
import { addsContext, turnEnd } from '../fields.js';
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
  input: {
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
    error_details: optional(text),
    last_assistant_message: optional(text),
  },
  answer: {},
  matcherField: 'error',
});

export const SubagentStart = row({
  input: { agent_id: text, agent_type: text },
  answer: addsContext,
  matcherField: 'agent_type',
  moment: 'subagent-begins',
  late: 'context',
});

export const SubagentStop = row({
  input: {
    ...turnEnd,
    agent_id: text,
    agent_transcript_path: text,
    agent_type: text,
  },
  answer: addsContext,
  matcherField: 'agent_type',
  moment: 'subagent-ends',
  blocks: 'stopping',
});

export const TeammateIdle = row({
  input: { teammate_name: text, team_name: text },
  answer: {},
  matcherField: null,
  blocks: 'idling',
});

const task = {
  task_id: text,
  task_subject: text,
  task_description: optional(text),
  teammate_name: optional(text),
  team_name: optional(text),
};

/** Fires when a task is created; a refusal removes it again. */
export const TaskCreated = row({ input: task, answer: {}, matcherField: null, blocks: 'action' });

export const TaskCompleted = row({ input: task, answer: {}, matcherField: null, blocks: 'completion' });
