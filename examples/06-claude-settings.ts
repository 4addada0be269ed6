/** Hooks of a Claude settings file, unchanged, under your own loop: trusted first, then explained, then fired. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTrustStore, loadClaudeSettings, Runner, trustSubjects } from 'hookline';

const workspace = fileURLToPath(new URL('projects/claude', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'example-'));
const trust = createTrustStore({ file: join(home, 'trust.json') });
const load = () => loadClaudeSettings({ cwd: workspace, configDir: home, trust });

// Nothing that comes with a workspace runs before somebody has approved it.
let settings = await load();
for (const { message } of settings.diagnostics) console.log(message);
await trust.approve(workspace, trustSubjects(settings));
settings = await load();

const runner = new Runner({ cwd: workspace });
runner.use(settings);

for (const command of ['git status', 'git push --force']) {
  const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'call-1' };
  const [hook] = runner.explain('PreToolUse', call).hooks;
  console.log(`${command}: ${hook?.runs ? 'the guard is asked' : `the guard is not asked (${hook?.why})`}`);
  const { decision, reason } = await runner.fire('PreToolUse', call);
  if (decision === 'deny') console.log(`  denied: ${reason}`);
}

await runner.dispose();
rmSync(home, { recursive: true });
