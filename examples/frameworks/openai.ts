/** Hooks with the OpenAI SDK: its Responses API, and a loop around it. */
import { createHooks } from 'hookline/openai';
import OpenAI from 'openai';
import { mailbox, runner } from './shared/runner.js';

const { responses: api } = new OpenAI();
const model = 'gpt-5';

const bash = {
  name: 'Bash',
  description: 'Runs a command.',
  parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  run: async ({ command }: { command: string }) => `ran ${command}`,
};

const hooks = createHooks({ runner, mailbox });
const { text } = await hooks.runResponses('Publish it.', [bash], (turn) => api.create({ model, ...turn }));
console.log(text);
await hooks.end();
