/** Hooks with the Anthropic SDK: a shell guard from `.claude/settings.json`, a callback, and a person's message. */
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { createTrustStore, loadClaudeSettings, Runner } from 'hookline';
import { createHooks } from 'hookline/anthropic';
import { createMailbox } from 'hookline/injection';
import { z } from 'zod';

const { messages: api } = new Anthropic({ baseURL: process.env['MODEL_URL'] }).beta;
const base = { model: 'test-model', max_tokens: 1024 };

const bash = betaZodTool({
  name: 'Bash',
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  run: async ({ command }) => `ran ${command}`,
});

const runner = new Runner();
runner.use(await loadClaudeSettings({ trust: createTrustStore() }));
runner.on('Stop', ({ stop_hook_active: again }) => (again ? {} : { continue: true, reason: 'Sum it up.' }));
runner.messages.on('hook_started', ({ hook_name }) => console.log(`hook: ${hook_name}`));
const mailbox = createMailbox({ agents: ['main'] });
const source = { kind: 'human', label: 'Eva' } as const;
process.stdin.once('data', (line) => mailbox.put({ content: String(line), source })).unref();

const hooks = createHooks({ runner, mailbox });
const { message } = await hooks.run('Publish it.', [bash], (turn) => api.create({ ...base, ...turn }));
console.log(message?.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
await hooks.end();
