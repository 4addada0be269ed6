import { describe, expect, it } from 'vitest';
import { AgentLoop } from '../../../../src/agent/loop/agent-loop.js';
import type { PromptBlock } from '../../../../src/agent/models/port.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { makeLoop, readRun } from '../support/run-loop.js';

const prompt: readonly PromptBlock[] = [
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
  {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
    title: 'a.pdf',
  },
  { type: 'text', text: 'Compare both.' },
];

describe('images and files in a prompt', () => {
  it('LM-14: reach the model; hooks see the text', async () => {
    const seen: unknown[] = [];
    const { loop, requests } = await makeLoop({
      hooks: { UserPromptSubmit: [{ hooks: [(input) => void seen.push(input.prompt)] }] },
      turns: [{ text: 'Fine.' }],
    });
    await readRun(loop.run(prompt));
    expect(requests[0]?.messages).toEqual([{ role: 'user', content: prompt }]);
    expect(seen).toEqual(['Compare both.']);
  });

  it('LM-14: are in the transcript, and a resume has them', async () => {
    const { loop, transcripts, cwd } = await makeLoop({ turns: [{ text: 'Fine.' }] });
    await readRun(loop.run(prompt));
    const { transcriptPath } = await loop.session();
    await loop.close();
    const model = scriptedModel([{ text: 'Still.' }]);
    await using again = new AgentLoop({ model, transcripts, cwd, resume: transcriptPath });
    const { messages } = await readRun(again.run('And now?'));
    expect(model.requests[0]?.messages[0]).toEqual({ role: 'user', content: prompt });
    expect(messages.filter((each) => each.type === 'system' && each.subtype === 'informational')).toEqual([]);
  });
});
