/** The AI SDK without hooks. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';

const provider = createOpenAICompatible({ name: 'local', baseURL: `${process.env['MODEL_URL']}/v1` });
const model = provider('test-model');

const Bash = tool({
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});

const result = await generateText({
  model,
  tools: { Bash },
  stopWhen: stepCountIs(20),
  prompt: 'Publish it.',
});
console.log(result.text);
