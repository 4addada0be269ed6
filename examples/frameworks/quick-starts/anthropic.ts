/** The Anthropic SDK without hooks. */
import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { z } from 'zod';

const { messages: api } = new Anthropic().beta;
const base = { model: 'claude-sonnet-5-5', max_tokens: 1024 };

const bash = betaZodTool({
  name: 'Bash',
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  run: async ({ command }) => `ran ${command}`,
});

const messages = [{ role: 'user' as const, content: 'Publish it.' }];
const message = await api.toolRunner({ ...base, tools: [bash], messages });
console.log(message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
