/** The AI SDK without hooks. */
import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';

const model = openai('gpt-5');

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
