/** A team whose mailbox fails: a server that restarts is waited for, one that stays away ends the team with an error. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadMassgenConfig } from '../../src/dialects/massgen/load.js';
import { openFileMailbox } from '../../src/injection/mailboxes/files/index.js';
import { openRedisMailbox } from '../../src/injection/mailboxes/redis/index.js';
import type { Mailbox } from '../../src/injection/port.js';
import { runTeam, type TeamOptions, type TeamResult } from '../../src/team/index.js';
import { hasRedis, RedisServer } from '../injection/mailboxes/redis/support/server.js';
import { brainModel, thinkAnswerThenVote } from './support/brains.js';

function temporary(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-outage-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Two agents; `before` is called before the first answer. */
async function team(
  mailbox: Mailbox,
  log: Mailbox,
  before: () => unknown,
  options: Partial<TeamOptions> = {},
): Promise<TeamResult> {
  const directory = temporary();
  const config = await loadMassgenConfig({
    text: 'agents: [{ id: ada }, { id: ben }]',
    file: join(directory, 'team.yaml'),
  });
  onTestFinished(() => config.dispose());
  let first: unknown;
  const modelFor: TeamOptions['modelFor'] = ({ id }) => {
    const think = thinkAnswerThenVote(id === 'ben' ? 'eight legs' : 'six legs', 'eight legs');
    return brainModel(async (request) => {
      first ??= before();
      await first;
      return think(request);
    });
  };
  return runTeam(config, 'How many legs?', { directory, modelFor, mailbox, log, ...options });
}

async function startServer(): Promise<RedisServer> {
  const server = await RedisServer.start({ args: ['--appendonly', 'yes'] });
  onTestFinished(() => server.stop());
  return server;
}

async function openAt(server: RedisServer, prefix: string): Promise<Mailbox> {
  const mailbox = await openRedisMailbox({ url: server.url, prefix, maxContentLength: 1_000_000 });
  onTestFinished(() => mailbox.close());
  return mailbox;
}

describe('a team whose mailbox fails', { timeout: 60_000 }, () => {
  it.skipIf(!hasRedis)('TM-12 waits for a server that restarts', async () => {
    const server = await startServer();
    const [mailbox, log] = [await openAt(server, 'mailbox'), await openAt(server, 'log')];
    let restarting: Promise<void> | undefined;
    // The server comes back only after a call was refused.
    const restart = (error: unknown): never => {
      restarting ??= server.begin();
      throw error;
    };
    const failing: Mailbox = {
      ...bound(log),
      put: (item) => log.put(item).catch(restart),
      pending: (agentId) => log.pending(agentId).catch(restart),
    };
    const { winner, left } = await team(mailbox, failing, () => server.kill());
    expect(restarting).toBeDefined();
    expect({ winner: winner?.agentId, votes: winner?.votes, left }).toEqual({
      winner: 'ben',
      votes: 2,
      left: {},
    });
  });

  it.skipIf(!hasRedis)('TM-12 rejects when the server stays away', async () => {
    const server = await startServer();
    const [mailbox, log] = [await openAt(server, 'mailbox'), await openAt(server, 'log')];
    await expect(team(mailbox, log, () => server.kill(), { joinSeconds: 0.5 })).rejects.toThrow(
      'Redis cannot be reached',
    );
  });

  it('TM-12 rejects when the folder of its mailbox is removed', async () => {
    const directory = temporary();
    const mailbox = await openFileMailbox({ directory: join(directory, 'box'), maxContentLength: 1_000_000 });
    onTestFinished(() => mailbox.close().catch(() => {}));
    const remove = () => rmSync(join(directory, 'box'), { recursive: true });
    await expect(team(mailbox, mailbox, remove)).rejects.toThrow('reopen the mailbox');
  });
});

const bound = (mailbox: Mailbox): Mailbox => ({
  put: (item) => mailbox.put(item),
  take: (request) => mailbox.take(request),
  pending: (agentId) => mailbox.pending(agentId),
  carryOver: (agentId) => mailbox.carryOver(agentId),
  status: (id) => mailbox.status(id),
  onChange: (listener) => mailbox.onChange(listener),
  close: () => mailbox.close(),
});
