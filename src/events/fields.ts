/** Groups of fields that several events share. */
import { z } from 'zod';
import { lazy } from '../base/lazy.js';
import { anything, bySchema, flag, optional, text, word } from './field.js';

/** The fields of every event. */
export const baseFields = {
  session_id: text,
  transcript_path: text,
  cwd: text,
  permission_mode: optional(text),
  prompt_id: optional(text),
  agent_id: optional(text),
  agent_type: optional(text),
  /** The skills that are in use in the session; only hosts with skills of hookline set it. */
  active_skills: optional(bySchema(() => z.array(z.string()))),
  effort: optional(bySchema(() => z.looseObject({ level: z.string() }))),
};

export const toolCall = { tool_name: text, tool_input: anything };

export const toolOrigin = {
  mcp_server: optional(bySchema(() => z.looseObject({ name: z.string(), source: z.string().optional() }))),
};

const list = bySchema(() => z.array(z.unknown()));

export const turnEnd = {
  stop_hook_active: flag,
  last_assistant_message: optional(text),
  background_tasks: optional(list),
  session_crons: optional(list),
};

export const texts = bySchema(() => z.array(z.string()));

export const addsContext = {
  /** What the model reads in addition, with its next request. */
  additionalContext: optional(text),
};

/** A change to the permission rules, as suggested to a hook and as answered by one. */
export const permissionUpdate = lazy(() => {
  const destination = z.enum(['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg']);
  const behavior = z.enum(['allow', 'deny', 'ask']);
  const rules = z.array(z.object({ toolName: z.string(), ruleContent: z.string().exactOptional() }));
  const directories = z.array(z.string());
  const mode = z.enum(['default', 'acceptEdits', 'bypassPermissions', 'plan', 'delegate', 'dontAsk']);
  return z.discriminatedUnion('type', [
    z.object({ type: z.literal('addRules'), rules, behavior, destination }),
    z.object({ type: z.literal('replaceRules'), rules, behavior, destination }),
    z.object({ type: z.literal('removeRules'), rules, behavior, destination }),
    z.object({ type: z.literal('setMode'), mode, destination }),
    z.object({ type: z.literal('addDirectories'), directories, destination }),
    z.object({ type: z.literal('removeDirectories'), directories, destination }),
  ]);
});

/** The answer of a permission hook: a decision and its details. */
export const permissionAnswer = lazy(() =>
  z.discriminatedUnion('behavior', [
    z.object({
      behavior: z.literal('allow'),
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      updatedPermissions: z.array(permissionUpdate()).optional(),
    }),
    z.object({
      behavior: z.literal('deny'),
      message: z.string().optional(),
      interrupt: z.boolean().optional(),
    }),
  ]),
);

/** The fields of an answer that mean the same on every event. */
export const commonAnswer = {
  /** False ends the run with `stopReason`. True, at the end of a turn, makes the agent continue. */
  continue: optional(flag),
  /** Keeps what the hook printed out of the transcript. */
  suppressOutput: optional(flag),
  /** Why the run ends; people read it. Used with `continue: false`. */
  stopReason: optional(text),
  /** `block` and `deny` refuse what the event asks about, or keep the agent from stopping; `approve` and `allow` permit it. */
  decision: optional(word('approve', 'block', 'allow', 'deny')),
  /** A message for people, and for the model unless the host shows it only to people. */
  systemMessage: optional(text),
  /** Why the hook decided so; the model reads it. */
  reason: optional(text),
};
