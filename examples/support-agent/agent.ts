/** A support agent whose refunds are approved by a person on a page. */
import { ask, deny, Runner } from 'hookline';
import { AgentLoop, type CanUseTool, defineTool, scriptedModel } from 'hookline/agent';
import { createHumanInput, createMailbox, parseFrames } from 'hookline/injection';
import { startLiveView } from 'hookline/live';
import { z } from 'zod';

const attended = process.stdout.isTTY;
const mailbox = createMailbox({ agents: ['support'] });
const human = createHumanInput({ mailbox, label: 'Eva' });
await using live = await startLiveView({ mailbox, human, title: 'Support' });
await using runner = new Runner();
live.watch(runner);
human.register(runner);

runner.on(
  'PreToolUse',
  { matcher: 'Refund', name: 'limit', onFailure: 'block', last: true },
  ({ tool_input }) => {
    const { amount } = tool_input as { amount: number };
    if (amount > 500) return deny('Nobody refunds more than 500 here.');
    return amount > 50 ? ask('A person approves refunds above 50.') : undefined;
  },
);

const refund = defineTool({
  name: 'Refund',
  description: 'Refunds an order.',
  input: z.object({ order: z.string(), amount: z.number() }),
  run: ({ order, amount }) => ({
    ok: true,
    content: `${amount} refunded for ${order}`,
    response: { amount },
  }),
});

/** In CI the person says yes, and has something to add. */
const says: CanUseTool = async (tool, input, { decisionReason }) => {
  console.log(`question: ${tool} ${JSON.stringify(input)} (${decisionReason})`);
  await human.say({ content: 'Apologise, please.', to: 'support' });
  return { behavior: 'allow', updatedInput: input };
};

const call = (amount: number) => ({ tools: [{ name: 'Refund', input: { order: 'A-17', amount } }] });
const model = scriptedModel([call(900), call(120), { text: 'We are sorry. 120 is on its way to you.' }]);
await using loop = new AgentLoop({
  model,
  tools: [refund],
  hooks: runner,
  mailbox,
  agentId: 'support',
  transcripts: false,
  permissions: { allow: ['Refund'] },
  canUseTool: attended ? live.canUseTool('support') : says,
});
if (attended) console.log(`Open ${live.url}`);
for await (const message of live.follow(loop.run('My lamp arrived broken. I want my money back.'), {
  agentId: 'support',
})) {
  if (message.type === 'result') console.log(`answer: ${message.result}`);
}

// What the model was told, in the order in which it was told.
for (const { content } of model.requests.at(-1)?.messages ?? []) {
  for (const block of content) {
    if (block.type !== 'tool_result') continue;
    const parts = typeof block.content === 'string' ? [block.content] : block.content;
    for (const part of parts) {
      const text = typeof part === 'string' ? part : 'text' in part ? part.text : '';
      const frames = parseFrames(text);
      if (frames.length === 0) console.log(`tool: ${text}`);
      for (const { source, content: words } of frames) console.log(`${source.label}: ${words}`);
    }
  }
}
