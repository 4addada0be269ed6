import { describe, expect, it } from 'vitest';
import type { StopReason } from '../../../src/agent/models/port.js';
import { listen } from './collect.js';
import { anthropicWire, block, messageEnd, messageStart } from './servers/anthropic.js';
import { sends, startLoopback } from './servers/loopback.js';
import { chatWire, chunk, DONE } from './servers/openai-chat.js';
import { named, response, responsesWire } from './servers/openai-responses.js';
import { event, request, type Wire } from './servers/wire.js';

async function answer(wire: Wire, events: readonly string[]) {
  const server = await startLoopback(wire, [sends(events)]);
  return listen(wire.model(server.url), request());
}

const ends = async (wire: Wire, events: readonly string[]) => (await answer(wire, events)).events.at(-1);

describe('usage', () => {
  it('MO-4: cached tokens are counted apart, and later counts replace earlier ones', async () => {
    const begin = {
      input_tokens: 3,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 2000,
      output_tokens: 1,
    };
    const end = { input_tokens: null, cache_read_input_tokens: 2500, output_tokens: 40 };
    expect(await ends(anthropicWire, [messageStart(begin), messageEnd('end_turn', end)])).toEqual({
      type: 'end',
      stopReason: 'end_turn',
      usage: {
        inputTokens: 3,
        outputTokens: 40,
        cacheReadInputTokens: 2500,
        cacheCreationInputTokens: 100,
      },
    });
  });

  it('MO-4: tokens that are written to the cache for an hour are counted too', async () => {
    const begin = {
      input_tokens: 3,
      cache_creation_input_tokens: 100,
      cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 },
    };
    const end = { output_tokens: 4 };
    expect(await ends(anthropicWire, [messageStart(begin), messageEnd('end_turn', end)])).toMatchObject({
      usage: { cacheCreationInputTokens: 100, cacheCreation1hInputTokens: 60 },
    });
  });

  it('MO-4: where the service counts cached tokens as input, they are taken out of it', async () => {
    const usage = {
      inputTokens: 20,
      outputTokens: 7,
      cacheReadInputTokens: 70,
      cacheCreationInputTokens: 10,
    };
    const chat = event(undefined, {
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 70, cache_write_tokens: 10 },
      },
    });
    expect(await ends(chatWire, [chunk({ content: 'Hi' }), chunk({}, 'stop'), chat, DONE])).toMatchObject({
      usage,
    });
    const counted = {
      input_tokens: 100,
      output_tokens: 7,
      input_tokens_details: { cached_tokens: 70, cache_write_tokens: 10 },
    };
    const completed = named('response.completed', response('completed', { usage: counted }));
    expect(await ends(responsesWire, [completed])).toMatchObject({ usage });
  });

  it('MO-4: a compatible server that reports none gives 0', async () => {
    expect(await ends(chatWire, [chunk({ content: 'Hi' }), chunk({}, 'stop'), DONE])).toEqual({
      type: 'end',
      stopReason: 'end_turn',
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    const completed = named('response.completed', response('completed', { usage: null }));
    expect(await ends(responsesWire, [completed])).toMatchObject({
      usage: { inputTokens: 0, outputTokens: 0 },
    });
  });
});

describe('reasons to stop', () => {
  const texts = ['Hm.'];
  const calls = [{ id: 'call_1', name: 'Now', json: [] }];
  const table: readonly (readonly [Wire, string, StopReason])[] = [
    [anthropicWire, 'end_turn', 'end_turn'],
    [anthropicWire, 'max_tokens', 'max_tokens'],
    [anthropicWire, 'stop_sequence', 'stop_sequence'],
    [anthropicWire, 'refusal', 'refusal'],
    [anthropicWire, 'pause_turn', 'pause_turn'],
    [anthropicWire, 'model_context_window_exceeded', 'model_context_window_exceeded'],
    [anthropicWire, 'something_new', 'end_turn'],
    [chatWire, 'stop', 'end_turn'],
    [chatWire, 'length', 'max_tokens'],
    [chatWire, 'content_filter', 'refusal'],
    [chatWire, 'something_new', 'end_turn'],
    [responsesWire, 'max_output_tokens', 'max_tokens'],
    [responsesWire, 'content_filter', 'refusal'],
  ];

  it.each(table)('MO-5: $name says $1', async (wire, stop, stopReason) => {
    expect(await ends(wire, wire.events({ texts, stop }))).toMatchObject({ type: 'end', stopReason });
  });

  it.each([anthropicWire, chatWire])('MO-5: $name with tools and an unknown word', async (wire) => {
    expect(await ends(wire, wire.events({ calls, stop: 'something_new' }))).toMatchObject({
      stopReason: 'tool_use',
    });
  });

  it('MO-5: a compatible server that says `stop` after calls has stopped for them', async () => {
    expect(await ends(chatWire, chatWire.events({ calls, stop: 'stop' }))).toMatchObject({
      stopReason: 'tool_use',
    });
  });

  it('MO-5: a refusal is told as text, and as the reason', async () => {
    const chat = await answer(chatWire, [chunk({ refusal: 'I will not.' }), chunk({}, 'stop'), DONE]);
    const responses = await answer(responsesWire, [
      named('response.refusal.delta', { item_id: 'msg_1', delta: 'I will not.' }),
      named('response.completed', response('completed')),
    ]);
    for (const { text, events } of [chat, responses]) {
      expect(text).toBe('I will not.');
      expect(events.at(-1)).toMatchObject({ stopReason: 'refusal' });
    }
  });

  it('MO-5: kinds of events and blocks that are not known are passed over', async () => {
    const thinking = block(0, { type: 'thinking', thinking: '' }, [
      { type: 'thinking_delta', thinking: 'Hm' },
    ]);
    const anthropic = [
      messageStart(),
      event('later_event', { type: 'later_event' }),
      ...thinking,
      ...block(1, { type: 'text', text: 'A' }, [{ type: 'text_delta', text: 'B' }, { type: 'later_delta' }]),
      messageEnd('end_turn'),
    ];
    expect((await answer(anthropicWire, anthropic)).text).toBe('AB');
    const later = named('response.later', {});
    expect((await answer(responsesWire, [later, ...responsesWire.events({ texts })])).text).toBe('Hm.');
  });

  it('MO-2: calls that come whole and without an index are told apart by their ids', async () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'Now', arguments: '{}' } });
    const { events } = await answer(chatWire, [
      chunk({ tool_calls: [call('call_1'), call('call_2')] }),
      chunk({}, 'tool_calls'),
      DONE,
    ]);
    expect(events.map((each) => (each.type === 'tool_use' ? each.id : each.type))).toEqual([
      'call_1',
      'call_2',
      'end',
    ]);
  });
});
