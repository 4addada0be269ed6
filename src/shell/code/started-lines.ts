/** Code in another language: which shell lines it starts, if it is understood to start nothing else. */
import { startedBySed } from '../sed-script.js';
import { startedByJavaScript } from './javascript.js';
import { startedByAwk, startedByC, startedByLua } from './listed.js';
import { startedByPerl } from './perl.js';
import { startedByPhp } from './php.js';
import { startedByPython } from './python.js';
import { startedByRuby } from './ruby.js';
import type { Started } from './understood.js';

export type CodeLanguage = 'awk' | 'c' | 'javascript' | 'lua' | 'perl' | 'php' | 'python' | 'ruby' | 'sed';

const READERS: Readonly<Record<CodeLanguage, (code: string) => Started>> = {
  awk: startedByAwk,
  c: startedByC,
  javascript: startedByJavaScript,
  lua: startedByLua,
  perl: startedByPerl,
  php: startedByPhp,
  python: startedByPython,
  ruby: startedByRuby,
  sed: startedBySed,
};
const BY_PROGRAM: readonly (readonly [RegExp, CodeLanguage])[] = [
  [/^i?(?:python|pypy)[\d.]*w?$/, 'python'],
  [/^(?:node|nodejs|tsx|ts-node|ts-node-esm|vite-node|jiti|esno|babel-node|bun|deno)[\d.]*$/, 'javascript'],
  [/^perl[\d.]*$/, 'perl'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^php[\d.]*$/, 'php'],
  [/^lua(?:jit)?[\d.]*$/, 'lua'],
  [/^(?:(?:[gmn]|go|fr|original-)?awk|bwk)$/, 'awk'],
  [/^g?sed$/, 'sed'],
  [/^(?:[gt]?cc|c99|clang|[gc]\+\+|clang\+\+)(?:-[\d.]+)?$/, 'c'],
];
const BY_ENDING: readonly (readonly [RegExp, CodeLanguage])[] = [
  [/\.pyw?$/, 'python'],
  [/\.(?:[cm]?[jt]s|[jt]sx)$/, 'javascript'],
  [/\.p[lm]$/, 'perl'],
  [/\.rb$/, 'ruby'],
  [/\.php$/, 'php'],
  [/\.lua$/, 'lua'],
  [/\.awk$/, 'awk'],
  [/\.sed$/, 'sed'],
  [/\.c$/, 'c'],
];
/** Longer code is not read. */
const MAX_LENGTH = 20_000;

/** The language of the code that a program of this name is given. */
export function languageOf(program: string): CodeLanguage | undefined {
  return BY_PROGRAM.find(([pattern]) => pattern.test(program))?.[1];
}

/** The language of a file, by its name. */
export function languageOfFile(name: string): CodeLanguage | undefined {
  return BY_ENDING.find(([pattern]) => pattern.test(name))?.[1];
}

/**
 * The shell lines that the code starts; undefined if it is not understood, and so may start any. What it does by itself, such
 * as removing a file, does not count. Contract: pure.
 */
export function startedLines(language: CodeLanguage | undefined, code: string): Started {
  return language === undefined || code.length > MAX_LENGTH ? undefined : READERS[language](code);
}
