/** Finds the simple commands at the beginning of a shell line, as far as reading it is not guessing. */
import type { Variables } from './find-program.js';
import { ASSIGNMENT, BUILTINS, HARMLESS, KEYWORDS, PREFIXES } from './shell-builtins.js';
import { type ShellToken, type ShellWord, wordText } from './shell-words.js';
import { wordValue } from './word-value.js';

export interface SimpleCommand {
  /** The words without redirections. */
  readonly words: readonly ShellWord[];
  /** It writes into a file: what comes after it may be what it wrote. */
  readonly writes: boolean;
  /** The operator after it; undefined at the end of the line. */
  readonly end: string | undefined;
}

/** All commands of the line. Undefined: there is a function or a subshell in it that would have to be understood. */
export function simpleCommands(tokens: readonly ShellToken[]): readonly SimpleCommand[] | undefined {
  const commands: SimpleCommand[] = [];
  let words: ShellWord[] = [];
  let writes = false;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token?.kind === 'word') words.push(token);
    else if (token && /[<>]/.test(token.text)) {
      i += 1;
      writes ||= token.text.includes('>') && !isNowhere(tokens[i]);
    } else if (token?.text === '(') {
      if (i > 0) return undefined;
    } else if (token) {
      commands.push({ words, writes, end: token.text });
      words = [];
      writes = false;
    }
  }
  if (words.length > 0) commands.push({ words, writes, end: undefined });
  return commands.filter((command) => command.words.length > 0);
}

/** `/dev/null`, or another stream as in `2>&1`. */
function isNowhere(target: ShellToken | undefined): boolean {
  return target?.kind === 'word' && /^(?:\/dev\/null|\d+|-)$/.test(wordText(target));
}

/**
 * The names that a command sets, when setting is all it does or when it does nothing that could matter to what comes
 * after it, as `true` or `echo`. Undefined: whether the line goes on, and with what, only a running shell can say.
 */
export function harmlessNames({ words, writes }: SimpleCommand): readonly string[] | undefined {
  const [first, ...rest] = words;
  const name = first && plainText(first);
  if (writes || first === undefined || words.some(runsSomething)) return undefined;
  if (name !== undefined && HARMLESS.has(name)) return [];
  const assignments = name === 'export' ? rest : words;
  const names = assignments.map((word) => ASSIGNMENT.exec(wordText(word))?.[1]);
  return names.every((each) => each !== undefined) && assignments.every(isAssignment) ? names : undefined;
}

/** A substitution may do anything, except for those that only read: `$(cat)`, `$(pwd)`. */
function runsSomething({ parts }: ShellWord): boolean {
  return parts.some(
    (part) => part.kind === 'code' && /^(?:`|\$\()/.test(part.raw) && !READS.test(part.inner),
  );
}

const READS = /^\s*(?:cat|pwd|date|whoami|uname)\s*$/;

/** The words of a command from its program on. Undefined: a builtin, a keyword, or nothing that can be known. */
export function programWords(
  { words }: SimpleCommand,
  env: Variables,
): { readonly words: readonly ShellWord[]; readonly ownPath: boolean } | undefined {
  let ownPath = false;
  let prefixed = false;
  for (const [i, word] of words.entries()) {
    const text = plainText(word);
    const [, assigned] = ASSIGNMENT.exec(text ?? wordText(word)) ?? [];
    if (assigned !== undefined && isAssignment(word)) {
      ownPath ||= assigned === 'PATH';
    } else if (text !== undefined && PREFIXES.has(text)) {
      prefixed = true;
    } else {
      if (text !== undefined && (BUILTINS.has(text) || KEYWORDS.has(text))) return undefined;
      // An option of `env` or `exec`: what follows may be its argument.
      if (prefixed && text?.startsWith('-')) return undefined;
      const known = wordValue(word, env);
      return known && known.value !== '' ? { words: words.slice(i), ownPath } : undefined;
    }
  }
  return undefined;
}

/** The target of a command that is nothing but `cd target`. */
export function cdTarget({ words }: SimpleCommand): ShellWord | undefined {
  const [cd, target] = words;
  return words.length === 2 && cd && target && plainText(cd) === 'cd' ? target : undefined;
}

/** The word, when nothing in it is quoted or expanded: only then can it be a keyword. */
function plainText(word: ShellWord): string | undefined {
  const [only] = word.parts;
  return word.parts.length === 1 && only?.kind === 'text' && !only.quoted ? only.text : undefined;
}

export function isAssignment(word: ShellWord): boolean {
  const [first] = word.parts;
  return first?.kind === 'text' && !first.quoted && ASSIGNMENT.test(first.text);
}
