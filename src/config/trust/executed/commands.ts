/** What one command of a line executes: its program, and the files that the program runs in turn. */
import { basename } from 'node:path/posix';
import { assignedBy } from '../../../shell/assigned-variables.js';
import { BUILTIN_NAMES } from '../../../shell/builtin-names.js';
import { carriedBy, isCarrier } from '../../../shell/carriers.js';
import { checksFiles, isChecker } from '../../../shell/checking-programs.js';
import { isKnownProgram } from '../../../shell/effects.js';
import { interpreterOf } from '../../../shell/interpreters.js';
import { readInvocation } from '../../../shell/invocations.js';
import type { ShellCommand, ShellWord } from '../../../shell/read-line.js';
import { followDefinitions } from './definition-files.js';
import type { ExecutedFiles, Setting, Variables } from './executed-files.js';
import { followGit } from './git-programs.js';
import { addNamedFiles, followGiven } from './given-files.js';
import { addNamed, CODE } from './inline-code.js';
import { followInterpreter, onlyChecks } from './interpreted.js';
import { followVariable } from './loader-variables.js';
import { namedFolders } from './named-folders.js';
import { PACKAGE_RUNNERS } from './package-runners.js';
import { isExecutable, isFile, pathFrom } from './places.js';
import { lineOf, UNKNOWN_VARIABLE } from './quote.js';
import { followInputFile } from './script-options.js';
import { ownPaths, searchPath } from './search-path.js';
import { followTaskRunner, isTaskRunner } from './task-runners.js';
import { WRAPPERS } from './wrappers.js';

/** A command whose program name is known. */
export interface Run {
  /** Without its folder. */
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly folders: readonly string[] | undefined;
  readonly command: ShellCommand;
  readonly setting: Setting;
}

const MAX_GUESSES = 40;

export function followCommand(command: ShellCommand, setting: Setting, executed: ExecutedFiles): void {
  follow(command, setting, executed);
  followGuesses(command, setting, executed);
}

/** Only the program knows which of its words start a command: try each word as a command, and as a shell line. */
function followGuesses(command: ShellCommand, setting: Setting, executed: ExecutedFiles): void {
  const [name, ...args] = command.words;
  if (name?.value === undefined || command.calls || isFollowed(basename(name.value))) return;
  const program = basename(name.value);
  const checks = checksFiles(
    program,
    args.map(({ value = '' }) => value),
  );
  // `foo lint sh guard.sh`: a program that is not known may start what its words say.
  const mayStart = (word: string): boolean =>
    !word.startsWith('-') && !isChecker(program) && (!checks || isFollowed(basename(word)));
  let guesses = 0;
  for (const [index, { value }] of args.entries()) {
    if (value === undefined || !(mayStart(value) || /\s/.test(value))) continue;
    guesses += 1;
    if (guesses > MAX_GUESSES) {
      executed.exceed(`\`${program}\` is given more than ${MAX_GUESSES} words that may be commands`);
      return;
    }
    const guessed = {
      ...command,
      words: args.slice(index),
      assignments: [],
      redirects: [],
      carrier: command,
    };
    if (mayStart(value)) executed.guess((trial) => follow(guessed, setting, trial));
    if (/\s/.test(value))
      executed.guess((trial) => trial.readLine(value, { ...setting, depth: setting.depth + 1 }));
  }
}

/** Whether it is known what a program of this name does with its arguments. */
function isFollowed(program: string): boolean {
  return (
    isKnownProgram(program) ||
    isCarrier(program) ||
    BUILTIN_NAMES.has(program) ||
    PACKAGE_RUNNERS.has(program) ||
    WRAPPERS.has(program) ||
    isTaskRunner(program) ||
    interpreterOf(program) !== undefined
  );
}

function follow(command: ShellCommand, setting: Setting, executed: ExecutedFiles): void {
  const folders = movesElsewhere(command.carrier) ? undefined : command.folders;
  const variables = variablesOf(command, setting.variables);
  for (const { name, value } of assignedBy(command))
    followVariable(name, value, { ...setting, folder: folders?.[0], variables }, executed);
  const [name, ...args] = command.words;
  if (name === undefined || command.calls) return;
  followTexts(command, folders, executed);
  const { value } = name;
  if (value === undefined || name.splits) {
    executed.failWord(name);
    return;
  }
  if (value.includes('/') || name.globs)
    executed.addProgram(executed.pathsOf(name, folders), { ...setting, variables });
  else if (!BUILTIN_NAMES.has(value)) searchPath(value, folders, setting.variables, command, executed);
  const run: Run = {
    program: basename(value),
    args,
    folders,
    command,
    setting: { ...setting, folder: folders?.[0], variables },
  };
  if (!followCarrier(run, executed)) return;
  const [, ...more] = folders ?? [];
  const named = namedFolders(run, executed);
  followRunner(run, executed);
  followInputFile(run, executed);
  const interpreter = interpreterOf(run.program);
  if (!(interpreter && onlyChecks(args, interpreter))) followGiven(run, executed);
  followDefinitions(run, named.all, executed);
  // If it may run in other folders, the files there count too.
  const isLeaf = isKnownProgram(run.program) && interpreter === undefined;
  for (const folder of [...more, ...(isLeaf ? [] : named.moved)])
    executed.guess((trial) => {
      const there = { ...run, folders: [folder], setting: { ...run.setting, folder } };
      followRunner(there, trial);
      if (named.moved.includes(folder)) followGiven(there, trial);
    });
  followOperands(run, executed);
}

/**
 * Values passed by name, `NAME=./guard.sh program`, `--option=./guard.sh`, and texts that bash may expand again: files
 * in them that can be run count.
 */
function followTexts(
  { assignments, words: [name, ...args] }: ShellCommand,
  folders: readonly string[] | undefined,
  executed: ExecutedFiles,
): void {
  for (const { value } of assignments) addNamed(value?.value ?? '', folders, executed);
  // `PSQLRC=rc psql`: what other programs do with their variables is not known.
  if (name?.value !== undefined && !isKnownProgram(basename(name.value)) && !BUILTIN_NAMES.has(name.value))
    for (const { value } of assignments) addNamedFiles(value?.value ?? '', folders, executed);
  for (const { value = '' } of args) {
    const [, option, given] = /^([\w-]+)=(.*)$/s.exec(value) ?? [];
    if (given !== undefined && !/clude|ignore/.test(option ?? ''))
      for (const isCode of [false, /\s/.test(given)]) addNamed(given, folders, executed, { isCode });
    else if (/\[.*(?:\$\(|`)/s.test(value)) addNamed(value, folders, executed);
  }
}

function followRunner(run: Run, executed: ExecutedFiles): void {
  const follow = PACKAGE_RUNNERS.get(run.program) ?? WRAPPERS.get(run.program);
  if (follow) follow(run, executed);
  else if (run.program === 'git') followGit(run, executed);
  else if (isTaskRunner(run.program)) followTaskRunner(run, executed);
  else followInterpreter(run, executed);
}

/** The commands it carries are listed separately, unless unknown. Returns false if nothing is left to follow. */
function followCarrier({ command, program, args, setting }: Run, executed: ExecutedFiles): boolean {
  const unknown = carriedBy(command).find((carried) => 'unknown' in carried);
  // A single word cannot make find run something: that takes an option and a program.
  if (unknown === undefined || (program === 'find' && !args.some(({ splits }) => splits))) return true;
  const line = templateOf(command);
  if (line === undefined) executed.fail(sentence(unknown.unknown));
  else executed.readLine(line, { ...setting, depth: setting.depth + 1 });
  return false;
}

/** `xargs -I{} sh -c 'cat {}'`: the line with an unknown value in it. */
function templateOf({ words, carrier }: ShellCommand): string | undefined {
  const given = carrier?.words ?? [];
  const at = given.findIndex(({ value }) => value?.startsWith('-I'));
  const place = given[at]?.value?.slice(2) || given[at + 1]?.value;
  if (basename(given[0]?.value ?? '') !== 'xargs' || at < 0 || !place) return undefined;
  const written = given.slice(-words.length);
  const line = written.find(({ value }, index) => index > 0 && value?.includes(place))?.value;
  if (line === undefined || words.length !== 3 || words[1]?.value !== '-c') return undefined;
  const filled = line.replaceAll(place, `$${UNKNOWN_VARIABLE}`);
  return lineOf(words.slice(0, 2)).concat(' ', lineOf([{ ...(words[2] as ShellWord), value: filled }]));
}

/** Arguments that an unknown program or a script may run: executable files of ours, and for a script also code. */
function followOperands(run: Run, executed: ExecutedFiles): void {
  const { program, args, folders } = run;
  const interpreter = interpreterOf(program);
  const isScript = runsOwnScript(run) && !(interpreter && onlyChecks(args, interpreter));
  const isChecking = checksFiles(
    program,
    args.map(({ value = '' }) => value),
  );
  if (!isScript && (isChecking || isKnownProgram(program) || BUILTIN_NAMES.has(program))) return;
  for (const { value, globs } of args) {
    if (value === undefined || globs || value.startsWith('-')) continue;
    for (const folder of value.startsWith('/') ? ['/'] : (folders ?? [])) {
      const path = pathFrom(folder, value);
      if (!executed.isOurs(path)) continue;
      const isRun = isExecutable(path) || (isScript && CODE.test(path) && isFile(path));
      if (isRun) executed.add(path, { needed: false, program: true });
    }
  }
}

/** A file of the project, not an installed program. */
function runsOwnScript({ program, args, command }: Run): boolean {
  const interpreter = interpreterOf(program);
  const path = interpreter ? readInvocation(args, interpreter)?.script?.value : command.words[0]?.value;
  if (path === undefined || interpreter?.onlyFiles?.test(path) === false) return false;
  return (
    (interpreter !== undefined || path.includes('/')) && !/(?:^|\/)(?:node_modules|\.venv|venv)\//.test(path)
  );
}

/** `env -C folder`, `sudo -D folder`, `find -execdir`: what they run does not run here. */
function movesElsewhere(carrier: ShellCommand | undefined): boolean {
  if (carrier === undefined) return false;
  const [name, ...args] = carrier.words.map(({ value }) => value);
  const options = /^(?:-C.*|-D.*|--chdir.*|-execdir|-okdir)$/;
  const moves = /^(?:env|sudo|find|gfind|git)$/.test(basename(name ?? ''));
  return (moves && args.some((arg) => options.test(arg ?? ''))) || movesElsewhere(carrier.carrier);
}

/** Including the variables set in front of the command. */
function variablesOf(command: ShellCommand, variables: Variables): Variables {
  const outer = command.carrier ? variablesOf(command.carrier, variables) : variables;
  const [path, ...more] = ownPaths(command) ?? [outer['PATH']];
  const assigned = command.assignments.map(({ name, value }) => [name, value?.value]);
  return { ...outer, ...Object.fromEntries(assigned), PATH: more.length === 0 ? path : undefined };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
