import { describe, expect, it } from 'vitest';
import type { Model } from '../../../../src/agent/models/port.js';
import { agentTool } from '../../../../src/agent/tools/agent.js';
import { createMailbox } from '../../../../src/injection/mailboxes/memory/mailbox.js';
import { watchProcess } from '../../../support/runner.js';
import { kind, start } from '../agents/support.js';
import { readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { expectValid, lastSaid, story, watchLoop } from './support.js';

watchProcess();

const agentTools = [agentTool];
const note = (text: string) => ({ name: 'Note', input: { text } });
const forever = [{ text: 'Still at it.', tools: [note('again')], repeat: true }];

describe('turns of subagents', () => {
  it('LO-6: `maxTurns` of the session bounds each subagent; its parent reads why it ended, and what it said last', async () => {
    const worker = kind(forever);
    const { loop, requests } = await watchLoop({
      turns: [{ tools: [start('worker')] }, { text: 'Then without.' }],
      options: {
        tools: [...testTools().tools, ...agentTools],
        maxTurns: 3,
        agents: { worker: worker.definition },
      },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'Then without.' });
    expect(worker.requests).toHaveLength(3);
    expect(lastSaid(requests)).toContain('The agent did not finish. The limit of 3 turns was reached.');
    expect(lastSaid(requests)).toContain('Still at it.');
    expectValid([...requests, ...worker.requests]);
  });

  it('LO-6: an agent type has a limit of its own, which takes precedence', async () => {
    const short = kind(forever, { maxTurns: 1 });
    const long = kind(forever, { maxTurns: 5 });
    const { loop } = await watchLoop({
      turns: [{ tools: [start('short'), start('long')] }, { text: 'Done.' }],
      options: {
        tools: [...testTools().tools, ...agentTools],
        maxTurns: 3,
        agents: { short: short.definition, long: long.definition },
      },
    });
    expect((await readRun(loop.run('Go.'))).result.terminal_reason).toBe('completed');
    expect([short.requests.length, long.requests.length]).toEqual([1, 5]);
  });

  it.each([
    [{ maxTurns: 0 }, 'maxTurns is 0'],
    [{ stallCap: 1.5 }, 'stallCap is 1.5'],
    [{ maxItemLength: Number.NaN }, 'maxItemLength is NaN'],
    [{ maxItemLength: 0 }, 'maxItemLength is 0'],
    [{ agents: { scout: kind([], { maxTurns: -1 }).definition } }, 'maxTurns of the agent scout is -1'],
  ])('LO-6: a limit that is none is refused: %o', async (options, message) => {
    const { loop } = await watchLoop({ options });
    await expect(loop.start()).rejects.toThrow(`${message}; give a whole number of at least 1.`);
  });
});

describe('an agent that makes no progress', () => {
  it('LO-41: reads a reminder halfway, and ends with a reason of its own, without Stop; the next prompt works', async () => {
    const { tools, ran } = testTools();
    const { loop, seen, requests } = await watchLoop({
      turns: [...Array.from({ length: 5 }, () => ({ tools: [note('again')] })), { text: 'Back.' }],
      options: { tools, stallCap: 4 },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({
      terminal_reason: 'no_progress',
      subtype: 'error_during_execution',
      is_error: true,
    });
    expect(result.errors?.[0]).toMatch(/^The agent made no progress: its last 4 turns/);
    // The first call brings its result; four more bring it again.
    expect(ran).toHaveLength(5);
    const reminded = requests.map(
      ({ messages }) => JSON.stringify(messages).split('Try something else').length - 1,
    );
    expect(reminded).toEqual([0, 0, 0, 1, 1]);
    expect(story(seen)).not.toContain('Stop');
    expect((await readRun(loop.run('And now?'))).result.result).toBe('Back.');
    expectValid(requests);
  });

  it('LO-41: also if it goes in a circle of several calls, or fails for the same reason with other inputs', async () => {
    const circle = ['a', 'b', 'c'];
    for (const turns of [
      Array.from({ length: 20 }, (_, i) => ({ tools: [note(circle[i % 3] as string)] })),
      Array.from({ length: 20 }, (_, i) => ({ tools: [{ name: 'Nothing', input: { i } }] })),
    ]) {
      const { loop } = await watchLoop({ turns, options: { tools: testTools().tools, stallCap: 5 } });
      expect((await readRun(loop.run('Go.'))).result.terminal_reason).toBe('no_progress');
    }
  });

  it('LO-41: other inputs and other results are progress, and so is an item from outside', async () => {
    const mailbox = createMailbox();
    let count = 0;
    const { tools } = testTools(async (name, text) => {
      count += 1;
      if (name === 'Fail') throw new Error(`failure ${count}`);
      if (text === 'same') await mailbox.put({ content: `news ${count}` });
    });
    const { loop } = await watchLoop({
      turns: [
        ...Array.from({ length: 6 }, (_, i) => ({ tools: [note(String(i))] })),
        ...Array.from({ length: 6 }, () => ({ tools: [{ name: 'Fail', input: { text: 'same' } }] })),
        ...Array.from({ length: 6 }, () => ({ tools: [note('same')] })),
        { text: 'Done.' },
      ],
      options: { tools, mailbox, stallCap: 2 },
    });
    expect((await readRun(loop.run('Go.'))).result.terminal_reason).toBe('completed');
  });

  it('LO-41: by default after 20 turns; a subagent ends too, and its parent continues', async () => {
    const worker = kind(forever);
    const { loop } = await watchLoop({
      turns: [{ tools: [start('worker')] }, { text: 'Then without.' }],
      options: { tools: [...testTools().tools, ...agentTools], agents: { worker: worker.definition } },
    });
    expect((await readRun(loop.run('Go.'))).result.result).toBe('Then without.');
    expect(worker.requests).toHaveLength(21);
  });
});

describe('a model and tools that never wait', () => {
  /** Far more than happen until the timer is due; a starved run must end as well. */
  const MANY = 3000;

  it('LO-42: do not starve timers: an interrupt is heard between turns', async () => {
    let asked = 0;
    const model: Model = {
      name: 'eager',
      async *stream() {
        asked += 1;
        const usage = { inputTokens: 0, outputTokens: 0 };
        if (asked < MANY)
          yield { type: 'tool_use', id: `call-${asked}`, name: 'Note', input: { text: `${asked}` } };
        yield { type: 'end', stopReason: asked < MANY ? 'tool_use' : 'end_turn', usage };
      },
    };
    const { loop } = await watchLoop({ options: { model, tools: testTools().tools, transcripts: false } });
    const reading = readRun(loop.run('Go.'));
    setTimeout(() => loop.interrupt(), 20);
    expect((await reading).result.terminal_reason).toBe('aborted');
    expect(asked).toBeLessThan(MANY);
  });

  it('LO-42: nor does a stream of many pieces', async () => {
    let pieces = 0;
    const model: Model = {
      name: 'chatty',
      async *stream() {
        for (; pieces < 100 * MANY; pieces += 1) yield { type: 'text', text: '.' };
        yield { type: 'end', stopReason: 'end_turn', usage: { inputTokens: 0, outputTokens: 0 } };
      },
    };
    const { loop } = await watchLoop({ options: { model, transcripts: false } });
    const reading = readRun(loop.run('Go.'));
    setTimeout(() => loop.interrupt(), 20);
    expect((await reading).result.terminal_reason).toBe('aborted');
  });
});
