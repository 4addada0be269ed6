/**
 * A team with a process for each agent, over a directory, or over Redis with `--redis URL`. One agent is killed in the
 * middle of its work; the others do not wait for it, and decide.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadMassgenConfig } from 'hookline';
import { openFileMailbox } from 'hookline/files';
import type { Mailbox } from 'hookline/injection';
import { openRedisMailbox } from 'hookline/redis';
import { runTeam } from 'hookline/team';
import { researcher } from './research-team/researcher.js';

const ANSWERS: Readonly<Record<string, string>> = {
  ada: 'The bridge is 42 m long, measured twice.',
  ben: 'About 40 m.',
};

const { values } = parseArgs({
  options: { redis: { type: 'string' }, agent: { type: 'string' }, directory: { type: 'string' } },
});
const { redis, agent } = values;
const directory = values.directory ?? mkdtempSync(join(tmpdir(), 'several-processes-'));

/** Every process opens the same one. */
function open(name: string): Promise<Mailbox> {
  const maxContentLength = 1_000_000;
  return redis === undefined
    ? openFileMailbox({ directory: join(directory, name), pollMs: 100, maxContentLength })
    : openRedisMailbox({ url: redis, prefix: join(directory, name), watch: true, maxContentLength });
}

/** One agent of the team, in this process. */
async function work(agentId: string): Promise<void> {
  const config = await loadMassgenConfig({
    text: 'agents: [{ id: ada }, { id: ben }, { id: cyd }]',
    file: join(directory, 'team.yaml'),
  });
  const [mailbox, log] = [await open('mailbox'), await open('log')];
  const { winner, left } = await runTeam(config, 'How long is the bridge?', {
    session: 'bridge',
    agents: [agentId],
    mailbox,
    log,
    directory: join(directory, 'files'),
    lostSeconds: 5,
    modelFor: ({ id }) => researcher(ANSWERS[id]),
    onEvent: ({ type }) => type === 'round' && process.send?.(type),
  });
  console.log(`${agentId} knows: ${winner?.agentId} wins with ${winner?.votes} votes;`, left);
  await mailbox.close();
  await log.close();
  process.disconnect();
}

/** Starts an agent in a process of its own. */
function start(agentId: string) {
  const args = [
    '--agent',
    agentId,
    '--directory',
    directory,
    ...(redis === undefined ? [] : ['--redis', redis]),
  ];
  const child = fork(import.meta.filename, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += String(chunk);
  });
  return {
    hasBegun: new Promise((resolve) => child.once('message', resolve)),
    kill: () => child.kill('SIGKILL'),
    ended: new Promise<string>((resolve) => child.once('close', () => resolve(text.trim()))),
  };
}

if (agent !== undefined) await work(agent);
else {
  const [ada, ben, cyd] = [start('ada'), start('ben'), start('cyd')];
  try {
    // Its model has no answer and thinks for ever.
    await cyd.hasBegun;
    cyd.kill();
    for (const { ended } of [ada, ben, cyd]) console.log((await ended) || 'cyd was killed');
  } finally {
    for (const each of [ada, ben, cyd]) each.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}
