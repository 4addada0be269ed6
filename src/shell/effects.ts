/** Determines from a command's words what it reads and writes. */
import { basename, dirname } from 'node:path/posix';
import { type AffectedPaths, type Analyse, NOTHING } from './affected-paths.js';
import { combinations } from './combinations.js';
import { EDITING_PROGRAMS } from './editing-programs.js';
import { type GivenFolders, givenFolders, NO_FOLDERS } from './given-folders.js';
import { onlyInforms } from './informing.js';
import { foldersInCode } from './inline-code.js';
import { isShell } from './interpreters.js';
import type { ShellCommand, ShellWord } from './line.js';
import { doubtfulTexts, takesMessage } from './mentions.js';
import { ID, LISTED, sampleFor } from './pieces.js';
import { analyseGit, touchedByGit } from './reading-git.js';
import { READING_MACHINE } from './reading-machine.js';
import { READING_PROGRAMS } from './reading-programs.js';
import { READING_SCRIPTS } from './reading-scripts.js';
import { runsNothing } from './runs-nothing.js';
import { isHarmlessAssignment, isOwnVariable } from './variables.js';

export interface Effects {
  /** Everything it affects; undefined if that is uncertain. */
  readonly known: AffectedPaths | undefined;
  /** What it most likely affects. */
  readonly likely: AffectedPaths;
  /** Texts that may name files it reads; what it does with them is unknown. */
  readonly mentions: readonly string[];
  /** Folders whose files it may read, copy or send. */
  readonly given: GivenFolders;
}

/** Commands run through these behave as without them. */
const TRANSPARENT = new Set(
  'timeout time nice stdbuf command builtin env sh bash eval xargs find'.split(' '),
);
/** For these a variable is a text like any other. */
const PRINTERS = new Set(['echo', 'printf', 'exit', 'return']);
const TESTS = new Set(['test', '[']);
/** They open no file, whatever their words are, and print nothing but these. */
const PRINTS_ANY = new Set(['echo', 'basename', 'dirname', 'expr']);
/** After these, the rest of the line runs in a changed shell. */
const CHANGES_THE_SHELL = new Set(
  '. source eval exec pushd popd shopt alias unalias trap hash export declare typeset local readonly unset mapfile readarray getopts enable builtin umask'.split(
    ' ',
  ),
);

/** Programs whose files are known although not everything they do is: rules about files apply to them too. */
const READS_OPERANDS = new Set(
  'sed awk gawk mawk less more bat view source . xxd hexdump strings jq yq base64 base32 gzip zcat tar bsdtar gtar zip scp rsync rclone cpio pax ditto 7za 7zz curl wget dd openssl pr fold fmt expand iconv column join split csplit perl ruby python python3 node bash sh gpg bzip2 xz zstd 7z ed ex envsubst install ln patch nc mail code open vi vim nvim nano emacs'.split(
    ' ',
  ),
);
/** They neither write nor run anything, whatever their words are. */
const TAKES_ANY_WORDS = new Set(
  'basename cat cksum comm cut dirname echo egrep fgrep grep head ls md5sum nl od paste realpath rev sha1sum sha256sum sha512sum stat tac tail wc'.split(
    ' ',
  ),
);
const READS_TREES = new Set(
  'tar bsdtar gtar zip scp rsync rclone cp mv 7z 7za 7zz cpio pax ditto install ln'.split(' '),
);
/** They read the files of a directory, with some options. */
const SEARCHES = new Set('grep egrep fgrep rg diff ag ack ugrep ug zgrep bzgrep xzgrep zstdgrep'.split(' '));
/** They search the current directory without being given one, and leave hidden files out unless an option says otherwise. */
const SEARCHES_HERE = new Set(['rg', 'ag', 'ack', 'ugrep', 'ug']);
const SHOWS_HIDDEN =
  /^(?:-[^-]*[ugtaUGr.]|--(?:hid|no-ig|unr|gl|ig|ty|ignore-f|pre|all|skip|path|files|search|inc|rec|deref))/;
const WRITES_OPERANDS = new Set(
  'rm tee ln truncate unlink shred install chmod chown vi vim nvim nano emacs ed ex'.split(' '),
);
/** Their input is data, unless a word names it as a program. */
const OBEYS_INPUT = new Set('source . perl ruby python python3 node bash sh ed ex'.split(' '));
/** Options by which programs take the names of their files from a list. */
const TAKES_NAMES: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ['tar', 'bsdtar', 'gtar'].map((name) => [name, /^(?:-[A-Za-z]*T|[a-z]+T$|--files-f)/]),
  ),
  ...Object.fromEntries(['wc', 'du', 'sort'].map((name) => [name, /^--files0/])),
  rsync: /^--files-f/,
  zip: /^-[A-Za-z]*@/,
  git: /^--pathspec-f/,
  cpio: /^/,
  pax: /^-[a-z]*w$/,
};
const NAMES_INPUT = /(?:-|\/dev\/(?:stdin|fd\/\d+))$/;
/** They change the directory and read nothing there. */
const GOES = new Set(['cd', 'pushd', 'popd']);
/** Options of a shell before the line that it runs; other options may name files that it runs too. */
const SHELL_OPTION = /^(?:-[ceiluxv]*o?|--|pipefail|errexit|nounset)$/;

/** `isTextRun`: whether another command of the line may run its text. Contract: pure. */
export function effectsOf(command: ShellCommand, isTextRun: boolean): Effects {
  const [name, ...args] = command.words;
  const affected = analysed(command);
  const mentions = doubtfulTexts(command, { isUnderstood: affected !== undefined, isTextRun });
  if (name === undefined)
    return {
      known: assignsOrdinary(command) ? NOTHING : undefined,
      likely: NOTHING,
      mentions,
      given: NO_FOLDERS,
    };
  if (command.calls) return { known: NOTHING, likely: NOTHING, mentions: [], given: NO_FOLDERS };
  const isSure = (command.fed !== true || isKnownFeed(command)) && isPlainlyRun(command);
  return {
    known: isSure ? affected : undefined,
    // A path may lead to another program of that name: its effects are likely, not known.
    likely: affected ?? likelyAffected(basename(name.value ?? ''), args),
    mentions,
    given: givenTo(command, affected !== undefined, mentions),
  };
}

/** Known programs read what they name, and folders only as analysed. */
function givenTo(command: ShellCommand, isUnderstood: boolean, mentions: readonly string[]): GivenFolders {
  const program = basename(command.words[0]?.value ?? '');
  const isAnalysed =
    isUnderstood || READS_TREES.has(program) || SEARCHES.has(program) || runsNothing(command);
  const named = isAnalysed ? NO_FOLDERS : givenFolders(command);
  return { ...named, folders: [...named.folders, ...mentions.flatMap(foldersInCode)] };
}

/** What a program affects, by its name, if its arguments are understood. */
function analysed({ words: [name, ...args], feed }: ShellCommand): AffectedPaths | undefined {
  const program = name?.value ?? '';
  if (!isSpelledOut(program, args)) return undefined;
  const [first, ...more] = textsOf(args, feed).map((texts) => analysedBy(program, texts));
  const isPrinted = feed !== undefined || args.some(({ value, sample }) => (value ?? sample) !== value);
  // What it would write is not known.
  if (isPrinted && [first, ...more].some((each) => (each?.writes.length ?? 0) > 0)) return undefined;
  if (more.length === 0) return first;
  if (first === undefined || !more.every((each) => each !== undefined)) return undefined;
  const all = [first, ...more];
  return {
    ...(all.at(-1) ?? NOTHING),
    reads: [...new Set(all.flatMap(({ reads }) => reads))],
    writes: [...new Set(all.flatMap(({ writes }) => writes))],
  };
}

const MAX_TEXTS = 27;

/**
 * The words that a program may get: those that a command of the line prints may be none, one or more. All of these have
 * to be understood, since an option in front of them may take another word for its value.
 */
function textsOf(args: readonly ShellWord[], feed: ShellCommand['feed']): readonly (readonly string[])[] {
  const choices = args.map((word): readonly (readonly string[])[] => {
    const { value, sample, splits } = word;
    if (value !== undefined || sample === undefined) return [[textOf(word)]];
    return splits ? [[], [sample], [sample, sample]] : [[sample]];
  });
  if (feed?.appended && feed.output.kind !== 'text') {
    const sample = sampleFor(feed.output) ?? LISTED;
    choices.push([[], [sample], [sample, sample]]);
  }
  return combinations(choices, MAX_TEXTS, () => ['--unknown']).map((words) => words.flat());
}

/** Whether it is known what its unknown words are. */
function isKnownFeed({ words: [name], feed }: ShellCommand): boolean {
  if (feed === undefined) return false;
  return feed.output.kind !== 'text' || PRINTS_ANY.has(name?.value ?? '');
}

function analysedBy(program: string, texts: readonly string[]): AffectedPaths | undefined {
  if (onlyInforms(program, texts)) return NOTHING;
  if (program === 'git') return analyseGit(texts);
  return (
    [READING_SCRIPTS, READING_MACHINE].find((table) => Object.hasOwn(table, program))?.[program]?.(texts) ??
    analyserOf(program)?.(texts)
  );
}

/** Whether its input from other commands may be names of files or a program. */
export function obeysInput(command: ShellCommand): boolean {
  const [name, ...args] = command.words;
  const program = basename(name?.value ?? '');
  const isPipe = ({ raw, plain }: ShellWord): boolean => !plain && raw.includes('<(');
  if (name === undefined || command.calls || analysed(command) || takesMessage(program, args)) return false;
  if (args.some(isPipe)) return true;
  const isData = isKnownProgram(program) && !OBEYS_INPUT.has(program) && program !== 'git';
  return command.piped === true && (!isData || args.some(({ value = '' }) => NAMES_INPUT.test(value)));
}

/** Whether it neither writes nor runs anything, whatever words it gets. */
export function takesAnyWords(program: string): boolean {
  return TAKES_ANY_WORDS.has(program);
}

/**
 * Whether a program that works on files gets words only known at run time; a wrapper only opens files for its command.
 */
export function hasUnknownFiles(
  { words: [name, ...args], redirects, fed }: ShellCommand,
  isWrapper: boolean,
): boolean {
  const program = basename(name?.value ?? '');
  const names = Object.hasOwn(TAKES_NAMES, program) ? TAKES_NAMES[program] : undefined;
  if (names && args.some(({ value = '' }) => names.test(value))) return true;
  const worksOnFiles =
    isKnownProgram(program) && ![PRINTERS, PRINTS_ANY, TESTS, GOES].some((set) => set.has(program));
  // The id of a commit is no file for git.
  const isRevision = ({ sample }: ShellWord): boolean => program === 'git' && sample === ID;
  return (
    redirects.some(
      ({ operator, target }) => !operator.startsWith('<<') && (target.value === undefined || target.globs),
    ) ||
    (worksOnFiles &&
      !isWrapper &&
      (fed === true || args.some((word) => word.value === undefined && !isRevision(word))))
  );
}

/** Options that make a program change the directory first. */
const GOES_FIRST = /^(?:-C|--(?:chdir|directory|cwd)(?:=|$))/;
const CARRIER_GOES_FIRST = /^(?:-[a-zA-Z0-9]*[CD]|--chdir|-execdir|-okdir)/;

/** Whether it works in another directory than the line: because of its carrier, or possibly by its own options. */
export function goesElsewhere({ words, carrier }: ShellCommand): 'surely' | 'perhaps' | undefined {
  for (let by = carrier; by !== undefined; by = by.carrier) {
    const program = basename(by.words[0]?.value ?? '');
    const isGoing = ['env', 'sudo', 'find', 'gfind'].includes(program);
    if (isGoing && by.words.some(({ value = '' }) => CARRIER_GOES_FIRST.test(value))) return 'surely';
  }
  return words.some(({ value = '' }) => GOES_FIRST.test(value)) ? 'perhaps' : undefined;
}

/** Whether commands with their values are printed as they run. */
export function traces({ words: [name, ...args] }: ShellCommand): boolean {
  const isOption = ({ value = '' }: ShellWord): boolean => /^-[A-Za-z]*x|^xtrace$/.test(value);
  return (name?.value === 'set' || isShell(basename(name?.value ?? ''))) && args.some(isOption);
}

const GLOB_SETTING = /^(?:[-+]?O|GLOBIGNORE|BASHOPTS|dotglob|globdots)/i;

/** Whether it may make wildcards match names that start with a dot. */
export function maySetGlobs({ words, assignments }: ShellCommand): boolean {
  const [name] = words;
  return (
    /^(?:shopt|setopt|options|zsh)$/.test(basename(name?.value ?? '')) ||
    words.some(({ value, raw }) => GLOB_SETTING.test(value ?? raw)) ||
    assignments.some((each) => GLOB_SETTING.test(each.name))
  );
}

export function changesTheShell({ words: [name] }: ShellCommand): boolean {
  return name === undefined ? false : name.value === undefined || CHANGES_THE_SHELL.has(name.value);
}

/** Whether nothing in front of it changes what it does. */
function isPlainlyRun({ assignments, carrier }: ShellCommand): boolean {
  const isHarmless = assignments.every(({ name, value }) => isHarmlessAssignment(name, value?.value));
  if (!isHarmless || carrier === undefined) return isHarmless;
  if (goesElsewhere({ ...carrier, carrier }) !== undefined) return false;
  const [name, ...args] = carrier.words;
  const program = name?.value ?? '';
  return TRANSPARENT.has(program) && (!isShell(program) || isPlainShell(args)) && isPlainlyRun(carrier);
}

/** Whether it runs the line and nothing else. */
function isPlainShell(args: readonly ShellWord[]): boolean {
  const first = args.find(({ value }) => value === undefined || !SHELL_OPTION.test(value));
  return first?.value === undefined || !/^[-+]/.test(first.value);
}

function assignsOrdinary({ assignments }: ShellCommand): boolean {
  return assignments.every(({ name }) => isOwnVariable(name) || name === 'IFS');
}

function analyserOf(program: string): Analyse | undefined {
  if (Object.hasOwn(READING_PROGRAMS, program)) return READING_PROGRAMS[program];
  return Object.hasOwn(EDITING_PROGRAMS, program) ? EDITING_PROGRAMS[program] : undefined;
}

/** Whether its words are known now. */
function isSpelledOut(program: string, args: readonly ShellWord[]): boolean {
  if (program === 'printf' && args[0]?.value === undefined) return false;
  if (PRINTERS.has(program) || PRINTS_ANY.has(program)) return args.every(isHarmlessText);
  if (TESTS.has(program)) return isSpelledOutTest(program === '[' ? args.slice(0, -1) : args);
  return args.every((word) => isText(word) || (word.sample !== undefined && isHarmlessText(word)));
}

/** Some shells expand twice in places, so an apparent substitution is not trusted in quotes either. */
function isText({ value }: ShellWord): boolean {
  return value !== undefined && !value.includes('$(') && !value.includes('`');
}

/** Unknown parts come from a command of the line, which is analysed separately. */
export function isHarmlessText({ environment }: ShellWord): boolean {
  return environment.length === 0;
}

/** Secrets appear only where neither an error message nor the result reveals them: `-n "$x"`, `"$x" = y`. */
function isSpelledOutTest(given: readonly ShellWord[]): boolean {
  const args = given[0]?.value === '!' ? given.slice(1) : given;
  const isSecret = !given.every(isHarmlessText);
  // If a word becomes several or none, the test is another, and its error shows what it does not understand.
  const isOneWord = ({ value, splits, globs }: ShellWord): boolean =>
    !isSecret || !(splits || (globs && value !== undefined));
  const operator = args[args.length === 2 ? 0 : 1]?.value ?? '';
  const isWellFormed =
    (args.length === 2 && /^-[a-su-zA-Z]$/.test(operator)) ||
    (args.length === 3 && /^(?:=|==|!=)$/.test(operator));
  return args.every((word) => isOneWord(word) && (isText(word) || isHarmlessText(word) || isWellFormed));
}

function textOf({ value, raw }: ShellWord): string {
  return value ?? raw;
}

/** What a program affects if its arguments are not understood: most likely every operand. */
function likelyAffected(program: string, args: readonly ShellWord[]): AffectedPaths {
  const values = args.flatMap(({ value }) => value ?? []);
  const operands = values.filter((value) => !value.startsWith('-'));
  const has = (option: RegExp): boolean => values.some((value) => option.test(value));
  const deep = READS_TREES.has(program);
  if (program === 'git') return { writes: [], ...touchedByGit(values) };
  const isTargetFirst = deep && has(/^(?:-[a-zA-Z]*t|--target)/);
  const sources = isTargetFirst ? operands : operands.slice(0, -1);
  const targets = isTargetFirst ? [...operands, ...args.flatMap(namesIn)] : operands.slice(-1);
  if (program === 'ln') return { reads: [...sources, ...linked(sources, targets)], writes: targets, deep };
  if (isTargetFirst || program === 'cp' || program === 'install')
    return { reads: sources, writes: targets, deep };
  if (program === 'mv') return { reads: operands.slice(0, -1), writes: operands, deep };
  const isWritten = Object.hasOwn(EDITING_PROGRAMS, program) || WRITES_OPERANDS.has(program);
  if (isWritten || (program === 'sed' && has(/^(?:-[a-zA-Z]*i|--in-place)/)))
    return { reads: READS_OPERANDS.has(program) ? operands : [], writes: operands };
  if (SEARCHES.has(program)) return likelySearched(program, operands, has);
  const reads = Object.hasOwn(READING_PROGRAMS, program) || READS_OPERANDS.has(program);
  if (!reads || PRINTERS.has(program) || TESTS.has(program)) return NOTHING;
  // The first word of jq is a program, not a file.
  const isProgram = program === 'jq' && !has(/^(?:-[a-zA-Z]*f|--from-file)/);
  const named = args.flatMap(namesIn).filter((name) => !isProgram || name !== operands[0]);
  return { reads: named, writes: [], deep };
}

/** The target of a link is relative to the link. */
function linked(sources: readonly string[], targets: readonly string[]): readonly string[] {
  return targets.flatMap((to) =>
    sources
      .filter((from) => !from.startsWith('/'))
      .flatMap((from) => [`${to}/${from}`, `${dirname(to)}/${from}`]),
  );
}

function likelySearched(
  program: string,
  operands: readonly string[],
  has: (option: RegExp) => boolean,
): AffectedPaths {
  const isAlways = SEARCHES_HERE.has(program);
  const isHere = isAlways || (program !== 'diff' && has(/^-(?:[^-]*[rRd]|-(?:rec|deref|dir))/));
  const deep = isAlways && !has(SHOWS_HIDDEN) ? { visible: true } : true;
  return { reads: [...operands, ...(isHere ? ['.'] : [])], writes: [], deep };
}

export function isKnownProgram(program: string): boolean {
  return (
    program === 'git' ||
    analyserOf(program) !== undefined ||
    READS_OPERANDS.has(program) ||
    WRITES_OPERANDS.has(program)
  );
}

/** `--file=path`, `if=path` and `@path` contain a path too. */
function namesIn({ value }: ShellWord): readonly string[] {
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
