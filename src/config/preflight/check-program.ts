/** Checks one program with its arguments: whether it can be started, and whether the script it is given exists. */
import { isAbsolute, resolve } from 'node:path';
import { type Interpreter, interpreterOf } from '../../shell/interpreters.js';
import { scriptOf } from '../../shell/invocations.js';
import { checkImports } from './check-imports.js';
import { beginningOf, findProgram, inspect, type Variables } from './find-program.js';
import { error, type PreflightProblem, warning } from './problem.js';
import { checkScript } from './shebang.js';

export interface LineContext {
  readonly cwd: string;
  readonly env: Variables;
  readonly workspace: string;
  /** Started by the system directly, not by a shell. */
  readonly direct: boolean;
}

/** `words`: the program and its arguments; a word that cannot be determined is undefined. */
export async function checkProgram(
  words: readonly (string | undefined)[],
  context: LineContext,
): Promise<PreflightProblem[]> {
  const [program] = words;
  if (program === undefined) return [];
  const found = await findProgram(program, context.cwd, context.env);
  switch (found.kind) {
    case 'missing':
      return [await missing(program, context)];
    case 'not-a-file':
      return [notAFile(found.path)];
    case 'plain':
      return [
        error(
          'not_executable',
          `'${found.path}' is not executable. Run chmod +x on it, or name the interpreter to run it with.`,
        ),
      ];
    case 'executable': {
      const problems = await checkScript(found.path, context);
      return problems.length > 0 ? problems : checkArgument(words, context);
    }
    case 'unknown':
      return [];
  }
}

async function missing(program: string, context: LineContext): Promise<PreflightProblem> {
  if (program.includes('/')) return missingScript(program, context, '');
  const code = interpreterOf(program) ? 'missing_interpreter' : 'missing_program';
  return error(
    code,
    `The program '${program}' is not in the PATH of the hook. Install it, or give its full path.`,
  );
}

async function missingScript(
  name: string,
  { cwd, workspace }: LineContext,
  then: string,
): Promise<PreflightProblem> {
  const path = resolve(cwd, name);
  const elsewhere = isAbsolute(name) ? undefined : resolve(workspace, name);
  const inWorkspace =
    elsewhere !== undefined && elsewhere !== path && (await inspect(elsewhere)).kind !== 'missing';
  const advice = inWorkspace
    ? `There is one at '${elsewhere}': write "$CLAUDE_PROJECT_DIR"/${name}`
    : 'Create it, or correct the path';
  return error('missing_script', `The file '${path}' does not exist${then}. ${advice}.`);
}

function notAFile(path: string): PreflightProblem {
  return error('not_a_file', `'${path}' is not a regular file. Give the path of a script or a program.`);
}

async function checkArgument(
  words: readonly (string | undefined)[],
  context: LineContext,
): Promise<PreflightProblem[]> {
  const given = scriptOf(words);
  if (!given) return [];
  const { script, interpreter } = given;
  const path = await locate(script, interpreter, context);
  if (path === undefined) {
    const then = interpreter.refusesWhenMissing
      ? `, and ${words[0]} would exit with 2, which means deny, for every call`
      : '';
    return [await missingScript(script, context, then)];
  }
  const found = await inspect(path);
  if (found.kind === 'not-a-file') return interpreter.directory ? [] : [notAFile(path)];
  // Options such as --import may change where packages are found.
  if (words[0] === 'node' && words[1] === script && /\.m?js$/.test(path))
    return checkImports(path, (await beginningOf(path)) ?? '');
  if (!interpreter.shell || !/\r\n/.test((await beginningOf(path)) ?? '')) return [];
  return [
    warning(
      'crlf_script',
      `The script '${path}' has Windows line endings, which a shell reads as part of its commands. Save it with LF line endings.`,
    ),
  ];
}

async function locate(
  script: string,
  interpreter: Interpreter,
  { cwd, env }: LineContext,
): Promise<string | undefined> {
  for (const ending of ['', ...(interpreter.endings ?? [])]) {
    const path = resolve(cwd, script + ending);
    if ((await inspect(path)).kind !== 'missing') return path;
  }
  const inPath = interpreter.shell && !script.includes('/') ? await findProgram(script, cwd, env) : undefined;
  return inPath?.path;
}
