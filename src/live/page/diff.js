/** What was rewritten, side by side; on a narrow screen, one below the other. */
import { make } from './dom.js';

export function diffTable(label, hunks) {
  const rows = hunks.flatMap(({ lines }, i) => [...(i === 0 ? [] : [gap()]), ...pairs(lines).map(rowOf)]);
  const head = make('thead', '', make('tr', '', make('th', '', 'before'), make('th', '', 'after')));
  const table = make('table', 'diff', head, make('tbody', '', ...rows));
  table.setAttribute('aria-label', `What hooks changed in ${label}`);
  return table;
}

/** Removed and added lines that follow each other stand side by side. */
function pairs(lines) {
  const result = [];
  let removed = [];
  let added = [];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i += 1) result.push([removed[i], added[i]]);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith('-')) removed.push(text);
    else if (line.startsWith('+')) added.push(text);
    else {
      flush();
      result.push(text);
    }
  }
  flush();
  return result;
}

function rowOf(pair) {
  if (typeof pair === 'string') return make('tr', 'same', make('td', '', pair), make('td', 'repeated', pair));
  const [before, after] = pair;
  return make(
    'tr',
    '',
    before === undefined ? make('td', 'nothing') : make('td', 'removed', make('del', '', before)),
    after === undefined ? make('td', 'nothing') : make('td', 'added', make('ins', '', after)),
  );
}

function gap() {
  const cell = make('td', 'gap', '…');
  cell.colSpan = 2;
  return make('tr', '', cell);
}
