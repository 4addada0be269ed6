/** Finds the simple commands at the beginning of a shell line, as far as reading it is not guessing. */
import type { Variables } from './find-program.js';
import { ASSIGNMENT, BUILTINS, KEYWORDS, PREFIXES } from './shell-builtins.js';
import { type ShellToken, type ShellWord, wordText } from './shell-words.js';
import { wordValue } from './word-value.js';

export interface SimpleCommand {
  /** The words without redirections. */
  readonly words: readonly ShellWord[];
  /** The operator after it; undefined at the end of the line. */
  readonly end: string | undefined;
}

/** All commands of the line. Undefined: there is a function or a subshell in it that would have to be understood. */
export function simpleCommands(tokens: readonly ShellToken[]): readonly SimpleCommand[] | undefined {
  const commands: SimpleCommand[] = [];
  let words: ShellWord[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token?.kind === 'word') words.push(token);
    else if (token && /[<>]/.test(token.text)) i += 1;
    else if (token?.text === '(') {
      if (i > 0) return undefined;
    } else if (token) {
      commands.push({ words, end: token.text });
      words = [];
    }
  }
  if (words.length > 0) commands.push({ words, end: undefined });
  return commands.filter((command) => command.words.length > 0);
}

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
