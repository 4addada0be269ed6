import { describe, expect, expectTypeOf, it } from 'vitest';
import { PostModelCall, PreModelCall } from '../../../../src/agent/loop/model-call-events.js';
import type { LoopHooks } from '../../../../src/agent/loop/options.js';
import type { ContentBlock, ModelMessage } from '../../../../src/agent/models/port.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { agentTool } from '../../../../src/agent/tools/agent.js';
import { readTranscript } from '../../../../src/agent/transcript/read-transcript.js';
import { command, Runner } from '../../../../src/index.js';
import { watchProcess } from '../../../support/runner.js';
import { kind, start } from '../agents/support.js';
import { textOf, watchLoop } from '../session/support.js';
import { makeLoop, readRun, runLoop } from '../support/run-loop.js';
import { runOnWire, WIRES, type WireName } from '../support/run-on-wire.js';
import { testTools } from '../support/tools.js';

watchProcess();

const events = { PreModelCall, PostModelCall };
const note = { name: 'Note', input: { text: 'the key is sk-12345' } };
const SECRET = /sk-\d+/g;
const hidden = (text: string): string => text.replaceAll(SECRET, '[key]');

/** A redaction that works on anything that is JSON. */
const redacted = <T>(value: T): T => JSON.parse(hidden(JSON.stringify(value))) as T;

/** A loop whose runner knows the two events. */
async function withEvents(
  register: (runner: Runner<typeof events>) => void,
  setup: Parameters<typeof makeLoop>[0] = {},
) {
  const runner = new Runner({ events, onWarning: () => {} });
  register(runner);
  const made = await makeLoop({ ...setup, options: { hooks: runner as LoopHooks, ...setup.options } });
  return { ...made, runner };
}

describe('beforeModel', () => {
  it.each(Object.keys(WIRES) as WireName[])(
    'LO-44: changes what the service receives, on %s; the conversation and the transcript stay as they are',
    async (wire) => {
      const { last, requests, loop } = await runOnWire(wire, {
        answers: [{ calls: [{ id: 'c1', name: 'Note', input: note.input }] }, { text: 'Done.' }],
        prompts: ['My key is sk-777.'],
        options: {
          tools: testTools().tools,
          beforeModel: ({ messages, system, tools }) => ({
            messages: redacted(messages),
            system: `${system} Be brief.`,
            tools: tools.filter(({ name }) => name === 'Note'),
          }),
        },
      });
      expect(last.result.result).toBe('Done.');
      const sent = JSON.stringify(requests);
      expect(sent).not.toMatch(SECRET);
      expect(sent).toContain('My key is [key].');
      expect(requests[0]?.system).toContain('Be brief.');
      expect(JSON.stringify(await loop.conversation())).toContain('sk-777');
    },
  );

  it('LO-44: chooses the model of a request; messages and transcript name that one', async () => {
    const cheap = scriptedModel([{ text: 'From the cheap one.' }], { name: 'cheap' });
    const { loop, requests } = await makeLoop({
      turns: [{ text: 'From the usual one.' }],
      options: {
        beforeModel: ({ messages }) => (textOf(messages.at(-1)) === 'easy' ? { model: cheap } : undefined),
      },
    });
    const { messages, result } = await readRun(loop.run('easy'));
    expect(result.result).toBe('From the cheap one.');
    expect(messages.find(({ type }) => type === 'assistant')).toMatchObject({ message: { model: 'cheap' } });
    expect((await readRun(loop.run('hard'))).result.result).toBe('From the usual one.');
    expect([cheap.requests.length, requests.length]).toEqual([1, 1]);
  });

  it('LO-44: answers in the place of the model, which is not asked', async () => {
    const cached = new Map<string, readonly ContentBlock[]>();
    const keyOf = (messages: readonly ModelMessage[]): string => textOf(messages.at(-1));
    const { loop, requests } = await makeLoop({
      turns: [{ text: 'Four.' }],
      options: {
        beforeModel: ({ messages }) => {
          const content = cached.get(keyOf(messages));
          return content && { answer: { content } };
        },
        afterModel: ({ content }, { messages }) => void cached.set(keyOf(messages), content),
      },
    });
    for (const _ of [1, 2]) expect((await readRun(loop.run('2+2?'))).result.result).toBe('Four.');
    expect(requests).toHaveLength(1);
  });

  it('LO-45: a refusal ends the turn with its own reason and StopFailure; nothing is sent, and the next prompt works', async () => {
    let budget = 0;
    const failures: unknown[] = [];
    const { loop, requests } = await makeLoop({
      turns: [{ text: 'Here.' }],
      hooks: {},
      prepare: ({ runner }) => runner.on('StopFailure', (input) => void failures.push(input.error)),
      options: { beforeModel: () => (budget > 0 ? undefined : { refuse: 'the budget is spent' }) },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({
      terminal_reason: 'model_call_blocked',
      is_error: true,
      errors: ['beforeModel refused: the budget is spent'],
    });
    expect(failures).toEqual(['model_call_blocked']);
    expect(requests).toEqual([]);
    budget = 1;
    expect((await readRun(loop.run('Again.'))).result.result).toBe('Here.');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no key');
      },
      'no key',
    ],
    ['takes too long', () => new Promise<never>(() => {}), 'did not finish within 0.05 s'],
    ['returns no object', () => 'no' as never, 'returned'],
    ['returns no model', () => ({ model: {} as never }), 'no method `stream`'],
    ['returns no messages', () => ({ messages: [] }), 'its messages are empty'],
    [
      'returns messages in a wrong order',
      () => ({ messages: [{ role: 'assistant' as const, content: [{ type: 'text' as const, text: 'x' }] }] }),
      'roles alternate',
    ],
    [
      'leaves a call open',
      () => ({
        messages: [
          { role: 'user' as const, content: [{ type: 'text' as const, text: 'x' }] },
          {
            role: 'assistant' as const,
            content: [{ type: 'tool_use' as const, id: 'a', name: 'Note', input: {} }],
          },
          { role: 'user' as const, content: [{ type: 'text' as const, text: 'x' }] },
        ],
      }),
      'no result for the tool call "a"',
    ],
  ])('LO-45: one that %s refuses the request, or lets it pass where that was said', async (_, hook, why) => {
    // Only what never answers needs a short time; the others answer in time on a busy machine, too.
    const timeout = why.includes('0.05 s') ? 0.05 : 30;
    const closed = await runLoop({
      turns: [{ text: 'Sent.' }],
      options: { beforeModel: { hook, timeout } },
    });
    expect(closed.result.terminal_reason).toBe('model_call_blocked');
    expect(closed.result.errors?.[0]).toContain(why);
    expect(closed.requests).toEqual([]);
    const open = await runLoop({
      turns: [{ text: 'Sent.' }],
      options: { beforeModel: { hook, timeout, onFailure: 'continue' } },
    });
    expect(open.result.result).toBe('Sent.');
    expect(open.messages).toContainEqual(
      expect.objectContaining({ subtype: 'informational', content: expect.stringContaining(why) }),
    );
  });

  it.each([
    [{ beforeModel: 'x' as never }, 'beforeModel is "x"'],
    [{ afterModel: { hook: () => {}, timeout: 0 } }, 'afterModel: A timeout'],
    [{ afterModel: { hook: () => {}, onFailure: 'closed' as never } }, 'onFailure of afterModel'],
  ])('LO-45: what cannot be used is refused when the session opens: %o', async (options, message) => {
    const { loop } = await makeLoop({ options });
    await expect(loop.start()).rejects.toThrow(message);
  });

  it('LO-46: an interrupt ends it at once', async () => {
    const { loop } = await makeLoop({
      options: {
        beforeModel: (_, { signal }) => {
          setImmediate(() => loop.interrupt());
          return new Promise<never>((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('ended')), { once: true }),
          );
        },
      },
    });
    expect((await readRun(loop.run('Go.'))).result.terminal_reason).toBe('aborted');
  });

  it('LO-46: also for summaries and subagents, with their ids', async () => {
    const worker = kind([{ text: 'Looked.' }]);
    const calls: [string, boolean][] = [];
    const { loop } = await watchLoop({
      turns: [{ tools: [start('worker')] }, { text: 'Done.' }, { when: 'summary', text: 'A summary.' }],
      options: {
        tools: [agentTool],
        agents: { worker: worker.definition },
        beforeModel: ({ purpose }, { agentId }) => void calls.push([purpose, agentId !== undefined]),
      },
    });
    await readRun(loop.run('Go.'));
    expect((await readRun(loop.compact())).result.terminal_reason).toBe('compacted');
    expect(calls).toEqual([
      ['turn', false],
      ['turn', true],
      ['turn', false],
      ['summary', false],
    ]);
  });
});

describe('afterModel', () => {
  it('LO-47: replaces the answer before anybody sees it: messages, transcript, the tools and the next request', async () => {
    const { ran, tools } = testTools();
    const { loop, messages, requests } = await runLoop({
      turns: [{ text: 'It is sk-999.', tools: [note] }, { text: 'Done.' }],
      options: {
        tools,
        includePartialMessages: true,
        afterModel: ({ content }) => ({ content: redacted(content) }),
      },
    });
    expect(ran).toEqual([{ name: 'Note', text: 'the key is [key]' }]);
    const { transcriptPath } = await loop.session();
    const read = await readTranscript(transcriptPath);
    for (const seen of [messages, requests, read.messages]) {
      expect(JSON.stringify(seen)).not.toMatch(SECRET);
      expect(JSON.stringify(seen)).toContain('It is [key].');
    }
  });

  it('LO-47: a refused answer is dropped, and its tools do not run; its tokens count', async () => {
    const { ran, tools } = testTools();
    const { result, messages, loop } = await runLoop({
      turns: [{ text: 'x', tools: [note], usage: { inputTokens: 5, outputTokens: 2 } }],
      options: { tools, afterModel: () => ({ refuse: 'not allowed' }) },
    });
    expect(result).toMatchObject({
      terminal_reason: 'model_call_blocked',
      errors: ['afterModel refused: not allowed'],
    });
    expect(result.usage).toMatchObject({ input_tokens: 5, output_tokens: 2 });
    expect(ran).toEqual([]);
    expect(messages.some(({ type }) => type === 'assistant')).toBe(false);
    expect(await loop.conversation()).toHaveLength(1);
  });
});

describe('PreModelCall and PostModelCall', () => {
  it('LO-48: hooks see the request and the answer, and belong together', async () => {
    const seen: unknown[] = [];
    const { loop } = await withEvents(
      (runner) => {
        runner.on('PreModelCall', (input) => {
          expectTypeOf(input.request.system).toEqualTypeOf<string>();
          seen.push(input);
        });
        runner.on('PostModelCall', { matcher: 'scripted' }, (input) => void seen.push(input));
        runner.on('PostModelCall', { matcher: 'other' }, () => void seen.push('never'));
      },
      {
        turns: [{ text: 'Hi.', usage: { inputTokens: 3, outputTokens: 1 } }],
        options: { tools: testTools().tools },
      },
    );
    await readRun(loop.run('Hello'));
    const [before, after] = seen as Record<string, unknown>[];
    expect(before).toMatchObject({
      hook_event_name: 'PreModelCall',
      model: 'scripted',
      purpose: 'turn',
      request: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] },
    });
    const { tools = [] } = (before?.['request'] ?? {}) as { tools?: object[] };
    expect(tools[0]).toMatchObject({
      name: 'Note',
      input_schema: { type: 'object' },
    });
    expect(after).toMatchObject({
      call_id: before?.['call_id'],
      content: [{ type: 'text', text: 'Hi.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 1 },
    });
    expect(seen).toHaveLength(2);
  });

  it('LO-48: they change the request one after another, choose the model, and change the answer', async () => {
    const cheap = scriptedModel([{ text: 'sk-1 and more' }], { name: 'cheap' });
    const { loop } = await withEvents(
      (runner) => {
        const append = (text: string) =>
          runner.on('PreModelCall', ({ request }) => ({
            hookSpecificOutput: {
              hookEventName: 'PreModelCall',
              updatedInput: { ...request, system: `${request.system}${text}` },
            },
          }));
        append(' One.');
        append(' Two.');
        runner.on('PreModelCall', () => ({
          hookSpecificOutput: { hookEventName: 'PreModelCall', model: 'cheap' },
        }));
        for (const change of [hidden, (text: string) => text.toUpperCase()])
          runner.on('PostModelCall', ({ content }) => ({
            hookSpecificOutput: {
              hookEventName: 'PostModelCall',
              updatedOutput: content.map((block) => ({ ...block, text: change(String(block['text'])) })),
            },
          }));
      },
      { options: { systemPrompt: 'Zero.', modelFor: (name) => (name === 'cheap' ? cheap : undefined) } },
    );
    expect((await readRun(loop.run('Hello'))).result.result).toBe('[KEY] AND MORE');
    expect(cheap.requests[0]?.system).toBe('Zero. One. Two.');
  });

  it('LO-48: shell hooks too: a refusal, a stop, and an answer in the place of the model', async () => {
    const answer = {
      hookSpecificOutput: {
        hookEventName: 'PreModelCall',
        answer: { content: [{ type: 'text', text: 'Cached.' }] },
      },
    };
    const { loop, requests, runner } = await withEvents(
      (made) => {
        made.on(
          'PreModelCall',
          command(`grep -q '"text":"forbidden"' && { echo 'not this' >&2; exit 2; }; exit 0`),
        );
        made.on(
          'PreModelCall',
          command(`grep -q '"text":"known"' && echo '${JSON.stringify(answer)}'; exit 0`),
        );
      },
      { turns: [{ text: 'Asked.' }] },
    );
    const results = [];
    for (const prompt of ['known', 'ask']) results.push((await readRun(loop.run(prompt))).result.result);
    expect(results).toEqual(['Cached.', 'Cached.']);
    const { result } = await readRun(loop.run('forbidden'));
    expect(result).toMatchObject({
      terminal_reason: 'model_call_blocked',
      errors: [expect.stringContaining('not this')],
    });
    expect(requests).toEqual([]);
    runner.on('PreModelCall', () => ({ continue: false, stopReason: 'enough' }));
    await readRun(loop.clear());
    expect((await readRun(loop.run('Go.'))).result).toMatchObject({
      terminal_reason: 'hook_stopped',
      hook_stop_reason: 'enough',
    });
  });

  it.each([
    [
      'an unknown model',
      () => ({ hookSpecificOutput: { hookEventName: 'PreModelCall' as const, model: 'nobody' } }),
      'the model "nobody"',
    ],
    [
      'a request that no service accepts',
      () => ({
        hookSpecificOutput: {
          hookEventName: 'PreModelCall' as const,
          updatedInput: { system: '', messages: [], tools: [] },
        },
      }),
      'its messages are empty',
    ],
  ])('LO-48: %s refuses the request', async (_, hook, why) => {
    const { loop, requests } = await withEvents((runner) => void runner.on('PreModelCall', hook));
    const { result } = await readRun(loop.run('Go.'));
    expect(result.terminal_reason).toBe('model_call_blocked');
    expect(result.errors?.[0]).toContain(why);
    expect(requests).toEqual([]);
  });

  it('LO-48: without hooks for them nothing is fired, and text is streamed', async () => {
    const { loop } = await withEvents(() => {}, {
      turns: [{ text: 'Hello there, you.' }],
      options: { includePartialMessages: true },
    });
    const { messages } = await readRun(loop.run('Hi'));
    expect(messages.filter(({ type }) => type === 'stream_event').length).toBeGreaterThan(1);
  });
});
