/** The OpenAI SDK without hooks. */
import OpenAI from 'openai';

const { responses: api } = new OpenAI();
const model = 'gpt-5';

const bash = {
  name: 'Bash',
  description: 'Runs a command.',
  parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  run: async ({ command }: { command: string }) => `ran ${command}`,
};

const { run, ...definition } = bash;
const tools = [{ type: 'function' as const, strict: false, ...definition }];
const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Publish it.' }];
for (;;) {
  const response = await api.create({ model, input, tools });
  input.push(...(response.output as OpenAI.Responses.ResponseInput));
  const calls = response.output.filter((item) => item.type === 'function_call');
  for (const { call_id, arguments: text } of calls)
    input.push({ type: 'function_call_output', call_id, output: await run(JSON.parse(text)) });
  if (calls.length > 0) continue;
  console.log(response.output_text);
  break;
}
