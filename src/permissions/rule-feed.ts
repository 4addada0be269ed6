/** Finds programs of a line that run their input, a file that the line itself writes, or decoded text. */

import { basename } from 'node:path/posix';
import { quoted } from '../base/text/shell-word.js';
import { isCarrier } from '../shell/carriers.js';
import { isSubstitution } from '../shell/carrying.js';
import { unescaped } from '../shell/code/escapes.js';
import { effectsOf } from '../shell/effects.js';
import { interpreterOf, isShell } from '../shell/interpreters.js';
import { type Invocation, readInvocation } from '../shell/invocations.js';
import {
  readShellLine,
  type ShellCommand,
  type ShellLine,
  type ShellRedirect,
  type ShellWord,
} from '../shell/read-line.js';
import { runsNothing } from '../shell/runs-nothing.js';
import { type Code, codeIn, inputOf, languageOfScript, linesStartedBy } from './rule-code.js';
import { isRepl } from './rule-other-code.js';
import { linesTyped } from './rule-typed.js';
import { isInteractive, type WrittenFile, writtenCode, writtenTexts } from './written-code.js';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** They run what they read. */
const RUNS_INPUT = list(
  'at batch crontab ed ex vi vim nvim emacs gdb lldb ftp sftp lftp dc m4 irb ipython ghci iex octave R gnuplot bpython pry erl su runuser chroot script unshare nsenter',
);
/** They treat their input as data. */
const READS_DATA = list('git gh less more wget tar gpg openssl');
/** They write files under names among their words. */
const WRITERS = list('tee cp mv ln install dd rsync scp curl wget sponge link patch sed ed ex');
/** They do not change the content of files. */
const KEEPS_CONTENT = list('chmod chown chgrp touch mkdir rm rmdir kill sleep');
const SOURCES = list('. source');
const WRITES_BY_SQL = /^\.(?:ou|on|sa|ba|lo|ex)\w*\s|writefile\s*\(/i;
/** With `-` they run their input. */
const RUNS_DASH = /^(?:deno|bun|pwsh|powershell)$/;
/** Files that programs load by default. */
const LOADED =
  /^(?:(?:gnu)?makefile(?:\..*)?|.*\.mk|package\.json|rakefile|gemfile|justfile|\.justfile|taskfile\.ya?ml|vagrantfile|jakefile\.js|(?:gulp|grunt)file\..*|.*\.config\.[cm]?[jt]s|conftest\.py|fabfile\.py|dodo\.py|wscript|sconstruct|sconscript|snakefile|tiltfile|meson\.build|mix\.exs|.*\.sbt|(?:default|shell|flake)\.nix|setup\.(?:py|cfg)|build\.ninja|.*\.tf|.*\.cmake|noxfile\.py|tasks\.py|tox\.ini|pytest\.ini|pyproject\.toml|sitecustomize\.py|usercustomize\.py|build\.(?:rs|zig|xml|gradle.*)|.*\.gradle(?:\.kts)?|pom\.xml|cmakelists\.txt|dockerfile|(?:docker-)?compose\.ya?ml|\.(?:envrc|npmrc|yarnrc.*|exrc|vimrc|gdbinit|perltidyrc|pnpmfile\.cjs|lefthook\.ya?ml|pre-commit-config\.yaml|\w+rc\.[cm]?js))$/i;
/** Of these, files in languages where texts are joined by operators. */
const HOLDS_CODE =
  /file$|\.(?:ninja|tf|cmake|exrc|vimrc|gdbinit)$|\.(?:gradle|sbt|exs|rs|nix|build)$|^(?:wscript|sconstruct|sconscript)$/i;
/** It could put the name of a command together. */
const ASSEMBLES_IN_SHELL = /[$`\\]|\w["']+\w/;
const ASSEMBLES_IN_CODE = /\w['"]\s*(?:\+|\.|%)|(?:\+|\.)\s*['"]\w|\$\{|\b[rb]?f['"]|\bchr\b|fromCharCode/;

/** Whether it may run what it reads from a pipe, or from a file that is one. */
export function mayRunInput(command: ShellCommand): boolean {
  const isFed = command.piped === true || command.words.some(isSubstitution);
  return isFed && !READS_DATA.has(programOf(command));
}

/** Whether it writes a file from the line, or renames or links one. */
export function writesFiles(command: ShellCommand): boolean {
  return command.redirects.some(isOutput) || mayWriteWords(command);
}

const JUDGED = new WeakMap<readonly ShellCommand[], boolean>();

/**
 * Whether some program of the line runs unseen code: code that is only known later, its input, a file that the line
 * writes, or something that the line decodes.
 */
export function runsUnseen({ commands }: Pick<ShellLine, 'commands'>): boolean {
  const judged = JUDGED.get(commands) ?? hasUnseen(commands);
  JUDGED.set(commands, judged);
  return judged;
}

/** The same for a rule about reading: a script for a shell that stands in the line is seen, and judged as lines. */
export function readsUnseen(commands: readonly ShellCommand[]): boolean {
  return hasUnseen(commands, true);
}

function hasUnseen(commands: readonly ShellCommand[], readsScripts = false): boolean {
  const written = commands.flatMap(writtenBy);
  let isDecoded = false;
  return (
    commands.some((command) => {
      if (isDecoded && mayRunWords(command)) return true;
      isDecoded ||= decodes(command);
      return (
        hasUnseenCode(command) ||
        readsUnseenProgram(command) ||
        runsWrittenFile(command, written, readsScripts) ||
        loadsWrittenFile(command, commands)
      );
    }) ||
    runsUnseenLines(linesStartedBy(writtenCode(commands, written))) ||
    (commands.some((command) => programOf(command) === 'git') && commands.some(writesForGit))
  );
}

/** `… > .git/hooks/pre-commit; git commit`: git runs what is there. */
function writesForGit(command: ShellCommand): boolean {
  const isInside = (word: ShellWord): boolean => /(?:^|\/)\.(?:git|husky)\//.test(textOf(word));
  const isWritten = command.redirects.some((each) => isOutput(each) && isInside(each.target));
  return isWritten || (mayWriteWords(command) && command.words.slice(1).some(isInside));
}

/** Excludes git and programs that only run a listed command. */
function mayRunWords(command: ShellCommand): boolean {
  const program = programOf(command);
  return !runsNothing(command) && (isShell(program) || !isCarrier(program));
}

function decodes(command: ShellCommand): boolean {
  const values = command.words.slice(1).map(textOf);
  switch (programOf(command)) {
    case 'base64':
    case 'base32':
    case 'basenc':
      return values.some((value) => /^(?:-[a-zA-Z]*[dD]|--d)/.test(value));
    case 'xxd':
      return values.some((value) => /^-[a-z]*r/.test(value));
    default:
      return /^(?:uudecode|openssl|rev)$/.test(programOf(command));
  }
}

/** `python3 -c "$code"`, and code that is not understood, or starts a line that runs unseen code. */
export function hasUnseenCode(command: ShellCommand): boolean {
  const invocation = invocationOf(command);
  if (isShell(programOf(command)))
    return invocation?.code !== undefined && invocation.code.value === undefined;
  const lines = linesStartedBy(codeIn(command, inputOf(command)));
  return runsUnseenLines(lines) || lines?.some(startsReader) === true || runsUnseenLines(linesTyped(command));
}

/** `open(F, "|sh")`: a program that the code starts, and that runs what the code writes to it. */
function startsReader(text: string): boolean {
  return readShellLine(text).commands.some((command) => readsUnseenProgram({ ...command, piped: true }));
}

/** Undefined are lines of code that is not understood. */
function runsUnseenLines(lines: readonly string[] | undefined): boolean {
  return lines === undefined || lines.some((text) => startsUnseen(readShellLine(text)));
}

function startsUnseen(line: ShellLine): boolean {
  return line.unreadable !== undefined || runsUnseen(line);
}

/** `… | python3`, `… | at now`, `… | ssh host sh`, and the same with an unknown text. */
function readsUnseenProgram(command: ShellCommand): boolean {
  const inputs = inputOf(command);
  const isUnseen =
    inputs.length > 0 ? inputs.some(({ value }) => value === undefined) : command.piped === true;
  // A fed command gets its words, not its input, from the pipe.
  if (!isUnseen || command.fed || runsNothing(command) || command.redirects.some(isFileInput)) return false;
  const program = programOf(command);
  if (RUNS_DASH.test(program) && command.words.some(({ value }) => value === '-')) return true;
  if (invocationOf(command)) return readsPrograms(program) && !hasProgram(command) && !onlyInforms(command);
  const values = command.words.slice(1).map(textOf);
  if (isMake(program)) return values.some((value) => /^-f?-?$/.test(value));
  if (program === 'parallel')
    return /^$|^\S*\{.*\}/.test(values.find((value) => !/^-|^\d+$/.test(value)) ?? '');
  // Another program may pass its input to an interpreter that it starts.
  const starts = values.some((value) => interpreterOf(value)?.readsInput === true);
  return (
    RUNS_INPUT.has(program) || isRepl(program) || (starts && !isCarrier(program) && !READS_DATA.has(program))
  );
}

function readsPrograms(program: string): boolean {
  const { readsInput = false, runsNoOperand = false } = interpreterOf(program) ?? {};
  return readsInput || runsNoOperand;
}

/** Whether its program is given by its arguments, so that its input is data. */
function hasProgram(command: ShellCommand): boolean {
  const { preloads = [], code, module, script, unclear } = invocationOf(command) ?? {};
  if (interpreterOf(programOf(command))?.runsNoOperand) return !preloads.some(({ file }) => isStream(file));
  if (isInteractive(command)) return false;
  return [code, module, unclear].some((word) => word) || (script !== undefined && !isStream(script));
}

function onlyInforms({ words }: ShellCommand): boolean {
  return words.some(({ value }) => /^(?:-[vVh]|--version|--help)$/.test(value ?? ''));
}

/** `python3 < file` runs a script like any other. */
function isFileInput({ operator, target }: ShellRedirect): boolean {
  return operator === '<' && target.value !== undefined && !isSubstitution(target);
}

function isOutput({ operator, target: { value, raw } }: ShellRedirect): boolean {
  if (!operator.includes('>') || raw === '/dev/null') return false;
  return !(operator.endsWith('&') && /^(?:\d+|-)$/.test(value ?? ''));
}

/** Code that the line writes to a file and gives to a program. Contract: pure. */
export function codeWritten({ commands }: Pick<ShellLine, 'commands'>): readonly Code[] {
  return writtenCode(commands, commands.flatMap(writtenBy));
}

/** Lines that stand for what programs run or obey of the files that the line writes. Contract: pure. */
export function linesWritten({ commands }: Pick<ShellLine, 'commands'>): readonly string[] {
  const texts = writtenTexts(commands, commands.flatMap(writtenBy), (name) => LOADED.test(name));
  // For another program it is a text that may name files.
  return texts.map(({ text, isLine }) => {
    if (text === undefined) return 'cat "$UNKNOWN"';
    return isLine ? text : `given ${quoted(text)}`;
  });
}

function writtenBy(writer: ShellCommand): readonly WrittenFile[] {
  const targets = writer.redirects.filter(isOutput).map(({ target }) => nameIn(target));
  const named = mayWriteWords(writer) ? writer.words.slice(1).flatMap(namesIn) : [];
  const isAny = targets.includes(undefined);
  return [
    ...(targets.length > 0
      ? [
          {
            writer,
            names: isAny ? undefined : new Set(targets as readonly string[]),
            text: textWritten(writer),
          },
        ]
      : []),
    ...(named.length > 0
      ? [
          {
            writer,
            names: new Set(named),
            text: programOf(writer) === 'tee' ? textWritten(writer) : undefined,
          },
        ]
      : []),
  ];
}

/** A program, a script or a shell's input is a file that another command of the line may write. */
function runsWrittenFile(
  command: ShellCommand,
  written: readonly WrittenFile[],
  readsScripts: boolean,
): boolean {
  return filesRunBy(command).some((file) => {
    const name = nameIn(file);
    const appliesTo = ({ writer, names, text }: WrittenFile): boolean =>
      writer !== command &&
      // `rsync -e ssh a host:b`: the name is an option of the writer, not what it writes.
      writer !== command.carrier &&
      (name === undefined || names === undefined || names.has(name)) &&
      (text === undefined ||
        (isForShell(file, command) ? !readsScripts : isUnseenScript(file, command, text)));
    return isSubstitution(file) || written.some(appliesTo);
  });
}

/** A shell could assemble a command from what is written; in another language a command has to be named. */
function isForShell(file: ShellWord, command: ShellCommand): boolean {
  if (file === command.words[0]) return languageOfScript('', file.value ?? '') === undefined;
  return isShell(programOf(command)) || SOURCES.has(programOf(command));
}

/** Whether a script that the line writes as plain text is not understood. */
function isUnseenScript(file: ShellWord, command: ShellCommand, text: string): boolean {
  const language = languageOfScript(programOf(command), file.value ?? '');
  return runsUnseenLines(linesStartedBy([{ language, text }]));
}

/** What it writes, if that appears literally in the line. */
function textWritten(command: ShellCommand): string | undefined {
  const { words } = command;
  const program = programOf(command);
  const inputs = /^(?:cat|tee)$/.test(program) ? inputOf(command) : [];
  if (inputs.length > 0) return joined(inputs);
  if (program === 'printf') {
    const format = words[1]?.value ?? '%';
    return format.includes('%') ? undefined : unescaped(format);
  }
  const isEcho = program === 'echo' && !words.some(({ value }) => value?.includes('\\'));
  return isEcho ? joined(words.slice(1)) : undefined;
}

function joined(words: readonly ShellWord[]): string | undefined {
  const values = words.map(({ value }) => value);
  return values.includes(undefined) ? undefined : values.join(' ');
}

/** `printf … > Makefile; make`: a file that programs load, and in which the name of a command may be put together. */
function loadsWrittenFile(command: ShellCommand, commands: readonly ShellCommand[]): boolean {
  if (!mayRunWords(command)) return false;
  const inputs = isMake(programOf(command)) ? inputOf(command) : [];
  return (
    inputs.some(({ value }) => value === undefined || ASSEMBLES_IN_SHELL.test(value)) ||
    commands.slice(0, commands.indexOf(command)).some(writesLoadedFile)
  );
}

const isMake = (program: string): boolean => /^g?make$/.test(program);

function writesLoadedFile(writer: ShellCommand): boolean {
  const targets = writer.redirects.filter(isOutput).map(({ target }) => target);
  const named = programOf(writer) === 'tee' ? writer.words.slice(1) : [];
  const files = [...targets, ...named].map((word) => nameIn(word) ?? '').filter((name) => LOADED.test(name));
  if (files.some((name) => mayAssemble(name, textWritten(writer)))) return true;
  const { code } = isShell(programOf(writer)) ? {} : (invocationOf(writer) ?? {});
  const isAssembling = code !== undefined && ASSEMBLES_IN_CODE.test(textOf(code));
  return isAssembling && namesIn(code).some((name) => LOADED.test(name));
}

function mayAssemble(file: string, text: string | undefined): boolean {
  if (text === undefined) return true;
  const language = languageOfScript('', file);
  if (language !== undefined) return runsUnseenLines(linesStartedBy([{ language, text }]));
  const scripts = file === 'package.json' ? scriptsIn(text) : [text];
  return scripts.some(
    (script) => ASSEMBLES_IN_SHELL.test(script) || (HOLDS_CODE.test(file) && ASSEMBLES_IN_CODE.test(script)),
  );
}

/** The scripts of a `package.json`. */
function scriptsIn(text: string): readonly string[] {
  try {
    const { scripts = {} } = JSON.parse(text) as { readonly scripts?: Readonly<Record<string, unknown>> };
    return Object.values(scripts).map(String);
  } catch {
    return [text];
  }
}

/**
 * Names among its words may be files that it writes. Compilers are excluded: what their programs do is unknown anyway.
 */
function mayWriteWords(command: ShellCommand): boolean {
  const program = programOf(command);
  if (KEEPS_CONTENT.has(program)) return false;
  const invocation = invocationOf(command);
  if (isShell(program)) return false;
  if (invocation?.code !== undefined || interpreterOf(program)?.runsNoOperand) return true;
  if (program === 'sqlite3') return command.words.some((word) => WRITES_BY_SQL.test(textOf(word)));
  if (program === 'find') return command.words.some(({ value }) => value?.startsWith('-fpr'));
  return (runsNothing(command) || WRITERS.has(program)) && !onlyReads(command);
}

function onlyReads(command: ShellCommand): boolean {
  const { known } = effectsOf(command, false);
  return known !== undefined && known.writes.length === 0;
}

/** Its own program, the script of an interpreter, and a shell's input. */
function filesRunBy(command: ShellCommand): readonly ShellWord[] {
  const [name, ...args] = command.words;
  if (name === undefined) return [];
  if (SOURCES.has(name.value ?? '')) return args.slice(0, 1);
  const { script, preloads = [], unclear } = invocationOf(command) ?? {};
  const inputs = isShell(programOf(command))
    ? command.redirects.filter(({ operator }) => operator === '<')
    : [];
  return [
    ...[name, script, unclear].flatMap((word) => word ?? []),
    ...preloads.map(({ file }) => file),
    ...inputs.map(({ target }) => target),
  ];
}

/** The last part of a path; undefined means any. */
function nameIn({ value, globs }: ShellWord): string | undefined {
  return value === undefined || globs ? undefined : basename(value);
}

function namesIn(word: ShellWord): readonly string[] {
  return textOf(word)
    .split(/[^\w.-]+/)
    .filter((name) => name !== '');
}

function isStream({ value = '' }: ShellWord): boolean {
  return /^(?:-|\/dev\/(?:stdin|fd\/\d+))$/.test(value);
}

function invocationOf(command: ShellCommand): Invocation<ShellWord> | undefined {
  const interpreter = interpreterOf(programOf(command));
  return interpreter && readInvocation(command.words.slice(1), interpreter);
}

function programOf({ words: [name] }: ShellCommand): string {
  return basename(name?.value ?? '');
}

function textOf({ value, raw }: ShellWord): string {
  return value ?? raw;
}
