/** Groups of fields that several events share, as zod shapes. Built when an event needs them: most programs use few events. */
import { z } from 'zod';
import { lazy } from '../base/lazy.js';

/**
 * One of these words, or any other: a descriptive word may be new in a later host. `fire` accepts any; hooks are
 * typed with the known ones, as in the SDK.
 */
export function open<const Words extends readonly [string, ...string[]]>(
  ...words: Words
): z.ZodType<Words[number], Words[number] | (string & Record<never, never>)> {
  return z.string().meta({ examples: [...words] }) as never;
}

/** The fields of every event. */
export const baseFields = lazy(() => ({
  session_id: z.string(),
  transcript_path: z.string(),
  cwd: z.string(),
  permission_mode: z.string().optional(),
  prompt_id: z.string().optional(),
  agent_id: z.string().optional(),
  agent_type: z.string().optional(),
}));

export const toolCall = lazy(() => ({ tool_name: z.string(), tool_input: z.unknown() }));

export const toolOrigin = lazy(() => ({
  mcp_server: z.looseObject({ name: z.string(), source: z.string().optional() }).optional(),
}));

export const turnEnd = lazy(() => ({
  stop_hook_active: z.boolean(),
  last_assistant_message: z.string().optional(),
  background_tasks: z.array(z.unknown()).optional(),
  session_crons: z.array(z.unknown()).optional(),
}));

export const addsContext = lazy(() => ({ additionalContext: z.string().optional() }));

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
export const commonAnswer = lazy(() => ({
  continue: z.boolean().optional(),
  suppressOutput: z.boolean().optional(),
  stopReason: z.string().optional(),
  decision: z.enum(['approve', 'block', 'allow', 'deny']).optional(),
  systemMessage: z.string().optional(),
  reason: z.string().optional(),
}));
