/** Collects the words of a hook that may name a file. Too many is harmless, one too few is a hole. */
import { basename } from 'node:path';
import { interpreterOf, isShell } from '../preflight/interpreters.js';
import { ASSIGNMENT, KEYWORDS, PREFIXES } from '../preflight/shell-builtins.js';
import { rawText, readShellLine, type ShellWord, wordText } from '../preflight/shell-words.js';
import type { TrustSubject } from './subject.js';

export interface NamedWords {
  /** Each word, and whether it is a program or the script of an interpreter: those count wherever they are. */
  readonly words: Map<string, boolean>;
  /** The directories that the hook changes to. */
  readonly directories: Set<string>;
}

/** More cannot be read by a person who is to trust it either. */
const MOST_WORDS = 2000;
const LONGEST_LINE = 65_536;
const DEEPEST = 8;

const SEPARATES = /[\s;|&<>()'"`$\\]/;

/** Prose, and values that are names of something else. */
const NAMES_NO_FILE: ReadonlySet<string> = new Set([
  ...['type', 'name', 'statusMessage', 'description', 'prompt', 'if', 'onFailure', 'environment'],
  ...['url', 'headers', 'server', 'tool', 'model', 'permissions'],
]);

/** Throws when there is more than can be looked at. */
export function namedWords({ handler, files }: TrustSubject): NamedWords {
  const named: NamedWords = { words: new Map(), directories: new Set() };
  const [program = '', script] = programOf(handler);
  for (const [field, value] of Object.entries(handler)) {
    if (NAMES_NO_FILE.has(field)) continue;
    if (field === 'cwd') named.directories.add(String(value));
    else if (field === 'shell' || (field === 'command' && argsOf(handler))) add(named, String(value), true);
    else if (typeof value === 'string') addLine(named, value, true, 0);
    else for (const text of textsOf(value)) addText(named, text, isShell(program), 1);
  }
  if (script !== undefined) add(named, script, true);
  for (const file of files ?? []) add(named, file, true);
  return named;
}

/** The program that a command begins with, and the first thing that it is given when it is an interpreter. */
export function programOf(handler: TrustSubject['handler']): readonly string[] {
  const { command } = handler;
  if (typeof command !== 'string') return [];
  const args = argsOf(handler);
  const words = args ? [command, ...args] : wordsOf(command);
  const [program = '', ...rest] = words.filter((word) => !ASSIGNMENT.test(word) && !PREFIXES.has(word));
  const first = rest.find((word) => !word.startsWith('-'));
  return first !== undefined && interpreterOf(program) ? [program, first] : [program];
}

function argsOf({ args }: TrustSubject['handler']): string[] | undefined {
  return args === undefined ? undefined : textsOf(args);
}

function wordsOf(line: string): string[] {
  const { tokens } = readShellLine(line.slice(0, LONGEST_LINE));
  return tokens.flatMap((token) => (token.kind === 'word' ? [wordText(token)] : []));
}

function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((item) => typeof item === 'string');
}

/** `writes`: it is read by a shell, where what stands after `>` is written and not run. */
function addLine(named: NamedWords, line: string, writes: boolean, depth: number): void {
  if (line.length > LONGEST_LINE || depth > DEEPEST) {
    throw new Error('The hook has a line that is too long, or nested too deep. Put it into a script.');
  }
  let program: string | undefined;
  let scriptSeen = false;
  let target = false;
  for (const token of readShellLine(line).tokens) {
    if (token.kind === 'operator') {
      target = writes && /^(?:\d*>|&>)/.test(token.text);
      if (!/[<>]/.test(token.text)) program = undefined;
      continue;
    }
    const text = wordText(token);
    const written = target || (writes && program !== undefined && basename(program) === 'tee');
    target = false;
    addInner(named, token, written, writes && readsLines(program), depth);
    if (written) continue;
    if (program === undefined) {
      add(named, text, true);
      if (ASSIGNMENT.test(text) || PREFIXES.has(text) || KEYWORDS.has(text)) continue;
      program = text;
      scriptSeen = false;
    } else {
      if (program === 'cd' || program === 'pushd') named.directories.add(text);
      const script: boolean = !scriptSeen && !text.startsWith('-') && interpreterOf(program) !== undefined;
      scriptSeen ||= script;
      add(named, text, script);
    }
  }
}

const readsLines = (program: string | undefined): boolean =>
  program === undefined || isShell(program) || program === 'eval';

/** A word may itself be a line (`sh -c '…'`) or a program (`node -e '…'`), and `$(…)` is one in any case. */
function addInner(
  named: NamedWords,
  word: ShellWord,
  written: boolean,
  writes: boolean,
  depth: number,
): void {
  for (const part of word.parts) {
    if (part.kind === 'code' && part.inner !== '') addLine(named, part.inner, true, depth + 1);
  }
  if (written) return;
  const quoted = word.parts.some((part) => part.kind === 'text' && part.quoted);
  // Code has been read already; blanks in its place keep its surroundings apart.
  const text = word.parts.map((part) => (part.kind === 'code' ? ' ' : rawText(part))).join('');
  if (quoted) addText(named, text, writes, depth + 1);
  else if (!writes) addPieces(named, text);
}

/** A text that is not quoted any more: it becomes shorter each time, so this ends. */
function addText(named: NamedWords, text: string, writes: boolean, depth: number): void {
  add(named, text, false);
  if (SEPARATES.test(text)) addLine(named, text, writes, depth);
  if (!writes) addPieces(named, text);
}

/** In a text that no shell reads, anything between quotes, brackets and blanks may be a name. */
function addPieces(named: NamedWords, text: string): void {
  for (const piece of text.split(/[\s'"`(){}[\],;|&<>=]+/)) add(named, piece, false);
}

/** `--file=path`, `NAME=path` and `@path` name their path too. */
function add(named: NamedWords, word: string, program: boolean): void {
  const value = word.slice(word.indexOf('=') + 1);
  for (const form of [word, value, value.replace(/^@/, '')]) {
    if (form === '' || form.includes('\0')) continue;
    named.words.set(form, program || named.words.get(form) === true);
  }
  if (named.words.size > MOST_WORDS) {
    throw new Error(`The hook has more than ${MOST_WORDS} words. Put them into a script and name that.`);
  }
}
