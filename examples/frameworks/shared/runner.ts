/** The hooks of all examples: shell guards from `.claude/settings.json`, a callback, progress messages, and a person's line on stdin. */
import { createTrustStore, loadClaudeSettings, Runner } from 'hookline';
import { createMailbox } from 'hookline/injection';

export const runner = new Runner();
runner.use(await loadClaudeSettings({ trust: createTrustStore() }));
runner.on('Stop', ({ stop_hook_active: again }) => (again ? {} : { continue: true, reason: 'Sum it up.' }));
runner.messages.on('hook_started', ({ hook_name }) => console.log(`hook: ${hook_name}`));
export const mailbox = createMailbox({ agents: ['main'] });
process.stdin.once('data', (msg) => mailbox.put({ content: `${msg}`, source: { kind: 'human' } })).unref?.();
