/**
 * Finds commands that a line may run although it only mentions them, in the arguments of a program that may run them.
 */
import { basename } from 'node:path/posix';
import { minimatch } from 'minimatch';
import { isCarrier } from '../shell/carriers.js';
import { unescaped } from '../shell/code/escapes.js';
import { interpreterOf, isShell } from '../shell/interpreters.js';
import { readShellLine, type ShellCommand, type ShellLine, type ShellWord } from '../shell/read-line.js';
import { installedName, runsNothing } from '../shell/runs-nothing.js';
import { isOrdinaryVariable } from '../shell/variables.js';
import { inputOf } from './rule-code.js';
import { mayRunInput, writesFiles } from './rule-feed.js';

/** The words that a command must start with for a rule to match it. */
export interface LeadingWords {
  readonly words: readonly string[];
  /** Whether the last word is only a prefix. */
  readonly open: boolean;
}

/** `git push *` starts with `git push`, `rm*` with the prefix `rm`; `*` and `*rm*` start with anything. */
export function leadingWords(pattern: string): LeadingWords {
  const all = pattern.split(' ');
  const star = all.findIndex((word) => word.includes('*'));
  const [first = '', ...rest] = star < 0 ? all : all.slice(0, star);
  if (star !== 0) return { words: [basename(first), ...rest].filter((word) => word !== ''), open: false };
  const start = basename(all[0]?.replace(/\*.*$/, '') ?? '');
  return { words: start === '' ? [] : [start], open: true };
}

/** Their first word, unless it is an option, is a command of their own: `docker rm`, `npm rm`. */
const HAS_COMMANDS = new Set(['docker', 'podman', 'npm', 'pnpm', 'cargo']);
const EXPORTS = /^(?:export|declare|typeset|set)$/;

/**
 * Contract: pure. `text` is the whole line, searched for programs that get unknown words, read from a pipe, or run
 * after the line has written files.
 */
export function mentions(text: string, { commands }: ShellLine, leading: LeadingWords): boolean {
  if (leading.words.length === 0) return false;
  const environment = environmentTexts(commands);
  const isInText = holds([text, ...environment], leading);
  let isWritten = false;
  return commands.some((command) => {
    const getsAll = isWritten || mayRunInput(command) || hasUnknownWords(command);
    isWritten ||= writesFiles(command);
    if (runsNothing(command)) return renames(command, leading);
    return (
      (getsAll && isInText) ||
      holds([...textsFor(command), ...environment], leading) ||
      namesByPattern(command, leading) ||
      [...codeFor(command), ...environment.filter(isCode), ...assigned(command).filter(isCode)].some((code) =>
        mayName(code, leading),
      )
    );
  });
}

/** `run-parts --arg=x /bin` runs all of them. */
const PROGRAM_FOLDER = /^(?:\.*\/)*(?:usr\/(?:local\/)?)?s?bin[/.]*$/;

/** `setarch x86_64 /bin/$(echo r)m x`: any program. */
const IN_PROGRAM_FOLDER = /(?:^|\/)s?bin\/[^/]*$/;

/** `strace /bin/r[m] x`: the shell looks the pattern up. One without a slash stands for files of the project. */
function namesByPattern({ words }: ShellCommand, { words: [program = ''] }: LeadingWords): boolean {
  const [name, ...args] = words;
  const isFolderRun = !isCarrier(basename(name?.value ?? ''));
  return args.some(({ raw, value, known = '', hole = 0, globs }) => {
    // What is not known may be empty: `/bin$x/r[m]`.
    const text = value ?? known;
    const isNameOpen = value === undefined && (hole > known.lastIndexOf('/') || /[$`].*[$`]/s.test(raw));
    return (
      (isNameOpen && IN_PROGRAM_FOLDER.test(known)) ||
      (globs && text.includes('/') && isPatternOf(program, basename(text))) ||
      (isFolderRun && PROGRAM_FOLDER.test(text))
    );
  });
}

function isPatternOf(program: string, pattern: string): boolean {
  return minimatch(program, pattern, { dot: true, nocomment: true, nonegate: true });
}

/** By the names that programs usually give to such an option. */
const TAKES_CODE =
  /^(?:-[a-z]*c|--(?:[a-z-]+-)?(?:command|cmd|run|exec|call|program|prog|script|shell|rsh|pager|filter|action|hook|invoke|wrapper|eval))$/;
const TAKES_CODE_ATTACHED = /^(?:-[a-z]*c|(--[a-z-]+)=)(.+)$/s;
const REMOTE_SHELLS = new Set(['ssh', 'parallel', 'entr', 'tmux', 'screen', 'expect']);

/** Whether a value could hide the name of a command from a search for it. */
function isCode(text: string): boolean {
  return /\s/.test(text) && /[$`\\'"*?[]/.test(text);
}

/** Texts in code that substitute a command as only a shell does: `system("$(echo r)m x")`, `1e $(echo r)m x`. */
function linesInCode(written: string): readonly string[] {
  const code = written.replaceAll('\\$', '$');
  if (!code.includes('$(')) return [];
  const quoted = [...code.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/gs)];
  const executed = [...code.matchAll(/(?:^|[;\n\d$}/])e\s+([^\n]*)/g)];
  const texts = [
    ...quoted.map(([, double, single = '']) => double ?? single),
    ...executed.map(([, text = '']) => text),
  ];
  return texts.filter((text) => text.includes('$('));
}

/** The words that are probably lines for a shell: `script -c line`, `docker exec x sh -c line`, `ssh host line`. */
function codeFor(command: ShellCommand): readonly string[] {
  const [name, ...args] = command.words;
  const program = basename(name?.value ?? '');
  if (isCarrier(program)) return [];
  const texts = args.map(({ value, raw }) => value ?? raw.replace(/^"(.*)"$/s, '$1'));
  if (interpreterOf(program)) return texts.flatMap(linesInCode);
  // `{}` by itself is a word for the command, and looked at where the command gets its words.
  if (program === 'parallel') return withPlaces(texts).filter((text) => !/^\{[^{}]*\}$/.test(text));
  if (REMOTE_SHELLS.has(program)) return texts;
  return texts.flatMap((text, at) => {
    const [, name, attached] = TAKES_CODE_ATTACHED.exec(text) ?? [];
    const isAttached = attached !== undefined && (name === undefined || TAKES_CODE.test(name));
    const isNext = TAKES_CODE.test(texts[at - 1] ?? '');
    return [...(isNext ? [text] : []), ...(isAttached ? [attached] : [])];
  });
}

/** `parallel -I ,, …`: another text than `{}` is filled in. */
function withPlaces(texts: readonly string[]): readonly string[] {
  const at = texts.findIndex((text) => /^(?:-[IU]|--rpl$)/.test(text));
  const place = texts[at]?.slice(2) || texts[at + 1];
  return at < 0 || !place ? texts : texts.map((text) => text.replaceAll(place, '{}'));
}

/** Whether a line for another shell has a command that could be the program's: `/bin/r[m] x`, `r${x}m x`, `$x`. */
function mayName(code: string, leading: LeadingWords): boolean {
  const {
    words: [program = ''],
    open,
  } = leading;
  return readShellLine(code).commands.some((command) => {
    const [name] = command.words;
    if (name === undefined) return false;
    const text = basename(name.value ?? '');
    // `parallel {}m ::: r`.
    if (name.value === undefined || /\{[^{}\s]*\}/.test(name.value)) return true;
    if (name.globs) return isPatternOf(program, text);
    if (open && leading.words.length === 1) return text.toLowerCase().startsWith(program);
    const isLong = hasUnknownWords(command) || command.words.some(({ globs }) => globs);
    return (
      text.toLowerCase() === program && (isLong || holds([command.words.map(textOf).join(' ')], leading))
    );
  });
}

function hasUnknownWords({ words, fed }: ShellCommand): boolean {
  return fed === true || words.some(({ value }) => value === undefined);
}

/** `cp /bin/rm x`: a later line could run it under the new name. */
function renames(command: ShellCommand, { words: [program] }: LeadingWords): boolean {
  const isProgram = ({ value = '' }: ShellWord): boolean =>
    /^(?:if=)?\/(?:usr\/)?(?:local\/)?s?bin\//.test(value) && basename(value) === program;
  return writesFiles(command) && command.words.slice(1).some(isProgram);
}

/** The texts that may contain a command for it. */
function textsFor(command: ShellCommand): readonly string[] {
  return [...assigned(command), ...argumentTexts(command), ...inputTexts(command)];
}

/** The assignments for it, and for the command that runs it. */
function assigned({ assignments, carrier }: ShellCommand): readonly string[] {
  const own = assignments.map(({ value, raw }) => value?.value ?? raw);
  return carrier === undefined ? own : [...assigned(carrier), ...own];
}

/** Words that are not otherwise analysed: git and the commands of carriers are. */
function argumentTexts(command: ShellCommand): readonly string[] {
  const [name, ...args] = command.words;
  const installed = installedName(command);
  const program = basename(name?.value ?? '');
  if (HAS_COMMANDS.has(installed ?? '') && /^\w+$/.test(args[0]?.value ?? ''))
    return args.slice(1).map(textOf);
  if (installed === 'man' && !args.some((word) => textOf(word).startsWith('-'))) return [];
  if (command.calls || installed === undefined || !isCarrier(program) || /^(?:su|runuser)$/.test(program))
    return args.map(textOf);
  if (!isShell(program) && program !== '.' && program !== 'source') return [];
  const line = args.findIndex(({ value }) => /^-[a-z]*c[a-z]*$/.test(value ?? ''));
  return line < 0 ? args.map(textOf) : args.slice(line + 2).map(textOf);
}

function inputTexts(command: ShellCommand): readonly string[] {
  const isRead = isShell(basename(command.words[0]?.value ?? '')) || installedName(command) === 'git';
  return isRead ? [] : inputOf(command).map(textOf);
}

/** Variables that programs see: by convention those in capitals, or all if the line exports some. */
function environmentTexts(commands: readonly ShellCommand[]): readonly string[] {
  const exporting = commands.filter(({ words: [name] }) => EXPORTS.test(name?.value ?? ''));
  const set = commands.flatMap(({ words, assignments }) => (words.length === 0 ? assignments : []));
  return [
    ...exporting.flatMap(({ words }) => words.slice(1).map(textOf)),
    ...set.flatMap(({ name, value, raw }) =>
      exporting.length > 0 || !isOrdinaryVariable(name) ? [value?.value ?? raw] : [],
    ),
  ];
}

/** Whether the words appear in order, each as a whole word, also behind quotes and escapes, or as a pattern. */
function holds(texts: readonly string[], leading: LeadingWords): boolean {
  const text = texts.flatMap(withValues).join('\n');
  // `^` quotes or joins in some shells, `{}` and `[]` are filled in with nothing.
  const unquoted = text.replaceAll(/['"\\^]/g, '');
  const forms = [
    text,
    unquoted,
    unquoted.replaceAll(/\{[^{}\s]*\}|\[\]/g, ''),
    unescaped(text),
    unescaped(text).replaceAll(/['"\\^]/g, ''),
  ];
  return forms.some((each) => holdsIn(each, leading)) || holdsPattern(text, leading);
}

/** `system("/bin/r[m] x")`: a path with wildcards that leads to a folder of programs. */
function holdsPattern(text: string, { words: [program = ''] }: LeadingWords): boolean {
  if (!/[*?[{]/.test(text)) return false;
  return text.split(/[\s'"`();|&=]+/).some((path) => {
    const [name = '', folder = ''] = path.split('/').reverse();
    const isProgramFolder = /[*?[{]/.test(name) && ['bin', 'sbin'].some((each) => isPatternOf(each, folder));
    return isProgramFolder && isPatternOf(program, name);
  });
}

/** `-c'rm x'`, `-qc'rm x'`: the value of an option may be in the same word. */
function withValues(text: string): readonly string[] {
  return /^-[A-Za-z]/.test(text) ? [text, text.slice(2), text.slice(3)] : [text];
}

function holdsIn(text: string, { words, open }: LeadingWords): boolean {
  let at = 0;
  return words.every((word, index) => {
    const end = open && index === words.length - 1 ? '' : '(?![\\w.-])';
    const found = new RegExp(`(?<![\\w.-])${escaped(word)}${end}`, 'gi');
    found.lastIndex = at;
    const isFound = found.test(text);
    at = found.lastIndex;
    return isFound;
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

function textOf({ value, raw }: ShellWord): string {
  return value ?? raw;
}
