/** Programs that run a file given as an argument, and which argument that is. */
import { basename } from 'node:path';

export interface Interpreter {
  /** Options that stand alone. After any other option nobody but the program knows where the file is. */
  readonly flags: RegExp;
  /** What has to stand, or may stand, between the name and the options. */
  readonly subcommand?: { readonly word: string; readonly required: boolean };
  /** What the program tries to add to a name. */
  readonly endings?: readonly string[];
  /** A directory can be run as well. */
  readonly directory?: boolean;
  /** A word is a file only when it ends so; otherwise it may be a task or a package. */
  readonly onlyFiles?: RegExp;
  /** The file is read by a shell, which trips over Windows line endings, and may be found in PATH. */
  readonly shell?: boolean;
  /** The exit code when the file is missing reads as a refusal. */
  readonly refusesWhenMissing?: boolean;
}

const NO_FLAGS = /^$/;
const SCRIPT_FILE = /\.(?:[cm]?[jt]sx?|py)$/;
const TYPESCRIPT: Interpreter = {
  flags: NO_FLAGS,
  endings: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json'],
  directory: true,
};
const SHELL: Interpreter = { flags: /^[-+][efux]+$/, shell: true };
const PYTHON: Interpreter = { flags: /^-[uBEIsSO]+$/, directory: true, refusesWhenMissing: true };

const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash'].map((name): [string, Interpreter] => [name, SHELL]),
  [
    'node',
    {
      flags: /^--(?:no-warnings|enable-source-maps|experimental-(?:strip|transform)-types|trace-warnings)$/,
      endings: ['.js', '.json', '.node'],
      directory: true,
    },
  ],
  ['python', PYTHON],
  ['ruby', { flags: /^-w$/ }],
  ['perl', { flags: /^-[wT]+$/ }],
  ['php', { flags: NO_FLAGS }],
  ['tsx', TYPESCRIPT],
  ['ts-node', TYPESCRIPT],
  [
    'deno',
    {
      flags: /^(?:-A|-q|--quiet|--no-check|--allow-[\w-]+(?:=.*)?)$/,
      subcommand: { word: 'run', required: true },
      onlyFiles: SCRIPT_FILE,
    },
  ],
  ['bun', { flags: NO_FLAGS, subcommand: { word: 'run', required: false }, onlyFiles: SCRIPT_FILE }],
  ['uv', { flags: /^(?:-q|--quiet)$/, subcommand: { word: 'run', required: true }, onlyFiles: /\.py$/ }],
]);

/** Runs a package's program; known ones are interpreters themselves. */
const NPX_FLAGS = /^(?:-y|--yes|--no-install)$/;

/** The interpreter of this name, also with a version or a path: `/usr/bin/python3.11`. */
export function interpreterOf(program: string): Interpreter | undefined {
  return INTERPRETERS.get(basename(program).replace(/^python[\d.]+$/, 'python'));
}

/** Whether a program of this name reads a line as a POSIX shell does. */
export function isShell(program: string): boolean {
  return interpreterOf(program)?.shell === true;
}

/**
 * The file that a command gives to its interpreter. A word that cannot be known is undefined; so is the answer
 * where it is not certain that there is a file.
 */
export function scriptOf(
  words: readonly (string | undefined)[],
): { readonly script: string; readonly interpreter: Interpreter } | undefined {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  if (basename(program) === 'npx') return scriptOf(withoutFlags(rest, NPX_FLAGS));
  const interpreter = interpreterOf(program);
  if (!interpreter) return undefined;
  const { subcommand, flags, onlyFiles } = interpreter;
  if (subcommand?.required && rest[0] !== subcommand.word) return undefined;
  const after = rest[0] !== undefined && rest[0] === subcommand?.word ? rest.slice(1) : rest;
  const [script] = withoutFlags(after, flags);
  if (script === undefined || script === '' || /^[-+]|^[a-z]+:/.test(script)) return undefined;
  return onlyFiles && !onlyFiles.test(script) ? undefined : { script, interpreter };
}

function withoutFlags(
  words: readonly (string | undefined)[],
  flags: RegExp,
): readonly (string | undefined)[] {
  const first = words.findIndex((word) => word === undefined || !flags.test(word));
  return first === -1 ? [] : words.slice(first);
}
