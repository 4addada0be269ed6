/** Hooks in an agent on Strands. */
import * as strands from '@strands-agents/sdk';
import { AnthropicModel } from '@strands-agents/sdk/models/anthropic';
import { createHooks } from 'hookline/strands';
import { z } from 'zod';
import { mailbox, runner } from './shared/runner.js';

const model = new AnthropicModel({ modelId: 'claude-sonnet-5-5', maxTokens: 1024 });

const bash = strands.tool({
  name: 'Bash',
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  callback: ({ command }) => `ran ${command}`,
});

const hooks = createHooks({ runner, mailbox });
const plugins = [hooks.plugin(strands)];
const agent = new strands.Agent({ model, tools: [bash], printer: false, plugins });
const { lastMessage } = await agent.invoke('Publish it.');
console.log(lastMessage.content.map((block) => (block.type === 'textBlock' ? block.text : '')).join(''));
await hooks.end();
