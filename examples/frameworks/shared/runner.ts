/** The hooks of all examples: shell guards from `.claude/settings.json` and `hookline.yaml`, a callback, a line for each decision, and a person's line on stdin. */
import { createTrustStore, deny, loadClaudeSettings, loadHooklineConfig, Runner } from 'hookline';
import { createMailbox } from 'hookline/injection';

export const [runner, trust] = [new Runner(), createTrustStore()];
for (const load of [loadClaudeSettings, loadHooklineConfig]) runner.use(await load({ trust }));
runner.on('Stop', ({ stop_hook_active: again }) => (again ? {} : deny('Sum it up.')));
runner.observe(({ event }) => ({ end: (o) => o.decision && console.log(event, o.decision, o.reason) }));
export const mailbox = createMailbox({ agents: ['main'] });
process.stdin.once('data', (msg) => mailbox.put({ content: `${msg}`, source: { kind: 'human' } })).unref?.();
