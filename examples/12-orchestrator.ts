/**
 * Three agents in processes of their own work on the same task. Each answer reaches the others in the middle of their work,
 * with a copy of its files; one agent is killed; the others vote. `--over files` (default), `memory` or `redis`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PeerLabels } from 'hookline/injection';
import { openWorkspaces } from './orchestrator/library.js';
import { type Address, openMailbox } from './orchestrator/mailboxes.js';
import { Orchestrator } from './orchestrator/orchestrate.js';
import { startRedis } from './orchestrator/redis-server.js';
import { type RunningAgent, startAgent } from './orchestrator/team.js';
import { Timeline } from './orchestrator/timeline.js';

const { values } = parseArgs({
  options: { over: { type: 'string', default: 'files' }, url: { type: 'string' } },
});
const { over } = values;
if (over !== 'files' && over !== 'memory' && over !== 'redis')
  throw new Error(`--over is ${over}; give files, memory or redis.`);

const agents = ['ada', 'bob', 'cyd'];
const folder = mkdtempSync(join(tmpdir(), 'orchestrator-'));
// What has been started is ended in the opposite order, whatever happens.
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];

/** Where the mailbox is. Without a `--url`, Redis is one of our own. */
async function findAddress(): Promise<Address> {
  if (over === 'memory') return { over };
  if (over === 'files') return { over, directory: join(folder, 'mailbox') };
  if (values.url !== undefined) return { over: 'redis', url: values.url, prefix: folder };
  const { url, stop } = await startRedis(folder);
  ends.push(stop);
  return { over: 'redis', url, prefix: folder };
}

try {
  // Every agent has a folder of its own. Ada's holds something that is nobody's business.
  const folders = Object.fromEntries(agents.map((agentId) => [agentId, join(folder, 'work', agentId)]));
  for (const path of Object.values(folders)) mkdirSync(path, { recursive: true });
  writeFileSync(join(folders['ada'] ?? '', '.env'), 'PASSWORD=secret\n');
  const workspaces = await openWorkspaces({
    directory: join(folder, 'shared'),
    agents: folders,
    labels: new PeerLabels({ agents, seed: 'three' }),
  });

  const address = await findAddress();
  const mailbox = await openMailbox(address);
  ends.push(() => mailbox.close());

  const running: Record<string, RunningAgent> = {};
  for (const [agentId, workspace] of Object.entries(folders)) {
    const setup = { agentId, workspace, peers: await workspaces.folderFor(agentId) };
    const agent = startAgent(setup, address, mailbox);
    running[agentId] = agent;
    ends.push(() => agent.kill());
  }

  const timeline = new Timeline();
  const orchestrator = new Orchestrator({ mailbox, workspaces, timeline, victim: 'cyd' }, running);
  const winner = await orchestrator.run();
  console.log(`three agents, over ${over}`);
  console.log(timeline.print());
  for (const fate of await orchestrator.fates()) console.log(`answer ${fate}`);
  const { path } = await workspaces.snapshot(winner.author, { revision: winner.revision });
  console.log(`${winner.author} wins: ${readFileSync(join(path, 'slug.mjs'), 'utf8').trim()}`);
} finally {
  for (const end of ends.reverse()) await end();
}
