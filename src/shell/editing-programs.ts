/** Programs that make, move, copy or remove files and do nothing else, with the options under which that is true. */
import { basename } from 'node:path';
import { type AffectedPaths, type Study, study } from './affected-paths.js';
import { knownOptions } from './arguments.js';

const writesOperands = ({ operands }: { readonly operands: readonly string[] }): AffectedPaths | undefined =>
  operands.length === 0 ? undefined : { reads: [], writes: operands };

/** The last operand is the target, or the directory in which each of the others gets its place. */
function target(operands: readonly string[]): readonly string[] {
  const to = operands.at(-1) ?? '';
  return [to, ...operands.slice(0, -1).map((from) => `${to}/${basename(from)}`)];
}

/** What works on a whole tree is left out: nobody has seen what is in it. So is `rm`, which cannot be undone. */
export const EDITING_PROGRAMS: Readonly<Record<string, Study>> = {
  mkdir: study(knownOptions('pvm:', 'parents verbose mode='), writesOperands),
  rmdir: study(knownOptions('pv', 'parents verbose ignore-fail-on-non-empty'), writesOperands),
  touch: study(knownOptions('acmd:t:', 'no-create date= time='), writesOperands),
  mv: study(
    knownOptions('finvuT', 'force interactive no-clobber verbose update no-target-directory'),
    ({ operands }) =>
      operands.length < 2
        ? undefined
        : { reads: operands.slice(0, -1), writes: [...operands, ...target(operands)], deep: true },
  ),
  cp: study(
    knownOptions('finpvuT', 'force interactive no-clobber verbose update no-target-directory'),
    ({ operands }) =>
      operands.length < 2 ? undefined : { reads: operands.slice(0, -1), writes: target(operands) },
  ),
};
