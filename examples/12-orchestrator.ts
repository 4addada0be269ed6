/**
 * Three agents in processes of their own work on the same task. Each answer reaches the others in the middle of their work,
 * with a copy of its files; one agent is killed; the others vote. `--over files` (default), `memory` or `redis`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openWorkspaces, PeerLabels } from './orchestrator/library.js';
import { type Address, openMailbox } from './orchestrator/mailboxes.js';
import { Orchestrator } from './orchestrator/orchestrate.js';
import { startRedis } from './orchestrator/redis-server.js';
import { startAgent } from './orchestrator/team.js';
import { Timeline } from './orchestrator/timeline.js';

const { values } = parseArgs({
  options: { over: { type: 'string', default: 'files' }, url: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'orchestrator-'));
const agents = ['ada', 'bob', 'cyd'];

// Every agent has a folder of its own. Ada's holds something that is nobody's business.
const folders = Object.fromEntries(agents.map((agentId) => [agentId, join(folder, 'work', agentId)]));
for (const path of Object.values(folders)) mkdirSync(path, { recursive: true });
writeFileSync(join(folders['ada'] ?? '', '.env'), 'PASSWORD=secret\n');

const workspaces = await openWorkspaces({
  directory: join(folder, 'shared'),
  agents: folders,
  labels: new PeerLabels({ agents, seed: 'an example' }),
});
const server = values.over === 'redis' && values.url === undefined ? await startRedis(folder) : undefined;

function addressOf(over: string | undefined): Address {
  if (over === 'memory') return { over };
  if (over === 'files') return { over, directory: join(folder, 'mailbox') };
  if (over === 'redis') return { over, url: values.url ?? server?.url ?? '', prefix: folder };
  throw new Error(`--over is ${over}; give files, memory or redis.`);
}

const address = addressOf(values.over);
const mailbox = await openMailbox(address);
const timeline = new Timeline();

const running: Record<string, ReturnType<typeof startAgent>> = {};
for (const agentId of agents) {
  const setup = { agentId, workspace: folders[agentId] ?? '', peers: await workspaces.folderFor(agentId) };
  running[agentId] = startAgent(setup, address, mailbox);
}
const orchestrator = new Orchestrator({ mailbox, workspaces, timeline, victim: 'cyd' }, running);

try {
  const winner = await orchestrator.run();
  console.log(`three agents, over ${address.over}`);
  console.log(timeline.print());
  for (const fate of await orchestrator.fates()) console.log(`answer ${fate}`);
  const { path } = await workspaces.snapshot(winner.author, { revision: winner.revision });
  console.log(`${winner.author} wins: ${readFileSync(join(path, 'slug.mjs'), 'utf8').trim()}`);
} finally {
  for (const agent of Object.values(running)) agent.kill();
  await mailbox.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
