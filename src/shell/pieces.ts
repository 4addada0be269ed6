/** Assembles the words of a command from their pieces: quotes removed, values inserted, split where a shell splits. */
import type { Listing, Output, ShellWord } from './line.js';

/** An expanded part of a word. */
export interface Piece {
  /** Undefined if only a running shell knows it. */
  readonly text: string | undefined;
  /** It stays one piece of one word, whatever it contains. */
  readonly quoted: boolean;
  readonly globs: boolean;
  readonly plain: boolean;
  readonly number?: boolean;
  /** It is the value of a variable that the line does not set. */
  readonly outside?: boolean;
  /** If the text is not known: what has printed it. */
  readonly output?: Output;
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
  sample?: string;
  listing?: Listing;
  known: string;
  hole?: number;
  open?: boolean;
}

/** Stands for a file that is listed: an operand, and no script that only prints. */
export const LISTED = './listed |env';
/** Stands for the id of a commit: a name, no number. */
export const ID = 'e0';

/** Undefined for names of files, which are not part of another word, and for other texts. */
export function sampleFor({ kind }: Output): string | undefined {
  if (kind === 'number') return '0';
  return kind === 'revision' ? ID : undefined;
}

/** A word with one unknown part, or with several ids and numbers. */
function sampleOf(pieces: readonly Piece[]): Pick<Field, 'sample' | 'listing'> {
  const parts = pieces.filter(({ text }) => text !== '');
  const [first, ...more] = parts;
  if (first?.output?.kind === 'files' && first.text === undefined && more.length === 0)
    return { sample: LISTED, listing: first.output };
  const texts = parts.map(({ text, quoted, output }) => {
    if (text !== undefined) return quoted || !/[\s*?[]/.test(text) ? text : undefined;
    return output && sampleFor(output);
  });
  return texts.every((text) => text !== undefined) ? { sample: texts.join('') } : {};
}

/** An empty list if the word vanishes, as an empty `$x` does. */
export function wordsOf(
  raw: string,
  pieces: readonly Piece[],
  environment: readonly string[],
): readonly ShellWord[] {
  const fields = fieldsOf(pieces);
  const shared = { plain: pieces.every(({ plain }) => plain), environment };
  const [only] = fields;
  if (fields.length === 1 && only?.value === undefined) Object.assign(only ?? {}, sampleOf(pieces));
  return fields.map(({ known, ...field }) => ({
    raw: fields.length === 1 ? raw : (field.value ?? raw),
    ...field,
    ...(field.value === undefined && { known }),
    ...shared,
  }));
}

/** Whether the line decides what it is, and it may begin like an option. What the environment holds was there before. */
function mayBeOption({ outside, number, output }: Piece): boolean {
  if (outside === true || number === true) return false;
  return output === undefined || (output.kind === 'text' && output.isName !== true);
}

function fieldsOf(pieces: readonly Piece[]): readonly Field[] {
  const fields: Field[] = [];
  let open: Field | undefined;
  const begin = (): Field => {
    open ??= { value: '', globs: false, splits: false, known: '' };
    if (!fields.includes(open)) fields.push(open);
    return open;
  };
  for (const piece of pieces) {
    if (piece.text === undefined) {
      const field = begin();
      field.value = undefined;
      field.hole ??= field.known.length;
      if (mayBeOption(piece) && (field.known === '' || !piece.quoted)) field.open = true;
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
      field.known += text;
      field.globs ||= piece.globs || (!piece.quoted && /[*?[]/.test(text));
    }
  }
  return fields;
}
