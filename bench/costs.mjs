// The two tables that put cases together: what a fire costs as things are added, and what a program pays once.
import { oursIn } from './measure.mjs';
import { show, time } from './units.mjs';

/** What each thing adds to a fire, from the cases that have it. */
export function costTable(results) {
  const of = finder(results);
  const ours = (name) => of(name).rows.find(({ role }) => role === 'ours').p10;
  const limit = (name) => of(name).rows[0].p10;
  const each = (ten, one) => time((ours(ten) - ours(one)) / 9);
  const [listenerFree, oneListener, tenListeners] = of('listeners').rows.map(({ p10 }) => p10);
  const x = (name) => `${oursIn(of(name)).toFixed(2)} ×`;
  const rows = [
    ['nothing registered for the event', `${time(ours('no-hook'))}: one map lookup`],
    [
      'a callback that approves',
      `${time(ours('one-approve'))}, each further one ${each('ten-approve', 'one-approve')}`,
    ],
    ['a callback that denies', `${time(ours('one-deny'))}, each further one ${each('ten-deny', 'one-deny')}`],
    [
      'a callback that answers `{}`',
      `${time(ours('one-callback'))}, each further one ${each('ten-callbacks', 'one-callback')}`,
    ],
    ['a bare `await` of it', time(limit('one-callback'))],
    [
      '1000 matchers in place of one',
      `${x('matchers')}: the plan for a value is computed once and kept (1,024 values, cleared by every registration)`,
    ],
    [
      'an input of 1 MB in place of 1 KB',
      `${x('payload')}: callbacks get a view; commands pay for writing it as JSON, once for all commands of a fire`,
    ],
    [
      'the first listener of messages',
      `${time(oneListener - listenerFree)} more, each further one ${time((tenListeners - oneListener) / 9)}`,
    ],
    [
      'a turn of the event loop between fires',
      `${time(ours('one-per-turn') - limit('one-per-turn'))} for turn and fire: timers are set for what has not ended by then`,
    ],
    ['1000 fires at once', `${x('concurrency')} for each`],
    [
      'a command',
      `${x('command-latency')} the process itself, which takes ${time(limit('command-latency'))}`,
    ],
    [
      'a command of a workspace that was approved',
      `${x('trusted-command')} the same command in code: its script is read again, and the folders around it are checked`,
    ],
  ];
  return table(['what a fire has', 'what it then costs'], rows, '|---|---|');
}

/** Processor time of what happens once in a process, beside the goals. */
export function onceTable(results) {
  const of = finder(results);
  const started = [...of('command-start').rows.slice(1), of('bridge-start').rows[1]];
  const files = of('import').numbers.ownFiles;
  const { numbers, rows: fires } = of('first-fire');
  const [second, first, firstSpawn] = fires.map(({ p10 }) => time(p10));
  const rows = [
    [`\`import('hookline')\`: ${files} files of its own`, 1.5, "× `import('zod')`", oursIn(of('import'))],
    ...started.map(({ name, ratio }) => [`\`${name}\``, 2.5, '× `node -e 0`', ratio]),
    ['first callback of a process', 2, 'ms', numbers.firstCallbackMs],
    [
      `first command of a process: ${first}, then ${second}; the first \`spawn\` of Node itself ${firstSpawn}`,
      1.5,
      '× the second',
      oursIn(of('first-fire')),
    ],
  ].map(([what, most, unit, measured]) => {
    const shown = show(measured);
    return [what, `≤ ${most} ${unit}`, measured <= most ? shown : `**${shown}**`];
  });
  return table(['what', 'goal', 'measured'], rows, '|---|---|---:|');
}

function finder(results) {
  return (name) => {
    const result = results.find((each) => each.case === name);
    if (result === undefined) throw new Error(`The tables need the case ${name}, which was not run.`);
    return result;
  };
}

function table(head, rows, line) {
  return [head, ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .toSpliced(1, 0, line)
    .join('\n');
}
