import { describe, expect, it } from 'vitest';
import { anthropicModel } from '../../../src/agent/models/anthropic.js';
import type { ModelMessage, ModelRequest } from '../../../src/agent/models/port.js';
import { listen } from './collect.js';
import { anthropicWire } from './servers/anthropic.js';
import { type Body, sends, startLoopback } from './servers/loopback.js';
import { responsesWire } from './servers/openai-responses.js';
import { request } from './servers/wire.js';

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (text: string): ModelMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });
const messages = [user('one'), assistant('1'), user('two'), assistant('2'), user('three')];
const tools = ['A', 'B'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));

async function sent(fields: Partial<ModelRequest>, options = {}): Promise<Body> {
  const server = await startLoopback(anthropicWire, [sends(anthropicWire.events({ texts: ['Fine.'] }))]);
  const { error } = await listen(anthropicWire.model(server.url, options), request(fields));
  expect(error).toBeUndefined();
  return server.received[0]?.body ?? {};
}

const marks = (body: Body): number => JSON.stringify(body).split('"cache_control"').length - 1;

describe('the cache of the Messages API', () => {
  it('MO-35: four marks: the last tool, the system prompt, the last two messages of the user', async () => {
    const mark = { type: 'ephemeral' };
    const body = await sent({ system: 'Be brief.', messages, tools });
    expect(body['tools']).toEqual([
      expect.not.objectContaining({ cache_control: mark }),
      expect.objectContaining({ name: 'B', cache_control: mark }),
    ]);
    expect(body['system']).toEqual([{ type: 'text', text: 'Be brief.', cache_control: mark }]);
    const marked = (body['messages'] as readonly object[]).map((each) =>
      JSON.stringify(each).includes('cache_control'),
    );
    expect(marked).toEqual([false, false, true, false, true]);
    expect(marks(body)).toBe(4);
  });

  it('MO-35: `cache` sets how long, or switches it off; a question of a hook is not cached', async () => {
    const hour = await sent({ system: 'S', messages }, { cache: '1h' });
    expect(hour['system']).toEqual([
      { type: 'text', text: 'S', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ]);
    const off = await sent({ system: 'S', messages, tools }, { cache: false });
    expect({ system: off['system'], marks: marks(off) }).toEqual({ system: 'S', marks: 0 });
    expect(marks(await sent({ system: 'S', messages, purpose: 'hook' }))).toBe(0);
    expect(marks(await sent({ system: 'S', messages, purpose: 'summary' }))).toBe(3);
    expect(() => anthropicModel({ model: 'c', cache: '2h' as never })).toThrow(
      expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining('`cache`') }),
    );
  });

  it('MO-35: a caller that has the service place the mark has it alone', async () => {
    const own = { cache_control: { type: 'ephemeral' } };
    expect(marks(await sent({ system: 'S', messages, tools }, { extraBody: own }))).toBe(1);
  });

  it('MO-35: the server of these tests refuses a fifth mark', async () => {
    const five = { metadata: [1, 2, 3, 4, 5].map(() => ({ cache_control: 1 })) };
    const server = await startLoopback(anthropicWire, [sends([])]);
    const { error } = await listen(anthropicWire.model(server.url, { extraBody: five }), request());
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining('maximum of 4') });
  });

  it.each([anthropicWire, responsesWire])(
    'MO-10: $name: tools that the service runs are added to those of the request',
    async (wire) => {
      const server = await startLoopback(wire, [sends(wire.events({ texts: ['Fine.'] }))]);
      const extraBody = { tools: [{ type: 'web_search', name: 'web_search' }] };
      await listen(wire.model(server.url, { extraBody }), request({ tools }));
      const names = server.received[0]?.body['tools'] as readonly { readonly name: string }[];
      expect(names.map(({ name }) => name)).toEqual(['A', 'B', 'web_search']);
    },
  );
});
