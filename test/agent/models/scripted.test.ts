import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ModelError, type ModelEvent } from '../../../src/agent/models/port.js';
import { scriptedModel } from '../../../src/agent/models/scripted.js';
import { readScript } from '../../../src/agent/models/scripted-schema.js';
import { listen } from './collect.js';
import { request } from './servers/wire.js';

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

describe('scriptedModel', () => {
  it('MO-23: says its turns one after another, text in pieces', async () => {
    const usage = { inputTokens: 9, outputTokens: 4 };
    const model = scriptedModel(
      [{ text: 'abcdefgh 🦜🦜', usage }, { text: 'B', stopReason: 'max_tokens' }, {}],
      { pieceLength: 10 },
    );
    expect((await listen(model, request())).events).toEqual([
      { type: 'text', text: 'abcdefgh 🦜' },
      { type: 'text', text: '🦜' },
      { type: 'end', stopReason: 'end_turn', usage },
    ]);
    expect((await listen(model, request())).events).toEqual([
      { type: 'text', text: 'B' },
      { type: 'end', stopReason: 'max_tokens', usage: NO_USAGE },
    ]);
    expect((await listen(model, request())).events).toEqual([
      { type: 'end', stopReason: 'end_turn', usage: NO_USAGE },
    ]);
  });

  it('MO-23: a file in YAML or JSON holds the same', async () => {
    const file =
      'turns:\n  - text: Reading.\n    tools:\n      - name: Read\n        input: { path: a }\n  - text: Read.\n';
    const events = async (content: unknown) => {
      const model = scriptedModel(readScript(content), { name: 'rehearsal' });
      expect(model.name).toBe('rehearsal');
      return [await listen(model, request()), await listen(model, request())];
    };
    const yaml = await events(parse(file));
    expect(yaml).toEqual(await events(JSON.parse(JSON.stringify(parse(file)))));
    expect(yaml[0]?.events.map(({ type }) => type)).toEqual(['text', 'tool_use', 'end']);
    expect(scriptedModel({ turns: [{ text: 'A' }] }).remaining).toBe(1);
  });

  it('MO-24: a turn is for the conversation, unless `when` says otherwise', async () => {
    const model = scriptedModel([
      { text: 'one' },
      { text: 'in short', when: 'summary' },
      { text: 'about b', when: ({ system }) => system === 'b' },
      { text: 'two' },
    ]);
    const said = async (fields: Parameters<typeof request>[0]) => (await listen(model, request(fields))).text;
    expect(await said({ purpose: 'summary' })).toBe('in short');
    expect(await said({ system: 'b' })).toBe('one');
    expect(await said({ system: 'b', purpose: 'hook' })).toBe('about b');
    expect(await said({})).toBe('two');
  });

  it('MO-24: a turn with `repeat` stays', async () => {
    const model = scriptedModel([{ text: 'once' }, { text: 'again', repeat: true }]);
    const texts = [];
    for (const _ of [1, 2, 3]) texts.push((await listen(model, request())).text);
    expect(texts).toEqual(['once', 'again', 'again']);
    expect(model.remaining).toBe(1);
  });

  it('MO-24: calls side by side take turns in the order of the calls', async () => {
    const model = scriptedModel([{ text: 'one', delayMs: 5 }, { text: 'two' }]);
    const [first, second] = await Promise.all([listen(model, request()), listen(model, request())]);
    expect([first.text, second.text]).toEqual(['one', 'two']);
  });

  it('MO-25: tool uses are numbered over the life of the model', async () => {
    const input = { path: 'a' };
    const model = scriptedModel([
      {
        tools: [
          { name: 'Read', input },
          { name: 'Now', id: 'mine' },
        ],
      },
      { text: 'And', tools: [{ name: 'Now' }] },
    ]);
    expect((await listen(model, request())).events).toEqual([
      { type: 'tool_use', id: 'toolu_script_0001', name: 'Read', input },
      { type: 'tool_use', id: 'mine', name: 'Now', input: {} },
      { type: 'end', stopReason: 'tool_use', usage: NO_USAGE },
    ]);
    expect((await listen(model, request())).events[1]).toMatchObject({ id: 'toolu_script_0003' });
  });

  it('MO-26: requests are kept as they were', async () => {
    const model = scriptedModel([{ text: 'A' }, { text: 'B' }]);
    const content = [{ type: 'text' as const, text: 'first' }];
    const messages = [{ role: 'user' as const, content }];
    const asked = request({ messages });
    await listen(model, asked);
    content.push({ type: 'text', text: 'added later' });
    expect(model.requests).toEqual([
      { ...asked, messages: [{ role: 'user', content: [{ type: 'text', text: 'first' }] }] },
    ]);
    expect(model.requests[0]?.signal).toBe(asked.signal);
    expect(model.remaining).toBe(1);
  });

  it('MO-27: a request without a turn says what is missing', async () => {
    const model = scriptedModel([{ text: 'A' }]);
    const early = await listen(model, request({ purpose: 'summary' }));
    expect(early.error).toBeInstanceOf(ModelError);
    expect(early.error).toMatchObject({ code: 'script_exhausted' });
    expect(String(early.error)).toContain(
      'no turn for request 1 (summary): the script has 1, and none of the 1 left',
    );
    await listen(model, request());
    const late = await listen(model, request());
    expect(late.events).toEqual([]);
    expect(String(late.error)).toContain('no turn for request 3 (turn): the script has 1, and all are used');
  });

  it('MO-28: an error comes after the text', async () => {
    const error = { code: 'overloaded' as const, message: 'come back later', status: 529 };
    const { events, error: thrown } = await listen(scriptedModel([{ text: 'Half', error }]), request());
    expect(events).toEqual([{ type: 'text', text: 'Half' }]);
    expect(thrown).toBeInstanceOf(ModelError);
    expect(thrown).toMatchObject(error);
  });

  it('MO-28: aborting ends a turn: before it, while it waits, between its pieces', async () => {
    const reason = new Error('enough');
    const early = await listen(
      scriptedModel([{ text: 'A' }]),
      request({ signal: AbortSignal.abort(reason) }),
    );
    expect(early).toMatchObject({ events: [], error: reason });

    const waiting = new AbortController();
    const heard = listen(
      scriptedModel([{ text: 'A', delayMs: 60_000 }]),
      request({ signal: waiting.signal }),
    );
    waiting.abort(reason);
    expect(await heard).toMatchObject({ events: [], error: reason });

    const within = new AbortController();
    const events: ModelEvent[] = [];
    const model = scriptedModel([{ text: 'AB' }], { pieceLength: 1 });
    await expect(async () => {
      for await (const event of model.stream(request({ signal: within.signal }))) {
        events.push(event);
        within.abort(reason);
      }
    }).rejects.toBe(reason);
    expect(events).toEqual([{ type: 'text', text: 'A' }]);
  });

  it.each([
    [[{ text: 'A' }, { txt: 'B' }], 'turn 2: Unrecognized key: "txt"'],
    [[{ text: 5 }], 'turn 1, `text`'],
    [[{ tools: [{ input: {} }] }], 'turn 1, `tools.0.name`'],
    [
      [{ when: 'later' }],
      'turn 1, `when`: expected a function of the request, or one of turn, summary, hook',
    ],
    [[{ error: { code: 'sad', message: '' } }], 'turn 1, `error.code`'],
    [[{ usage: { inputTokens: -1, outputTokens: 0 } }], 'turn 1, `usage.inputTokens`'],
    ['Hello', 'expected array'],
    [{ turns: 'Hello' }, 'expected array'],
    [null, 'expected array'],
  ])('MO-29: %j is refused', (script, words) => {
    expect(() => scriptedModel(readScript(script))).toThrow(
      expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(words) }),
    );
  });

  it('MO-29: pieces without length are refused', () => {
    expect(() => scriptedModel([], { pieceLength: 0 })).toThrow(
      '`pieceLength` must be a positive whole number',
    );
  });
});
