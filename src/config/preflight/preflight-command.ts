/** Checks whether a command can run before it ever does. Reads the beginnings of files; executes nothing. */
import { basename } from 'node:path';
import { isShell } from '../../shell/interpreters.js';
import { checkLine, withPwd } from './check-line.js';
import { checkProgram, type LineContext } from './check-program.js';
import { findProgram, isDirectory } from './find-program.js';
import { error, type PreflightProblem } from './problem.js';
import { unsetVariables } from './unset-variables.js';

export interface PreflightRequest {
  /** A shell line, or a program if `args` is given. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly shell?: string | undefined;
  readonly cwd: string;
  /** The variables that the command will get. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspace: string;
}

/** Contract: never throws, never executes anything, and reports only what is certain. */
export async function preflightCommand(request: PreflightRequest): Promise<PreflightProblem[]> {
  const { command, args, cwd, workspace } = request;
  if ((await isDirectory(cwd)) === false) {
    const message = `The working directory '${cwd}' does not exist or is not a directory. Create it, or give another one.`;
    return [error('missing_cwd', message)];
  }
  const env = { CLAUDE_PROJECT_DIR: workspace, ...request.env };
  const context: LineContext = { cwd, env, workspace, direct: args !== undefined };
  if (args !== undefined) return checkProgram([command, ...args], context);
  // cmd.exe parses lines by its own rules.
  if (process.platform === 'win32' && request.shell === undefined) return [];
  const problems = await checkShell(command, request.shell ?? '/bin/sh', withPwd(context));
  return [...problems, ...unsetVariables(command, env)];
}

async function checkShell(line: string, shell: string, context: LineContext): Promise<PreflightProblem[]> {
  const found = await findProgram(shell, context.cwd, context.env);
  if (found.kind !== 'executable' && found.kind !== 'unknown') {
    const what = found.kind === 'missing' ? 'was not found' : 'is not a program that can be executed';
    const message = `The shell '${shell}' ${what}. Install it, or give another one as shell.`;
    return [error('missing_shell', message)];
  }
  // zsh expands words by its own rules; other programs may not parse a shell line at all.
  return isShell(shell) && basename(shell) !== 'zsh' ? checkLine(line, context) : [];
}
