/** One entry of a group's `hooks`, checked and made ready to run. */
import { HookError, show } from '../errors.js';
import { canPrevent } from '../events/schemas.js';
import type { HookEvent } from '../events/types.js';
import { type AnyCallback, callbackHook } from '../hooks/callback.js';
import { type Command, type CommandRuntime, commandHook } from '../hooks/command.js';
import type { RunHook, StartCheck } from '../hooks/hook.js';
import { httpHook } from '../hooks/http.js';
import { checkHttpOptions } from '../hooks/http-options.js';
import { type OptionNames, refuseUnknownOptions } from '../text/known-options.js';
import type { Dialect } from './dialect.js';
import { failurePolicy } from './policy.js';
import { timeoutMs } from './timeout.js';
import type { FailurePolicy, Hook } from './types.js';

/** What an entry settles; what it leaves out comes from its group. */
export interface SettledHook {
  readonly run: RunHook;
  readonly usesWire: boolean;
  readonly name?: string;
  /** The name it has without being given one: used when its group has none either. */
  readonly ownName?: string;
  readonly timeoutMs?: number;
  readonly onFailure?: FailurePolicy;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a hook is made with, beside what it says itself. */
export interface CompileContext {
  readonly commands: CommandRuntime;
  readonly dialect: Dialect;
  /** The policy of a hook that has none of its own. */
  readonly onFailure: FailurePolicy;
  /** Asked right before every start. */
  readonly check?: StartCheck | undefined;
}

type Described = Exclude<Hook, (...given: never[]) => unknown>;

interface Kind<T extends Described['type']> {
  /** What it can be told. */
  readonly keys: OptionNames<Extract<Described, { readonly type: T }>>;
  compile(event: HookEvent, hook: Fields, context: CompileContext): SettledHook;
}

const COMMON_KEYS = { type: true, name: true, timeout: true, onFailure: true } as const;

/** How each `type` of hook is made. */
const KINDS: { readonly [T in Described['type']]: Kind<T> } = {
  callback: {
    keys: { ...COMMON_KEYS, callback: true },
    compile: (event, { callback }) => compileCallback(event, callback),
  },
  command: {
    keys: {
      ...COMMON_KEYS,
      command: true,
      args: true,
      shell: true,
      cwd: true,
      env: true,
      environment: true,
      allowedEnvVars: true,
      async: true,
    },
    compile: compileCommand,
  },
  http: {
    keys: { ...COMMON_KEYS, url: true, headers: true, allowedEnvVars: true, allowedUrls: true },
    compile: (event, hook) => ({ run: httpHook(checkHttpOptions(event, hook)), usesWire: true }),
  },
  prepared: {
    keys: { ...COMMON_KEYS, run: true },
    compile: (event, hook) => {
      if (typeof hook['run'] !== 'function') throw notAHook(event, hook);
      return { run: hook['run'] as RunHook, usesWire: true };
    },
  },
};

export function compileHook(event: HookEvent, hook: unknown, context: CompileContext): SettledHook {
  if (typeof hook === 'function') return checkedFirst(compileCallback(event, hook), context);
  const fields = typeof hook === 'object' && hook !== null ? (hook as Fields) : {};
  const type = String(fields['type']);
  if (!isKind(type)) throw notAHook(event, hook);
  const { keys, compile } = KINDS[type];
  refuseUnknownOptions(`A hook of type ${type} for ${event}`, fields, keys as OptionNames<Fields>);
  const policy = failurePolicy(fields['onFailure'], event);
  const problem = context.dialect.async.waits
    ? undefined
    : asyncGuardProblem(event, fields, policy ?? context.onFailure);
  if (problem !== undefined) throw new HookError('invalid_hook', problem);
  const settled = compile(event, fields, context);
  return {
    // A command is checked later: when it has its process slot.
    ...(type === 'command' ? settled : checkedFirst(settled, context)),
    ...(typeof fields['name'] === 'string' && { name: fields['name'] }),
    ...(fields['timeout'] !== undefined && { timeoutMs: timeoutMs(fields['timeout'], `${event} hook`) }),
    ...(policy !== undefined && { onFailure: policy }),
  };
}

function checkedFirst(settled: SettledHook, { check }: CompileContext): SettledHook {
  if (check === undefined) return settled;
  return { ...settled, run: async (run) => (await check(run)) ?? settled.run(run) };
}

function isKind(type: string): type is Described['type'] {
  return Object.hasOwn(KINDS, type);
}

/** What is wrong with a command that is to refuse when it fails, and is never waited for. */
export function asyncGuardProblem(
  event: HookEvent,
  { type, async }: Fields,
  policy: FailurePolicy | undefined,
): string | undefined {
  if (type !== 'command' || async !== true || policy !== 'block' || !canPrevent(event)) return undefined;
  return `A command for ${event} is async and set to block, but what runs in the background cannot refuse anything. Remove \`async\`, or \`onFailure\`.`;
}

function compileCallback(event: HookEvent, callback: unknown): SettledHook {
  if (typeof callback !== 'function') throw notAHook(event, callback);
  const ownName = callback.name === '' ? {} : { ownName: callback.name };
  return { run: callbackHook(callback as AnyCallback), usesWire: false, ...ownName };
}

function compileCommand(
  event: HookEvent,
  hook: Fields,
  { commands, dialect, check }: CompileContext,
): SettledHook {
  const { command, args, shell, cwd, env, environment, allowedEnvVars } = hook;
  const refuse = (what: string, value: unknown, wanted: string): HookError =>
    new HookError('invalid_hook', `${what} of a command for ${event} is ${show(value)}; give ${wanted}.`);
  if (typeof command !== 'string' || command.trim() === '')
    throw refuse('The line', command, 'a line for the shell');
  if (args !== undefined && !isList(args)) throw refuse('args', args, 'a list of strings');
  if (shell !== undefined && typeof shell !== 'string') throw refuse('shell', shell, 'the path of a shell');
  if (cwd !== undefined && typeof cwd !== 'string') throw refuse('cwd', cwd, 'a path');
  if (env !== undefined && !isVariables(env)) throw refuse('env', env, 'an object of strings');
  if (environment !== undefined && environment !== 'inherit' && environment !== 'scrub') {
    throw refuse('environment', environment, "'inherit' or 'scrub'");
  }
  if (allowedEnvVars !== undefined && !isList(allowedEnvVars))
    throw refuse('allowedEnvVars', allowedEnvVars, 'a list of names');
  const copy: Command = {
    command,
    args: args && [...args],
    shell,
    cwd,
    env: env && { ...env },
    environment,
    allowedEnvVars: allowedEnvVars && [...allowedEnvVars],
    async: hook['async'] === true,
  };
  const ownName = dialect.namesCommands ? { ownName: shorten(command) } : {};
  const run = commandHook(copy, commands, dialect.environment?.bind(dialect), check);
  return { run, usesWire: true, ...ownName };
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes('\0'));
}

function isVariables(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && isList(Object.values(value));
}

function shorten(line: string): string {
  const text = line.trim().replaceAll(/\s+/g, ' ');
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function notAHook(event: HookEvent, hook: unknown): HookError {
  return new HookError(
    'invalid_hook',
    `A hook for ${event} is ${show(hook)}; give a function (input, toolUseID, context) => answer, or { type: 'callback', callback }, or { type: 'command', command }.`,
  );
}
