/** Finds the files that a text may name, if it is unknown what a program does with the text. */
import { basename } from 'node:path/posix';
import type { ShellCommand, ShellWord } from './line.js';
import { isOrdinaryVariable } from './variables.js';

/** Separators of names in code, settings, addresses and lists. */
const BETWEEN = /\\[0nrt]|\\?[\s'"`()<>{}|;&,=@:$!#^]+/;
/** `[v]` matches some character, as in a pattern. */
const CHARACTER_CLASS = /\[[^\]\s'",]*\]/g;
/** Commands of sed that are directly followed by a file: `1r.env`. */
const READS_FILE = /(?<![A-Za-z])[rRwW]/g;
/** How many option letters may precede a value in the same word: `-sK.env`. */
const MAX_LETTERS = 3;

/**
 * Everything in the text that could be a path: the text itself and each piece of it, also without a possible prefix:
 * option letters, a command of sed, a host (`//host/path`), or a folder from a variable. Contract: pure.
 */
export function pathsInText(text: string): readonly string[] {
  const found = new Set([text]);
  const plain = text.replaceAll(CHARACTER_CLASS, '?');
  for (const each of plain.includes('%') ? [plain, decoded(plain)] : [plain])
    for (const piece of each.split(BETWEEN)) {
      if (isProperty(each, piece)) continue;
      found.add(piece);
      found.add(piece.replace(/^\/+/, ''));
      found.add(piece.replace(/^\/\/+[^/]*/, ''));
      for (const { index } of piece.matchAll(READS_FILE)) found.add(piece.slice(index + 1));
      const value = /^-+(.+)$/.exec(piece)?.[1] ?? '';
      for (let letters = 0; letters <= MAX_LETTERS; letters++) found.add(value.slice(letters));
    }
  found.delete('');
  return [...found];
}

/** `f().name`: every occurrence follows a closing parenthesis. */
function isProperty(text: string, piece: string): boolean {
  return (
    piece.startsWith('.') &&
    text
      .split(piece)
      .slice(0, -1)
      .every((before) => /\)$/.test(before))
  );
}

function decoded(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** They print their words, or test whether a file exists. */
const PRINTERS = new Set(['echo', 'printf']);
const TESTS = new Set(['test', '[']);
/** They do not read their files. */
const READS_NO_FILE = new Set('rm rmdir unlink shred truncate chmod chown chgrp mkdir touch tee'.split(' '));
/** Options with texts for people, in the next word or the same. */
const MESSAGES: Readonly<Record<string, RegExp>> = {
  git: /^(?:-[a-zA-Z]*m|--message)(=.*)?$/s,
  gh: /^(?:-[tb]|--(?:title|body|notes|subject))(=.*)?$/s,
};

/**
 * The texts of a command that may name a file it reads. `isUnderstood`: what it does with its words is known.
 * `isTextRun`: another command of the line may run its text. Contract: pure.
 */
export function doubtfulTexts(
  { words: [name, ...args], assignments, redirects, searched }: ShellCommand,
  { isUnderstood, isTextRun }: { readonly isUnderstood: boolean; readonly isTextRun: boolean },
): readonly string[] {
  // An ordinary variable of the line is checked where it is used.
  const settings = assignments.filter((each) => name !== undefined || !isOrdinaryVariable(each.name));
  const set = settings.flatMap(({ value }) => value?.value ?? []);
  if (name?.value === undefined) return set;
  const program = basename(name.value);
  const isSearched = searched !== undefined || assignments.some((each) => each.name === 'PATH');
  const isFile = name.value.includes('/') || isSearched;
  const isSilent = isUnderstood || TESTS.has(program) || READS_NO_FILE.has(program);
  const takesText = isSilent || takesMessage(program, args);
  const handed = redirects.flatMap(({ operator, target }) =>
    operator.startsWith('<<') ? (target.value ?? []) : [],
  );
  return [
    ...set,
    ...(isFile ? [name.value] : []),
    ...((PRINTERS.has(program) ? isTextRun : !isSilent) ? textsOf(withoutMessages(program, args)) : []),
    ...(takesText && !isTextRun ? [] : handed),
  ];
}

function withoutMessages(program: string, args: readonly ShellWord[]): readonly ShellWord[] {
  const message = Object.hasOwn(MESSAGES, program) ? MESSAGES[program] : undefined;
  if (message === undefined) return args;
  return args.filter(({ value = '' }, index) => {
    const before = message.exec(args[index - 1]?.value ?? '');
    return !message.test(value) && (before === null || before[1] !== undefined);
  });
}

/** Whether its input is a text for people. */
export function takesMessage(program: string, args: readonly ShellWord[]): boolean {
  return program === 'git' && args.some(({ value }) => /^(?:commit|tag|notes)$/.test(value ?? ''));
}

const textsOf = (words: readonly ShellWord[]): readonly string[] => words.flatMap(({ value }) => value ?? []);
