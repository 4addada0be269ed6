/** Commands of which only some run: after `&&` and `||`, and in the branches of an `if`. */
import type * as Ast from 'unbash';
import type { ShellState } from './state.js';

interface Reader {
  state: ShellState;
}

export function readAndOr(
  { commands, operators }: Ast.AndOr,
  reader: Reader,
  read: (node: Ast.AndOr['commands'][number]) => void,
): void {
  let failed: ShellState | undefined;
  for (const [index, command] of commands.entries()) {
    const operator = operators[index - 1];
    if (operator === '||') {
      reader.state.settle();
      if (failed) reader.state.join(failed);
    } else if (operator === '&&') {
      const other = reader.state.copy();
      other.folders = reader.state.foldersOnFailure ?? reader.state.folders;
      if (failed) failed.join(other);
      else failed = other;
      reader.state.foldersOnFailure = undefined;
    }
    read(command);
  }
  reader.state.settle();
  if (failed) reader.state.join(failed);
}

export function readIf(
  { clause, then, elif, else: otherwise }: Ast.If,
  reader: Reader,
  read: (list: Ast.CompoundList) => void,
): void {
  read(clause);
  const rest = reader.state.copy();
  read(then);
  const taken = reader.state;
  reader.state = rest;
  for (const branch of elif) {
    read(branch.clause);
    const next = reader.state.copy();
    read(branch.then);
    taken.join(reader.state);
    reader.state = next;
  }
  if (otherwise) read(otherwise);
  reader.state.join(taken);
}
