/** Hooks in an agent on the AI SDK: a shell guard from `.claude/settings.json`, a callback, and a person's message. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, tool } from 'ai';
import { createTrustStore, loadClaudeSettings, Runner } from 'hookline';
import { createHooks } from 'hookline/ai-sdk';
import { createMailbox } from 'hookline/injection';
import { z } from 'zod';

const provider = createOpenAICompatible({ name: 'local', baseURL: `${process.env['MODEL_URL']}/v1` });
const model = provider('test-model');

const Bash = tool({
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});

const runner = new Runner();
runner.use(await loadClaudeSettings({ trust: createTrustStore() }));
runner.on('Stop', ({ stop_hook_active: again }) => (again ? {} : { continue: true, reason: 'Sum it up.' }));
runner.messages.on('hook_started', ({ hook_name }) => console.log(`hook: ${hook_name}`));
const mailbox = createMailbox({ agents: ['main'] });
const source = { kind: 'human', label: 'Eva' } as const;
process.stdin.once('data', (line) => mailbox.put({ content: String(line), source })).unref();

const hooks = createHooks({ runner, mailbox, stopWhen: stepCountIs(20) });
const tools = hooks.tools({ Bash });
const { result } = await hooks.run('Publish it.', (turn) => generateText({ model, tools, ...turn }));
console.log(result?.text);
await hooks.end();
