import { describe, expect, it } from 'vitest';
import { createMailbox } from '../../src/injection/mailboxes/memory/mailbox.js';
import { SdkBridge, toSdkHooks } from '../../src/integrations/claude-agent-sdk/index.js';
import { makeRunner, watchProcess } from '../support/runner.js';
import { countIn, startQuery } from './support/sdk-run.js';

watchProcess();

const bash = (id: string, command = 'true') => ({ id, name: 'Bash', input: { command } });

describe('items in a real query', { timeout: 180_000 }, () => {
  it('AD-13: one that arrives in the middle of the work is told once, and counts as delivered when the model has answered it', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    const states: string[] = [];
    runner.on('PreToolUse', async ({ tool_use_id }) => {
      if (tool_use_id !== 'toolu_3')
        states.push(`${tool_use_id} ${JSON.stringify(await mailbox.status('news'))}`);
    });
    const bridge = new SdkBridge(runner, { agentId: 'a', mailbox });
    const run = await startQuery({
      turns: [[bash('toolu_1'), bash('toolu_2')], [bash('toolu_3')], 'Done.'],
      // It comes while the model is thinking.
      async before(index) {
        if (index === 0) await mailbox.put({ id: 'news', content: 'the build is green', to: 'a' });
        states.push(`request ${index} ${JSON.stringify(await mailbox.status('news'))}`);
      },
      options: { hooks: bridge.hooks },
    });
    await run.finish((query) => bridge.follow(query));
    expect(states).toEqual([
      'request 0 {"a":"queued"}',
      'toolu_1 {"a":"queued"}',
      // The same message of the model called both: nothing has been sent yet.
      'toolu_2 {"a":"queued"}',
      'request 1 {"a":"queued"}',
      'request 2 {"a":"delivered"}',
    ]);
    expect(countIn(run.server.said(0), 'the build is green')).toBe(0);
    expect(countIn(run.server.said(1), 'the build is green')).toBe(1);
    expect(countIn(run.server.said(2), 'the build is green')).toBe(1);
  });

  it('AD-12: one that waits goes with the prompt; without messages to follow, what comes next shows that it was sent', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    await mailbox.put({ id: 'early', content: 'before it began', to: 'a' });
    const states: unknown[] = [];
    runner.on('PreToolUse', async () => void states.push(await mailbox.status('early')));
    runner.on('PostToolUseFailure', async () => {
      await mailbox.put({ id: 'late', content: 'while it failed', to: 'a' });
    });
    runner.on('Stop', async () => void states.push(await mailbox.status('late')));
    const run = await startQuery({
      turns: [[bash('toolu_1', 'exit 1')], 'Done.'],
      options: { hooks: toSdkHooks(runner, { agentId: 'a', mailbox }) },
    });
    await run.finish();
    expect(states).toEqual([{ a: 'delivered' }, { a: 'delivered' }]);
    expect(countIn(run.server.said(0), 'before it began')).toBe(1);
    expect(countIn(run.server.said(1), 'before it began')).toBe(1);
    expect(countIn(run.server.said(1), 'while it failed')).toBe(1);
  });

  it('AD-14: one that was handed over but never sent is put back, for whoever goes on', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    runner.on('PostToolUse', async () => {
      await mailbox.put({ id: 'news', content: 'too late', to: 'a' });
    });
    const bridge = new SdkBridge(runner, { agentId: 'a', mailbox });
    const run = await startQuery({
      turns: [[bash('toolu_1')], 'Never asked for.'],
      options: { hooks: bridge.hooks, maxTurns: 1 },
    });
    await run.finish((query) => bridge.follow(query));
    expect(run.server.requests).toHaveLength(1);
    expect(await mailbox.status('news')).toEqual({ a: 'queued' });
    expect(await mailbox.carryOver('a')).toMatchObject([{ id: 'news' }]);
  });

  it('AD-15: one that waits when the turn would end makes it go on, where that is wanted', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    const bridge = new SdkBridge(runner, { agentId: 'a', mailbox, deliverOnStop: true });
    const run = await startQuery({
      turns: ['I am done.', 'Now I am.'],
      async before(index) {
        if (index === 0) await mailbox.put({ id: 'news', content: 'not so fast', to: 'a' });
      },
      options: { hooks: bridge.hooks },
    });
    await run.finish((query) => bridge.follow(query));
    expect(run.server.requests).toHaveLength(2);
    expect(countIn(run.server.said(1), 'not so fast')).toBe(1);
    expect(await mailbox.status('news')).toEqual({ a: 'delivered' });
  });
});
