// Measures contenders side by side: many short blocks in turn, so that a busy moment hits all of them alike.

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {'limit' | 'ours' | 'peer' | 'other'} role the first contender is the limit
 * @property {() => unknown} run
 * @property {number} [per] how many things one run does
 * @property {string} [note]
 */

/**
 * The tenth percentile of the blocks is what a contender needs when nobody disturbs it; ratios are ratios of those.
 *
 * @param {readonly Contender[]} contenders
 * @param {{ seconds?: number, blockMs?: number, warmUpMs?: number, rounds?: number }} options `rounds` in place of seconds
 */
export async function compare(contenders, { seconds = 4, blockMs = 0.6, warmUpMs = 250, rounds } = {}) {
  const lanes = [];
  for (const contender of contenders) {
    lanes.push({ contender, batch: await warmUp(contender, warmUpMs, blockMs), samples: [] });
  }
  globalThis.gc?.();
  const end = performance.now() + seconds * 1000;
  for (let round = 0; rounds === undefined ? performance.now() < end : round < rounds; round++) {
    // Each round begins with another one, so that nobody always comes after the same neighbour.
    for (let i = 0; i < lanes.length; i++) await sample(lanes[(round + i) % lanes.length]);
  }
  return toRows(lanes);
}

/** Runs until the code is warm, and says how many runs fill a block. */
async function warmUp({ run }, warmUpMs, blockMs) {
  const start = performance.now();
  let runs = 0;
  let batch = 1;
  while (performance.now() - start < warmUpMs || runs < 3) {
    const blockStart = performance.now();
    for (let i = 0; i < batch; i++) await run();
    const took = performance.now() - blockStart;
    runs += batch;
    if (took < blockMs / 2) batch *= 2;
    else if (took > blockMs * 2) batch = Math.max(1, batch >> 1);
  }
  return batch;
}

async function sample({ contender: { run, per = 1 }, batch, samples }) {
  const start = performance.now();
  for (let i = 0; i < batch; i++) await run();
  samples.push(((performance.now() - start) / batch / per) * 1e6);
}

function toRows(lanes) {
  const rows = lanes.map(({ contender: { name, role, note }, samples }) => {
    const sorted = samples.toSorted((a, b) => a - b);
    return { name, role, note, p10: at(sorted, 0.1), median: at(sorted, 0.5), blocks: sorted.length };
  });
  return withRatios(rows);
}

/** Beside the first row, and beside the best of others who do the same job. */
export function withRatios(rows) {
  const limit = rows[0].p10;
  const peers = rows.filter(({ role }) => role === 'peer').map(({ p10 }) => p10);
  const best = peers.length === 0 ? undefined : Math.min(...peers);
  return rows.map((row) => ({
    ...row,
    ratio: row.p10 / limit,
    ...(best !== undefined && { toBestPeer: row.p10 / best }),
  }));
}

export function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The ratio of the first row that is ours. */
export function oursIn({ rows }) {
  return rows.find(({ role }) => role === 'ours').ratio;
}
