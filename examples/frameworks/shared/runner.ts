/** The hooks of all examples: shell guards from `.claude/settings.json` and `hookline.yaml`, a callback, progress messages, and a person's line on stdin. */
import { createTrustStore, loadClaudeSettings, loadHooklineConfig, Runner } from 'hookline';
import { createMailbox } from 'hookline/injection';

export const [runner, trust] = [new Runner(), createTrustStore()];
for (const load of [loadClaudeSettings, loadHooklineConfig]) runner.use(await load({ trust }));
runner.on('Stop', ({ stop_hook_active: again }) => (again ? {} : { continue: true, reason: 'Sum it up.' }));
runner.messages.on('hook_started', ({ hook_name }) => console.log(`hook: ${hook_name}`));
export const mailbox = createMailbox({ agents: ['main'] });
process.stdin.once('data', (msg) => mailbox.put({ content: `${msg}`, source: { kind: 'human' } })).unref?.();
