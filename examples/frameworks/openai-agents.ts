/** Hooks in an agent on OpenAI Agents. */
import { Agent, run, tool } from '@openai/agents';
import { createHooks } from 'hookline/openai-agents';
import { z } from 'zod';
import { mailbox, runner } from './shared/runner.js';

const hooks = createHooks({ runner, mailbox });
const bash = tool({
  name: 'Bash',
  description: 'Runs a command.',
  parameters: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});
const agent = new Agent({ name: 'Publisher', model: 'gpt-5', tools: hooks.tools([bash]) });

const { result } = await hooks.run(agent, 'Publish it.', (...turn) => run(...turn));
console.log(result?.finalOutput);
await hooks.end();
