import { describe, expect, it } from 'vitest';
import { anthropicWire, block, messageEnd, messageStart } from '../../models/servers/anthropic.js';
import { type Body, sends, startLoopback } from '../../models/servers/loopback.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { runOnWire, WIRES } from '../support/run-on-wire.js';
import { testTools } from '../support/tools.js';

/** How each format says that the limit was reached. */
const CUT = { anthropic: 'max_tokens', chat: 'length', responses: 'max_output_tokens' } as const;
const cutCall = { id: 'toolu_c1', name: 'Note', json: [`{"text":"${'x'.repeat(3000)}`] };

describe.each(['anthropic', 'chat', 'responses'] as const)('an answer that is cut off, on %s', (name) => {
  const wire = WIRES[name];
  const cut = (id: string) => wire.events({ calls: [{ ...cutCall, id }], stop: CUT[name] });

  async function play(steps: readonly (readonly string[])[], options = {}) {
    const server = await startLoopback(wire, steps.map(sends));
    const { ran, tools } = testTools();
    const { last } = await runOnWire(name, {
      answers: [],
      options: { tools, model: wire.model(server.url, { maxRetries: 0, ...options }) },
    });
    return { ...last, ran, bodies: server.received.map(({ body }) => body) };
  }

  it('LM-5: a call in its middle is not run; the model reads why, and how long an answer may be', async () => {
    const whole = wire.events({ calls: [{ id: 'toolu_c2', name: 'Note', json: ['{"text":"a"}'] }] });
    const { ran, bodies, result } = await play([cut('toolu_c1'), whole, wire.events({ texts: ['Done.'] })], {
      maxTokens: 500,
    });
    expect(result).toMatchObject({ is_error: false, result: 'Done.' });
    expect(ran).toEqual([{ name: 'Note', text: 'a' }]);
    const told = JSON.stringify(bodies[1]);
    expect(told).toContain(
      'Note was not run: your answer was cut off after 7 tokens, in the middle of this call',
    );
    expect(told).toContain('at most 500 tokens');
    expect(told).not.toContain('x'.repeat(600));
  });

  it('LM-5: after two the limit is raised where the model allows; the third ends the turn', async () => {
    const { ran, bodies, result } = await play([cut('toolu_c1'), cut('toolu_c2'), cut('toolu_c3')], {
      maxTokens: 500,
      raisedMaxTokens: 2000,
    });
    expect(ran).toEqual([]);
    const limits = bodies.map(
      (body) => body['max_tokens'] ?? body['max_completion_tokens'] ?? body['max_output_tokens'],
    );
    expect(limits).toEqual([500, 500, 2000]);
    expect(result).toMatchObject({
      is_error: true,
      subtype: 'error_during_execution',
      terminal_reason: 'max_tokens',
      stop_reason: 'max_tokens',
      errors: [expect.stringContaining('3 answers in a row were cut off')],
    });
  });

  it('LM-5: a text goes on where it ended, and the result has all of it', async () => {
    const { bodies, result } = await play([
      wire.events({ texts: ['One, two, '], stop: CUT[name] }),
      wire.events({ texts: ['three.'] }),
    ]);
    expect(result).toMatchObject({
      is_error: false,
      terminal_reason: 'completed',
      result: 'One, two, three.',
    });
    expect(JSON.stringify(bodies[1])).toContain('Go on exactly where it ended');
  });

  it('LM-5: a text that never ends is no success', async () => {
    const { result } = await play([1, 2, 3].map((n) => wire.events({ texts: [`${n} `], stop: CUT[name] })));
    expect(result).toMatchObject({ is_error: true, terminal_reason: 'max_tokens', result: '1 2 3 ' });
  });

  it('LM-5: calls before the one that was cut off are run', async () => {
    const calls = [
      { id: 'toolu_d1', name: 'Note', json: ['{"text":"a"}'] },
      { ...cutCall, id: 'toolu_d2' },
    ];
    const { ran, result } = await play([
      wire.events({ calls, stop: CUT[name] }),
      wire.events({ texts: ['Done.'] }),
    ]);
    expect(ran).toEqual([{ name: 'Note', text: 'a' }]);
    expect(result.is_error).toBe(false);
  });

  it('LM-7: a refusal ends the turn with its own reason, and calls in it are not run', async () => {
    const stop = name === 'anthropic' ? 'refusal' : 'content_filter';
    const calls = [{ id: 'toolu_e1', name: 'Note', json: ['{"text":"a"}'] }];
    const { ran, result } = await play([wire.events({ texts: ['I will not.'], calls, stop })]);
    expect(ran).toEqual([]);
    expect(result).toMatchObject({
      is_error: true,
      terminal_reason: 'refusal',
      stop_reason: 'refusal',
      result: 'I will not.',
      errors: ['The model refused to answer: I will not.'],
    });
  });
});

describe('a turn that ends with an answer that was cut off', () => {
  it('LO-43: is a failure, with the word of the Agent SDK', async () => {
    const seen: unknown[] = [];
    const { loop } = await makeLoop({
      hooks: { StopFailure: [{ hooks: [(input) => void seen.push(input.error)] }] },
      turns: [{ text: '.', stopReason: 'max_tokens', repeat: true }],
    });
    await readRun(loop.run('Go.'));
    expect(seen).toEqual(['max_output_tokens']);
  });

  it('LM-5: a full context window is compacted before the answer goes on', async () => {
    const { loop, requests } = await makeLoop({
      turns: [
        { text: 'One, ', stopReason: 'model_context_window_exceeded' },
        { text: '<summary>It counts.</summary>', when: 'summary' },
        { text: 'two.' },
      ],
    });
    const { result } = await readRun(loop.run('Count.'));
    expect(requests.map(({ purpose }) => purpose)).toEqual(['turn', 'summary', 'turn']);
    expect(result).toMatchObject({ is_error: false, result: 'One, two.' });
  });
});

describe('an answer that the service pauses', () => {
  const use = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };

  it('LM-6: goes on: the conversation is sent back as it is, and becomes one message', async () => {
    const server = await startLoopback(anthropicWire, [
      sends([
        messageStart(),
        ...block(0, use, [{ type: 'input_json_delta', partial_json: '{"query":"x"}' }]),
        messageEnd('pause_turn'),
      ]),
      sends(anthropicWire.events({ texts: ['Found.'] })),
      sends(anthropicWire.events({ texts: ['Bye.'] })),
    ]);
    const { loop } = await makeLoop({ options: { model: anthropicWire.model(server.url), tools: [] } });
    const { result } = await readRun(loop.run('Search.'));
    expect(result).toMatchObject({ is_error: false, result: 'Found.' });
    await readRun(loop.run('Bye.'));
    const messages = server.received.map(({ body }) => listed(body));
    expect(messages[1]?.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(messages[2]?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[2]?.[1]).toEqual({
      role: 'assistant',
      content: [
        { ...use, input: { query: 'x' } },
        { type: 'text', text: 'Found.' },
      ],
    });
  });

  it('LM-6: and never stops pausing ends the turn', async () => {
    const { loop, requests } = await makeLoop({
      turns: [{ text: '.', stopReason: 'pause_turn', repeat: true }],
    });
    expect((await readRun(loop.run('Go.'))).result.terminal_reason).toBe('no_progress');
    expect(requests).toHaveLength(51);
  });
});

describe('a pause with a call of ours', () => {
  it('LM-6: has its result before the conversation goes on', async () => {
    const { ran, tools } = testTools();
    const calls = [{ id: 'toolu_p1', name: 'Note', json: ['{"text":"a"}'] }];
    const server = await startLoopback(anthropicWire, [
      sends(anthropicWire.events({ calls, stop: 'pause_turn' })),
      sends(anthropicWire.events({ texts: ['Done.'] })),
    ]);
    const { loop } = await makeLoop({ options: { model: anthropicWire.model(server.url), tools } });
    expect((await readRun(loop.run('Go.'))).result).toMatchObject({ is_error: false, result: 'Done.' });
    expect(server.refused).toEqual([]);
    expect(ran).toHaveLength(1);
  });
});

const listed = (body: Body) => body['messages'] as readonly { readonly role: string }[];
