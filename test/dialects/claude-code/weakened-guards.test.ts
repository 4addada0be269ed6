/** An approved guard is not lost by what files say about it, and does not refuse any more once a person accepts that it is gone. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  attachConfig,
  createTrustStore,
  loadMassgenConfig,
  Runner,
  trustSubjects,
} from '../../../src/index.js';
import { bash } from '../../support/runner.js';
import { place, settings } from './support.js';

const SETTINGS = 'workspace/.claude/settings.json';
const LOCAL = 'workspace/.claude/settings.local.json';

function guarded() {
  const where = place();
  const trust = createTrustStore({ file: join(where.dir, 'trust', 'trust.json') });
  const load = () => where.load({ trust });
  where.write('workspace/guard.sh', '#!/bin/sh\necho guarded >&2\nexit 2\n');
  where.write('workspace/other.sh', '#!/bin/sh\nexit 0\n');
  const approve = async () => trust.approve(where.workspace, trustSubjects(await load()));
  /** As `trust approve` does. */
  const accept = async () => {
    const gone = (await load()).missing?.map(({ fingerprint }) => fingerprint) ?? [];
    return trust.withdraw(where.workspace, gone);
  };
  const session = async () => {
    const runner = new Runner({ cwd: where.workspace, onWarning: () => {} });
    const live = await attachConfig(runner, load);
    onTestFinished(async () => {
      live.close();
      await runner.dispose();
    });
    const decide = async () => (await runner.fire('PreToolUse', bash())).decision;
    return { live, decide };
  };
  return { ...where, load, approve, accept, session };
}

it('TR-24 a changed guard of a skill refuses each time, also if it says that it runs once', async () => {
  const { write, load, approve, runner } = guarded();
  const skill = (more: object) => {
    const { hooks } = settings('PreToolUse', { type: 'command', command: './guard.sh', ...more }) as {
      hooks: object;
    };
    write('workspace/.claude/skills/deploy/SKILL.md', `---\nhooks: ${JSON.stringify(hooks)}\n---\nDeploy.`);
  };
  skill({});
  await approve();
  skill({ once: true });
  const used = runner(await load());
  const decide = async () =>
    (await used.fire('PreToolUse', { ...bash(), active_skills: ['deploy'] })).decision;
  expect([await decide(), await decide()]).toEqual(['deny', 'deny']);
});

it('CF-22 a guard does not go because another approved version of it comes back', async () => {
  const { write, approve, session, workspace } = guarded();
  const guard = { type: 'command', command: './guard.sh' };
  const narrow = settings('PreToolUse', { ...guard, if: 'Bash(never:*)' });
  write(SETTINGS, settings('PreToolUse', guard, './other.sh'));
  write(LOCAL, narrow);
  await approve();
  rmSync(join(workspace, '.claude/settings.local.json'));
  const { live, decide } = await session();
  expect(await decide()).toBe('deny');
  write(SETTINGS, {});
  write(LOCAL, narrow);
  await live.reload();
  expect(await decide()).toBe('deny');
});

it.each(['its entry', 'its entry and its script'])(
  'TR-25 a session lets go of a guard of which a person accepts that it is gone: %s',
  async (what) => {
    const { write, approve, accept, session, workspace } = guarded();
    write(SETTINGS, settings('PreToolUse', './guard.sh'));
    await approve();
    const { live, decide } = await session();
    write(SETTINGS, {});
    if (what.includes('script')) rmSync(join(workspace, 'guard.sh'));
    await live.reload();
    expect(await decide()).toBe('deny');
    expect(await accept()).toBe(1);
    expect(await decide()).toBeUndefined();
    await live.reload();
    expect(await decide()).toBeUndefined();
  },
);

it('MG-11 a file of a workspace does not switch off hooks of others before it is approved', async () => {
  const { workspace, write } = guarded();
  const file = write(
    'workspace/team.yaml',
    'agents:\n  - id: a\n    backend:\n      type: openai\n      model: x\n      hooks:\n        PreToolUse: { override: true, hooks: [] }\n',
  );
  const decide = async (options: Parameters<typeof loadMassgenConfig>[1]) => {
    const runner = new Runner({ cwd: workspace, onWarning: () => {} });
    runner.on('PreToolUse', () => ({ decision: 'block' as const, reason: 'mine' }));
    runner.use(await loadMassgenConfig(file, options));
    onTestFinished(() => runner.dispose());
    return (await runner.fire('PreToolUse', bash(), { agentId: 'a' })).decision;
  };
  expect(await decide({ layer: 'project' })).toBe('deny');
  expect(await decide({ layer: 'file' })).toBeUndefined();
});
