/** Separates the operands of a program from its options, where only a few options matter. */
import type { ShellWord } from '../../../shell/read-line.js';

interface GivenOption {
  readonly name: string;
  /** Undefined if it has none. */
  readonly value: ShellWord | undefined;
}

export interface Operands {
  /** Up to `--`. */
  readonly words: readonly ShellWord[];
  readonly options: readonly GivenOption[];
}

/** `valued`: options whose value is the next word. `leading`: everything after the first operand belongs to it. */
export function readOperands(
  args: readonly ShellWord[],
  valued: readonly string[],
  leading = false,
): Operands {
  const words: ShellWord[] = [];
  const options: GivenOption[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as ShellWord;
    const { value } = word;
    if (value === '--') return { words: leading ? args.slice(at + 1) : words, options };
    if (value === undefined || value === '-' || !value.startsWith('-')) {
      if (leading) return { words: args.slice(at), options };
      words.push(word);
    } else if (valued.includes(value)) {
      at += 1;
      options.push({ name: value, value: args[at] });
    } else options.push(attached(word, value, valued));
  }
  return { words, options };
}

/** `--file=value`, `-fvalue`. */
function attached(word: ShellWord, text: string, valued: readonly string[]): GivenOption {
  const equals = text.indexOf('=');
  const end = text.startsWith('--') ? equals : valued.includes(text.slice(0, 2)) ? 2 : -1;
  if (end < 0) return { name: text, value: undefined };
  return { name: text.slice(0, end), value: { ...word, value: text.slice(end === equals ? end + 1 : end) } };
}

/** The values of these options, in order. */
export function valuesOf({ options }: Operands, names: readonly string[]): readonly ShellWord[] {
  return options.flatMap(({ name, value }) => (value !== undefined && names.includes(name) ? [value] : []));
}
