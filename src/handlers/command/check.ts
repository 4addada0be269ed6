/** Checks a command hook when it is registered. */
import { HookError, show } from '../../base/errors.js';
import type { AnyEvent } from '../../events/types.js';
import type { Command } from './command.js';

/** Reads the fields of a command hook into a copy. Throws a HookError, code `invalid_hook`. */
export function checkCommand(event: AnyEvent, fields: Readonly<Record<string, unknown>>): Command {
  const { command, args, shell, cwd, env, environment, allowedEnvVars } = fields;
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
  for (const name of ['rewakeMessage', 'rewakeSummary'] as const)
    if (fields[name] !== undefined && typeof fields[name] !== 'string')
      throw refuse(name, fields[name], 'a text');
  return {
    command,
    args: args && [...args],
    shell,
    cwd,
    env: env && { ...env },
    environment,
    allowedEnvVars: allowedEnvVars && [...allowedEnvVars],
    async: fields['async'] === true,
    asyncRewake: fields['asyncRewake'] === true,
    rewakeMessage: fields['rewakeMessage'] as string | undefined,
    rewakeSummary: fields['rewakeSummary'] as string | undefined,
  };
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes('\0'));
}

function isVariables(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && isList(Object.values(value));
}
