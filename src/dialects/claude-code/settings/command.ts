/** Reads a command of a settings file and expands its variables, unless a shell does. */

import { HookError, show } from '../../../base/errors.js';
import { isOfWorkspace } from '../../../config/loaded.js';
import { dependsOnFolder } from '../../../config/trust/covered-files.js';
import type { AnyEvent } from '../../../events/types.js';
import type { CommandHook } from '../../../handlers/types.js';
import type { Reading } from './groups.js';

/** Shells by the names that settings files use. */
const SHELLS: Readonly<Record<string, string>> = { bash: '/bin/bash', sh: '/bin/sh' };

/** Throws a HookError for invalid fields. */
export function readCommand(
  event: AnyEvent,
  fields: Readonly<Record<string, unknown>>,
  reading: Reading,
): CommandHook {
  const { command, args, shell, async, asyncRewake, rewakeMessage, rewakeSummary } = fields;
  if (typeof command !== 'string' || command.trim() === '') {
    throw new HookError(
      'invalid_hook',
      `A command for ${event} is ${show(command)}; give a line for the shell.`,
    );
  }
  if (args !== undefined && !(Array.isArray(args) && args.every((arg) => typeof arg === 'string'))) {
    throw new HookError(
      'invalid_hook',
      `args of a command for ${event} is ${show(args)}; give a list of strings.`,
    );
  }
  const { pluginRoot, pluginData } = reading.file;
  const ofWorkspace = isOfWorkspace(reading.file);
  const { workspace } = reading;
  const direct = args as readonly string[] | undefined;
  const env = {
    ...(ofWorkspace ? reading.env.forWorkspace : reading.env.own),
    ...(ofWorkspace && { CLAUDE_PROJECT_DIR: workspace }),
    ...(pluginRoot !== undefined && { CLAUDE_PLUGIN_ROOT: pluginRoot }),
    ...(pluginData !== undefined && { CLAUDE_PLUGIN_DATA: pluginData }),
  };
  return {
    type: 'command',
    // A shell expands the variables itself, but not in single quotes; without one they are expanded here.
    command: direct === undefined ? expandInQuotes(command, reading) : expand(command, reading),
    ...(direct !== undefined && { args: direct.map((arg) => expand(arg, reading)) }),
    ...(typeof shell === 'string' && { shell: SHELLS[shell] ?? shell }),
    ...(async === true && { async }),
    ...(asyncRewake === true && {
      asyncRewake,
      ...(typeof rewakeMessage === 'string' && { rewakeMessage }),
      ...(typeof rewakeSummary === 'string' && { rewakeSummary }),
    }),
    env,
    // The approved script is the one in the workspace, regardless of the agent's current directory.
    ...(ofWorkspace &&
      (namesRelativePath([command, ...(direct ?? [])]) ||
        dependsOnFolder({ event, handler: fields, workspace, variables: env })) && { cwd: workspace }),
    environment: ofWorkspace ? 'scrub' : 'inherit',
  };
}

/** Whether a line may name a file relative to its working directory. In doubt, yes. */
function namesRelativePath(words: readonly string[]): boolean {
  return words.some((word) => /(^|[\s;&|()<>"'`=])(?![/$~-])[\w.-]*(\/|\.\w+)/.test(word));
}

/** Expands the variables that stand for paths. */
export function expand(text: string, { workspace, file }: Pick<Reading, 'workspace' | 'file'>): string {
  const values = {
    CLAUDE_PROJECT_DIR: workspace,
    CLAUDE_PLUGIN_ROOT: file.pluginRoot,
    CLAUDE_PLUGIN_DATA: file.pluginData,
  };
  return text.replaceAll(
    /\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\}/g,
    (whole, name: keyof typeof values) => values[name] ?? whole,
  );
}

/** Expands them where they are all that single quotes hold, as in `'${CLAUDE_PLUGIN_ROOT}/guard.sh'`. */
function expandInQuotes(command: string, reading: Pick<Reading, 'workspace' | 'file'>): string {
  return command.replaceAll(/'[^'"`\\]*'/g, (quoted) => {
    const expanded = expand(quoted.slice(1, -1), reading);
    return expanded === quoted.slice(1, -1) ? quoted : `'${expanded.replaceAll("'", `'\\''`)}'`;
  });
}
