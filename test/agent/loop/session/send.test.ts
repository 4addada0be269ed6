import { describe, expect, it } from 'vitest';
import type { AgentLoop } from '../../../../src/agent/loop/agent-loop.js';
import type { Model } from '../../../../src/agent/models/port.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { gate, watchProcess } from '../../../support/runner.js';
import { makeLoop, readRun, runLoop } from '../support/run-loop.js';
import { runOnWire, WIRES, type WireName } from '../support/run-on-wire.js';
import { testTools } from '../support/tools.js';
import { expectValid, hangingModel, lastSaid, textOf, watchLoop } from './support.js';

watchProcess();

const note = { name: 'Note', id: 'c1', input: { text: 'a' } };
const SAID = 'In metres, please.';

describe('what the user says while the agent works', () => {
  it.each(Object.keys(WIRES) as WireName[])('LO-51: is in the next request, once, on %s', async (wire) => {
    let loop: AgentLoop | undefined;
    const { tools } = testTools((name) => (name === 'Note' ? loop?.send(SAID) : undefined));
    const { last, requests } = await runOnWire(wire, {
      answers: [{ calls: [note] }, { calls: [{ ...note, id: 'c2', name: 'Look' }] }, { text: 'Done.' }],
      options: { tools },
      onMade: (made) => {
        loop = made;
      },
    });
    expect(last.result.result).toBe('Done.');
    expect(requests.map((request) => JSON.stringify(request).split(SAID).length - 1)).toEqual([0, 1, 1]);
    expect(JSON.stringify(requests[1])).toContain('The user says while you work:');
    expect(last.messages).toContainEqual(
      expect.objectContaining({
        type: 'user',
        message: { role: 'user', content: [{ type: 'text', text: SAID }] },
      }),
    );
  });

  it('LO-51: is a further turn if the agent had just ended; each has its result', async () => {
    const made = await watchLoop({ turns: [{ text: 'One.' }, { text: 'Two.' }] });
    const { loop, requests, runner } = made;
    const stop = runner.on('Stop', async () => {
      stop();
      await loop.send(SAID);
    });
    const { messages, result } = await readRun(loop.run('Go.'));
    expect(messages.flatMap((message) => (message.type === 'result' ? [message.result] : []))).toEqual([
      'One.',
      'Two.',
    ]);
    expect(result.result).toBe('Two.');
    expect(lastSaid(requests)).toMatch(/^The user says while you work:\nIn metres, please\.$/);
    expect(made.of('UserPromptSubmit').map(({ prompt }) => prompt)).toEqual(['Go.', SAID]);
    expectValid(requests);
  });

  it('LO-51: does not reach the model if a UserPromptSubmit hook refuses it', async () => {
    const { tools } = testTools(() => loop.send(SAID));
    const made = await makeLoop({
      turns: [{ tools: [note] }, { text: 'Done.' }],
      hooks: {
        UserPromptSubmit: [
          {
            hooks: [
              ({ prompt }) => (prompt === SAID ? { decision: 'block', reason: 'feet only' } : undefined),
            ],
          },
        ],
      },
      options: { tools },
    });
    const { loop } = made;
    const { messages } = await readRun(loop.run('Go.'));
    expect(JSON.stringify(made.requests)).not.toContain(SAID);
    expect(messages).toContainEqual(
      expect.objectContaining({
        content: 'A UserPromptSubmit hook blocked a message from the user: feet only',
      }),
    );
  });

  it('LO-51: waits for the next prompt after an interrupt, and without a run', async () => {
    const asked = gate();
    const hanging = hangingModel(() => asked.open());
    const later = scriptedModel([{ text: 'One.' }, { text: 'Two.' }]);
    let calls = 0;
    const model: Model = {
      name: 'both',
      stream: (request) => (calls++ === 0 ? hanging : later).stream(request),
    };
    const { loop } = await makeLoop({ options: { model } });
    const reading = readRun(loop.run('Go.'));
    await asked.passed;
    await loop.send(SAID);
    loop.interrupt();
    expect((await reading).result.terminal_reason).toBe('aborted');
    const { result } = await readRun(loop.run('And now?'));
    expect(result.result).toBe('Two.');
    expect(
      later.requests.map(({ messages }) => messages.map(textOf).join('\n').split(SAID).length - 1),
    ).toEqual([0, 1]);
  });

  it('LO-51: an empty text and an ended session are refused', async () => {
    const { loop } = await runLoop({ turns: [{ text: 'One.' }] });
    await expect(loop.send(' ')).rejects.toMatchObject({ code: 'invalid_option' });
    await loop.close();
    await expect(loop.send('x')).rejects.toMatchObject({ code: 'disposed' });
  });
});
