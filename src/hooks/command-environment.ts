/** The variables that a command gets. Nothing of an input reaches a command line; names of things reach variables. */

import { rowOf } from '../events/schemas.js';
import { inheritEnvironment, scrubEnvironment } from '../process/environment.js';
import type { Command, CommandRuntime } from './command.js';
import type { HookRun } from './hook.js';

/** A name that is longer is no name, and the system refuses to start programs with huge variables. */
const LONGEST_VALUE = 4096;

export function commandEnvironment(
  command: Command,
  { projectDir, envFiles }: Pick<CommandRuntime, 'projectDir' | 'envFiles'>,
  run: HookRun,
): Record<string, string> {
  const declared = Object.keys(command.env ?? {});
  const inherited =
    command.environment === 'scrub'
      ? scrubEnvironment(process.env, declared)
      : inheritEnvironment(process.env, declared);
  return {
    ...inherited,
    CLAUDE_PROJECT_DIR: projectDir,
    ...(rowOf(run.event).setsEnvironment && { CLAUDE_ENV_FILE: envFiles.next(run.event) }),
    HOOKLINE_EVENT: run.event,
    ...variable('HOOKLINE_SESSION_ID', run.input['session_id']),
    ...variable('HOOKLINE_TOOL_NAME', run.input['tool_name']),
    ...variable('HOOKLINE_AGENT_ID', run.agentId ?? run.input['agent_id']),
    ...command.env,
  };
}

function variable(name: string, value: unknown): Record<string, string> {
  if (typeof value !== 'string') return {};
  // A NUL ends a variable for the system, so it cannot be in one.
  return { [name]: value.replaceAll('\0', '').slice(0, LONGEST_VALUE) };
}
