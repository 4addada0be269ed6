/** Which files a text may name that a program gets, when it is not known what the program does with it. */
import { basename } from 'node:path/posix';
import type { ShellCommand, ShellWord } from './line.js';
import { isOrdinaryVariable } from './variables.js';

/** What separates names in code, settings, addresses and lists. */
const BETWEEN = /\\[0nrt]|\\?[\s'"`()<>{}|;&,=@:$!#^]+/;
/** `[v]` is some character, as in a pattern. */
const CHARACTER_CLASS = /\[[^\]\s'",]*\]/g;
/** Commands of sed that are followed by a file at once: `1r.env`. */
const READS_FILE = /(?<![A-Za-z])[rRwW]/g;
/** How many letters of options may stand in front of a value in the same word: `-sK.env`. */
const MAX_LETTERS = 3;

/**
 * Everything in the text that could be a path: the text itself, and each piece of it, also without what may stand in front:
 * the letters of an option, a command of sed, a host (`//host/path`), or a folder that a variable held. Contract: pure.
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

/** `f().name`: it stands behind a bracket wherever it stands. */
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

/** They say their words, or look whether a file is there. */
const SPEAKERS = new Set(['echo', 'printf']);
const TESTS = new Set(['test', '[']);
/** Of their files nothing is read. */
const READS_NO_FILE = new Set('rm rmdir unlink shred truncate chmod chown chgrp mkdir touch tee'.split(' '));
/** Texts for people, in the next word or the same. */
const MESSAGES: Readonly<Record<string, RegExp>> = {
  git: /^(?:-[a-zA-Z]*m|--message)(=.*)?$/s,
  gh: /^(?:-[tb]|--(?:title|body|notes|subject))(=.*)?$/s,
};

/**
 * The texts of a command in which a file may be named that it reads. `isUnderstood`: what it does with its words is known.
 * `isHeard`: what the line says or hands over as text may be obeyed by another of its commands. Contract: pure.
 */
export function doubtfulTexts(
  { words: [name, ...args], assignments, redirects, searched }: ShellCommand,
  { isUnderstood, isHeard }: { readonly isUnderstood: boolean; readonly isHeard: boolean },
): readonly string[] {
  // A variable of the line's own is looked at where it is used.
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
    ...((SPEAKERS.has(program) ? isHeard : !isSilent) ? textsOf(withoutMessages(program, args)) : []),
    ...(takesText && !isHeard ? [] : handed),
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

/** Its input is a text for people. */
export function takesMessage(program: string, args: readonly ShellWord[]): boolean {
  return program === 'git' && args.some(({ value }) => /^(?:commit|tag|notes)$/.test(value ?? ''));
}

const textsOf = (words: readonly ShellWord[]): readonly string[] => words.flatMap(({ value }) => value ?? []);
