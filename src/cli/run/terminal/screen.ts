/** The terminal: permanent lines, and below them a live area that is redrawn. */
import type { OutputStream, Printer } from '../../printer.js';

export interface Screen {
  /** Prints permanent lines. They wait while a question is open. */
  print(lines: readonly string[]): void;
  /** Draws the live area; an empty list clears it. */
  draw(lines: readonly string[]): void;
  /** Reserves the screen for a question until the returned function is called. */
  yield(): () => void;
}

const CLEAR_DOWN = '\u001b[J';
/** Lines that are too long are cut, not wrapped: a wrapped line could not be erased. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';

/** `moves`: whether the terminal supports erasing lines. */
export function createScreen(output: OutputStream, printer: Printer, moves: boolean): Screen {
  let drawn = 0;
  let yielded = 0;
  let waiting: string[] = [];
  const clear = (): void => {
    if (drawn === 0) return;
    const up = drawn > 1 ? `\u001b[${drawn - 1}A` : '';
    output.write(`\r${up}${CLEAR_DOWN}`);
    drawn = 0;
  };
  const print = (lines: readonly string[]): void => {
    if (yielded > 0) {
      waiting.push(...lines);
      return;
    }
    if (lines.length > 0) clear();
    for (const line of lines) printer.line(line);
  };
  return {
    print,
    draw: (lines) => {
      if (!moves || yielded > 0) return;
      clear();
      if (lines.length === 0) return;
      output.write(`${NO_WRAP}${lines.join('\n')}${WRAP}`);
      drawn = lines.length;
    },
    yield: () => {
      clear();
      yielded += 1;
      return () => {
        yielded -= 1;
        if (yielded > 0) return;
        const lines = waiting;
        waiting = [];
        print(lines);
      };
    },
  };
}
