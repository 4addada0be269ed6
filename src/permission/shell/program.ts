/** Which program a command runs, whether its words are surely what they look like, and what is known of such a program. */
import { isAssignment, unwrapped } from './bash-command-wrappers.js';
import { EDITING_PROGRAMS } from './editing-programs.js';
import type { ShellCommand, ShellWord } from './line.js';
import { namedByGit } from './reading-git.js';
import { READING_PROGRAMS } from './reading-programs.js';
import { NOTHING, type Study, type Touched } from './touched.js';

export interface Program {
  readonly name: string;
  readonly words: readonly ShellWord[];
  /** Nothing stands in front that changes what it does. */
  readonly bare: boolean;
}

/** Wrappers that change nothing about what their command touches. `xargs` is none: it adds words that nobody has seen. */
const TRANSPARENT = new Set(['timeout', 'time', 'nice', 'stdbuf', 'command']);
/** Variables that hold no secret, and the shell's own numbers. */
const PLAIN_VARIABLE =
  /\$(?:(?:HOME|PWD|OLDPWD|USER|LOGNAME|SHELL)(?!\w)|\{(?:HOME|PWD|OLDPWD|USER|LOGNAME|SHELL)\}|[?#$])/g;
/** For them a variable is a text like any other. */
const SPEAKERS = new Set(['echo', 'printf']);
/** After them words may mean anything. */
const CHANGES_THE_SHELL = new Set(
  '. source eval exec cd pushd popd set shopt alias unalias trap hash export declare typeset local readonly unset read mapfile readarray getopts let enable builtin printf test [ [[ umask wait'.split(
    ' ',
  ),
);

/** Programs of which files are known although it is not known all they do: rules about files hold for them too. */
const READS_OPERANDS = new Set([
  ...['sed', 'awk', 'gawk', 'less', 'more', 'bat', 'view', 'source', '.', 'xxd', 'hexdump', 'strings', 'jq'],
  ...['base64', 'gzip', 'zcat', 'tar', 'zip', 'scp', 'rsync', 'curl'],
]);
const WRITES_OPERANDS = new Set([
  ...['rm', 'tee', 'ln', 'truncate', 'unlink', 'shred', 'install', 'chmod', 'chown', 'vi', 'vim', 'nano'],
]);

/** Undefined: what runs is only known when it runs. */
export function programOf({ words }: ShellCommand): Program | undefined {
  const stages = unwrapped(words, 'all');
  const real = stages?.at(-1) ?? [];
  const [name, ...rest] = real;
  if (stages === undefined || name === undefined || !isPlain(name) || isAssignment(name)) return undefined;
  const front = words.slice(0, words.length - real.length);
  const wrappers = stages.slice(0, -1).map(([first]) => first);
  const bare =
    unwrapped(words, 'harmless')?.at(-1)?.length === real.length &&
    front.every((word) => isPlain(word) || isAssignment(word)) &&
    wrappers.every((word) => word !== undefined && (isAssignment(word) || TRANSPARENT.has(word.plain)));
  return { name: name.plain, words: rest, bare };
}

/** What is known of it; undefined where nothing is. */
export function studyOf({ name }: Program): Study | undefined {
  if (Object.hasOwn(READING_PROGRAMS, name)) return READING_PROGRAMS[name];
  return Object.hasOwn(EDITING_PROGRAMS, name) ? EDITING_PROGRAMS[name] : undefined;
}

export function changesTheShell(program: Program | undefined): boolean {
  return program === undefined || CHANGES_THE_SHELL.has(program.name);
}

/** Its words are texts that are known now. Stars are not looked at here. */
export function isSpelledOut({ name, words }: Program): boolean {
  const [first] = words;
  if (name === 'printf' && first?.dynamic === true) return false;
  return words.every((word) => (SPEAKERS.has(name) ? isHarmlessText(word) : isText(word)));
}

/** A text, or one in which nothing but harmless variables is expanded. */
export function isHarmlessText(word: ShellWord): boolean {
  return isText(word) || (word.dynamic && !/[$`]/.test(word.raw.replaceAll(PLAIN_VARIABLE, '')));
}

/** Some shells expand twice in places, so what looks like a substitution is not trusted in quotes either. */
function isText(word: ShellWord): boolean {
  return !word.dynamic && !word.plain.includes('$(') && !word.plain.includes('`');
}

function isPlain(word: ShellWord): boolean {
  return !word.dynamic && !word.expands;
}

/** What a program touches when its arguments are not understood: every operand, most likely. */
export function guessTouched(program: Program): Touched {
  const { name, words } = program;
  const operands = words.flatMap(({ plain, dynamic }) => (dynamic || plain.startsWith('-') ? [] : [plain]));
  const last = operands.slice(-1);
  if (name === 'cp') return { reads: operands.slice(0, -1), writes: last };
  if (Object.hasOwn(EDITING_PROGRAMS, name) || WRITES_OPERANDS.has(name))
    return { reads: [], writes: operands };
  if (name === 'sed' && words.some(({ plain }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(plain)))
    return { reads: operands, writes: operands };
  const reads = Object.hasOwn(READING_PROGRAMS, name) || READS_OPERANDS.has(name);
  if (name === 'git') return { reads: namedByGit(operands), writes: [] };
  return reads && !SPEAKERS.has(name) ? { reads: operands, writes: [] } : NOTHING;
}
