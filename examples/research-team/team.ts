/** Three agents answer, read each other's answers and vote; the winner presents the result. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadMassgenConfig } from 'hookline';
import { runTeam } from 'hookline/team';
import { researcher } from './researcher.js';

const config = await loadMassgenConfig(join(import.meta.dirname, 'team.yaml'), { trust: 'workspace' });
const directory = mkdtempSync(join(tmpdir(), 'research-team-'));

const ANSWERS: Readonly<Record<string, string>> = {
  ada: 'The bridge is 42 m long, measured twice.',
  ben: 'About 40 m.',
  cleo: 'The bridge is 42 m long.',
};

const { winner, final } = await runTeam(config, 'How long is the bridge?', {
  modelFor: ({ id }) => researcher(ANSWERS[id] ?? ''),
  directory,
  onEvent(event) {
    if (event.type === 'answer') console.log(`${event.agentId} answers: ${event.content}`);
    if (event.type === 'vote')
      console.log(`${event.agentId} votes for ${event.for.agentId}: ${event.reason}`);
  },
});
console.log('winner:', winner?.agentId, final);
await config.dispose();
rmSync(directory, { recursive: true });
