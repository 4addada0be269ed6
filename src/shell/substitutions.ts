/** What a command in a word stands for: the value of `$(…)`, as far as it is known before the line runs. */
import { forEachChild, type SyntaxNode } from 'unbash';
import type { Inside, Reading } from './evaluate.js';
import type { ShellCommand, ShellRedirect } from './line.js';
import { literal, type Piece, unknown } from './pieces.js';

/** `$(pwd)`, and `$(cat <<'E' … E)`, which is a way to quote a text. */
export function evaluateSubstitution(
  { alternatives, output: printed }: Inside,
  quoted: boolean,
  reading: Reading,
): Piece {
  for (const command of alternatives) {
    const output = outputOf(command, quoted, reading);
    if (output === undefined) break;
    if (output !== null) return output;
  }
  return { ...unknown(quoted), ...(printed && { output: printed, number: printed.kind === 'number' }) };
}

/** Null if the command fails and prints nothing. */
function outputOf(command: ShellCommand, quoted: boolean, reading: Reading): Piece | null | undefined {
  const words = command.words.map(({ value }) => value);
  if (command.assignments.length > 0 || !words.every((word) => word !== undefined)) return undefined;
  const isSilenced = ({ operator, descriptor }: ShellRedirect): boolean =>
    descriptor === 2 && operator.startsWith('>') && operator !== '>&';
  const [redirect, ...more] = command.redirects.filter((each) => !isSilenced(each));
  const { folders } = reading.state;
  const folder = folders?.length === 1 ? folders[0] : undefined;
  if (redirect === undefined) {
    const text = words.join(' ') === 'pwd' ? folder : reading.context.substitute?.(words, folder);
    return typeof text === 'string' ? { text, quoted, globs: false, plain: false } : text;
  }
  const text = redirect.target.value;
  const isText = words.join(' ') === 'cat' && redirect.operator.startsWith('<<') && more.length === 0;
  return isText && quoted && text !== undefined ? literal(text.replace(/\n+$/, '')) : undefined;
}

/** Reads the commands in an arithmetic expression; returns those that print a number, as written. */
function readNested(node: SyntaxNode, reading: Reading): readonly string[] {
  if ('script' in node) {
    const isNumber = reading.inside(node.script).output?.kind === 'number';
    return isNumber && 'text' in node && typeof node.text === 'string' ? [node.text] : [];
  }
  const found: string[] = [];
  forEachChild(node, (child) => {
    found.push(...readNested(child, reading));
  });
  return found;
}

/** The expression, with a number in the place of commands that print one. */
export function withNumbers(text: string, expression: SyntaxNode | undefined, reading: Reading): string {
  const numbers = expression ? readNested(expression, reading) : [];
  // Beside a letter or a digit it is a part of a name.
  return numbers.reduce(
    (left, command) =>
      left.replaceAll(command, (found, at: number) =>
        /[\w$#{]/.test(`${left[at - 1] ?? ''}${left[at + found.length] ?? ''}`) ? found : '0',
      ),
    text,
  );
}
