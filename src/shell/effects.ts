/** What a command reads and writes, told from its words. */
import { basename } from 'node:path/posix';
import { EDITING_PROGRAMS } from './editing-programs.js';
import type { ShellCommand, ShellWord } from './line.js';
import { namedByGit, studyGit } from './reading-git.js';
import { READING_PROGRAMS } from './reading-programs.js';
import { NOTHING, type Study, type Touched } from './touched.js';
import { isHarmlessVariable, isOrdinaryVariable } from './variables.js';

export interface Effects {
  /** What it touches, and all of it; undefined when that is not sure. */
  readonly known: Touched | undefined;
  /** What it most likely touches. */
  readonly likely: Touched;
  /** Words that may name files it reads, for a program that is not known. */
  readonly mentions: readonly string[];
}

/** What they run does what it would do without them. */
const TRANSPARENT = new Set(['timeout', 'time', 'nice', 'stdbuf', 'command', 'env', 'sh', 'bash', 'eval']);
/** For them a variable is a text like any other. */
const SPEAKERS = new Set(['echo', 'printf']);
const TESTS = new Set(['test', '[']);
/** They hold no secret. */
const NO_SECRETS = new Set(['HOME', 'PWD', 'OLDPWD', 'USER', 'LOGNAME', 'SHELL']);
/** The rest of the shell is another one after them. */
const CHANGES_THE_SHELL = new Set(
  '. source eval exec pushd popd shopt alias unalias trap hash export declare typeset local readonly unset mapfile readarray getopts enable builtin umask'.split(
    ' ',
  ),
);

/** Programs of which files are known although it is not known all they do: rules about files hold for them too. */
const READS_OPERANDS = new Set([
  ...[
    'sed',
    'awk',
    'gawk',
    'mawk',
    'less',
    'more',
    'bat',
    'view',
    'source',
    '.',
    'xxd',
    'hexdump',
    'strings',
    'jq',
    'yq',
  ],
  ...[
    'base64',
    'base32',
    'gzip',
    'zcat',
    'tar',
    'zip',
    'scp',
    'rsync',
    'curl',
    'wget',
    'dd',
    'openssl',
    'pr',
    'fold',
    'fmt',
  ],
  ...[
    'expand',
    'iconv',
    'column',
    'join',
    'split',
    'csplit',
    'perl',
    'ruby',
    'python',
    'python3',
    'node',
    'bash',
    'sh',
  ],
  ...[
    'gpg',
    'bzip2',
    'xz',
    'zstd',
    '7z',
    'ed',
    'ex',
    'envsubst',
    'install',
    'ln',
    'patch',
    'nc',
    'mail',
    'code',
    'open',
  ],
]);
/** They neither write nor run anything, whatever their words are. */
const TAKES_ANY_WORDS = new Set(
  'basename cat cksum comm cut dirname echo egrep fgrep grep head ls md5sum nl od paste realpath rev sha1sum sha256sum sha512sum stat tac tail wc'.split(
    ' ',
  ),
);
const READS_TREES = new Set(['tar', 'zip', 'scp', 'rsync', 'cp', 'mv', '7z', 'install']);
const WRITES_OPERANDS = new Set([
  ...[
    'rm',
    'tee',
    'ln',
    'truncate',
    'unlink',
    'shred',
    'install',
    'chmod',
    'chown',
    'vi',
    'vim',
    'nano',
    'emacs',
  ],
]);

/** Contract: pure. `words`: the values after the name, patterns looked up by the caller. */
export function effectsOf(command: ShellCommand): Effects {
  const [name, ...args] = command.words;
  if (name === undefined)
    return { known: assignsOrdinary(command) ? NOTHING : undefined, likely: NOTHING, mentions: [] };
  if (command.calls) return { known: NOTHING, likely: NOTHING, mentions: [] };
  const program = name.value ?? '';
  const study = program === 'git' ? studyGit : studyOf(program);
  const values = isSpelledOut(program, args) ? args.map(textOf) : undefined;
  const isSure = values !== undefined && command.fed !== true && isPlainlyRun(command);
  // Under a path there may be another program of that name: what it does is likely, not known.
  const base = basename(program);
  const likely = likelyTouched(base, args);
  return {
    known: isSure ? study?.(values) : undefined,
    likely: study && values ? (study(values) ?? likely) : likely,
    mentions: isKnownProgram(base) ? [] : args.flatMap(mentionsIn),
  };
}

/** Whether it neither writes nor runs anything, whatever words it gets. */
export function takesAnyWords(program: string): boolean {
  return TAKES_ANY_WORDS.has(program);
}

/** A program that is known to work on files gets words that are only known when it runs. */
export function hasUnknownFiles({ words: [name, ...args], redirects, fed }: ShellCommand): boolean {
  const program = basename(name?.value ?? '');
  const worksOnFiles = isKnownProgram(program) && !SPEAKERS.has(program) && !TESTS.has(program);
  return (
    redirects.some(({ operator, target }) => !operator.startsWith('<<') && target.value === undefined) ||
    (worksOnFiles && (fed === true || args.some(({ value }) => value === undefined)))
  );
}

export function changesTheShell({ words: [name] }: ShellCommand): boolean {
  return name === undefined ? false : name.value === undefined || CHANGES_THE_SHELL.has(name.value);
}

/** Nothing stands in front that changes what it does. */
function isPlainlyRun({ assignments, carrier }: ShellCommand): boolean {
  const isHarmless = assignments.every(
    ({ name, value }) => isHarmlessVariable(name) && value?.value !== undefined,
  );
  if (!isHarmless || carrier === undefined) return isHarmless;
  return TRANSPARENT.has(carrier.words[0]?.value ?? '') && isPlainlyRun(carrier);
}

function assignsOrdinary({ assignments }: ShellCommand): boolean {
  return assignments.every(({ name }) => isOrdinaryVariable(name) || name === 'IFS');
}

function studyOf(program: string): Study | undefined {
  if (Object.hasOwn(READING_PROGRAMS, program)) return READING_PROGRAMS[program];
  return Object.hasOwn(EDITING_PROGRAMS, program) ? EDITING_PROGRAMS[program] : undefined;
}

/** Its words are texts that are known now. */
function isSpelledOut(program: string, args: readonly ShellWord[]): boolean {
  if (program === 'printf' && args[0]?.value === undefined) return false;
  if (SPEAKERS.has(program)) return args.every(isHarmlessText);
  if (TESTS.has(program)) return isSpelledOutTest(args);
  return args.every(isText);
}

/** Some shells expand twice in places, so what looks like a substitution is not trusted in quotes either. */
function isText({ value }: ShellWord): boolean {
  return value !== undefined && !value.includes('$(') && !value.includes('`');
}

/** What is not known comes from a command of the line, which is looked at by itself, or holds no secret. */
export function isHarmlessText(word: ShellWord): boolean {
  return word.environment.every((name) => NO_SECRETS.has(name));
}

/** Beside what is not known stands an operator that is. */
function isSpelledOutTest(args: readonly ShellWord[]): boolean {
  const isOperator = (word: ShellWord | undefined): boolean =>
    word?.value !== undefined && /^(?:-[a-zA-Z]{1,2}|=|==|!=|<|>)$/.test(word.value);
  return args.every(
    (word, index) => isText(word) || isOperator(args[index - 1]) || isOperator(args[index + 1]),
  );
}

function textOf({ value, raw }: ShellWord): string {
  return value ?? raw;
}

/** What a program touches when its arguments are not understood: every operand, most likely. */
function likelyTouched(program: string, args: readonly ShellWord[]): Touched {
  const operands = args.flatMap(({ value }) => (value === undefined || value.startsWith('-') ? [] : [value]));
  const last = operands.slice(-1);
  const deep = READS_TREES.has(program);
  if (program === 'git')
    return {
      writes: [],
      ...namedByGit(
        args.flatMap(({ value }) => value ?? []),
        operands,
      ),
    };
  if (program === 'cp' || program === 'ln' || program === 'install')
    return { reads: operands.slice(0, -1), writes: last, deep };
  if (program === 'mv') return { reads: operands.slice(0, -1), writes: operands, deep };
  if (Object.hasOwn(EDITING_PROGRAMS, program) || WRITES_OPERANDS.has(program))
    return { reads: [], writes: operands };
  if (program === 'sed' && args.some(({ value = '' }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(value)))
    return { reads: operands, writes: operands };
  const reads = Object.hasOwn(READING_PROGRAMS, program) || READS_OPERANDS.has(program);
  const isSilent = SPEAKERS.has(program) || TESTS.has(program);
  return reads && !isSilent
    ? { reads: [...operands, ...args.flatMap(mentionsIn)], writes: [], deep }
    : NOTHING;
}

export function isKnownProgram(program: string): boolean {
  return (
    program === 'git' ||
    studyOf(program) !== undefined ||
    READS_OPERANDS.has(program) ||
    WRITES_OPERANDS.has(program)
  );
}

/** `--file=path`, `if=path` and `@path` name their path too. */
function mentionsIn({ value }: ShellWord): readonly string[] {
  if (value === undefined) return [];
  const behind = value.slice(value.indexOf('=') + 1);
  return [
    ...new Set([
      value,
      behind,
      behind.replace(/^@/, ''),
      behind.replace(/^[^@]*@/, ''),
      behind.replace(/^file:\/\//, ''),
    ]),
  ].filter((text) => text !== '' && !text.startsWith('-'));
}
