/** Everything that a hook executes, whatever its form. */
import { homedir } from 'node:os';
import { type Executes, isHandlerType, kindOf } from '../../../handlers/kinds.js';
import { isShell } from '../../../shell/interpreters.js';
import type { TrustSubject } from '../subject.js';
import { ExecutedFiles, type Setting, type Variables } from './executed-files.js';
import { followVariable } from './loader-variables.js';
import { pathFrom } from './places.js';
import { quoted } from './quote.js';

/** Variables that are set anew for each run, or only matter to the programs that set them. */
const NOT_OURS = /^(?:HOOKLINE_|CLAUDE_|npm_)/;
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The roots of a hook, with links resolved. */
export interface Roots {
  readonly workspace: string;
  readonly plugin: string | undefined;
}

/** `anywhere`: as if its folder were unknown. Throws if there are too many files. */
export function executedBy(
  { handler, files = [] }: TrustSubject,
  { workspace, plugin }: Roots,
  { anywhere = false } = {},
): ExecutedFiles {
  const executed = new ExecutedFiles(plugin === undefined ? [workspace] : [workspace, plugin]);
  const variables = variablesFor(handler, workspace, plugin);
  const here =
    typeof handler['cwd'] === 'string'
      ? pathFrom(workspace, expandRoots(handler['cwd'], variables))
      : workspace;
  const folder = anywhere ? undefined : here;
  const setting: Setting = {
    folder,
    variables: folder === undefined ? variables : { ...variables, PWD: folder },
    depth: 0,
  };
  for (const [name, value] of Object.entries(ownVariables(handler)))
    followVariable(name, value, setting, executed);
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

function variablesFor(
  handler: TrustSubject['handler'],
  workspace: string,
  plugin: string | undefined,
): Variables {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_OURS.test(name));
  return {
    PATH: USUAL_PATH,
    HOME: homedir(),
    ...Object.fromEntries(inherited),
    CLAUDE_PROJECT_DIR: workspace,
    ...(plugin !== undefined && { CLAUDE_PLUGIN_ROOT: plugin }),
    ...ownVariables(handler),
  };
}

/** The variables of the handler, and those that its settings file sets for all its hooks. */
function ownVariables({ env, settingsEnv }: TrustSubject['handler']): Readonly<Record<string, string>> {
  const entries = [settingsEnv, env].flatMap((each) =>
    typeof each === 'object' && each !== null ? Object.entries(each) : [],
  );
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
