/** Checks a line for the shell: its quotes, and the programs that it starts first, where they can be read for sure. */
import { isAbsolute, resolve } from 'node:path';
import { checkProgram, type Surroundings } from './check-program.js';
import { isDirectory } from './find-program.js';
import { interpreterOf } from './interpreters.js';
import { error, type PreflightProblem, warning } from './problem.js';
import {
  cdTarget,
  harmlessNames,
  isAssignment,
  programWords,
  type SimpleCommand,
  simpleCommands,
} from './shell-commands.js';
import { readShellLine, wordText } from './shell-words.js';
import { type WordValue, wordValue } from './word-value.js';

/** Longer lines are programs, not commands. */
const LONGEST_LINE = 65_536;

export async function checkLine(line: string, around: Surroundings): Promise<PreflightProblem[]> {
  if (line.length > LONGEST_LINE) return [];
  const { tokens, open, doubtful } = readShellLine(line);
  if (open !== undefined) return doubtful ? [] : [unbalanced(line, open)];
  const commands = simpleCommands(tokens);
  if (!commands) return [];
  const first = await checkFirst(commands, around);
  return first.length > 0 || doubtful ? first : tornArguments(commands, around);
}

function unbalanced(line: string, open: string): PreflightProblem {
  const shown = line.length > 60 ? `${line.slice(0, 57)}...` : line;
  return error(
    'unbalanced_quotes',
    `The command ${JSON.stringify(shown)} opens ${open} and never closes it, so the shell refuses it. Close it, or put a backslash before it.`,
  );
}

/**
 * The first pipeline: all of its programs are started, whatever happens. A `cd` before it is followed, and so are
 * commands that only set variables, or do nothing, as `true &&`.
 */
async function checkFirst(
  commands: readonly SimpleCommand[],
  around: Surroundings,
): Promise<PreflightProblem[]> {
  for (const [i, command] of commands.entries()) {
    const decisive = isDecisive(commands.slice(i));
    const target = cdTarget(command);
    if (target && (command.end === '&&' || command.end === ';')) {
      const known = wordValue(target, around.env);
      // With CDPATH a shell looks in other places too.
      if (!known || known.torn || around.env['CDPATH'] !== undefined) return [];
      const moved = resolve(around.cwd, known.value);
      const there = await isDirectory(moved);
      if (there === 'unknown') return [];
      if (!there) return command.end === '&&' ? [soften(noDirectory(moved), decisive)] : [];
      around = { ...around, cwd: moved, env: { ...around.env, PWD: moved } };
      continue;
    }
    const problems = await checkCommand(command, around);
    if (problems.length > 0) return problems.map((problem) => soften(problem, decisive));
    if (command.end === '|' || command.end === '|&') continue;
    const names = goesOn(command) ? harmlessNames(command) : undefined;
    // With another PATH a program may be anywhere.
    if (names === undefined || names.includes('PATH')) return [];
    const unknown = Object.fromEntries(names.map((name) => [name, undefined]));
    around = { ...around, env: { ...around.env, ...unknown } };
  }
  return [];
}

function goesOn({ end }: SimpleCommand): boolean {
  return end === '&&' || end === ';' || end === '\n';
}

async function checkCommand(command: SimpleCommand, around: Surroundings): Promise<PreflightProblem[]> {
  const program = programWords(command, around.env);
  if (!program) return [];
  const values = program.words.map((word) => wordValue(word, around.env));
  const words = values.map((known) => known?.value);
  const script = interpreterOf(words[0] ?? '') ? values[1] : undefined;
  const torn = [values[0], script].find((known) => known?.torn !== undefined);
  if (torn) return [unquoted(torn, true)];
  // With a PATH of its own a program may be anywhere; with a path it is where it says.
  if (program.ownPath && !words[0]?.includes('/')) return [];
  return checkProgram(words, around);
}

/** Whether the line can do nothing of use when this command cannot be started. */
function isDecisive(commands: readonly SimpleCommand[]): boolean {
  return commands.slice(0, -1).every(({ end }) => end === '&&' || end === '|' || end === '|&');
}

function soften(problem: PreflightProblem, decisive: boolean): PreflightProblem {
  return decisive ? problem : { ...problem, severity: 'warning' };
}

function tornArguments(commands: readonly SimpleCommand[], { env }: Surroundings): PreflightProblem[] {
  // A variable that the line itself sets may have another value; bash does not take words apart inside [[ ]].
  if (commands.some(({ words }) => words.every(isAssignment))) return [];
  const words = commands.flatMap((command) => command.words).filter((word) => !isAssignment(word));
  if (words.some((word) => wordText(word) === '[[')) return [];
  const torn = words.map((word) => wordValue(word, env)).find((known) => known?.torn !== undefined);
  return torn ? [unquoted(torn, false)] : [];
}

function unquoted({ value, torn }: WordValue, decisive: boolean): PreflightProblem {
  const name = torn?.variable ?? '';
  const rest = value.slice(torn?.directory.length ?? 0);
  return (decisive ? error : warning)(
    'unquoted_path',
    `${name} is not quoted, and its directory '${torn?.directory}' has blanks in its name: the shell takes the path apart. Write "${name}"${rest}.`,
  );
}

function noDirectory(path: string): PreflightProblem {
  return error(
    'missing_cwd',
    `The directory '${path}' does not exist, so nothing after cd is run. Create it, or correct the path.`,
  );
}

export function withPwd(around: Surroundings): Surroundings {
  return { ...around, env: { ...around.env, PWD: isAbsolute(around.cwd) ? around.cwd : undefined } };
}
