/** OpenAI Agents without hooks. */
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

setTracingDisabled(true);
const client = new OpenAI({ baseURL: `${process.env['MODEL_URL']}/v1` });
const model = new OpenAIChatCompletionsModel(client, 'test-model');

const bash = tool({
  name: 'Bash',
  description: 'Runs a command.',
  parameters: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});
const agent = new Agent({ name: 'Publisher', model, tools: [bash] });

const result = await run(agent, 'Publish it.');
console.log(result.finalOutput);
