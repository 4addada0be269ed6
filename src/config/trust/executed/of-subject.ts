/** Everything that a hook executes, whatever its form. */
import { homedir } from 'node:os';
import { quoted } from '../../../base/text/shell-word.js';
import { SET_FOR_EACH_RUN, scrubEnvironment } from '../../../handlers/command/environment.js';
import { type Executes, isHandlerType, kindOf } from '../../../handlers/kinds.js';
import { isShell } from '../../../shell/interpreters.js';
import type { TrustSubject } from '../subject.js';
import { ExecutedFiles, type Setting, type Variables } from './executed-files.js';
import { followVariable } from './loader-variables.js';
import { pathFrom } from './places.js';

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The roots of a hook, with links resolved. */
export interface Roots {
  readonly workspace: string;
  readonly plugin: string | undefined;
}

/** `anywhere`: as if its folder were unknown. Throws if there are too many files. */
export function executedBy(subject: TrustSubject, roots: Roots, { anywhere = false } = {}): ExecutedFiles {
  const { handler, files = [] } = subject;
  const { workspace, plugin } = roots;
  const executed = new ExecutedFiles(plugin === undefined ? [workspace] : [workspace, plugin]);
  const own = ownVariables(subject, roots);
  const variables = variablesFor(subject.event, own);
  const here =
    typeof handler['cwd'] === 'string'
      ? pathFrom(workspace, expandRoots(handler['cwd'], variables))
      : workspace;
  const folder = anywhere ? undefined : here;
  const setting: Setting = {
    folder,
    variables: { ...variables, PWD: folder },
    depth: 0,
  };
  for (const [name, value] of Object.entries(own)) followVariable(name, value, setting, executed);
  const { files: ofKind = [], ...line } = executesOf(handler);
  followLine(line, setting, executed);
  const module = typeof handler['module'] === 'string' ? [handler['module']] : [];
  const named = [...ofKind, ...module, ...files];
  for (const file of named) executed.addFound([pathFrom(workspace, file)]);
  return executed;
}

/** The table of kinds says it; what has no kind, such as a handler of another ecosystem, is treated as a command. */
function executesOf(handler: TrustSubject['handler']): Executes {
  const { type } = handler;
  return kindOf(isHandlerType(type) ? type : 'command').executes(handler);
}

function followLine({ command, args, shell }: Executes, setting: Setting, executed: ExecutedFiles): void {
  if (command === undefined) return;
  if (args !== undefined) {
    const words = [command, ...args.map(String)].map((word) => quoted(expandRoots(word, setting.variables)));
    executed.readLine(words.join(' '), setting);
  } else if (shell === undefined || isShell(shell)) executed.readLine(command, setting);
  else if (!shell.includes('/'))
    executed.fail(
      `What a line for \`${shell}\` runs cannot be determined; give the program, with its arguments as args`,
    );
  else executed.guess((trial) => trial.readLine(command, setting));
  if (shell !== undefined && args === undefined) executed.readLine(quoted(shell), setting);
}

/**
 * What a command of a workspace sees. Present without a value: set, but to something that is only known when it runs, or
 * that only an approval passes on.
 */
function variablesFor(event: string, own: Variables): Variables {
  const unknown = [...Object.keys(process.env), ...SET_FOR_EACH_RUN].map((name) => [name, undefined]);
  return {
    ...Object.fromEntries(unknown),
    PATH: USUAL_PATH,
    HOME: homedir(),
    ...scrubEnvironment(),
    ...Object.fromEntries(SET_FOR_EACH_RUN.map((name) => [name, undefined])),
    HOOKLINE_EVENT: event,
    ...own,
  };
}

/** What is set for the hook itself. Without `variables` it is what the entry and its settings file say. */
function ownVariables(
  { handler, variables, workspace: written }: TrustSubject,
  { workspace, plugin }: Roots,
): Variables {
  const roots = {
    CLAUDE_PROJECT_DIR: workspace,
    ...(plugin !== undefined && { CLAUDE_PLUGIN_ROOT: plugin }),
  };
  if (variables === undefined)
    return { ...texts(handler['settingsEnv']), ...roots, ...texts(handler['env']) };
  const resolved = Object.entries(variables).map(([name, value]) => [
    name,
    value === written && Object.hasOwn(roots, name) ? workspace : value,
  ]);
  return { ...roots, ...Object.fromEntries(resolved) };
}

function texts(value: unknown): Readonly<Record<string, string>> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Expands these variables where no shell does. */
function expandRoots(text: string, variables: Variables): string {
  return text.replaceAll(
    /\$\{?(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\b\}?/g,
    (whole, name: string) => variables[name] ?? whole,
  );
}
