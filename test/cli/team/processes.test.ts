/** `hookline team` with one process for each agent, over Redis and over files: one is killed, the winner is the same. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TeamResult } from '../../../src/team/index.js';
import { useRedis } from '../../injection/mailboxes/redis/support/bench.js';
import { hasRedis } from '../../injection/mailboxes/redis/support/server.js';
import { startBrains, type Think } from '../../team/support/brain-server.js';
import { call as callTool, saidIn, thinkAnswerThenVote, toolsIn } from '../../team/support/brains.js';
import { type Folder, folder } from '../support.js';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const THREE = ['ada', 'ben', 'cyd']
  .map((id) => `  - { id: ${id}, backend: { type: claude, model: brain-${id} } }`)
  .join('\n');
const QUESTION = 'How many legs?';
/** On a busy machine those that live give no sign for seconds. */
const LOST_AFTER_S = '12';
const redis = useRedis();

/** One agent in a process of its own. */
function start({ workspace, env }: Folder, url: string, agent: string, store: readonly string[]) {
  const args = [
    'team',
    'team.yaml',
    QUESTION,
    '--agent',
    agent,
    '--json',
    '--lost-after',
    LOST_AFTER_S,
    ...store,
  ];
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: workspace,
    env: {
      PATH: process.env['PATH'] ?? '',
      ...env,
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const out = text(child.stdout);
  const err = text(child.stderr);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal)),
  );
  return {
    kill: () => child.kill('SIGKILL'),
    ended,
    result: async (): Promise<TeamResult> => {
      const [code, json, errors] = await Promise.all([ended, out, err]);
      expect({ agent, code, errors: code === 0 ? '' : errors }).toEqual({ agent, code: 0, errors: '' });
      return JSON.parse(json) as TeamResult;
    },
  };
}

async function bench(cyd: Think) {
  const made = folder();
  const withFile: Think = (request) => {
    const think = thinkAnswerThenVote('eight legs', 'eight legs');
    const said = saidIn(request);
    if (toolsIn(request).includes('vote') && !said.includes('tool_result') && !said.includes('eight legs'))
      return callTool('Write', { file_path: 'legs.txt', content: 'eight\n' });
    return think(request);
  };
  const server = await startBrains({
    'brain-ada': thinkAnswerThenVote('six legs', 'eight legs'),
    'brain-ben': withFile,
    'brain-cyd': cyd,
  });
  onTestFinished(() => server.close());
  made.write('team.yaml', `agents:\n${THREE}\n`);
  return { ...made, server };
}

const LOST = { cyd: `its process gave no sign of life for ${LOST_AFTER_S} s` };

/** What must be the same however the agents are spread. */
const outcomeOf = ({ status, winner, final, votes }: TeamResult) => ({
  status,
  winner: `${winner?.agentId}.${winner?.revision}: ${winner?.votes} votes, ${winner?.content}`,
  final,
  votes: votes.map(({ agentId, for: choice }) => `${agentId}: ${choice.agentId}.${choice.revision}`).sort(),
});

async function inOneProcess(): Promise<ReturnType<typeof outcomeOf>> {
  const { call, server } = await bench(() => {
    throw new Error('cyd is gone');
  });
  vi.stubEnv('ANTHROPIC_API_KEY', 'test-key');
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
  return outcomeOf((await call(['team', 'team.yaml', QUESTION, '--json'])).json<TeamResult>());
}

async function inThreeProcesses(storeOf: (made: Folder) => readonly string[]) {
  let begins = (): void => {};
  const hasBegun = new Promise<void>((resolve) => {
    begins = resolve;
  });
  const made = await bench(() => {
    begins();
    // It thinks until it is killed.
    return new Promise(() => {});
  });
  const store = storeOf(made);
  const run = (agent: string) => start(made, made.server.url, agent, store);
  const [ada, ben, cyd] = [run('ada'), run('ben'), run('cyd')];
  await hasBegun;
  cyd.kill();
  expect(await cyd.ended).toBe('SIGKILL');
  const results = [await ada.result(), await ben.result()];
  // Whoever comes later is told what was decided.
  const later = await start(made, made.server.url, 'ada', store).result();
  return { results, later, made };
}

describe('a team in three processes', () => {
  it.skipIf(!hasRedis)(
    'TM-12 CL-51 over Redis, with one agent killed on the way, has the same winner as in one process',
    { timeout: 120_000 },
    async () => {
      const { results, later } = await inThreeProcesses(() => ['--redis', redis.server.url]);
      const alone = await inOneProcess();
      expect(alone).toMatchObject({ status: 'decided', final: 'Final: eight legs' });
      expect([...results, later].map(outcomeOf)).toEqual([alone, alone, alone]);
      expect([...results, later].map(({ left }) => left)).toEqual([LOST, LOST, LOST]);
    },
  );

  it('TM-12 CL-51 over files, with one agent killed on the way, has the same winner as in one process', {
    timeout: 120_000,
  }, async () => {
    const { results, later, made } = await inThreeProcesses(({ dir }) => ['--files', join(dir, 'store')]);
    const alone = await inOneProcess();
    expect([...results, later].map(outcomeOf)).toEqual([alone, alone, alone]);
    expect([...results, later].map(({ left }) => left)).toEqual([LOST, LOST, LOST]);
    // Ada got Ben's file, from another process.
    const told = made.server.requests.get('brain-ada')?.map(saidIn).join('');
    expect(told).toMatch(/can be read in \S+agent\d\.1/);
  });
});
