// A command of a workspace that somebody approved, beside the same command registered in code: what checking its script costs.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { command, createTrustStore, loadClaudeSettings, Runner, trustSubjects } from '../../dist/index.js';
import { compare } from '../measure.mjs';
import { fire, LINE } from './commands.mjs';

const SCRIPT = './guard.sh';
/** What was changed within the last tick of a file system's clock is read again every time. */
const SETTLED_MS = 2500;

export const trustCases = {
  'trusted-command': {
    title: 'one command of a workspace that was approved',
    limit: 'the same command in code',
    run: async ({ quick }) => {
      const dir = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
      const workspace = join(dir, 'workspace');
      mkdirSync(join(workspace, '.claude'), { recursive: true });
      const hooks = [{ type: 'command', command: SCRIPT }];
      const settings = { hooks: { PreToolUse: [{ hooks }] } };
      writeFileSync(join(workspace, '.claude/settings.json'), JSON.stringify(settings));
      writeFileSync(join(workspace, SCRIPT), `#!/bin/sh\n${LINE}\n${'# so long is a guard\n'.repeat(100)}`);
      chmodSync(join(workspace, SCRIPT), 0o755);
      const inCode = new Runner({ cwd: workspace });
      inCode.on('PreToolUse', { dialect: 'claude-code' }, command(SCRIPT, { environment: 'scrub' }));
      const trusted = new Runner({ cwd: workspace });
      trusted.use(await loadApproved(dir, workspace));
      await sleep(SETTLED_MS);
      const contenders = [
        { name: 'in code', role: 'limit', run: () => fire(inCode) },
        { name: 'approved', role: 'ours', run: () => fire(trusted) },
      ];
      const rows = await compare(contenders, { rounds: quick ? 60 : 300, warmUpMs: 300, blockMs: 0 });
      await Promise.all([inCode.dispose(), trusted.dispose()]);
      rmSync(dir, { recursive: true });
      return { rows };
    },
  },
};

async function loadApproved(dir, workspace) {
  const trust = createTrustStore({ file: join(dir, 'trust', 'trust.json') });
  const load = () =>
    loadClaudeSettings({
      cwd: workspace,
      configDir: join(dir, 'home'),
      managedFile: join(dir, 'none'),
      trust,
    });
  await trust.approve(workspace, trustSubjects(await load()));
  return load();
}
