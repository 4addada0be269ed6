import { describe, expect, it } from 'vitest';
import { isUnparsedInput } from '../../../src/agent/models/tool-input.js';
import { listen } from './collect.js';
import { anthropicWire } from './servers/anthropic.js';
import { sends, sendsInSlices, startLoopback } from './servers/loopback.js';
import { chatWire } from './servers/openai-chat.js';
import { responsesWire } from './servers/openai-responses.js';
import { request, USAGE } from './servers/wire.js';

describe.each([anthropicWire, chatWire, responsesWire])('answers of $name', (wire) => {
  it('MO-1: text comes in pieces, and the end comes once', async () => {
    const texts = ['Once ', 'upon ', 'a time.'];
    const server = await startLoopback(wire, [sends(wire.events({ texts }))]);
    const { events, error } = await listen(wire.model(server.url), request());
    expect(error).toBeUndefined();
    expect(events).toEqual([
      ...texts.map((text) => ({ type: 'text', text })),
      { type: 'end', stopReason: 'end_turn', usage: USAGE },
    ]);
  });

  it.each([1, 2, 3, 7])('MO-1: characters of several bytes survive slices of %i bytes', async (size) => {
    const said = 'naïve 🦜 漢字 – “fin”';
    const server = await startLoopback(wire, [sendsInSlices(wire.events({ texts: [said, said] }), size)]);
    const { events } = await listen(wire.model(server.url), request());
    expect(events.slice(0, -1)).toEqual([
      { type: 'text', text: said },
      { type: 'text', text: said },
    ]);
  });

  it('MO-2: one tool use comes whole, after the text', async () => {
    const calls = [{ id: 'call_1', name: 'Read', json: ['{"file_', 'path":"a.txt"', '}'] }];
    const server = await startLoopback(wire, [sends(wire.events({ texts: ['Reading.'], calls }))]);
    const { events } = await listen(wire.model(server.url), request());
    expect(events).toEqual([
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', id: 'call_1', name: 'Read', input: { file_path: 'a.txt' } },
      { type: 'end', stopReason: 'tool_use', usage: USAGE },
    ]);
  });

  it('MO-2: three tool uses side by side keep their order, ids and inputs', async () => {
    const calls = [1, 2, 3].map((n) => ({ id: `call_${n}`, name: `Tool${n}`, json: ['{"n"', `:${n}`, '}'] }));
    const server = await startLoopback(wire, [sendsInSlices(wire.events({ calls }))]);
    const { events } = await listen(wire.model(server.url), request());
    expect(events).toEqual([
      ...[1, 2, 3].map((n) => ({ type: 'tool_use', id: `call_${n}`, name: `Tool${n}`, input: { n } })),
      { type: 'end', stopReason: 'tool_use', usage: USAGE },
    ]);
  });

  it.each(['{"path": "a', '[1]', '"text"', 'null'])('MO-3: %s as input is kept as written', async (json) => {
    const calls = [{ id: 'call_1', name: 'Read', json: [json] }];
    const server = await startLoopback(wire, [sends(wire.events({ calls }))]);
    const { events } = await listen(wire.model(server.url), request());
    const input = { unparsed_input: json };
    expect(events[0]).toEqual({ type: 'tool_use', id: 'call_1', name: 'Read', input });
    expect(isUnparsedInput(input)).toBe(true);
  });

  it('MO-3: a tool without input gets an empty object', async () => {
    const calls = [{ id: 'call_1', name: 'Now', json: [] }];
    const server = await startLoopback(wire, [sends(wire.events({ calls }))]);
    const { events } = await listen(wire.model(server.url), request());
    expect(events[0]).toEqual({ type: 'tool_use', id: 'call_1', name: 'Now', input: {} });
    expect([{}, null, 'x', { unparsed_input: 'x', other: 1 }].some(isUnparsedInput)).toBe(false);
  });

  it('MO-1: one model serves many calls, also side by side', async () => {
    const texts = ['one', 'two', 'three'];
    const server = await startLoopback(
      wire,
      texts.map((text) => sends(wire.events({ texts: [text] }))),
    );
    const model = wire.model(server.url);
    const first = await listen(model, request());
    const others = await Promise.all([listen(model, request()), listen(model, request())]);
    expect([first, ...others].map(({ text }) => text).sort()).toEqual(['one', 'three', 'two']);
  });
});
