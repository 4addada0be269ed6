/** Groups of fields that several events share, each with the type that users see. */
import { z } from 'zod';
import { anything, bySchema, type FieldsOf, flag, optional, text, word } from './field.js';

/** The input fields of every event but for its agent. */
export type SessionInput = {
  /** The session that the event is of. */
  session_id: string;
  /** The file of the session's transcript; empty if there is none. */
  transcript_path: string;
  /** The folder in which the agent works. */
  cwd: string;
  /** How tool calls are permitted at the moment, such as `default`, `plan` or `acceptEdits`. */
  permission_mode?: string;
  /** The prompt that the agent works on. */
  prompt_id?: string;
  /** The skills that are in use in the session; only hosts with skills of hookline set it. */
  active_skills?: string[];
  /** How much the model is asked to think. */
  effort?: { level: string; [field: string]: unknown };
};

/** Fields of every event that some events have as their own. */
export type AgentId = {
  /** The agent that the event is of; absent for the main agent of some hosts. */
  agent_id?: string;
};
export type AgentType = {
  /** The type of the agent, such as `reviewer`. */
  agent_type?: string;
};

/** The input fields of every event. */
export type CommonInput = SessionInput & AgentId & AgentType;

export const baseFields: FieldsOf<CommonInput> = {
  session_id: text,
  transcript_path: text,
  cwd: text,
  permission_mode: optional(text),
  prompt_id: optional(text),
  agent_id: optional(text),
  agent_type: optional(text),
  active_skills: optional(bySchema(() => z.array(z.string()))),
  effort: optional(bySchema(() => z.looseObject({ level: z.string() }))),
};

export type ToolCall = {
  /** The name of the tool; a matcher sees it. */
  tool_name: string;
  /** What the model gave the tool. Typed if the matcher names tools of `Hookline.ToolInputs`. */
  tool_input: unknown;
};

export const toolCall: FieldsOf<ToolCall> = { tool_name: text, tool_input: anything };

export type ToolOrigin = {
  /** The MCP server that the tool is of. */
  mcp_server?: { name: string; source?: string | undefined; [field: string]: unknown };
};

export const toolOrigin: FieldsOf<ToolOrigin> = {
  mcp_server: optional(bySchema(() => z.looseObject({ name: z.string(), source: z.string().optional() }))),
};

const list = bySchema(() => z.array(z.unknown()));

export type TurnEnd = {
  /** True if a hook has kept the agent from stopping in this turn already. Check it, so that the agent can end. */
  stop_hook_active: boolean;
  /** What the agent said last. */
  last_assistant_message?: string;
  /** Tasks that still run in the background. */
  background_tasks?: unknown[];
  /** Prompts that the session has scheduled. */
  session_crons?: unknown[];
};

export const turnEnd: FieldsOf<TurnEnd> = {
  stop_hook_active: flag,
  last_assistant_message: optional(text),
  background_tasks: optional(list),
  session_crons: optional(list),
};

export const texts = bySchema(() => z.array(z.string()));

export type AddsContext = {
  /** What the model reads in addition, with its next request. */
  additionalContext?: string | undefined;
};

export const addsContext: FieldsOf<AddsContext> = { additionalContext: optional(text) };

/** The fields of an answer that mean the same on every event. */
export type CommonAnswer = {
  /** False ends the run with `stopReason`. True, at the end of a turn, makes the agent continue. */
  continue?: boolean | undefined;
  /** Keeps what the hook printed out of the transcript. */
  suppressOutput?: boolean | undefined;
  /** Why the run ends; people read it. Used with `continue: false`. */
  stopReason?: string | undefined;
  /** `block` and `deny` refuse what the event asks about, or keep the agent from stopping; `approve` and `allow` permit it. */
  decision?: 'approve' | 'block' | 'allow' | 'deny' | undefined;
  /** A message for people, and for the model unless the host shows it only to people. */
  systemMessage?: string | undefined;
  /** Why the hook decided so; the model reads it. */
  reason?: string | undefined;
};

export const commonAnswer: FieldsOf<CommonAnswer> = {
  continue: optional(flag),
  suppressOutput: optional(flag),
  stopReason: optional(text),
  decision: optional(word('approve', 'block', 'allow', 'deny')),
  systemMessage: optional(text),
  reason: optional(text),
};
