// Measures contenders side by side: many short rounds in turn, so that a busy moment hits all of them alike.

/**
 * @param {string} title
 * @param {{ name: string, run: () => unknown }[]} contenders the first one is the limit; a run that does several
 *   things at once returns how many
 * @param {{ rounds?: number, batch?: number }} options
 */
export async function compare(title, contenders, { rounds = 40, batch = 2000 } = {}) {
  for (const { run } of contenders) for (let i = 0; i < batch; i++) await run();
  const samples = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let c = 0; c < contenders.length; c++) samples[c].push(await sample(contenders[c].run, batch));
  }
  const rows = contenders.map(({ name }, c) => {
    const sorted = samples[c].toSorted((a, b) => a - b);
    return { name, p10: at(sorted, 0.1), median: at(sorted, 0.5) };
  });
  const limit = rows[0].p10;
  return { title, rows: rows.map((row) => ({ ...row, ratio: row.p10 / limit })) };
}

async function sample(run, batch) {
  const start = performance.now();
  let count;
  for (let i = 0; i < batch; i++) count = await run();
  const elapsed = performance.now() - start;
  return (elapsed / batch / (typeof count === 'number' ? count : 1)) * 1e6;
}

export function print({ title, rows }) {
  console.log(`\n${title}`);
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, p10, median, ratio } of rows) {
    console.log(
      `  ${name.padEnd(width)}  ${time(p10).padStart(10)}  ${time(median).padStart(10)}  ${ratio.toFixed(2).padStart(8)} x`,
    );
  }
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function time(ns) {
  if (ns < 1000) return `${ns.toFixed(0)} ns`;
  return ns < 1e6 ? `${(ns / 1000).toFixed(2)} us` : `${(ns / 1e6).toFixed(2)} ms`;
}
