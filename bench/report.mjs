// Says what was measured: tables for a terminal, and those of spec/performance.md and of the README as Markdown.
import { goals } from './goals.mjs';
import { show, time, times } from './units.mjs';

export function printCase({ title, limit, rows, numbers, facts }) {
  console.log(`\n${title} (limit: ${limit})`);
  const width = Math.max(...rows.map(({ name }) => name.length));
  const more = furtherColumns(rows);
  console.log(`  ${''.padEnd(width)}  undisturbed      median   × limit  × best peer  ${more.join('  ')}`);
  for (const { name, p10, median, ratio, toBestPeer, more: further } of rows) {
    const cells = [time(p10).padStart(11), time(median).padStart(10), ratio.toFixed(2).padStart(8)];
    cells.push((toBestPeer?.toFixed(2) ?? '').padStart(11));
    for (const column of more) cells.push(`${further[column]}`.padStart(column.length));
    console.log(`  ${name.padEnd(width)}  ${cells.join('  ').trimEnd()}`);
  }
  for (const [name, value] of Object.entries({ ...numbers, ...facts }))
    console.log(`  ${name}: ${show(value)}`);
}

/** Every goal with what was measured for it, as far as its case was run. */
export function judge(results) {
  return goals.flatMap(({ value, ...goal }) => {
    const result = results.find((each) => each.case === goal.case);
    if (result === undefined) return [];
    const measured = value(result);
    const key = `${goal.case}: ${goal.what}`;
    return [{ ...goal, key, measured, reached: measured <= goal.most }];
  });
}

export function printGoals(judged) {
  console.log('\nGoals');
  for (const { what, most, of, measured, reached } of judged)
    console.log(
      `  ${reached ? '✓' : '✗'} ${what.padEnd(36)} ${show(measured).padStart(7)}  (at most ${most} ${of})`,
    );
}

/** `before` has what was measured for a goal before, by its key. */
export function goalTable(judged, run, before) {
  const rows = judged.map(({ key, what, most, of, measured, reached }) => {
    const now = reached ? show(measured) : `**${show(measured)}**`;
    return `| ${what} | ≤ ${most} ${of} | ${key in before.ratios ? show(before.ratios[key]) : ''} | ${now} |`;
  });
  return [
    `${measuredOn(run)} Bold: not reached. Before: ${before.of}.`,
    '',
    '| case | goal | before | measured |',
    '|---|---|---:|---:|',
    ...rows,
  ].join('\n');
}

export function measuredOn({ date, node, cpu, cores, load }) {
  return `Measured on ${date.slice(0, 10)} with Node ${node.slice(1)} on ${cores} × ${cpu}, load ${load}.`;
}

export function caseTables(results) {
  return results.map(caseTable).join('\n\n');
}

export function caseTable({ title, limit, rows }) {
  const peers = rows.some(({ toBestPeer }) => toBestPeer !== undefined);
  const more = furtherColumns(rows);
  const columns = [title, 'undisturbed', `× ${limit}`, ...(peers ? ['× best peer'] : []), ...more];
  const cells = rows.map(({ name, p10, ratio, toBestPeer, more: further }) => [
    name,
    time(p10),
    ratio.toFixed(2),
    ...(peers ? [toBestPeer.toFixed(2)] : []),
    ...more.map((column) => further[column]),
  ]);
  const line = `|---|${'---:|'.repeat(columns.length - 1)}`;
  return [`| ${columns.join(' | ')} |`, line, ...cells.map((row) => `| ${row.join(' | ')} |`)].join('\n');
}

const furtherColumns = (rows) => Object.keys(rows[0].more ?? {});

/** Hooks that decide come first: a hook that has nothing to say is not why people write hooks. */
const IN_README = [
  'one-approve',
  'one-deny',
  'ten-approve',
  'ten-deny',
  'one-callback',
  'ten-callbacks',
  'no-hook',
  'lukewarm',
  'command-latency',
  'trusted-command',
  'commands-8',
  'large-host',
];

/** A few cases for the README: the time of each as a multiple of the plain way. */
export function readmeTable(results, { date, node }) {
  const lines = IN_README.flatMap((name) => {
    const result = results.find((each) => each.case === name);
    if (result === undefined) return [];
    const [, ...others] = result.rows;
    const ours = others.find(({ role }) => role === 'ours');
    const peers = others
      .filter(({ role }) => role === 'peer')
      // The first word says who it is; what exactly is measured of them is in the whole table.
      .map(({ name, ratio }) => `${name.split(' ')[0]} ${times(ratio)}`);
    const title = result.title.replace(/ \(.*\)/, '');
    return [`| ${title} | ${result.limit} | ${times(ours.ratio)} | ${peers.join(', ')} |`];
  });
  return [
    '| time as a multiple of the plain way (lower is better) | the plain way | hookline | others |',
    '|---|---|---:|---|',
    ...lines,
    '',
    `Measured on ${date.slice(0, 10)} with Node ${node.slice(1)}, all contenders of a case in turn.`,
  ].join('\n');
}
