/** Puts the words of a command together from their pieces: quotes removed, values filled in, split where a shell splits. */
import type { ShellWord } from './line.js';

/** A part of a word, expanded. */
export interface Piece {
  /** Undefined: only a running shell knows. */
  readonly text: string | undefined;
  /** It is one piece of one word, whatever is in it. */
  readonly quoted: boolean;
  readonly globs: boolean;
  readonly plain: boolean;
  readonly number?: boolean;
  readonly environment?: readonly string[];
}

export const literal = (text: string, globs = false): Piece => ({ text, quoted: true, globs, plain: true });
export const unknown = (quoted: boolean): Piece => ({
  text: undefined,
  quoted,
  globs: !quoted,
  plain: false,
});

interface Field {
  value: string | undefined;
  globs: boolean;
  splits: boolean;
}

/** None: the word vanishes, as `$x` does when it is empty. */
export function wordsOf(raw: string, pieces: readonly Piece[]): readonly ShellWord[] {
  const fields = fieldsOf(pieces);
  const shared = {
    plain: pieces.every(({ plain }) => plain),
    environment: pieces.flatMap(({ environment = [] }) => environment),
  };
  return fields.map((field) => ({
    raw: fields.length === 1 ? raw : (field.value ?? raw),
    ...field,
    ...shared,
  }));
}

function fieldsOf(pieces: readonly Piece[]): readonly Field[] {
  const fields: Field[] = [];
  let open: Field | undefined;
  const begin = (): Field => {
    open ??= { value: '', globs: false, splits: false };
    if (!fields.includes(open)) fields.push(open);
    return open;
  };
  for (const piece of pieces) {
    if (piece.text === undefined) {
      const field = begin();
      field.value = undefined;
      field.splits ||= !piece.quoted;
      field.globs ||= piece.globs;
      continue;
    }
    const texts = piece.quoted ? [piece.text] : piece.text.split(/[ \t\n]+/);
    for (const [index, text] of texts.entries()) {
      if (index > 0) open = undefined;
      if (text === '' && !piece.quoted) continue;
      const field = begin();
      if (field.value !== undefined) field.value += text;
      field.globs ||= piece.globs || (!piece.quoted && /[*?[]/.test(text));
    }
  }
  return fields;
}
