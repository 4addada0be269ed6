import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { gate, refusalOf, watchProcess } from '../../../support/runner.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { checkConversation, expectValid, hangingModel, textOf, watchLoop } from './support.js';

watchProcess();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('prompts of a session', () => {
  it('LO-2: a run begins with init and ends with the one result, which it also returns', async () => {
    const { loop } = await watchLoop({
      turns: [
        { tools: [{ name: 'Note', input: { text: 'a' } }], usage: { inputTokens: 10, outputTokens: 2 } },
        { text: 'Done.', usage: { inputTokens: 20, outputTokens: 3 } },
      ],
      options: { tools: testTools().tools },
    });
    const { messages, result } = await readRun(loop.run('Do it.'));
    expect(
      messages.find((each) => each.type !== 'system' || !each.subtype.startsWith('hook_')),
    ).toMatchObject({
      type: 'system',
      subtype: 'init',
      model: 'scripted',
      permissionMode: 'default',
      agents: ['general-purpose'],
      mcp_servers: [],
      tools: ['Note', 'Look', 'Change', 'Fail', 'mcp__box__get'],
    });
    expect(messages.filter(({ type }) => type === 'result')).toEqual([result]);
    expect(messages.at(-1)).toBe(result);
    expect(result).toEqual({
      type: 'result',
      subtype: 'success',
      is_error: false,
      terminal_reason: 'completed',
      result: 'Done.',
      stop_reason: 'end_turn',
      num_turns: 2,
      duration_ms: expect.any(Number),
      duration_api_ms: expect.any(Number),
      usage: {
        input_tokens: 30,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 5,
      },
      total_cost_usd: 0,
      modelUsage: {
        scripted: {
          inputTokens: 30,
          outputTokens: 5,
          cacheReadInputTokens: 0,
          cacheCreationInputTokens: 0,
          costUSD: 0,
        },
      },
      unpriced_models: ['scripted'],
      permission_denials: [],
      uuid: expect.stringMatching(UUID),
      session_id: (await loop.session()).id,
    });
  });

  it('LO-2: messages of a run have ids of their own, and those of the model and of tools are told in order', async () => {
    const { loop } = await makeLoop({
      turns: [
        { text: 'First', tools: [{ name: 'Note', id: 'use-1', input: { text: 'a' } }] },
        { text: 'Done.' },
      ],
      options: { tools: testTools().tools },
    });
    const { messages } = await readRun(loop.run('Do it.'));
    const { id } = await loop.session();
    expect(new Set(messages.map(({ uuid }) => uuid)).size).toBe(messages.length);
    for (const message of messages) expect(message.session_id).toBe(id);
    expect(messages.map(({ type }) => type)).toEqual(['system', 'assistant', 'user', 'assistant', 'result']);
    expect(messages[2]).toMatchObject({
      message: { content: [{ type: 'tool_result', tool_use_id: 'use-1', content: 'Note: a' }] },
      tool_use_result: { said: 'a' },
      parent_tool_use_id: null,
    });
  });

  it('LO-2: pieces of text are messages only when they are asked for, and add up to the text', async () => {
    const said = async (includePartialMessages: boolean): Promise<string> => {
      const { loop } = await makeLoop({
        turns: [{ text: 'A text that is longer than one piece of it.' }],
        options: { includePartialMessages },
      });
      const { messages } = await readRun(loop.run('Talk.'));
      return messages
        .flatMap((each) =>
          each.type === 'stream_event' && each.event.delta.type === 'text_delta'
            ? [each.event.delta.text]
            : [],
        )
        .join('');
    };
    expect(await said(true)).toBe('A text that is longer than one piece of it.');
    expect(await said(false)).toBe('');
  });

  it('LO-4: a later prompt sees the whole conversation so far', async () => {
    const { loop, requests } = await makeLoop({
      turns: [
        { tools: [{ name: 'Note', input: { text: 'seven' } }] },
        { text: 'It is seven.' },
        { text: 'As I said.' },
      ],
      options: { tools: testTools().tools },
    });
    await readRun(loop.run('Note it.'));
    await readRun(
      loop.run([
        { type: 'text', text: 'And' },
        { type: 'text', text: 'again?' },
      ]),
    );
    expectValid(requests);
    expect(requests[2]?.messages.map(textOf)).toEqual([
      'Note it.',
      '{"text":"seven"}',
      'Note: seven',
      'It is seven.',
      'And\nagain?',
    ]);
    checkConversation((await loop.conversation()).slice(0, -1));
  });

  it('LO-4: a second run is refused with a sentence while one goes on, and does the first no harm', async () => {
    const asked = gate();
    const { loop, seen } = await watchLoop({ options: { model: hangingModel(() => asked.open()) } });
    const first = readRun(loop.run('Think.'));
    await asked.passed;
    for (const another of [() => loop.run('Hurry!'), () => loop.compact(), () => loop.clear()]) {
      const refusal = await refusalOf(() => another().next());
      expect(refusal.code).toBe('invalid_option');
      expect(refusal.message).toMatch(/run is in progress.*interrupt\(\)/);
    }
    expect(seen.map(({ event }) => event)).toEqual(['SessionStart', 'UserPromptSubmit']);
    loop.interrupt();
    expect((await first).result.terminal_reason).toBe('aborted');
  });

  it('LO-4: a run that nobody has begun to read does not stand in the way', async () => {
    const { loop } = await makeLoop({ turns: [{ text: 'Done.' }] });
    loop.run('Never read');
    expect((await readRun(loop.run('Read'))).result.result).toBe('Done.');
  });

  it('LO-4: a session that has ended takes no prompt any more, and says so', async () => {
    const { loop } = await makeLoop({ turns: [{ text: 'Done.' }] });
    await readRun(loop.run('Do it.'));
    await loop.close();
    const refusal = await refusalOf(() => loop.run('Again').next());
    expect(refusal.code).toBe('disposed');
    expect(refusal.message).toContain('new AgentLoop');
  });

  it('LO-4: an empty answer of the model leaves a conversation that can go on', async () => {
    const { loop, requests } = await makeLoop({ turns: [{}, { text: 'Here I am.' }] });
    expect((await readRun(loop.run('Hello?'))).result).toMatchObject({
      terminal_reason: 'completed',
      result: '',
    });
    await readRun(loop.run('Are you there?'));
    expectValid(requests);
    expect(textOf(requests[1]?.messages[0])).toBe('Hello?\nAre you there?');
  });

  it('LO-4: two sessions beside each other share nothing', async () => {
    const one = await makeLoop({ turns: [{ text: 'One.' }] });
    const two = await makeLoop({ options: { model: scriptedModel([{ text: 'Two.' }]) } });
    const [first, second] = await Promise.all([readRun(one.loop.run('1')), readRun(two.loop.run('2'))]);
    expect([first.result.result, second.result.result]).toEqual(['One.', 'Two.']);
    expect(first.result.session_id).not.toBe(second.result.session_id);
    expect((await one.loop.conversation()).map(textOf)).toEqual(['1', 'One.']);
  });
});
