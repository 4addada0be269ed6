/** The example of three agents: whichever mailbox they talk through, the same happens, and the same answer wins. */
import { spawnSync } from 'node:child_process';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.warn('There is no redis-server here: the orchestrator is not tried over Redis.');

const TIMELINE = ` 1  ada  starts
 1  bob  starts
 1  cyd  starts
 2  ada  hands in an answer (.env stays behind, secret)
 2  bob  runs its tests
 2  cyd  builds something large
 3  ada  runs its tests
 3  bob  is sent ada's answer as agent1.1, with slug.mjs
 3  cyd  is sent ada's answer as agent1.1, with slug.mjs
 4  bob  hands in an answer
 4  cyd  is killed in the middle of its work
 5  ada  is sent bob's answer as agent3.1, with slug.mjs
 5  bob  votes for agent2.1, which is bob's
 5  cyd  was never told of ada.1 for cyd: it is carried over
 6  ada  votes for agent3.1, which is bob's
answer ada.1 for bob: delivered
answer ada.1 for cyd: carried
answer bob.1 for ada: delivered
bob wins: export const slug = (text) => text.trim().toLowerCase().replaceAll(/\\s+/g, '-');`;

/** Starting four programs takes a while on a busy machine. */
describe('the orchestrator', { timeout: 120_000 }, () => {
  it.each(['memory', 'files'])('ends with the same winner over %s', (over) => check(over));
  it.skipIf(!hasRedis)('ends with the same winner over redis', () => check('redis'));

  it('says what it can talk over', async () => {
    const { stderr, exitCode } = await run('pigeons', { reject: false });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('--over is pigeons; give files, memory or redis.');
  });
});

async function check(over: string): Promise<void> {
  const { stdout, stderr } = await run(over);
  expect(stderr).toBe('');
  expect(stdout).toBe(`three agents, over ${over}\n${TIMELINE}`);
}

function run(over: string, options: { readonly reject?: boolean } = {}) {
  const args = ['examples/12-orchestrator.ts', '--over', over];
  return execa('tsx', args, { cwd: root, preferLocal: true, ...options });
}
