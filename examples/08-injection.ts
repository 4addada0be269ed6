/** Two agents at once: what the quicker one finds, and what a person says, reaches the slower one in the middle of its work. */
import { Runner } from 'hookline';
import { AgentLoop, defineTool, scriptedModel } from 'hookline/agent';
import {
  AnswerBoard,
  createMailbox,
  injectionLine,
  PeerLabels,
  registerBuiltInHooks,
} from 'hookline/injection';
import { z } from 'zod';

const runner = new Runner();
const agents = ['ada', 'ben'];
const mailbox = createMailbox({ agents });
const board = new AnswerBoard({ labels: new PeerLabels({ agents, numbering: 'shared' }) });

let adaIsDone = (): void => {};
const ada = new Promise<void>((resolve) => {
  adaIsDone = resolve;
});

// Ben is held up behind his first tool until Ada has answered, so that her answer comes in the middle of his work.
const hooks = registerBuiltInHooks(runner.forAgent('ben'), {
  mailbox,
  peers: { board, policy: { firstUpdate: 'mid-stream' } },
  debugDelay: { seconds: 60, afterTools: 1, wait: () => ada },
});

const measure = defineTool({
  name: 'Measure',
  description: 'Measures something.',
  input: z.strictObject({ what: z.string() }),
  readOnly: true,
  run: ({ what }) => ({ ok: true, content: `${what}: 42 m`, response: { what, metres: 42 } }),
});

const call = (what: string) => ({ tools: [{ name: 'Measure', input: { what } }] });
const models = {
  ada: scriptedModel([call('the bridge'), { text: 'The bridge is 42 m long.' }]),
  ben: scriptedModel([call('the tower'), { text: 'Ada has the bridge. The tower is 42 m high.' }]),
};

async function work(agentId: 'ada' | 'ben'): Promise<void> {
  const loop = new AgentLoop({
    model: models[agentId],
    tools: [measure],
    hooks: runner,
    agentId,
    mailbox,
    transcripts: false,
  });
  for await (const message of loop.run('How large are the bridge and the tower?')) {
    if (message.type === 'system' && message.subtype === 'injection' && message.agent_id === agentId)
      console.log(injectionLine(message));
    if (message.type !== 'result') continue;
    board.publish(agentId, { content: message.result });
    console.log(`${agentId}: ${message.result}`);
  }
  await loop.close();
}

const ben = work('ben');
await work('ada');
await hooks.human.say({ content: 'Metres, please.', to: 'ben', label: 'Eva', id: 'eva-1' });
adaIsDone();
await ben;

console.log('\nWhat Ben read behind his measurement:');
const [, second] = models.ben.requests;
for (const block of second?.messages.at(-1)?.content ?? [])
  if (block.type === 'tool_result' && typeof block.content !== 'string')
    for (const part of block.content) if ('text' in part) console.log(part.text);

await runner.dispose();
