/** Mastra without hooks. */
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const Bash = createTool({
  id: 'Bash',
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});

const agent = new Agent({
  id: 'publisher',
  name: 'Publisher',
  instructions: 'You publish packages.',
  model: 'openai/gpt-5',
  tools: { Bash },
});
const result = await agent.generate('Publish it.', { maxSteps: 20 });
console.log(result.text);
