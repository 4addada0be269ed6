/** What reaches a running agent from outside: in every format, once, and only when the model has really been sent it. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ModelMessage } from '../../../../src/agent/models/port.js';
import { defineTool } from '../../../../src/agent/tools/tool.js';
import { parseFrames } from '../../../../src/injection/frame.js';
import { createMailbox } from '../../../../src/injection/mailboxes/memory/mailbox.js';
import type { Mailbox, NewInjection } from '../../../../src/injection/port.js';
import { gate } from '../../../support/runner.js';
import { makeLoop, readRun, runLoop } from '../support/run-loop.js';
import { runOnWire, type WireName } from '../support/run-on-wire.js';

/** A tool that only says what it was called with. */
const echo = defineTool({
  name: 'Echo',
  description: 'Says it again.',
  input: z.strictObject({ text: z.string() }),
  readOnly: true,
  run: ({ text }) => ({ ok: true, content: text, response: text }),
});

/** Items as a peer, a person and the system would send them, of both strategies. */
const ITEMS: readonly NewInjection[] = [
  { id: 'i1', content: 'one', source: { kind: 'peer', label: 'ada' } },
  { id: 'i2', content: 'two', strategy: 'user_message', source: { kind: 'human' } },
  { id: 'i3', content: 'three' },
  { id: 'i4', content: 'four', strategy: 'user_message' },
  { id: 'i5', content: 'five', matcher: 'Echo|Other' },
];

async function mailboxWith(items: readonly NewInjection[]): Promise<Mailbox> {
  const mailbox = createMailbox();
  for (const item of items) await mailbox.put(item);
  return mailbox;
}

/** The code of the frames is drawn anew each time. */
const withoutCodes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/· [0-9a-f]{24} /g, '· CODE '));

const frame = (from: string, id: string, text: string): string =>
  `┌── message from outside · CODE · from ${from} · id "${id}" ──\n│ ${text}\n└── end of message · CODE ──`;

const FRAMES = {
  i1: frame('peer "ada"', 'i1', 'one'),
  i2: frame('human', 'i2', 'two'),
  i3: frame('system', 'i3', 'three'),
  i4: frame('system', 'i4', 'four'),
  i5: frame('system', 'i5', 'five'),
};

const text = (content: string) => ({ type: 'text', text: content });

/** The request after one answer with these calls, sent when so many items wait. */
async function secondRequest(wire: WireName, texts: readonly string[], count: number): Promise<unknown> {
  const mailbox = await mailboxWith([]);
  const calls = texts.map((input, i) => ({ id: `call-${i + 1}`, name: 'Echo', input: { text: input } }));
  const filling = defineTool({
    name: 'Echo',
    description: 'Says it again.',
    input: z.strictObject({ text: z.string() }),
    readOnly: true,
    run: async (input) => {
      if (input.text === texts[0]) for (const item of ITEMS.slice(0, count)) await mailbox.put(item);
      return { ok: true, content: input.text, response: input.text };
    },
  });
  const { requests, last } = await runOnWire(wire, {
    answers: [{ calls }, { text: 'Done.' }],
    options: { tools: [filling], mailbox, contextWindow: 1_000_000 },
  });
  expect(last.result).toMatchObject({ is_error: false, num_turns: 2 });
  const messages = requests[1]?.messages as unknown[];
  const behind = { anthropic: 2, chat: 2, responses: 1 + calls.length }[wire];
  return withoutCodes(messages.slice(behind));
}

describe('the formats', () => {
  it('LO-37: Anthropic, one tool: results first, items inside the result and as texts behind it', async () => {
    const result = (content: unknown) => ({ type: 'tool_result', tool_use_id: 'call-1', content });
    expect(await secondRequest('anthropic', ['a'], 0)).toEqual([{ role: 'user', content: [result('a')] }]);
    expect(await secondRequest('anthropic', ['a'], 1)).toEqual([
      { role: 'user', content: [result([text('a'), text(FRAMES.i1)])] },
    ]);
    expect(await secondRequest('anthropic', ['a'], 5)).toEqual([
      {
        role: 'user',
        content: [
          result([text('a'), text(FRAMES.i1), text(FRAMES.i3), text(FRAMES.i5)]),
          text(FRAMES.i2),
          text(FRAMES.i4),
        ],
      },
    ]);
  });

  it('LO-37: Anthropic, three tools: items stand in the last result, and nothing between the results', async () => {
    const result = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content });
    expect(await secondRequest('anthropic', ['a', 'b', 'c'], 5)).toEqual([
      {
        role: 'user',
        content: [
          result('call-1', 'a'),
          result('call-2', 'b'),
          result('call-3', [text('c'), text(FRAMES.i1), text(FRAMES.i3), text(FRAMES.i5)]),
          text(FRAMES.i2),
          text(FRAMES.i4),
        ],
      },
    ]);
  });

  it('LO-37: OpenAI chat: tool messages directly after the calls, then one message of the user', async () => {
    const tool = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
    expect(await secondRequest('chat', ['a'], 1)).toEqual([tool('call-1', `a\n${FRAMES.i1}`)]);
    expect(await secondRequest('chat', ['a', 'b', 'c'], 5)).toEqual([
      tool('call-1', 'a'),
      tool('call-2', 'b'),
      tool('call-3', `c\n${FRAMES.i1}\n${FRAMES.i3}\n${FRAMES.i5}`),
      { role: 'user', content: [text(FRAMES.i2), text(FRAMES.i4)] },
    ]);
  });

  it('LO-37: OpenAI responses: outputs directly after the calls, then the rest', async () => {
    const sent = (await secondRequest('responses', ['a', 'b', 'c'], 5)) as Record<string, unknown>[];
    expect(sent.map(({ type, call_id, output }) => ({ type, call_id, output })).slice(0, 3)).toEqual([
      { type: 'function_call_output', call_id: 'call-1', output: 'a' },
      { type: 'function_call_output', call_id: 'call-2', output: 'b' },
      {
        type: 'function_call_output',
        call_id: 'call-3',
        output: `c\n${FRAMES.i1}\n${FRAMES.i3}\n${FRAMES.i5}`,
      },
    ]);
    expect(JSON.stringify(sent.slice(3))).toContain(JSON.stringify(FRAMES.i2).slice(1, -1));
  });
});

const bodyOf = (message: ModelMessage | undefined): string => JSON.stringify(message?.content);

describe('the life of an item', () => {
  it('LO-37: what waits goes along with the prompt, and the system prompt says what a frame is', async () => {
    const mailbox = await mailboxWith(ITEMS.slice(0, 2));
    const { requests } = await runLoop({ turns: [{ text: 'Done.' }], options: { mailbox, tools: [] } });
    const [request] = requests;
    expect(withoutCodes(request?.messages)).toEqual([
      { role: 'user', content: [text('Do it.'), text(FRAMES.i1), text(FRAMES.i2)] },
    ]);
    expect(request?.system).toContain('message from outside');
  });

  it('LO-37: an agent that may stop goes on with what has come, and stops when nothing is left', async () => {
    const mailbox = await mailboxWith([]);
    let stops = 0;
    const { requests, result } = await runLoop({
      turns: [{ text: 'One.' }, { text: 'Two.' }],
      options: { mailbox, tools: [] },
      hooks: {
        Stop: [
          {
            hooks: [
              async () => {
                stops += 1;
                if (stops === 1) await mailbox.put({ id: 'i2', content: 'two', source: { kind: 'human' } });
              },
            ],
          },
        ],
      },
    });
    expect(stops).toBe(2);
    expect(result.result).toBe('Two.');
    expect(withoutCodes(requests[1]?.messages.at(-1))).toEqual({
      role: 'user',
      content: [text(FRAMES.i2)],
    });
  });

  it('LO-37: an item for another tool waits, and is told where the turn would end', async () => {
    const mailbox = await mailboxWith([]);
    const putting = defineTool({
      name: 'Echo',
      description: 'x',
      input: z.strictObject({}),
      run: async () => {
        await mailbox.put({ content: 'five', matcher: 'Other' });
        return { ok: true, content: 'a', response: 'a' };
      },
    });
    const { requests } = await runLoop({
      turns: [{ tools: [{ name: 'Echo', input: {} }] }, { text: 'One.' }, { text: 'Two.' }],
      options: { mailbox, tools: [putting], permissions: { mode: 'bypassPermissions' } },
    });
    expect(bodyOf(requests[1]?.messages.at(-1))).not.toContain('five');
    expect(bodyOf(requests[2]?.messages.at(-1))).toContain('five');
  });

  it('LO-38: a request that fails gives its items back; the next one takes them along, once', async () => {
    const mailbox = await mailboxWith(ITEMS.slice(0, 1));
    const { loop, requests } = await makeLoop({
      turns: [{ error: { code: 'overloaded', message: 'later' } }, { text: 'Ah.' }, { text: 'Done.' }],
      options: { mailbox, tools: [] },
    });
    expect((await readRun(loop.run('first'))).result.terminal_reason).toBe('model_error');
    expect(await mailbox.status('i1')).toEqual({ main: 'queued' });
    await readRun(loop.run('second'));
    expect(await mailbox.status('i1')).toEqual({ main: 'delivered' });
    await readRun(loop.run('third'));
    const framesIn = (number: number) =>
      (requests[number]?.messages ?? [])
        .flatMap(({ content }) => content)
        .flatMap((block) => (block.type === 'text' ? parseFrames(block.text) : []));
    expect([0, 1, 2].map((number) => framesIn(number).length)).toEqual([1, 1, 1]);
    expect(requests[2]?.messages[0]).toEqual(requests[1]?.messages[0]);
  });

  it('LO-38: the transcript has what the model was sent, so a resumed conversation has it too', async () => {
    const mailbox = await mailboxWith(ITEMS.slice(0, 1));
    const { loop, transcripts, cwd } = await makeLoop({
      turns: [{ text: 'Ah.' }],
      options: { mailbox, tools: [] },
    });
    await readRun(loop.run('first'));
    const { transcriptPath } = await loop.session();
    await loop.close();
    const again = await makeLoop({
      turns: [{ text: 'Hello again.' }],
      options: { resume: transcriptPath, transcripts, cwd, tools: [] },
    });
    await readRun(again.loop.run('second'));
    expect(withoutCodes(again.requests[0]?.messages[0])).toEqual({
      role: 'user',
      content: [text('first'), text(FRAMES.i1)],
    });
  });

  it('LO-39: two loops on one mailbox report only their own items, even under the same id', async () => {
    for (const [first, second] of [
      ['ada', 'ben'],
      ['ada', 'ada'],
    ] as const) {
      const mailbox = createMailbox({ agents: ['ada', 'ben'] });
      const put = (id: string, to: string) => async () => {
        // Under one id each loop takes what is there: the other one then has to be done.
        if (id === 'for-first' && first === second) await secondIsDone.passed;
        await mailbox.put({ id, to, content: id });
      };
      const secondIsDone = gate();
      const turns = [{ tools: [{ name: 'Echo', input: { text: 'a' } }] }, { text: 'Done.' }];
      const loopOf = (agentId: string, id: string) =>
        makeLoop({
          turns,
          options: { mailbox, agentId, tools: [echo] },
          hooks: { PostToolUse: [{ hooks: [put(id, agentId)] }] },
        });
      const one = await loopOf(first, 'for-first');
      const two = await loopOf(second, 'for-second');
      // Both are open while the other one works.
      const reported = [two, one].map(async ({ loop }) => {
        const run = loop.run('go');
        const begun = await run.next();
        return { run, begun };
      });
      const open = await Promise.all(reported);
      const messages = [];
      for (const { run } of open) {
        const said = [];
        for await (const message of run)
          if (message.type === 'system' && message.subtype === 'injection')
            said.push(`${message.injection_id} ${message.state}`);
        messages.push(said);
        secondIsDone.open();
      }
      const [ofSecond = [], ofFirst = []] = messages;
      const delivered = (said: readonly string[]) => said.filter((each) => each.endsWith('delivered'));
      expect(delivered(ofSecond)).toEqual(['for-second delivered']);
      expect(delivered(ofFirst)).toEqual(['for-first delivered']);
      if (first !== second) {
        expect(ofSecond).toEqual(['for-second queued', 'for-second delivered']);
        expect(ofFirst).toEqual(['for-first queued', 'for-first delivered']);
      }
      for (const { loop } of [one, two]) await loop.close();
    }
  });

  it('LO-39: items of subagents are reported by the loop that started them', async () => {
    const mailbox = createMailbox({ agents: ['main', 'ada'] });
    const { messages } = await runLoop({
      turns: [
        {
          tools: [
            {
              name: 'Agent',
              input: { description: 'd', prompt: 'p', name: 'ada', subagent_type: 'general-purpose' },
            },
          ],
        },
        { text: 'Sub done.' },
        { text: 'Done.' },
      ],
      options: { mailbox, members: ['ada'] },
      hooks: {
        SubagentStart: [
          { hooks: [async () => void (await mailbox.put({ id: 'x', to: 'ada', content: 'x' }))] },
        ],
      },
    });
    const states = messages.flatMap((message) =>
      message.type === 'system' && message.subtype === 'injection'
        ? [`${message.agent_id} ${message.state}`]
        : [],
    );
    expect(states[0]).toBe('ada queued');
  });

  it('LO-39: whoever watches sees the item queued and delivered; a mailbox that fails holds nobody up', async () => {
    const mailbox = await mailboxWith([]);
    const { messages } = await runLoop({
      turns: [{ tools: [{ name: 'Echo', input: { text: 'a' } }] }, { text: 'Done.' }],
      options: { mailbox, tools: [echo] },
      hooks: { PostToolUse: [{ hooks: [async () => void (await mailbox.put(ITEMS[0] as NewInjection))] }] },
    });
    const lives = messages.flatMap((message) =>
      message.type === 'system' && message.subtype === 'injection' ? [message.state] : [],
    );
    expect(lives).toEqual(['queued', 'delivered']);
    const broken: Mailbox = {
      put: (item) => mailbox.put(item),
      take: () => Promise.reject(new Error('the line is dead')),
      pending: (agentId) => mailbox.pending(agentId),
      carryOver: (agentId) => mailbox.carryOver(agentId),
      status: (id) => mailbox.status(id),
      onChange: (listener) => mailbox.onChange(listener),
      close: () => mailbox.close(),
    };
    const { result, messages: said } = await runLoop({
      turns: [{ text: 'Done.' }],
      options: { mailbox: broken, tools: [] },
    });
    expect(result.result).toBe('Done.');
    expect(JSON.stringify(said)).toContain('the line is dead');
  });
});
