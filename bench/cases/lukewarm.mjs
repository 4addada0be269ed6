// The 100th fire of a fresh process: what an agent really pays, before the compiler has made the code fast.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { at } from '../measure.mjs';
import { callbackPeers } from '../peers.mjs';

const PROGRAM = fileURLToPath(new URL('../lukewarm.mjs', import.meta.url));
const LIMIT = 'bare await callback(input)';
const OURS = 'hookline, all guarantees on';

export const lukewarmCases = {
  lukewarm: {
    title: 'the 100th fire of a fresh process, 1 callback that approves',
    limit: 'bare await',
    run: async ({ quick }) => {
      const peers = (await callbackPeers(1)).map(({ name }) => name);
      const lanes = [LIMIT, OURS, ...peers].map((name) => ({ name, samples: [] }));
      for (let round = 0; round < (quick ? 7 : 25); round++)
        for (let i = 0; i < lanes.length; i++) {
          const { name, samples } = lanes[(round + i) % lanes.length];
          samples.push(Number(execFileSync(process.execPath, [PROGRAM, name], { encoding: 'utf8' })));
        }
      const rows = lanes.map(({ name, samples }, i) => {
        const sorted = samples.toSorted((a, b) => a - b);
        const role = i === 0 ? 'limit' : i === 1 ? 'ours' : 'peer';
        return { name, role, p10: at(sorted, 0.1), median: at(sorted, 0.5), blocks: sorted.length };
      });
      const best = Math.min(...rows.flatMap(({ role, p10 }) => (role === 'peer' ? [p10] : [])));
      return {
        rows: rows.map((row) => ({ ...row, ratio: row.p10 / rows[0].p10, toBestPeer: row.p10 / best })),
      };
    },
  },
};
