/** Strands without hooks. */
import * as strands from '@strands-agents/sdk';
import { AnthropicModel } from '@strands-agents/sdk/models/anthropic';
import { z } from 'zod';

const clientConfig = { baseURL: process.env['MODEL_URL'] };
const model = new AnthropicModel({ modelId: 'test-model', maxTokens: 1024, clientConfig });

const bash = strands.tool({
  name: 'Bash',
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  callback: ({ command }) => `ran ${command}`,
});

const agent = new strands.Agent({ model, tools: [bash], printer: false });
const { lastMessage } = await agent.invoke('Publish it.');
console.log(lastMessage.content.map((block) => (block.type === 'textBlock' ? block.text : '')).join(''));
