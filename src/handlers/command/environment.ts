/** The variables that a command gets. No part of an input reaches a command line; names reach variables. */

import { rowOf } from '../../events/registry.js';
import { inheritEnvironment, isWithheld, scrubEnvironment } from '../../process/environment.js';
import { loadsCode } from '../../process/environment-rules.js';
import type { HookRun } from '../hook.js';
import type { Command, CommandRuntime } from './command.js';

/** Which variables the commands of a workspace do not get; exported for loaders. */
export { isWithheld, loadsCode, scrubEnvironment };

/** Variables whose values differ from run to run, or from session to session; also those that only some dialects set. */
export const SET_FOR_EACH_RUN = [
  'CLAUDE_ENV_FILE',
  'HOOKLINE_SESSION_ID',
  'HOOKLINE_TOOL_NAME',
  'HOOKLINE_AGENT_ID',
  'CLAUDE_EFFORT',
  'GEMINI_SESSION_ID',
  'GEMINI_PLANS_DIR',
  'IFLOW_SESSION_ID',
  'OPENHANDS_SESSION_ID',
] as const;

/** A longer value is not a name, and the system refuses to start programs with huge variables. */
const MAX_VALUE = 4096;

export function commandEnvironment(
  command: Command,
  { projectDir, envFiles }: Pick<CommandRuntime, 'projectDir' | 'envFiles'>,
  run: HookRun,
): Record<string, string> {
  const declared = [...Object.keys(command.env ?? {}), ...(command.allowedEnvVars ?? [])];
  const inherited =
    command.environment === 'scrub'
      ? scrubEnvironment(process.env, declared)
      : inheritEnvironment(process.env, declared);
  // All others are added to this one object: it is large, and is copied often enough before it reaches the system.
  const variables = inherited;
  variables['CLAUDE_PROJECT_DIR'] = projectDir;
  if (rowOf(run.event).setsEnvironment) variables['CLAUDE_ENV_FILE'] = envFiles.next(run.event);
  variables['HOOKLINE_EVENT'] = run.event;
  name(variables, 'HOOKLINE_SESSION_ID', run.input['session_id']);
  name(variables, 'HOOKLINE_TOOL_NAME', run.input['tool_name']);
  name(variables, 'HOOKLINE_AGENT_ID', run.agentId ?? run.input['agent_id']);
  return Object.assign(variables, command.env);
}

function name(variables: Record<string, string>, variable: string, value: unknown): void {
  if (typeof value !== 'string') return;
  // A NUL ends a variable for the system, so a value cannot contain one.
  variables[variable] = value.replaceAll('\0', '').slice(0, MAX_VALUE);
}
