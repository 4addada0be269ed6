/** Programs that only create, move, copy or remove files, with the options under which that is true. */
import { basename } from 'node:path';
import { type AffectedPaths, type Analyse, analyseWith } from './affected-paths.js';
import { knownOptions } from './arguments.js';

const writesOperands = ({ operands }: { readonly operands: readonly string[] }): AffectedPaths | undefined =>
  operands.length === 0 ? undefined : { reads: [], writes: operands };

/** The last operand is the target, or the directory into which the others go. */
function target(operands: readonly string[]): readonly string[] {
  const to = operands.at(-1) ?? '';
  return [to, ...operands.slice(0, -1).map((from) => `${to}/${basename(from)}`)];
}

/** Excludes operations on a whole tree, whose content is unknown, and `rm`, which cannot be undone. */
export const EDITING_PROGRAMS: Readonly<Record<string, Analyse>> = {
  mkdir: analyseWith(knownOptions('pvm:', 'parents verbose mode='), writesOperands),
  rmdir: analyseWith(knownOptions('pv', 'parents verbose ignore-fail-on-non-empty'), writesOperands),
  touch: analyseWith(knownOptions('acmd:t:', 'no-create date= time='), writesOperands),
  mv: analyseWith(
    knownOptions('finvuT', 'force interactive no-clobber verbose update no-target-directory'),
    ({ operands }) =>
      operands.length < 2
        ? undefined
        : { reads: operands.slice(0, -1), writes: [...operands, ...target(operands)], deep: true },
  ),
  cp: analyseWith(
    knownOptions('finpvuT', 'force interactive no-clobber verbose update no-target-directory'),
    ({ operands }) =>
      operands.length < 2 ? undefined : { reads: operands.slice(0, -1), writes: target(operands) },
  ),
};
