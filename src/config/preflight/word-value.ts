/** What a word of a command line will be when the shell has expanded it, where that is certain. */
import type { Variables } from './find-program.js';
import type { ShellWord } from './shell-words.js';

export interface WordValue {
  readonly value: string;
  /** The directory with blanks in it that stands there unquoted, so that the shell takes the path apart. */
  readonly torn: { readonly variable: string; readonly directory: string } | undefined;
}

/** Undefined: only a running shell can say. */
export function wordValue(word: ShellWord, env: Variables): WordValue | undefined {
  let value = '';
  let torn: WordValue['torn'];
  for (const [i, part] of word.parts.entries()) {
    if (part.kind === 'code') return undefined;
    if (part.kind === 'text') {
      if (!part.quoted && /[*?[{]/.test(part.text)) return undefined;
      const text = i === 0 && !part.quoted ? withHome(part.text, env) : part.text;
      if (text === undefined) return undefined;
      value += text;
      continue;
    }
    const known = env[part.name];
    if (known === undefined || known === '') return undefined;
    if (!part.quoted) {
      if (/[*?[\\]/.test(known)) return undefined;
      if (/[ \t\n]/.test(known)) {
        const after = word.parts[i + 1];
        // Only a path for sure: `$EDITOR file` is meant to be taken apart.
        if (!known.startsWith('/') || after?.kind !== 'text' || !after.text.startsWith('/')) return undefined;
        torn ??= { variable: part.raw, directory: known };
      }
    }
    value += known;
  }
  return { value, torn };
}

function withHome(text: string, env: Variables): string | undefined {
  if (!text.startsWith('~')) return text;
  if (text !== '~' && !text.startsWith('~/')) return undefined;
  const home = env['HOME'];
  return home === undefined ? undefined : home + text.slice(1);
}
