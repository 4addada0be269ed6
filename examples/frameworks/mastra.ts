/** Hooks in an agent on Mastra. */
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { createHooks } from 'hookline/mastra';
import { z } from 'zod';
import { mailbox, runner } from './shared/runner.js';

const Bash = createTool({
  id: 'Bash',
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});

const hooks = createHooks({ runner, mailbox });
const agent = new Agent({
  id: 'publisher',
  name: 'Publisher',
  instructions: 'You publish packages.',
  model: 'openai/gpt-5',
  tools: hooks.tools({ Bash }),
});
const { result } = await hooks.run('Publish it.', (...turn) => agent.generate(...turn));
console.log(result?.text);
await hooks.end();
