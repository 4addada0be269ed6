/** Hooks with the Anthropic SDK. */
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { createHooks } from 'hookline/anthropic';
import { z } from 'zod';
import { mailbox, runner } from './shared/runner.js';

const { messages: api } = new Anthropic().beta;
const base = { model: 'claude-sonnet-5-5', max_tokens: 1024 };

const bash = betaZodTool({
  name: 'Bash',
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  run: async ({ command }) => `ran ${command}`,
});

const hooks = createHooks({ runner, mailbox });
const { message } = await hooks.run('Publish it.', [bash], (turn) => api.create({ ...base, ...turn }));
console.log(message?.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
await hooks.end();
