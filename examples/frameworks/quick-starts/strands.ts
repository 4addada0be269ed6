/** Strands without hooks. */
import * as strands from '@strands-agents/sdk';
import { AnthropicModel } from '@strands-agents/sdk/models/anthropic';
import { z } from 'zod';

const model = new AnthropicModel({ modelId: 'claude-sonnet-5-5', maxTokens: 1024 });

const bash = strands.tool({
  name: 'Bash',
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  callback: ({ command }) => `ran ${command}`,
});

const agent = new strands.Agent({ model, tools: [bash], printer: false });
const { lastMessage } = await agent.invoke('Publish it.');
console.log(lastMessage.content.map((block) => (block.type === 'textBlock' ? block.text : '')).join(''));
