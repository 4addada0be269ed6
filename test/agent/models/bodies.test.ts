import { describe, expect, it } from 'vitest';
import type { ModelMessage, ModelRequest } from '../../../src/agent/models/port.js';
import { listen } from './collect.js';
import { API_VERSION, anthropicWire } from './servers/anthropic.js';
import { type Received, sends, startLoopback } from './servers/loopback.js';
import { chatWire } from './servers/openai-chat.js';
import { responsesWire } from './servers/openai-responses.js';
import { request, type Wire } from './servers/wire.js';

async function sent(wire: Wire, fields: Partial<ModelRequest>, options = {}): Promise<Received> {
  const server = await startLoopback(wire, [sends(wire.events({ texts: ['Fine.'] }))]);
  expect((await listen(wire.model(server.url, options), request(fields))).error).toBeUndefined();
  return server.received[0] as Received;
}

const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const tools = [{ name: 'Read', description: 'Reads a file', inputSchema }];

/** Two calls side by side, one fails; the user says more in the same message as the results. */
const messages: readonly ModelMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'Compare a and b' }] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Reading both.' },
      { type: 'tool_use', id: 'call_1', name: 'Read', input: { path: 'a' } },
      { type: 'tool_use', id: 'call_2', name: 'Read', input: { path: 'b' } },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'call_1',
        content: [{ type: 'text', text: 'A' }, { type: 'image' }],
      },
      { type: 'tool_result', tool_use_id: 'call_2', content: 'no such file', is_error: true },
      { type: 'text', text: 'First.' },
      { type: 'text', text: 'Second.' },
    ],
  },
];

const MARK = { type: 'ephemeral' };

/** Its last block is where the cache ends. */
const marked = (message: ModelMessage | undefined): unknown => ({
  ...message,
  content: message?.content.map((block, i, all) =>
    i === all.length - 1 ? { ...block, cache_control: MARK } : block,
  ),
});

describe('the body of a request', () => {
  it('MO-6: Messages API: a conversation with tools, exactly', async () => {
    const { body, headers } = await sent(anthropicWire, {
      system: 'Be brief.',
      messages,
      tools,
      maxTokens: 100,
    });
    expect(body).toEqual({
      model: 'claude-test',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be brief.', cache_control: MARK }],
      messages: [marked(messages[0]), messages[1], marked(messages[2])],
      tools: [{ name: 'Read', description: 'Reads a file', input_schema: inputSchema, cache_control: MARK }],
      stream: true,
    });
    expect(headers['anthropic-version']).toBe(API_VERSION);
  });

  it('MO-6: Messages API: results come first, empty texts and what the port does not name are left out', async () => {
    const use = { type: 'tool_use', id: 'call_1', name: 'Now', input: {}, seen: true } as const;
    const { body } = await sent(anthropicWire, {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'When?' }] },
        { role: 'assistant', content: [{ type: 'text', text: ' \n' }, use] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hurry.' },
            { type: 'tool_result', tool_use_id: 'call_1', content: '' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: '' }] },
      ],
    });
    expect(body).toEqual({
      model: 'claude-test',
      max_tokens: 8192,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'When?', cache_control: MARK }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'Now', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: '' },
            { type: 'text', text: 'Hurry.', cache_control: MARK },
          ],
        },
      ],
      stream: true,
    });
  });

  it('MO-6: Messages API: empty texts inside a result are left out too', async () => {
    const { body } = await sent(anthropicWire, {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'When?' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'Now', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'call_1',
              content: [
                { type: 'text', text: '' },
                { type: 'text', text: 'Noon.' },
              ],
            },
          ],
        },
      ],
    });
    expect((body['messages'] as unknown[])[2]).toEqual({
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_1',
          content: [{ type: 'text', text: 'Noon.' }],
          cache_control: MARK,
        },
      ],
    });
  });

  it('MO-7, MO-9: chat completions: a conversation with tools, exactly', async () => {
    const { body } = await sent(chatWire, { system: 'Be brief.', messages, tools, maxTokens: 100 });
    const call = (id: string, path: string) => ({
      id,
      type: 'function',
      function: { name: 'Read', arguments: JSON.stringify({ path }) },
    });
    expect(body).toEqual({
      model: 'gpt-test',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Compare a and b' },
        {
          role: 'assistant',
          content: 'Reading both.',
          tool_calls: [call('call_1', 'a'), call('call_2', 'b')],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'A\n[content of type image cannot be shown here]' },
        { role: 'tool', tool_call_id: 'call_2', content: 'Error: no such file' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'First.' },
            { type: 'text', text: 'Second.' },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'Read', description: 'Reads a file', parameters: inputSchema },
        },
      ],
      max_completion_tokens: 100,
      stream_options: { include_usage: true },
      stream: true,
    });
  });

  it('MO-8, MO-9: responses: a conversation with tools, exactly', async () => {
    const { body } = await sent(responsesWire, { system: 'Be brief.', messages, tools, maxTokens: 100 });
    expect(body).toEqual({
      model: 'gpt-test',
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'Compare a and b' },
        { role: 'assistant', content: 'Reading both.' },
        { type: 'function_call', call_id: 'call_1', name: 'Read', arguments: '{"path":"a"}' },
        { type: 'function_call', call_id: 'call_2', name: 'Read', arguments: '{"path":"b"}' },
        {
          type: 'function_call_output',
          call_id: 'call_1',
          output: 'A\n[content of type image cannot be shown here]',
        },
        { type: 'function_call_output', call_id: 'call_2', output: 'Error: no such file' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'First.' },
            { type: 'input_text', text: 'Second.' },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          name: 'Read',
          description: 'Reads a file',
          parameters: inputSchema,
          strict: false,
        },
      ],
      max_output_tokens: 100,
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    });
  });

  it('MO-7, MO-8: what is empty is not sent; calls without text have none', async () => {
    const silent: readonly ModelMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'When?' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'Now', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'noon' }] },
      { role: 'assistant', content: [] },
    ];
    const chat = await sent(chatWire, { messages: silent });
    expect(Object.keys(chat.body).sort()).toEqual(['messages', 'model', 'stream', 'stream_options']);
    expect(chat.body['messages']).toEqual([
      { role: 'user', content: 'When?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'Now', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
    ]);
    const responses = await sent(responsesWire, { messages: silent });
    expect(responses.body['input']).toEqual([
      { role: 'user', content: 'When?' },
      { type: 'function_call', call_id: 'call_1', name: 'Now', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'noon' },
    ]);
  });
});

describe.each([anthropicWire, chatWire, responsesWire])('options of $name', (wire) => {
  it('MO-10: another model for a purpose, more fields, more headers', async () => {
    const options = {
      modelFor: { summary: 'a-small-one' },
      headers: { 'x-team': 'blue' },
      extraBody: { metadata: { user_id: 'u1' }, stream: false },
    };
    const summary = await sent(wire, { purpose: 'summary' }, options);
    expect(summary.body).toMatchObject({ model: 'a-small-one', metadata: { user_id: 'u1' }, stream: true });
    expect(summary.headers['x-team']).toBe('blue');
    expect(JSON.stringify(summary.headers)).toContain('test-key');
    expect((await sent(wire, { purpose: 'hook' }, options)).body['model']).toMatch(/-test$/);
  });

  it("MO-10: the request's limit goes before the option's", async () => {
    const limits = async (maxTokens?: number) => {
      const fields = maxTokens === undefined ? {} : { maxTokens };
      return Object.values((await sent(wire, fields, { maxTokens: 77 })).body);
    };
    expect(await limits()).toContain(77);
    expect(await limits(33)).toContain(33);
    expect(await limits(33)).not.toContain(77);
  });

  it.each([
    { model: '' },
    { maxTokens: 0 },
    { maxTokens: 1.5 },
    { maxRetries: -1 },
    { timeout: 0 },
    { timeout: Number.NaN },
    { timeout: 2 ** 31 },
  ])('MO-11: %j is refused at once', (options) => {
    const name = Object.keys(options)[0] ?? '';
    expect(() => wire.model('http://127.0.0.1', options)).toThrow(
      expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(`\`${name}\``) }),
    );
  });
});
