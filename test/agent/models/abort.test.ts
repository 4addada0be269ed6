import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../src/agent/models/port.js';
import { listen } from './collect.js';
import { anthropicWire } from './servers/anthropic.js';
import { fails, hangs, isSilent, sends, startLoopback } from './servers/loopback.js';
import { chatWire } from './servers/openai-chat.js';
import { responsesWire } from './servers/openai-responses.js';
import { request } from './servers/wire.js';

const LIMIT_MS = 15_000;

describe.each([anthropicWire, chatWire, responsesWire])('aborting $name', (wire) => {
  const whole = wire.events({ texts: ['Half a', ' word'] });
  const half = whole.slice(0, whole.findIndex((each) => each.includes('Half a')) + 1).join('');

  it('MO-18: before the call nothing is sent', async () => {
    const server = await startLoopback(wire, [sends(whole)]);
    const reason = new Error('no longer wanted');
    const { events, error } = await listen(
      wire.model(server.url),
      request({ signal: AbortSignal.abort(reason) }),
    );
    expect(events).toEqual([]);
    expect(error).toBe(reason);
    expect(server.received).toEqual([]);
  });

  it('MO-18: while the service is silent', async () => {
    const server = await startLoopback(wire, [isSilent]);
    const controller = new AbortController();
    const heard = listen(wire.model(server.url), request({ signal: controller.signal }));
    await server.answered(1);
    controller.abort('enough');
    expect((await heard).error).toBe('enough');
    await server.idle();
  });

  it('MO-18: while waiting for the next try', async () => {
    const server = await startLoopback(wire, [fails(wire, 429, 'later', { 'retry-after': '60' })]);
    const controller = new AbortController();
    const heard = listen(wire.model(server.url), request({ signal: controller.signal }));
    await server.answered(1);
    const started = performance.now();
    controller.abort('enough');
    expect((await heard).error).toBe('enough');
    expect(performance.now() - started).toBeLessThan(LIMIT_MS);
    expect(server.received).toHaveLength(1);
  });

  it('MO-18: within a slow stream; the connection closes and no listener stays', async () => {
    const server = await startLoopback(wire, [hangs(half)]);
    const controller = new AbortController();
    const reason = new Error('interrupted');
    const events: ModelEvent[] = [];
    const started = performance.now();
    await expect(async () => {
      for await (const event of wire.model(server.url).stream(request({ signal: controller.signal }))) {
        if (event.type === 'usage') continue;
        events.push(event);
        controller.abort(reason);
      }
    }).rejects.toBe(reason);
    await server.idle();
    expect(performance.now() - started).toBeLessThan(LIMIT_MS);
    expect(events).toEqual([{ type: 'text', text: 'Half a' }]);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('MO-18: what has arrived but was not read is not told after the abort', async () => {
    const server = await startLoopback(wire, [sends(whole)]);
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    await expect(async () => {
      for await (const event of wire.model(server.url).stream(request({ signal: controller.signal }))) {
        events.push(event);
        controller.abort();
      }
    }).rejects.toMatchObject({ name: 'AbortError' });
    expect(events).toHaveLength(1);
  });

  it('MO-18: a signal that serves many calls keeps no listener of any', async () => {
    const server = await startLoopback(wire, [sends(whole), sends(whole), sends(whole)]);
    const { signal } = new AbortController();
    const model = wire.model(server.url);
    for (const _ of [1, 2, 3]) expect((await listen(model, request({ signal }))).error).toBeUndefined();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('MO-19: leaving the stream closes the connection', async () => {
    const server = await startLoopback(wire, [hangs(half)]);
    for await (const _ of wire.model(server.url).stream(request())) break;
    await server.idle();
  });
});
