import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ModelError } from '../../../src/agent/models/port.js';
import { listen } from './collect.js';
import { anthropicWire } from './servers/anthropic.js';
import { cuts, fails, isSilent, sends, startLoopback } from './servers/loopback.js';
import { chatWire } from './servers/openai-chat.js';
import { named, response, responsesWire } from './servers/openai-responses.js';
import { event, request } from './servers/wire.js';

/** A port that was just given back: nobody else is given it so soon. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const SOON = { 'retry-after-ms': '1' };

/**
 * The SDKs like to talk; a library must not (MO-22). They bind the methods of the console at their first word and keep
 * them, so these spies stay the same for the whole file.
 */
const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((method) => vi.spyOn(console, method));
const spoken = () => spies.flatMap((spy) => spy.mock.calls);
afterEach(() => {
  expect(spoken()).toEqual([]);
  for (const spy of spies) spy.mockClear();
});

describe.each([anthropicWire, chatWire, responsesWire])('faults of $name', (wire) => {
  const whole = wire.events({ texts: ['Done.'] });

  it.each([
    [400, 'bad_request'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'bad_request'],
    [413, 'context_overflow'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [503, 'overloaded'],
    [529, 'overloaded'],
  ] as const)('MO-12: status %i is %s, in the words of the service', async (status, code) => {
    const server = await startLoopback(wire, [fails(wire, status, 'what the service said')]);
    const { events, error } = await listen(wire.model(server.url, { maxRetries: 0 }), request());
    expect(events).toEqual([]);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code, status, message: expect.stringContaining('what the service said') });
    expect(server.received).toHaveLength(1);
  });

  it('MO-12: a conversation that breaks the rules of the service is a bad request', async () => {
    const server = await startLoopback(wire, [sends(whole)]);
    const call = { type: 'tool_use', id: 'call_1', name: 'Read', input: {} } as const;
    const { error } = await listen(
      wire.model(server.url),
      request({
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Read it' }] },
          { role: 'assistant', content: [call] },
          { role: 'user', content: [{ type: 'text', text: 'Well?' }] },
        ],
      }),
    );
    expect(error).toMatchObject({
      code: 'bad_request',
      status: 400,
      message: expect.stringContaining('call_1'),
    });
  });

  it.each([
    [429, { 'retry-after': '0.02' }],
    [429, SOON],
    [500, SOON],
    [529, SOON],
    [408, SOON],
  ] as const)('MO-13: %i and then success is success', async (status, headers) => {
    const server = await startLoopback(wire, [fails(wire, status, 'not now', headers), sends(whole)]);
    const { text, error } = await listen(wire.model(server.url), request());
    expect({ text, error }).toEqual({ text: 'Done.', error: undefined });
    expect(server.received[1]?.body).toEqual(server.received[0]?.body);
  });

  it('MO-13: a connection that is dropped before the answer is tried again', async () => {
    const server = await startLoopback(wire, [(each) => void each.destroy(), sends(whole)]);
    const { text, error } = await listen(wire.model(server.url), request());
    expect({ text, error }).toEqual({ text: 'Done.', error: undefined });
  });

  it('MO-13: the last error is told when the tries are used up', async () => {
    const steps = ['first', 'second', 'third', 'fourth'].map((said) => fails(wire, 429, said, SOON));
    const server = await startLoopback(wire, steps);
    const { error } = await listen(wire.model(server.url, { maxRetries: 2 }), request());
    expect(error).toMatchObject({
      code: 'rate_limited',
      status: 429,
      message: expect.stringContaining('third'),
    });
    expect(server.received).toHaveLength(3);
  });

  it('MO-13: what the service says about trying again is obeyed', async () => {
    const never = fails(wire, 500, 'for good', { ...SOON, 'x-should-retry': 'false' });
    const first = await startLoopback(wire, [never, sends(whole)]);
    expect((await listen(wire.model(first.url), request())).error).toMatchObject({ status: 500 });
    const again = fails(wire, 400, 'once more', { ...SOON, 'x-should-retry': 'true' });
    const second = await startLoopback(wire, [again, sends(whole)]);
    expect((await listen(wire.model(second.url), request())).text).toBe('Done.');
  });

  it('MO-14: nobody listens at the address', async () => {
    const port = await freePort();
    const model = wire.model(`http://127.0.0.1:${port}`, { maxRetries: 0 });
    const { error } = await listen(model, request());
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: 'unavailable', status: undefined });
    expect(String(error)).toContain(
      `nothing accepts connections at 127.0.0.1:${port} (ECONNREFUSED). Check \`baseURL\`, and that the server runs.`,
    );
  });

  it('MO-14: a host that does not exist is named', async () => {
    const { error } = await listen(wire.model('http://model.invalid', { maxRetries: 0 }), request());
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(String(error)).toMatch(/model\.invalid.* \((ENOTFOUND|EAI_AGAIN)\)\. Check/);
  });

  it('MO-14: a service that does not begin to answer in time is not there', async () => {
    const server = await startLoopback(wire, [isSilent]);
    const { error } = await listen(wire.model(server.url, { maxRetries: 0, timeout: 0.05 }), request());
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/timed out/i) });
    await server.idle();
  });

  const beginning = wire.events({ texts: ['Half a', ' word'] });
  const half = beginning.slice(0, beginning.findIndex((each) => each.includes('Half a')) + 1).join('');

  it.each([
    ['is cut within an event', cuts(`${half}data: {"type":"conte`)],
    ['is cut between events', cuts(half)],
    ['ends before it is whole', sends([half])],
    ['ends before it begins', sends([])],
    ['holds what is not JSON', sends([half, event('content_block_delta', '{not json')])],
    ['holds what is no event', sends([half, event('content_block_delta', 'null')])],
    ['is a page of HTML', sends(['<html><body>Welcome</body></html>\n\n'])],
  ])('MO-15: a stream that %s is broken, and is not tried again', async (_, step) => {
    const server = await startLoopback(wire, [step, sends(whole)]);
    const { events, error } = await listen(wire.model(server.url), request());
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: 'broken_stream', status: undefined });
    expect(events).toEqual(events.slice(0, 1).map(() => ({ type: 'text', text: 'Half a' })));
    expect(server.received).toHaveLength(1);
  });

  it('MO-15: what should be text and is not breaks the stream', async () => {
    const bad = wire.events({ texts: ['TEXT'] }).map((each) => each.replace('"TEXT"', '5'));
    const server = await startLoopback(wire, [sends(bad)]);
    const { events, error } = await listen(wire.model(server.url), request());
    expect(events).toEqual([]);
    expect(error).toMatchObject({
      code: 'broken_stream',
      message: expect.stringContaining('must be text, not 5'),
    });
  });

  it('MO-16: an error within the stream has the code of its name', async () => {
    const server = await startLoopback(wire, [sends([half, wire.overloadedEvent('too many of you')])]);
    const { text, error } = await listen(wire.model(server.url), request());
    expect(text).toBe('Half a');
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({
      code: 'overloaded',
      status: undefined,
      message: expect.stringContaining('too many of you'),
    });
  });

  it('MO-17: a connection cut after the last event takes nothing away', async () => {
    const server = await startLoopback(wire, [cuts(whole.join(''))]);
    const { text, events, error } = await listen(wire.model(server.url), request());
    expect({ text, error }).toEqual({ text: 'Done.', error: undefined });
    expect(events.at(-1)).toMatchObject({ type: 'end' });
  });
});

describe('faults of anthropic alone', () => {
  it('MO-12: a field that the version of the API does not have is a bad request that names it', async () => {
    const server = await startLoopback(anthropicWire, []);
    const model = anthropicWire.model(server.url, { extraBody: { temperature: 1 } });
    const { error } = await listen(model, request());
    expect(error).toMatchObject({ code: 'bad_request', message: expect.stringContaining('temperature') });
  });
});

describe('a conversation that is too long', () => {
  it.each([
    [anthropicWire, 400, 'prompt is too long: 213462 tokens > 200000 maximum'],
    [anthropicWire, 400, 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'],
    [anthropicWire, 413, 'Request exceeds the maximum size'],
    [
      chatWire,
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000",
    ],
    [chatWire, 400, 'the request exceeds the available context size, try increasing it'],
    [chatWire, 422, 'Input token count (9000) exceeds the maximum number of tokens allowed'],
    [
      chatWire,
      400,
      'Trying to keep the first 5000 tokens when context the overflows: greater than the context length',
    ],
    [responsesWire, 400, 'Your input exceeds the context window of this model. Please adjust your input.'],
  ] as const)('MO-36: $name: %i %s', async (wire, status, said) => {
    const server = await startLoopback(wire, [fails(wire, status, said)]);
    const { error } = await listen(wire.model(server.url), request());
    expect(error).toMatchObject({ code: 'context_overflow', status });
    expect(server.received).toHaveLength(1);
  });

  it('MO-36: the code of the service is enough, also within a stream', async () => {
    const coded = (response: ServerResponse): void => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'no', code: 'context_length_exceeded' } }));
    };
    const failed = response('failed', { error: { code: 'context_length_exceeded', message: 'no' } });
    const server = await startLoopback(responsesWire, [coded, sends([named('response.failed', failed)])]);
    for (const _ of [1, 2])
      expect((await listen(responsesWire.model(server.url), request())).error).toMatchObject({
        code: 'context_overflow',
      });
  });

  it('MO-36: a rate limit that speaks of too many tokens is a rate limit', async () => {
    const server = await startLoopback(chatWire, [fails(chatWire, 429, 'Too many tokens per minute')]);
    const { error } = await listen(chatWire.model(server.url, { maxRetries: 0 }), request());
    expect(error).toMatchObject({ code: 'rate_limited' });
  });
});

describe('faults of openai responses alone', () => {
  it('MO-16: a response that failed is an error with its reason', async () => {
    const failed = response('failed', { error: { code: 'rate_limit_exceeded', message: 'slow down' } });
    const server = await startLoopback(responsesWire, [sends([named('response.failed', failed)])]);
    const { error } = await listen(responsesWire.model(server.url, { maxRetries: 0 }), request());
    expect(error).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('slow down') });
  });
});

describe.each([anthropicWire, chatWire, responsesWire])('the console and $name', (wire) => {
  it('MO-22: nothing is written when a try fails and when a stream holds garbage', async () => {
    const garbage = sends([event('content_block_delta', '{garbage')]);
    const server = await startLoopback(wire, [fails(wire, 500, 'once', SOON), garbage]);
    const { error } = await listen(wire.model(server.url), request());
    expect(error).toMatchObject({ code: 'broken_stream' });
    expect(spoken()).toEqual([]);
  });
});
