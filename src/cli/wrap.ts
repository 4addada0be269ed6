/** Breaks lines that are wider than the terminal: between two cells where that helps, otherwise between words. */

/** A run of blanks, or a word with its colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
const PIECES = / +|(?:\u001b\[\d+m|[^ ])+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
const COLOURS = /\u001b\[\d+m/g;
const ASCII = /^[ -~]*$/;
const NARROW = /\p{Mark}|\p{Default_Ignorable_Code_Point}/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
/** What stands before an entry of a list. */
const BULLET = /^(?:-|•|\d+\.)$/;
/** Blanks that separate cells. */
const GAP = 2;

interface Word {
  readonly text: string;
  readonly width: number;
  /** The blanks in front of it. */
  readonly blanks: number;
}

/**
 * What follows is indented as the second cell (`reason:  the text`), or as the beginning of the line. A word that is wider than the
 * terminal stays whole, so that a path or a command can be copied.
 */
export function wrapLine(line: string, columns: number): string[] {
  // Colours only add to the length.
  if ((line.length <= columns && ASCII.test(line)) || widthOf(line) <= columns) return [line];
  const words = wordsOf(line);
  const hang = hangOf(words, columns);
  const lines: string[] = [];
  let current = '';
  let column = 0;
  for (const [i, { text, width, blanks }] of words.entries()) {
    const needed = i > 0 && blanks >= GAP ? cellWidth(words, i) : width;
    // A cell that does not fit into a line of its own is broken between its words.
    const least = needed <= columns - hang ? needed : width;
    if (column > hang && column + blanks + least > columns) {
      lines.push(current);
      current = ' '.repeat(hang) + text;
      column = hang + width;
    } else {
      current += ' '.repeat(blanks) + text;
      column += blanks + width;
    }
  }
  return [...lines, current];
}

/** The columns that a text takes, without its colours; good enough to break lines. */
function widthOf(text: string): number {
  const plain = text.replaceAll(COLOURS, '');
  if (ASCII.test(plain)) return plain.length;
  let width = 0;
  for (const character of plain) width += NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

function wordsOf(line: string): Word[] {
  const words: Word[] = [];
  let blanks = 0;
  let colours = '';
  for (const [piece] of line.matchAll(PIECES)) {
    const width = widthOf(piece);
    if (piece.startsWith(' ')) blanks += width;
    // A colour between blanks belongs to the next word.
    else if (width === 0) colours += piece;
    else {
      words.push({ text: colours + piece, width, blanks });
      blanks = 0;
      colours = '';
    }
  }
  return colours === '' ? words : [...words, { text: colours, width: 0, blanks: 0 }];
}

/** The width of the words from here to the next gap. */
function cellWidth(words: readonly Word[], start: number): number {
  let width = words[start]?.width ?? 0;
  for (const { width: more, blanks } of words.slice(start + 1)) {
    if (blanks >= GAP) break;
    width += blanks + more;
  }
  return width;
}

function hangOf(words: readonly Word[], columns: number): number {
  const start = words[0]?.blanks ?? 0;
  const first = start + cellWidth(words, 0);
  const gap = words.slice(1).find(({ blanks }) => blanks >= GAP)?.blanks;
  const bullet = BULLET.test(words[0]?.text ?? '') ? (words[0]?.width ?? 0) + 1 : 0;
  if (gap === undefined) return Math.min(start + bullet, Math.floor(columns / 2));
  // Behind a short cell that is padded widely, what follows stands closer.
  return [first + gap, first + GAP, start].find((column) => column <= columns / 2) ?? 0;
}
