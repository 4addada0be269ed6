/** The events of agents at work: when they start, stop or idle, and when a task is done. */
import { type FieldsOf, open, optional, text } from '../field.js';
import { type AddsContext, addsContext, type TurnEnd, turnEnd } from '../fields.js';
import { type NoAnswer, row } from '../row.js';

export const Stop = row<TurnEnd, AddsContext>()({
  input: turnEnd,
  answer: addsContext,
  matcherField: null,
  moment: 'turn-ends',
  blocks: 'stopping',
});

export type StopFailureInput = {
  /** The kind of failure; a matcher sees it. */
  error:
    | 'authentication_failed'
    | 'oauth_org_not_allowed'
    | 'account_on_hold'
    | 'verification_required'
    | 'billing_error'
    | 'rate_limit'
    | 'overloaded'
    | 'invalid_request'
    | 'model_not_found'
    | 'server_error'
    | 'unknown'
    | 'max_output_tokens'
    | 'cloud_credential_error';
  /** What the model's server said. */
  error_details?: string;
  /** What the agent said last. */
  last_assistant_message?: string;
};

/** Fires instead of Stop, or of SubagentStop inside a subagent, when the turn failed. */
export const StopFailure = row<StopFailureInput, NoAnswer>()({
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

export type SubagentStartInput = {
  /** The subagent. */
  agent_id: string;
  /** The type of the subagent; a matcher sees it. */
  agent_type: string;
};

export const SubagentStart = row<SubagentStartInput, AddsContext>()({
  input: { agent_id: text, agent_type: text },
  answer: addsContext,
  matcherField: 'agent_type',
  moment: 'subagent-begins',
  late: 'context',
});

export type SubagentStopInput = TurnEnd &
  SubagentStartInput & {
    /** The file of the subagent's own transcript. */
    agent_transcript_path: string;
  };

export const SubagentStop = row<SubagentStopInput, AddsContext>()({
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

export type TeammateIdleInput = {
  /** The agent that has nothing to do. */
  teammate_name: string;
  /** The team that it is in. */
  team_name: string;
};

export const TeammateIdle = row<TeammateIdleInput, NoAnswer>()({
  input: { teammate_name: text, team_name: text },
  answer: {},
  matcherField: null,
  blocks: 'idling',
});

export type TaskInput = {
  /** Identifies the task. */
  task_id: string;
  /** What the task is, in a line. */
  task_subject: string;
  /** What the task is, in full. */
  task_description?: string;
  /** The agent whose task it is. */
  teammate_name?: string;
  /** The team that it is in. */
  team_name?: string;
};

const task: FieldsOf<TaskInput> = {
  task_id: text,
  task_subject: text,
  task_description: optional(text),
  teammate_name: optional(text),
  team_name: optional(text),
};

/** Fires when a task is created; a refusal removes it again. */
export const TaskCreated = row<TaskInput, NoAnswer>()({
  input: task,
  answer: {},
  matcherField: null,
  blocks: 'action',
});

export const TaskCompleted = row<TaskInput, NoAnswer>()({
  input: task,
  answer: {},
  matcherField: null,
  blocks: 'completion',
});
