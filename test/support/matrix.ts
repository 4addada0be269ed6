/**
 * A matrix of tests has two forms. In the quick one, that of `npm test`, each row and each column is tried at least
 * once. `npm run bounds`, which CI runs, and `npm run matrix` try the whole one.
 */

/** How much is asked for: `bounds`, or `whole` with every version of other packages. */
export const matrix: string | undefined = process.env['HOOKLINE_MATRIX'];

export const isWholeForm: boolean = matrix !== undefined;

/** Whether this form tries the cell: of the quick one, what lies on a diagonal that begins anew at each edge. */
export function isTried(row: number, rows: number, column: number, columns: number): boolean {
  return isWholeForm || (rows < columns ? column % rows === row : row % columns === column);
}
