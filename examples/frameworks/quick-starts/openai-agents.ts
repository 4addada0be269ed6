/** OpenAI Agents without hooks. */
import { Agent, run, tool } from '@openai/agents';
import { z } from 'zod';

const bash = tool({
  name: 'Bash',
  description: 'Runs a command.',
  parameters: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});
const agent = new Agent({ name: 'Publisher', model: 'gpt-5', tools: [bash] });

const result = await run(agent, 'Publish it.');
console.log(result.finalOutput);
