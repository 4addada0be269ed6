/** Rows whose cells stand below each other. */

export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

const GAP = '  ';
/** A longer cell does not push away the column behind it in the other rows. */
const MAX_WIDTH = 44;

/** A column in which all cells are empty is left out. The last cell of a row is not padded. */
export function alignRows(rows: readonly (readonly Cell[])[]): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...rows.map((row) => row[i]?.text.length ?? 0).map((width) => (width > MAX_WIDTH ? 0 : width))),
  );
  const used = widths.map((width, i) => width > 0 || rows.some((row) => (row[i]?.text ?? '') !== ''));
  return rows.map((row) =>
    row
      .flatMap(({ text, paint = (same) => same }, i) =>
        used[i] ? [`${paint(text)}${' '.repeat(Math.max(0, (widths[i] ?? 0) - text.length))}`] : [],
      )
      .join(GAP)
      .trimEnd(),
  );
}
