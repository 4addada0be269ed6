/** Your own model: one method that turns a request into events is all the loop needs. */
import { AgentLoop, type Model, type ModelRequest } from 'hookline/agent';

/** Says what it was told, backwards; and asks for a tool when it is told to look. */
const mirror: Model = {
  name: 'mirror',
  async *stream({ messages }: ModelRequest) {
    const last = messages.at(-1)?.content[0];
    const usage = { inputTokens: messages.length, outputTokens: 1 };
    if (last?.type === 'text' && last.text === 'look') {
      yield { type: 'tool_use', id: 'call-1', name: 'Bash', input: { command: 'echo hello' } };
      yield { type: 'end', stopReason: 'tool_use', usage };
      return;
    }
    const heard =
      last?.type === 'tool_result' ? String(last.content) : last?.type === 'text' ? last.text : '';
    for (const letter of [...heard].reverse()) yield { type: 'text', text: letter };
    yield { type: 'end', stopReason: 'end_turn', usage };
  },
};

const loop = new AgentLoop({ model: mirror, transcripts: false });
for (const prompt of ['stressed', 'look']) {
  for await (const message of loop.run(prompt)) {
    if (message.type === 'result') console.log(`${prompt}: ${message.result}`);
  }
}
await loop.close();
