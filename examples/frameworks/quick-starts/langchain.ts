/** LangChain without hooks. */
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';

const model = new ChatOpenAI({ model: 'gpt-5' });

const Bash = tool(async ({ command }: { command: string }) => `ran ${command}`, {
  name: 'Bash',
  description: 'Runs a command.',
  schema: z.object({ command: z.string() }),
});

const agent = createAgent({ model, tools: [Bash] });
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Publish it.' }] });
console.log(messages.at(-1)?.text);
