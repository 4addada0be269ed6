/** The terminal: permanent lines, and below them a live area that is redrawn, with the line that is being typed. */
import type { OutputStream, Printer } from '../../printer.js';
import type { EditedLine } from './keyboard.js';
import { cutToWidth, widthOf } from './texts.js';

/** The last line of the live area: a sign and what is being typed behind it. */
export interface InputLine extends EditedLine {
  readonly sign: string;
}

export interface Screen {
  /** Prints permanent lines above the live area. */
  print(lines: readonly string[]): void;
  /** Draws the live area; without lines and input it is cleared. */
  draw(lines: readonly string[], input?: InputLine): void;
}

const CLEAR_DOWN = '\u001b[J';
/** Lines that are too long are cut, not wrapped: a wrapped line could not be erased. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';

/** `moves`: whether the terminal supports erasing lines. Without it there is no live area. */
export function createScreen(output: OutputStream, printer: Printer, moves: boolean): Screen {
  let drawn = 0;
  let live: Parameters<Screen['draw']> = [[]];
  const clear = (): void => {
    if (drawn === 0) return;
    const up = drawn > 1 ? `\u001b[${drawn - 1}A` : '';
    output.write(`\r${up}${CLEAR_DOWN}`);
    drawn = 0;
  };
  const draw: Screen['draw'] = (lines, input) => {
    live = [lines, input];
    if (!moves) return;
    clear();
    const typed = input === undefined ? undefined : fitInput(input, output.columns || 80, printer);
    const all = typed === undefined ? lines : [...lines, typed.line];
    if (all.length === 0) return;
    const cursor = typed === undefined ? '' : `\r${typed.column > 0 ? `\u001b[${typed.column}C` : ''}`;
    output.write(`${NO_WRAP}${all.join('\n')}${WRAP}${cursor}`);
    drawn = all.length;
  };
  return {
    draw,
    print: (lines) => {
      if (lines.length === 0) return;
      clear();
      for (const line of lines) printer.line(line);
      draw(...live);
    },
  };
}

/** The part of the typed text around the cursor that fits beside the sign, and the column of the cursor. */
function fitInput(
  { sign, text, cursor }: InputLine,
  columns: number,
  { paint }: Printer,
): { readonly line: string; readonly column: number } {
  const room = Math.max(10, columns - widthOf(sign) - 1);
  // A character is at most two columns wide and takes at least one; what is far away from the cursor is not measured.
  let start = Math.max(0, cursor - room);
  while (widthOf(text.slice(start, cursor)) >= room) start += 1;
  return {
    line: `${paint.bold(sign)}${cutToWidth(text.slice(start, cursor + room + 1), room)}`,
    column: widthOf(sign) + widthOf(text.slice(start, cursor)),
  };
}
