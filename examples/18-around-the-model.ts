/** Before and after each request to the model: redaction, routing, a cache and an audit log. */
import { Runner } from 'hookline';
import { AgentLoop, PostModelCall, PreModelCall, scriptedModel } from 'hookline/agent';

await using runner = new Runner({ events: { PreModelCall, PostModelCall } });
// Hooks of every kind can do this: shell hooks get the same as JSON.
runner.on('PostModelCall', ({ model, purpose, content }) =>
  console.log(`  audit: ${model} answered a ${purpose} with ${content.length} block(s)`),
);

const small = scriptedModel([{ text: 'It is 4.' }], { name: 'small' });
const large = scriptedModel([{ text: 'I keep [number] to myself.' }], { name: 'large' });
const cache = new Map<string, string>();
const hideNumbers = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(/\b(?:\d[ -]?){12,}\b/g, '[number]')) as T;

const loop = new AgentLoop({
  model: large,
  hooks: runner,
  transcripts: false,
  // A failure here refuses the request: what could not be redacted is not sent.
  beforeModel: ({ messages }) => {
    const [block] = messages.at(-1)?.content ?? [];
    const asked = block?.type === 'text' ? block.text : '';
    const known = cache.get(asked);
    if (known !== undefined) return { answer: { content: [{ type: 'text', text: known }] } };
    if (asked.startsWith('Delete')) return { refuse: 'this agent deletes nothing' };
    return { messages: hideNumbers(messages), model: asked.length < 10 ? small : large };
  },
  afterModel: ({ content: [first] }, { messages: [prompt] }) => {
    const [question] = prompt?.content ?? [];
    if (question?.type === 'text' && first?.type === 'text') cache.set(question.text, first.text);
  },
});

for (const prompt of ['2 + 2?', '2 + 2?', 'My card is 4111 1111 1111 1111.', 'Delete it.']) {
  for await (const message of loop.run(prompt)) {
    if (message.type === 'result') console.log(`${prompt} ${message.result || message.errors?.[0]}`);
  }
}
const sent = large.requests[0]?.messages.at(-1)?.content[0];
console.log(`large was sent: ${sent?.type === 'text' ? sent.text : ''}`);
await loop.close();
