/** Hooks in an agent on the AI SDK. */
import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs, tool } from 'ai';
import { createHooks } from 'hookline/ai-sdk';
import { z } from 'zod';
import { mailbox, runner } from './shared/runner.js';

const model = openai('gpt-5');

const Bash = tool({
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});

const hooks = createHooks({ runner, mailbox, stopWhen: stepCountIs(20) });
const tools = hooks.tools({ Bash });
const { result } = await hooks.run('Publish it.', (turn) => generateText({ model, tools, ...turn }));
console.log(result?.text);
await hooks.end();
