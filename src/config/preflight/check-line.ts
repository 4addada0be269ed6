/** Checks a shell line: its quotes, and the programs it starts first, if they can be determined. */

import { isAbsolute, resolve } from 'node:path';
import { shorten } from '../../base/text/cut-text.js';
import { interpreterOf } from '../../shell/interpreters.js';
import { readSequence, type SequencedCommand, type UnquotedVariable } from '../../shell/sequence.js';
import { checkProgram, type LineContext } from './check-program.js';
import { isDirectory, type Variables } from './find-program.js';
import { error, type PreflightProblem, warning } from './problem.js';
import { PREFIXES, type ReadStep, readStep } from './read-step.js';

export async function checkLine(line: string, context: LineContext): Promise<PreflightProblem[]> {
  const sequence = readSequence(line);
  if (sequence === undefined) return [];
  const { commands, open } = sequence;
  if (open !== undefined) return [unbalanced(line, open)];
  const first = await checkFirst(commands, context);
  return first.length > 0 ? first : splitArguments(commands, context.env);
}

function unbalanced(line: string, open: string): PreflightProblem {
  return error(
    'unbalanced_quotes',
    `The command ${JSON.stringify(shorten(line, 60))} opens ${open} and never closes it, so the shell refuses it. Close it, or put a backslash before it.`,
  );
}

/**
 * Checks the first pipeline, because all its programs are started in any case. Follows a `cd` before it, and skips
 * commands that only set variables or have no effect, such as `true &&`.
 */
async function checkFirst(
  commands: readonly SequencedCommand[],
  context: LineContext,
): Promise<PreflightProblem[]> {
  for (const command of commands) {
    const { next, decisive } = command;
    const step = readStep(command, context);
    if (step.cd !== undefined && (next === '&&' || next === ';')) {
      const moved = await followCd(step.cd, context);
      if (moved === undefined) return [];
      if (!moved.there) return next === '&&' ? [soften(noDirectory(moved.path), decisive)] : [];
      context = { ...context, cwd: moved.path, env: { ...context.env, PWD: moved.path } };
      continue;
    }
    const problems = await checkCommand(command, step, context);
    if (problems.length > 0) return problems.map((problem) => soften(problem, decisive));
    if (next === '|') continue;
    const assigned = next === '&&' || next === ';' ? step.onlyAssigns : undefined;
    // With a changed PATH, a program may be anywhere.
    if (assigned === undefined || Object.hasOwn(assigned, 'PATH')) return [];
    context = { ...context, env: { ...context.env, ...assigned } };
  }
  return [];
}

/** Undefined if the target is unknown. With CDPATH, a shell also searches other directories. */
async function followCd(
  target: string | null,
  { cwd, env }: LineContext,
): Promise<{ readonly path: string; readonly there: boolean } | undefined> {
  if (target === null || env['CDPATH'] !== undefined) return undefined;
  const path = resolve(cwd, target);
  const there = await isDirectory(path);
  return there === 'unknown' ? undefined : { path, there };
}

async function checkCommand(
  { words }: SequencedCommand,
  { program, hasOwnPath }: ReadStep,
  context: LineContext,
): Promise<PreflightProblem[]> {
  const [first, second] = words.filter(({ text }, index) => index > 0 || !PREFIXES.has(text));
  const candidates = [first, ...(interpreterOf(first?.text ?? '') ? [second] : [])];
  const split = candidates
    .map((word) => splitIn(word?.unquoted, context.env))
    .find((each) => each !== undefined);
  if (split) return [unquoted(split, true)];
  // With its own PATH, a program without a slash may be anywhere.
  if (program === undefined || (hasOwnPath && !program[0]?.includes('/'))) return [];
  return checkProgram(program, context);
}

function soften(problem: PreflightProblem, decisive: boolean): PreflightProblem {
  return decisive ? problem : { ...problem, severity: 'warning' };
}

function splitArguments(commands: readonly SequencedCommand[], env: Variables): PreflightProblem[] {
  // A variable that the line itself sets may have a different value.
  if (commands.some(({ words }) => words.length === 0)) return [];
  const words = commands.flatMap((command) => command.words);
  const split = words.map((word) => splitIn(word.unquoted, env)).find((each) => each !== undefined);
  return split ? [unquoted(split, false)] : [];
}

interface SplitVariable extends UnquotedVariable {
  /** The value of the variable: a directory with blanks in its name. */
  readonly directory: string;
}

/** Only an absolute path is certain: `$EDITOR/file` may be split on purpose. */
function splitIn(variable: UnquotedVariable | undefined, env: Variables): SplitVariable | undefined {
  const directory = variable && env[variable.name];
  return variable && directory?.startsWith('/') && /[ \t\n]/.test(directory) && !/[*?[\\]/.test(directory)
    ? { ...variable, directory }
    : undefined;
}

function unquoted({ text, rest, directory }: SplitVariable, decisive: boolean): PreflightProblem {
  return (decisive ? error : warning)(
    'unquoted_path',
    `${text} is not quoted, and its directory '${directory}' has blanks in its name, so the shell splits the path. Write "${text}"${rest}.`,
  );
}

function noDirectory(path: string): PreflightProblem {
  return error(
    'missing_cwd',
    `The directory '${path}' does not exist, so nothing after cd is run. Create it, or correct the path.`,
  );
}

export function withPwd(context: LineContext): LineContext {
  return { ...context, env: { ...context.env, PWD: isAbsolute(context.cwd) ? context.cwd : undefined } };
}
