/** Hooks in an agent on LangChain. */
import { ChatOpenAI } from '@langchain/openai';
import { createHooks } from 'hookline/langchain';
import { createAgent, createMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { mailbox, runner } from './shared/runner.js';

const model = new ChatOpenAI({ model: 'gpt-5' });

const Bash = tool(async ({ command }: { command: string }) => `ran ${command}`, {
  name: 'Bash',
  description: 'Runs a command.',
  schema: z.object({ command: z.string() }),
});

const hooks = createHooks({ runner, mailbox });
const agent = createAgent({ model, tools: [Bash], middleware: [createMiddleware(hooks.middleware)] });
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Publish it.' }] });
console.log(messages.at(-1)?.text);
await hooks.end();
