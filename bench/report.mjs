// Says what was measured: tables for a terminal, and the table of goals as Markdown.
import { goals } from './goals.mjs';

export function printCase({ title, limit, rows, numbers, facts }) {
  console.log(`\n${title} (limit: ${limit})`);
  const width = Math.max(...rows.map(({ name }) => name.length));
  console.log(`  ${''.padEnd(width)}  undisturbed      median   × limit  × best peer`);
  for (const { name, p10, median, ratio, toBestPeer } of rows) {
    const cells = [time(p10).padStart(11), time(median).padStart(10), ratio.toFixed(2).padStart(8)];
    if (toBestPeer !== undefined) cells.push(toBestPeer.toFixed(2).padStart(11));
    console.log(`  ${name.padEnd(width)}  ${cells.join('  ')}`);
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
    return [{ ...goal, measured, reached: measured <= goal.most }];
  });
}

export function printGoals(judged) {
  console.log('\nGoals');
  for (const { what, most, of, measured, reached } of judged)
    console.log(
      `  ${reached ? '✓' : '✗'} ${what.padEnd(36)} ${show(measured).padStart(7)}  (at most ${most} ${of})`,
    );
}

export function goalTable(judged, { date, node, cpu, cores, load }) {
  const rows = judged.map(
    ({ what, most, of, measured, reached }) =>
      `| ${what} | ≤ ${most} ${of} | ${reached ? show(measured) : `**${show(measured)}**`} |`,
  );
  return [
    `Measured on ${date.slice(0, 10)} with Node ${node.slice(1)} on ${cores} × ${cpu}, load ${load}. Bold: not reached.`,
    '',
    '| case | goal | measured |',
    '|---|---|---:|',
    ...rows,
  ].join('\n');
}

export function caseTables(results) {
  return results
    .map(({ title, limit, rows }) => {
      const peers = rows.some(({ toBestPeer }) => toBestPeer !== undefined);
      const head = `| ${title} | undisturbed | × ${limit} |${peers ? ' × best peer |' : ''}`;
      const line = `|---|---:|---:|${peers ? '---:|' : ''}`;
      const cells = rows.map(({ name, p10, ratio, toBestPeer }) => {
        const last = peers ? ` ${toBestPeer.toFixed(2)} |` : '';
        return `| ${name} | ${time(p10)} | ${ratio.toFixed(2)} |${last}`;
      });
      return [head, line, ...cells].join('\n');
    })
    .join('\n\n');
}

function show(value) {
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) ? `${value}` : value.toFixed(2);
}

export function time(ns) {
  if (ns < 1000) return `${ns.toFixed(0)} ns`;
  return ns < 1e6 ? `${(ns / 1000).toFixed(2)} µs` : `${(ns / 1e6).toFixed(2)} ms`;
}

const IN_README = [
  'no-hook',
  'one-deny',
  'ten-deny',
  'one-callback',
  'ten-callbacks',
  'command-latency',
  'trusted-command',
  'commands-8',
  'large-host',
];

/** A few cases for the README: the time of each as a multiple of the minimum. */
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
    '| time as a multiple of the minimum (lower is better) | the minimum | hookline | others |',
    '|---|---|---:|---|',
    ...lines,
    '',
    `Measured on ${date.slice(0, 10)} with Node ${node.slice(1)}, all contenders of a case in turn in one process.`,
  ].join('\n');
}

function times(ratio) {
  return `${ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0)} ×`;
}
