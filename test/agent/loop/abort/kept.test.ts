import { describe, expect, it } from 'vitest';
import { AgentLoop } from '../../../../src/agent/loop/agent-loop.js';
import type { LoopMessage } from '../../../../src/agent/loop/messages.js';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import { readTranscript } from '../../../../src/agent/transcript/read-transcript.js';
import { gate, watchProcess } from '../../../support/runner.js';
import { hangs, sends, startLoopback } from '../../models/servers/loopback.js';
import type { Answer } from '../../models/servers/wire.js';
import { checkConversation, textOf } from '../session/support.js';
import { makePlaces, readRun } from '../support/run-loop.js';
import { WIRES, type WireName } from '../support/run-on-wire.js';
import { testTools } from '../support/tools.js';

watchProcess();

const WIRE_NAMES = Object.keys(WIRES) as WireName[];
const SAID = 'First I look at the bridge, then';
const call = { id: 'call_1', name: 'Note', json: ['{"text":"a"}'] };
/** Without its last events, an answer is not complete. */
const beginning = (wire: (typeof WIRES)[WireName], answer: Answer, left: number): string =>
  wire.events(answer).slice(0, -left).join('');

/** A server whose first answer stops in the middle, and a loop that is interrupted as soon as the text is there. */
async function interrupted(name: WireName, first: string, more: Partial<AgentLoopOptions> = {}) {
  const wire = WIRES[name];
  const done = sends(wire.events({ texts: ['Here I am.'] }));
  const server = await startLoopback(wire, [hangs(first), done, done]);
  const places = makePlaces();
  const options: AgentLoopOptions = {
    model: wire.model(server.url, { maxRetries: 0 }),
    tools: testTools().tools,
    includePartialMessages: true,
    ...places,
    ...more,
  };
  const loop = new AgentLoop(options);
  const heard = gate();
  let text = '';
  const run = loop.run('Measure it.');
  const messages: LoopMessage[] = [];
  const reading = (async () => {
    for await (const message of run) {
      messages.push(message);
      if (message.type !== 'stream_event') continue;
      const { delta } = message.event;
      if (delta.type === 'text_delta') text += delta.text;
      if (text === SAID) heard.open();
    }
  })();
  await heard.passed;
  loop.interrupt();
  await reading;
  return { loop, server, options, messages, transcript: (await loop.session()).transcriptPath };
}

describe('what had been said when the run was interrupted', () => {
  it.each(WIRE_NAMES)('LO-50: is sent with the next prompt, on %s', async (name) => {
    const { loop, server, messages, transcript } = await interrupted(
      name,
      beginning(
        WIRES[name],
        { texts: ['First I look at', ' the bridge, then'] },
        name === 'anthropic' ? 1 : 3,
      ),
    );
    expect(messages).toContainEqual(
      expect.objectContaining({
        type: 'assistant',
        message: expect.objectContaining({ content: [{ type: 'text', text: SAID }], stop_reason: null }),
      }),
    );
    const { result } = await readRun(loop.run('In metres.'));
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'Here I am.' });
    const sent = JSON.stringify(server.received[1]?.body);
    for (const part of ['Measure it.', SAID, 'The run was interrupted here.', 'In metres.'])
      expect(sent.split(part), part).toHaveLength(2);
    expect(sent.indexOf(SAID)).toBeLessThan(sent.indexOf('The run was interrupted here.'));
    await loop.close();
    const { messages: kept } = await readTranscript(transcript);
    checkConversation(kept.slice(0, -1));
    expect(kept.map(textOf)[1]).toBe(SAID);
  });

  it.each(WIRE_NAMES)(
    'LO-50: without the calls that were not run, and after a resume, on %s',
    async (name) => {
      const { loop, server, options, transcript } = await interrupted(
        name,
        // The call is complete; only the end of the answer is missing.
        beginning(WIRES[name], { texts: [SAID], calls: [call] }, name === 'chat' ? 3 : 1),
      );
      await loop.close();
      await using resumed = new AgentLoop({ ...options, resume: transcript });
      expect((await readRun(resumed.run('In metres.'))).result.result).toBe('Here I am.');
      const sent = JSON.stringify(server.received[1]?.body);
      expect(sent).not.toContain('call_1');
      expect(sent.split(SAID)).toHaveLength(2);
      expect(sent.split('The run was interrupted here.')).toHaveLength(2);
    },
  );
});
