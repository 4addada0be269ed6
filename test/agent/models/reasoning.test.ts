import { describe, expect, it } from 'vitest';
import { anthropicModel } from '../../../src/agent/models/anthropic.js';
import { openaiModel } from '../../../src/agent/models/openai.js';
import type {
  ContentBlock,
  ModelEvent,
  ModelMessage,
  OpaqueBlock,
  ToolUseBlock,
} from '../../../src/agent/models/port.js';
import { listen } from './collect.js';
import { anthropicWire, block, messageEnd, messageStart } from './servers/anthropic.js';
import { type Body, sends, startLoopback } from './servers/loopback.js';
import { chatWire, chunk, DONE } from './servers/openai-chat.js';
import { named, response, responsesWire } from './servers/openai-responses.js';
import { request, seal, type Wire } from './servers/wire.js';

const THOUGHT = 'Two files. First a.';
const thinking = { pieces: ['Two files. ', 'First a.'], redacted: 'secret' };
const calls = [{ id: 'toolu_r1', name: 'Read', json: ['{"path":"a"}'] }];
const prompt: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Compare a and b' }] };
const result = (content = 'A'): ModelMessage => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'toolu_r1', content }],
});

/** Asks twice: the second time with the first answer and the result of its call. */
async function askTwice(wire: Wire, options = {}) {
  const server = await startLoopback(wire, [
    sends(wire.events({ thinking, texts: ['Reading.'], calls })),
    sends(wire.events({ texts: ['Done.'] })),
  ]);
  const model = wire.model(server.url, options);
  const first = await listen(model, request({ messages: [prompt] }));
  const content = first.events.filter(isBlock);
  const answer: ModelMessage = { role: 'assistant', content: withTexts(content, first.text) };
  const second = await listen(model, request({ messages: [prompt, answer, result()] }));
  return { first, answer, second, bodies: server.received.map(({ body }) => body) };
}

const isBlock = (event: ModelEvent): event is ToolUseBlock | OpaqueBlock =>
  !['text', 'thinking_delta', 'retry', 'end'].includes(event.type);

/** The text as one block before the call. */
const withTexts = (content: readonly ContentBlock[], text: string): readonly ContentBlock[] =>
  content.flatMap((each): ContentBlock[] =>
    each.type === 'tool_use' ? [{ type: 'text', text }, each] : [each],
  );

const listed = (body: Body | undefined, field: string) => (body?.[field] ?? []) as readonly unknown[];

/** Where each format has the answer in the second request. */
const sentBack: Readonly<Record<string, (body: Body | undefined) => unknown>> = {
  anthropic: (body) => listed(body, 'messages')[1],
  'openai chat': (body) => listed(body, 'messages')[1],
  'openai responses': (body) => listed(body, 'input').slice(1, 4),
};

const EXPECTED: Readonly<Record<string, unknown>> = {
  anthropic: {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: THOUGHT, signature: seal(THOUGHT) },
      { type: 'redacted_thinking', data: `${seal('secret')}secret` },
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', id: 'toolu_r1', name: 'Read', input: { path: 'a' } },
    ],
  },
  'openai chat': {
    role: 'assistant',
    content: 'Reading.',
    reasoning_content: THOUGHT,
    tool_calls: [{ id: 'toolu_r1', type: 'function', function: { name: 'Read', arguments: '{"path":"a"}' } }],
  },
  'openai responses': [
    {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: THOUGHT }],
      encrypted_content: seal(THOUGHT),
    },
    { role: 'assistant', content: 'Reading.' },
    { type: 'function_call', call_id: 'toolu_r1', name: 'Read', arguments: '{"path":"a"}' },
  ],
};

describe.each([anthropicWire, chatWire, responsesWire])('reasoning of $name', (wire) => {
  it('MO-31: is streamed in pieces, and then comes whole, before what it led to', async () => {
    const { first } = await askTwice(wire);
    expect(first.error).toBeUndefined();
    const order = first.events.map(({ type }) => type).filter((type) => type !== 'redacted_thinking');
    expect(order).toEqual(['thinking_delta', 'thinking_delta', 'thinking', 'text', 'tool_use', 'end']);
    const pieces = first.events.flatMap((each) => (each.type === 'thinking_delta' ? [each.thinking] : []));
    expect(pieces).toEqual(thinking.pieces);
    expect(first.events.find(({ type }) => type === 'thinking')).toMatchObject({ thinking: THOUGHT });
  });

  it('MO-32: goes back to its model unchanged, at its place', async () => {
    const { second, bodies } = await askTwice(wire);
    expect(second.error).toBeUndefined();
    expect(sentBack[wire.name]?.(bodies[1])).toEqual(EXPECTED[wire.name]);
  });

  it('MO-33: is left out for another model of the same service', async () => {
    const { answer } = await askTwice(wire);
    const server = await startLoopback(wire, [sends(wire.events({ texts: ['Done.'] }))]);
    wire.events({ thinking, calls });
    const other = wire.model(server.url, { model: 'another-model' });
    const heard = await listen(other, request({ messages: [prompt, answer, result()] }));
    expect(heard.error).toBeUndefined();
    const sent = JSON.stringify(server.received[0]?.body);
    expect(sent).not.toContain('Two files');
    expect(sent).not.toContain(seal(THOUGHT));
  });

  it('MO-33: of the others is left out', async () => {
    for (const foreign of [anthropicWire, chatWire, responsesWire].filter((each) => each !== wire)) {
      const { answer } = await askTwice(foreign);
      const plain = wire.events({ texts: ['Done.'], calls });
      const server = await startLoopback(wire, [sends(plain)]);
      const heard = await listen(wire.model(server.url), request({ messages: [prompt, answer, result()] }));
      expect(heard.error).toBeUndefined();
      expect(JSON.stringify(server.received[0]?.body)).not.toContain('Two files');
    }
  });

  it('MO-32: with nothing after it, as in an answer that was cut off, is left out', async () => {
    const { answer } = await askTwice(wire);
    const alone = answer.content.filter(({ type }) => type.includes('thinking'));
    const server = await startLoopback(wire, [sends(wire.events({ texts: ['Done.'] }))]);
    const messages: readonly ModelMessage[] = [
      prompt,
      { role: 'assistant', content: alone },
      { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
    ];
    const heard = await listen(wire.model(server.url), request({ messages }));
    expect(heard.error).toBeUndefined();
    expect(JSON.stringify(server.received[0]?.body)).not.toContain('Two files');
  });

  it.each([
    ['left out', (content: readonly ContentBlock[]) => content.filter(({ type }) => type !== 'thinking')],
    [
      'altered',
      (content: readonly ContentBlock[]) =>
        content.map((each) =>
          each.type === 'thinking'
            ? {
                ...each,
                thinking: 'x',
                data: { reasoning_content: 'x', summary: [], encrypted_content: 'x' },
              }
            : each,
        ),
    ],
  ])('MO-32: the server of these tests refuses it when it is %s', async (_, change) => {
    const { answer } = await askTwice(wire);
    const server = await startLoopback(wire, [sends(wire.events({ texts: ['Done.'] }))]);
    wire.events({ thinking, calls });
    const changed = { ...answer, content: change(answer.content) };
    const { error } = await listen(
      wire.model(server.url),
      request({ messages: [prompt, changed, result()] }),
    );
    expect(error).toMatchObject({ code: 'bad_request', status: 400 });
  });
});

describe('reasoning of one service', () => {
  const sent = async (wire: Wire, options: object, messages: readonly ModelMessage[] = [prompt]) => {
    const server = await startLoopback(wire, [sends(wire.events({ texts: ['Fine.'] }))]);
    const { error } = await listen(wire.model(server.url, options), request({ messages }));
    expect(error).toBeUndefined();
    return server.received[0]?.body ?? {};
  };

  it('MO-34: anthropic: `thinking` and `effort` are sent; a budget is added to the usual limit', async () => {
    expect(await sent(anthropicWire, { thinking: { type: 'adaptive' }, effort: 'max' })).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'max' },
      max_tokens: 8192,
    });
    const budget = { type: 'enabled', budgetTokens: 10_000, display: 'omitted' };
    expect(await sent(anthropicWire, { thinking: budget })).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 10_000, display: 'omitted' },
      max_tokens: 18_192,
    });
    expect(await sent(anthropicWire, { thinking: { type: 'disabled' } })).toMatchObject({
      thinking: { type: 'disabled' },
    });
  });

  it('MO-34: anthropic: a turn that began without thinking goes on without it', async () => {
    const call: ContentBlock = { type: 'tool_use', id: 'toolu_r1', name: 'Read', input: {} };
    const thinking = { type: 'enabled', budgetTokens: 2000 };
    anthropicWire.events({ calls });
    const middle = await sent(anthropicWire, { thinking }, [
      prompt,
      { role: 'assistant', content: [call] },
      result(),
    ]);
    expect(middle).not.toHaveProperty('thinking');
    const next = await sent(anthropicWire, { thinking }, [
      prompt,
      { role: 'assistant', content: [call] },
      result(),
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      prompt,
    ]);
    expect(next).toHaveProperty('thinking');
  });

  it('MO-34: openai: effort, and a summary of the reasoning', async () => {
    expect(await sent(chatWire, { effort: 'low' })).toMatchObject({ reasoning_effort: 'low' });
    expect(await sent(responsesWire, { effort: 'high', reasoningSummary: 'auto' })).toMatchObject({
      reasoning: { effort: 'high', summary: 'auto' },
    });
  });

  it('MO-34: models that do not reason are not asked for encrypted reasoning', async () => {
    const server = await startLoopback({ ...responsesWire, check: () => undefined }, [
      sends(responsesWire.events({ texts: ['Fine.'] })),
    ]);
    await listen(responsesWire.model(server.url, { model: 'gpt-4.1' }), request());
    expect(server.received[0]?.body).not.toHaveProperty('include');
  });

  it.each([
    () => anthropicModel({ model: 'c', thinking: { type: 'enabled', budgetTokens: 1000 } }),
    () => anthropicModel({ model: 'c', maxTokens: 4000, thinking: { type: 'enabled', budgetTokens: 4000 } }),
    () => anthropicModel({ model: 'c', thinking: { type: 'on' } as never }),
    () => anthropicModel({ model: 'c', effort: 'huge' as never }),
    () => openaiModel({ model: 'g', reasoningSummary: 'auto' }),
    () => openaiModel({ model: 'g', api: 'responses', reasoningSummary: 'long' as never }),
  ])('MO-11: what cannot work is refused when the model is made (%#)', (make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_option' }));
  });

  it('MO-31: compatible servers may call it `reasoning`, and add details; both go back', async () => {
    const details = [{ type: 'reasoning.encrypted', data: 'abc' }];
    const server = await startLoopback(chatWire, [
      sends([
        chunk({ reasoning: 'Hm. ' }),
        chunk({ reasoning: 'So.', reasoning_details: details }),
        chunk({
          tool_calls: [
            { index: 0, id: 'toolu_r9', type: 'function', function: { name: 'Now', arguments: '{}' } },
          ],
        }),
        chunk({}, 'tool_calls'),
        DONE,
      ]),
      sends(chatWire.events({ texts: ['Noon.'] })),
    ]);
    const model = chatWire.model(server.url);
    const { events } = await listen(model, request());
    const content = events.filter(isBlock);
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'tool_use']);
    const messages: readonly ModelMessage[] = [
      prompt,
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_r9', content: 'noon' }] },
    ];
    await listen(model, request({ messages }));
    expect(listed(server.received[1]?.body, 'messages')[1]).toMatchObject({
      reasoning: 'Hm. So.',
      reasoning_details: details,
    });
  });

  it('MO-32: what only the service understands goes back as it came', async () => {
    const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ url: 'u' }] };
    const server = await startLoopback(anthropicWire, [
      sends([
        messageStart(),
        ...block(0, use, [{ type: 'input_json_delta', partial_json: '{"query":"x"}' }]),
        ...block(1, found, []),
        ...block(2, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Found.' }]),
        messageEnd('end_turn'),
      ]),
      sends(anthropicWire.events({ texts: ['Yes.'] })),
    ]);
    const model = anthropicWire.model(server.url);
    const { events, text } = await listen(model, request());
    const content: readonly ContentBlock[] = [...events.filter(isBlock), { type: 'text', text }];
    await listen(model, request({ messages: [prompt, { role: 'assistant', content }, prompt] }));
    expect(listed(server.received[1]?.body, 'messages')[1]).toEqual({
      role: 'assistant',
      content: [{ ...use, input: { query: 'x' } }, found, { type: 'text', text: 'Found.' }],
    });
  });

  it('MO-32: responses: the phase of a text goes back with it', async () => {
    const message = { type: 'message', id: 'm1', role: 'assistant', phase: 'commentary', content: [] };
    const server = await startLoopback(responsesWire, [
      sends([
        named('response.output_item.added', { output_index: 0, item: message }),
        named('response.output_text.delta', { item_id: 'm1', output_index: 0, delta: 'On it.' }),
        named('response.completed', response('completed')),
      ]),
      sends(responsesWire.events({ texts: ['Done.'] })),
    ]);
    const model = responsesWire.model(server.url);
    const { events } = await listen(model, request());
    expect(events[0]).toEqual({ type: 'text', text: 'On it.', phase: 'commentary' });
    const content: readonly ContentBlock[] = [{ type: 'text', text: 'On it.', phase: 'commentary' }];
    await listen(model, request({ messages: [prompt, { role: 'assistant', content }, prompt] }));
    expect(listed(server.received[1]?.body, 'input')[1]).toEqual({
      role: 'assistant',
      content: 'On it.',
      phase: 'commentary',
    });
  });
});
