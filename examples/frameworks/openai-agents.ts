/** Hooks in an agent on OpenAI Agents: a shell guard from `.claude/settings.json`, a callback, and a person's message. */
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import { createTrustStore, loadClaudeSettings, Runner } from 'hookline';
import { createMailbox } from 'hookline/injection';
import { createHooks } from 'hookline/openai-agents';
import OpenAI from 'openai';
import { z } from 'zod';

setTracingDisabled(true);
const client = new OpenAI({ baseURL: `${process.env['MODEL_URL']}/v1` });
const model = new OpenAIChatCompletionsModel(client, 'test-model');

const runner = new Runner();
runner.use(await loadClaudeSettings({ trust: createTrustStore() }));
runner.on('Stop', ({ stop_hook_active: again }) => (again ? {} : { continue: true, reason: 'Sum it up.' }));
runner.messages.on('hook_started', ({ hook_name }) => console.log(`hook: ${hook_name}`));
const mailbox = createMailbox({ agents: ['main'] });
const source = { kind: 'human', label: 'Eva' } as const;
process.stdin.once('data', (line) => mailbox.put({ content: String(line), source })).unref();

const hooks = createHooks({ runner, mailbox });
const bash = tool({
  name: 'Bash',
  description: 'Runs a command.',
  parameters: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});
const agent = new Agent({ name: 'Publisher', model, tools: hooks.tools([bash]) });

const { result } = await hooks.run(agent, 'Publish it.', (...turn) => run(...turn));
console.log(result?.finalOutput);
await hooks.end();
