/** The example of three agents: whichever mailbox they talk through, the same happens, and the same answer wins. */
import { spawnSync } from 'node:child_process';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { ORCHESTRATOR_TIMELINE } from '../../examples/orchestrator-timeline.js';

const root = new URL('../../../', import.meta.url);
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.warn('There is no redis-server here: the orchestrator is not tried over Redis.');

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
  expect(stdout).toBe(`three agents, over ${over}\n${ORCHESTRATOR_TIMELINE}`);
}

function run(over: string, options: { readonly reject?: boolean } = {}) {
  const args = ['examples/12-orchestrator.ts', '--over', over];
  return execa('tsx', args, { cwd: root, preferLocal: true, ...options });
}
