import { describe, expect, it } from 'vitest';
import {
  type BackgroundJob,
  createBackgroundToolComplete,
} from '../../src/injection/hooks/background-tool-complete.js';
import type { BuiltInHook } from '../../src/injection/hooks/built-in.js';
import { createHumanInput, type HumanWords } from '../../src/injection/hooks/human-input.js';
import { createSubagentComplete, type SubagentResult } from '../../src/injection/hooks/subagent-complete.js';
import { createTaskReminder, hasCompletedImportantTask } from '../../src/injection/hooks/task-reminder.js';
import type { MemoryMailbox } from '../../src/injection/mailboxes/memory/mailbox.js';
import { makeRunner, refusalOf, SAMPLES } from '../support/runner.js';
import { ids, makeMailbox } from './support.js';

function onRunner(hook: BuiltInHook) {
  const { runner } = makeRunner();
  const dispose = hook.register(runner);
  return {
    dispose,
    tool: (agentId = 'a', fields = {}) =>
      runner.fire('PostToolUse', { ...SAMPLES.PostToolUse, ...fields }, { agentId }),
    fail: (agentId = 'a') => runner.fire('PostToolUseFailure', SAMPLES.PostToolUseFailure, { agentId }),
    stop: (agentId = 'a') => runner.fire('Stop', { stop_hook_active: false }, { agentId }),
  };
}

async function received(mailbox: MemoryMailbox, agentId = 'a') {
  const lease = await mailbox.take({ agentId });
  await lease.acknowledge();
  return lease.items;
}

/** A source that gives everything away once. */
function source<T>(...waiting: T[]): { add(item: T): void; take(): T[] } {
  return { add: (item) => void waiting.push(item), take: () => waiting.splice(0) };
}

describe('subagents', () => {
  it('IJ-48: results reach the agent that waits for them, each as an item of its own', async () => {
    const { mailbox } = makeMailbox();
    const results = source<SubagentResult>(
      {
        id: 'scout',
        status: 'completed',
        answer: 'Found',
        seconds: 12.34,
        workspace: '/w/scout',
        tokens: 900,
        percent: 100,
      },
      { id: 'miner', status: 'completed', answer: 'Dug' },
    );
    const { tool } = onRunner(
      createSubagentComplete({ mailbox, pending: (agentId) => (agentId === 'a' ? results.take() : []) }),
    );
    await tool('b');
    expect(await received(mailbox, 'b')).toEqual([]);
    await tool('a');
    const [first, second] = await received(mailbox);
    expect(first).toMatchObject({
      strategy: 'tool_result',
      source: { kind: 'subagent', label: 'scout' },
      to: 'a',
    });
    expect(first?.content).toBe(
      'The subagent scout has ended: completed, after 12.3 s, 100 % done, 900 tokens.\nIts files are in /w/scout\nIts answer:\nFound',
    );
    expect(second?.content).toBe('The subagent miner has ended: completed.\nIts answer:\nDug');
    await tool('a');
    expect(await received(mailbox)).toEqual([]);
  });

  it.each([
    'completed',
    'partial',
    'completed_but_timeout',
    'failed',
    'timeout',
    'cancelled',
    'lost in space',
  ])('IJ-48: a subagent that has ended as %s is told of', async (status) => {
    const { mailbox } = makeMailbox();
    const { tool } = onRunner(
      createSubagentComplete({
        mailbox,
        strategy: 'user_message',
        pending: async () => [{ id: 's', status, error: 'why' }],
      }),
    );
    await tool();
    const [item] = await received(mailbox);
    expect(item?.content).toBe(`The subagent s has ended: ${status}.\nIts error: why\nIt gave no answer.`);
    expect(item?.strategy).toBe('user_message');
  });

  it('IJ-48: what is returned again is told once; a new result of the same subagent is another item', async () => {
    const { mailbox } = makeMailbox();
    let answer = 'one';
    const { tool, fail, stop } = onRunner(
      createSubagentComplete({ mailbox, pending: () => [{ id: 's', status: 'completed', answer }] }),
    );
    await tool();
    await fail();
    expect(await received(mailbox)).toHaveLength(1);
    await stop();
    expect(await received(mailbox)).toHaveLength(0);
    answer = 'two';
    await stop();
    expect((await received(mailbox))[0]?.content).toContain('two');
  });

  it('IJ-48: a host can report a result itself, without being asked', async () => {
    const { mailbox } = makeMailbox();
    const hook = createSubagentComplete({ mailbox });
    await hook.report('a', { id: 's', status: 'completed', answer: 'x' });
    expect(await received(mailbox)).toHaveLength(1);
  });

  it('IJ-42: a source that fails is reported, and the agent goes on', async () => {
    const { mailbox } = makeMailbox();
    const { tool } = onRunner(
      createSubagentComplete({
        mailbox,
        pending: () => {
          throw new Error('no connection');
        },
      }),
    );
    const outcome = await tool();
    expect(outcome.decision).toBeUndefined();
    expect(outcome.failures).toMatchObject([{ name: 'subagent-complete', kind: 'threw', blocked: false }]);
  });

  it('IJ-42: what a source has given away is kept when the mailbox is full, and put in when there is room', async () => {
    const { mailbox } = makeMailbox({ maxItems: 1 });
    const results = source<SubagentResult>(
      ...['1', '2', '3'].map((id) => ({ id, status: 'completed', answer: id })),
    );
    const { tool } = onRunner(createSubagentComplete({ mailbox, pending: () => results.take() }));
    const seen: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      const { failures } = await tool();
      expect(failures).toHaveLength(i < 2 ? 1 : 0);
      seen.push(...(await received(mailbox)).map(({ source: { label } }) => label));
    }
    expect(seen).toEqual(['1', '2', '3']);
  });

  it('IJ-42: what no mailbox could hold is reported and stands in nobody else’s way', async () => {
    const { mailbox } = makeMailbox();
    const results = source<SubagentResult>(
      { id: 'x'.repeat(2000), status: 'completed' },
      { id: 'fine', status: 'completed' },
    );
    const { tool } = onRunner(createSubagentComplete({ mailbox, pending: () => results.take() }));
    expect((await tool()).failures).toHaveLength(1);
    expect((await tool()).failures).toHaveLength(0);
    expect((await received(mailbox)).map(({ source: { label } }) => label)).toEqual(['fine']);
  });
});

describe('background tools', () => {
  it('IJ-49: jobs that have ended are told of, with what they returned or what went wrong', async () => {
    const { mailbox } = makeMailbox();
    const jobs = source<BackgroundJob>(
      { id: 'j1', tool: 'make', status: 'completed', result: 'built' },
      { id: 'j2', tool: 'fetch', status: 'failed', error: 'x'.repeat(5000) },
      { id: 'j3', tool: 'wait', status: 'completed' },
    );
    const { tool } = onRunner(
      createBackgroundToolComplete({ mailbox, pending: async () => jobs.take(), maxResultLength: 200 }),
    );
    await tool();
    const items = await received(mailbox);
    expect(items.map(({ source }) => source)).toEqual(
      ['make', 'fetch', 'wait'].map((label) => ({ kind: 'background_tool', label })),
    );
    expect(items[0]?.content).toBe('The background job j1 of make has ended: completed.\nIts result: built');
    expect(items[1]?.content).toMatch(
      /^The background job j2 of fetch has ended: failed\.\nIts error: x+\n\[cut: 5000 characters in all\]$/,
    );
    expect(items[2]?.content).toBe(
      'The background job j3 of wait has ended: completed.\nIt returned nothing.',
    );
  });

  it('IJ-49: a host can report a job itself', async () => {
    const { mailbox } = makeMailbox();
    const hook = createBackgroundToolComplete({ mailbox });
    const job = { id: 'j', tool: 'make', status: 'completed', result: 'built' };
    await hook.report('a', job);
    await hook.report('a', job);
    expect(await received(mailbox)).toHaveLength(1);
  });
});

describe('the reminder', () => {
  const done = { task: { priority: 'high', status: 'completed' } };

  it('IJ-50: a completed task of high priority is followed by a reminder, as a message of its own, once per call', async () => {
    const { mailbox } = makeMailbox();
    const { tool } = onRunner(createTaskReminder({ mailbox }));
    const call = { tool_name: 'mcp__planning__update_task_status', tool_response: JSON.stringify(done) };
    await tool('a', { ...call, tool_use_id: 'u1' });
    await tool('a', { ...call, tool_use_id: 'u1' });
    const items = await received(mailbox);
    expect(items).toMatchObject([{ strategy: 'user_message', source: { kind: 'system' }, to: 'a' }]);
    expect(items[0]?.content).toContain('memory/long_term/lessons_learned.md');
    await tool('a', { ...call, tool_use_id: 'u2' });
    expect(await received(mailbox)).toHaveLength(1);
    await tool('a', { ...call, tool_name: 'update_task', tool_use_id: 'u3' });
    expect(await received(mailbox)).toEqual([]);
  });

  it('IJ-50: the tools and the text can be others', async () => {
    const { mailbox } = makeMailbox();
    const { tool } = onRunner(createTaskReminder({ mailbox, matcher: 'TaskUpdate', text: 'Write it down' }));
    await tool('a', { tool_name: 'TaskUpdate', tool_response: done });
    expect((await received(mailbox))[0]?.content).toBe('Write it down');
  });

  it.each([
    ['text', JSON.stringify(done), true],
    ['data', done, true],
    ['blocks', [{ type: 'text', text: JSON.stringify(done) }], true],
    ['a result of an MCP tool', { content: [{ type: 'text', text: JSON.stringify(done) }] }, true],
    ['structured content', { content: [], structuredContent: done }, true],
    ['a low priority', { task: { priority: 'low', status: 'completed' } }, false],
    ['a task that goes on', { task: { priority: 'high', status: 'in_progress' } }, false],
    ['no task', { task: null }, false],
    ['text that is no JSON', 'done!', false],
    ['nothing', undefined, false],
    ['a list of nothing', [null, 7], false],
  ])('IJ-50: the answer of the tool may be %s', (_what, response, expected) => {
    expect(hasCompletedImportantTask(response)).toBe(expected);
  });
});

describe('people', () => {
  it('IJ-51: what is said to one agent reaches that one, what is said to all reaches each, once', async () => {
    const { mailbox } = makeMailbox({ agents: ['a', 'b'] });
    const human = createHumanInput({ mailbox, label: 'Ada' });
    await human.say({ content: 'only you', to: 'b' });
    await human.say('all of you');
    await human.say({ content: 'you two', to: ['a', 'c'], label: 'Bob' });
    const said = async (agentId: string) =>
      (await received(mailbox, agentId)).map(({ content, source }) => [content, source.label]);
    expect(await said('a')).toEqual([
      ['all of you', 'Ada'],
      ['you two', 'Bob'],
    ]);
    expect(await said('b')).toEqual([
      ['only you', 'Ada'],
      ['all of you', 'Ada'],
    ]);
    expect(await said('c')).toEqual([
      ['all of you', 'Ada'],
      ['you two', 'Bob'],
    ]);
    for (const agentId of ['a', 'b', 'c']) expect(await said(agentId)).toEqual([]);
  });

  it('IJ-51: a single name is one agent, not a list of letters; nobody is refused', async () => {
    const { mailbox } = makeMailbox();
    const human = createHumanInput({ mailbox });
    const { id } = await human.say({ content: 'x', to: 'ab' });
    expect(await mailbox.status(id)).toEqual({ ab: 'queued' });
    await refusalOf(() => human.say({ content: 'x', to: [] }));
    await refusalOf(() => human.say(' '));
  });

  it('IJ-51: an inbox is asked at every safe point', async () => {
    const { mailbox } = makeMailbox({ agents: ['a', 'b'] });
    const inbox = source<HumanWords>({ content: 'hurry', label: 'parent' });
    const { tool } = onRunner(createHumanInput({ mailbox, poll: () => inbox.take() }));
    await tool('b');
    expect((await received(mailbox, 'a'))[0]).toMatchObject({
      content: 'hurry',
      source: { kind: 'human', label: 'parent' },
    });
    expect(await received(mailbox, 'b')).toHaveLength(1);
  });

  it('IJ-51: what waits is shown, and the latest can be taken back', async () => {
    const { mailbox } = makeMailbox({ agents: ['a'] });
    const human = createHumanInput({ mailbox });
    await mailbox.put({ content: 'not by a person' });
    const first = await human.say('first');
    const second = await human.say('second');
    expect(ids(await human.pending('a'))).toEqual([first.id, second.id]);
    expect(human.withdrawLatest()).toBe(second);
    expect(human.withdrawLatest()).toBe(first);
    expect(human.withdrawLatest()).toBeUndefined();
    expect(await human.pending('a')).toEqual([]);
  });

  it('IJ-51: what was delivered is remembered per agent, for a prompt that begins anew', async () => {
    const { mailbox } = makeMailbox({ agents: ['a', 'b'] });
    const human = createHumanInput({ mailbox });
    const { dispose } = onRunner(human);
    await human.say('first');
    await mailbox.put({ content: 'not by a person' });
    await received(mailbox, 'a');
    expect(human.delivered('a').map(({ content }) => content)).toEqual(['first']);
    expect(human.delivered('b')).toEqual([]);
    dispose();
    await received(mailbox, 'b');
    expect(human.delivered('b')).toEqual([]);
  });

  it('IJ-51: a mailbox that cannot withdraw loses no record of what was said', async () => {
    const { runner } = makeRunner();
    const { mailbox } = makeMailbox();
    const without = {
      put: mailbox.put.bind(mailbox),
      pending: mailbox.pending.bind(mailbox),
      onChange: mailbox.onChange.bind(mailbox),
    };
    const human = createHumanInput({ mailbox: without });
    human.register(runner);
    await human.say({ content: 'one', to: 'a' });
    expect(human.withdrawLatest()).toBeUndefined();
    await (await mailbox.take({ agentId: 'a' })).acknowledge();
    expect(human.delivered('a')).toHaveLength(1);
  });
});
