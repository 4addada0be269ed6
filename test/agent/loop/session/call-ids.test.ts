import { describe, expect, it } from 'vitest';
import { AgentLoop } from '../../../../src/agent/loop/agent-loop.js';
import { watchProcess } from '../../../support/runner.js';
import { sends, startLoopback } from '../../models/servers/loopback.js';
import { makePlaces, readRun, runLoop } from '../support/run-loop.js';
import { runOnWire, WIRES, type WireName } from '../support/run-on-wire.js';
import { testTools } from '../support/tools.js';

watchProcess();

const call = (text: string, id = 'call_0') => ({ id, name: 'Note', input: { text } });
const ofNote = (requests: readonly unknown[], text: string): number =>
  JSON.stringify(requests.at(-1)).split(`Note: ${text}`).length - 1;

describe('a service that repeats the ids of its calls', () => {
  it.each(Object.keys(WIRES) as WireName[])(
    'LO-49: loses none of them, in an answer and in later ones, on %s',
    async (wire) => {
      const { ran, tools } = testTools();
      const { last, requests } = await runOnWire(wire, {
        answers: [
          { calls: [call('one'), call('two')] },
          { calls: [call('three')] },
          { calls: [call('four')] },
          { text: 'Done.' },
        ],
        options: { tools },
      });
      expect(last.result).toMatchObject({ result: 'Done.', is_error: false });
      expect(ran.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'four']);
      for (const { text } of ran) expect(ofNote(requests, text), text).toBe(1);
    },
  );

  it.each(Object.keys(WIRES) as WireName[])('LO-49: nor after a resume, on %s', async (name) => {
    const wire = WIRES[name];
    const { tools } = testTools();
    const places = makePlaces();
    const answer = (...texts: string[]) =>
      sends(
        wire.events({
          calls: texts.map((text) => ({ id: 'call_0', name: 'Note', json: [JSON.stringify({ text })] })),
        }),
      );
    const done = sends(wire.events({ texts: ['Done.'] }));
    const server = await startLoopback(wire, [answer('one', 'two'), done, answer('three', 'four'), done]);
    const model = wire.model(server.url, { maxRetries: 0 });
    const first = new AgentLoop({ model, tools, ...places });
    await readRun(first.run('Go.'));
    const { transcriptPath } = await first.session();
    await first.close();
    await using second = new AgentLoop({ model, tools, ...places, resume: transcriptPath });
    expect((await readRun(second.run('More.'))).result).toMatchObject({ result: 'Done.', is_error: false });
    const sent = server.received.map(({ body }) => body);
    for (const text of ['one', 'two', 'three', 'four']) expect(ofNote(sent, text), text).toBe(1);
  });

  it('LO-49: an empty id is replaced; hooks, messages and results have the same one', async () => {
    const ids: unknown[] = [];
    const { messages, requests } = await runLoop({
      turns: [{ tools: [call('a', ''), call('b', '')] }, { text: 'Done.' }],
      hooks: { PostToolUse: [{ hooks: [({ tool_use_id }) => void ids.push(tool_use_id)] }] },
      options: { tools: testTools().tools },
    });
    expect(new Set(ids).size).toBe(2);
    const used = messages.flatMap((message) =>
      message.type === 'assistant'
        ? message.message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
        : [],
    );
    const answered = requests.at(-1)?.messages.at(-1)?.content;
    expect(used).toEqual(ids);
    expect(answered).toMatchObject(ids.map((id) => ({ type: 'tool_result', tool_use_id: id })));
  });
});
