// The 100th fire of a fresh process: what an agent really pays, before the compiler has made the code fast.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inTurn } from '../fresh.mjs';
import { callbackPeerNames } from '../peers.mjs';

const PROGRAM = fileURLToPath(new URL('../lukewarm.mjs', import.meta.url));

export const lukewarmCases = {
  lukewarm: {
    title: 'the 100th fire of a fresh process, 1 callback that approves',
    limit: 'bare await',
    run: async ({ quick }) => {
      const contender = (name, role) => ({
        name,
        role,
        run: () => Number(execFileSync(process.execPath, [PROGRAM, name], { encoding: 'utf8' })),
      });
      const contenders = [
        contender('bare await callback(input)', 'limit'),
        contender('hookline, all guarantees on', 'ours'),
        ...callbackPeerNames().map((name) => contender(name, 'peer')),
      ];
      return { rows: inTurn(contenders, quick ? 7 : 25) };
    },
  },
};
