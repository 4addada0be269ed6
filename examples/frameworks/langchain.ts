/** Hooks in an agent on LangChain: a shell guard from `.claude/settings.json`, a callback, and a person's message. */
import { ChatOpenAI } from '@langchain/openai';
import { createTrustStore, loadClaudeSettings, Runner } from 'hookline';
import { createMailbox } from 'hookline/injection';
import { createHooks } from 'hookline/langchain';
import { createAgent, createMiddleware, tool } from 'langchain';
import { z } from 'zod';

const configuration = { baseURL: `${process.env['MODEL_URL']}/v1` };
const model = new ChatOpenAI({ model: 'test-model', configuration });

const Bash = tool(async ({ command }: { command: string }) => `ran ${command}`, {
  name: 'Bash',
  description: 'Runs a command.',
  schema: z.object({ command: z.string() }),
});

const runner = new Runner();
runner.use(await loadClaudeSettings({ trust: createTrustStore() }));
runner.on('Stop', ({ stop_hook_active: again }) => (again ? {} : { continue: true, reason: 'Sum it up.' }));
runner.messages.on('hook_started', ({ hook_name }) => console.log(`hook: ${hook_name}`));
const mailbox = createMailbox({ agents: ['main'] });
const source = { kind: 'human', label: 'Eva' } as const;
process.stdin.once('data', (line) => mailbox.put({ content: String(line), source })).unref();

const hooks = createHooks({ runner, mailbox });
const agent = createAgent({ model, tools: [Bash], middleware: [createMiddleware(hooks.middleware)] });
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Publish it.' }] });
console.log(messages.at(-1)?.text);
await hooks.end();
