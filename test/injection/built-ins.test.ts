import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AnswerBoard } from '../../src/injection/answer-board.js';
import { parseFrames } from '../../src/injection/frame.js';
import { createDelivery } from '../../src/injection/hooks/deliver.js';
import { registerBuiltInHooks } from '../../src/injection/hooks/register.js';
import { createSubagentComplete } from '../../src/injection/hooks/subagent-complete.js';
import { type InjectionMessage, injectionLine, watchInjections } from '../../src/injection/messages.js';
import { bash, makeRunner, SAMPLES } from '../support/runner.js';
import { countedNonce, makeMailbox, testClock } from './support.js';

const POST = SAMPLES.PostToolUse;

function makeAll() {
  const { runner } = makeRunner();
  const { mailbox } = makeMailbox();
  const now = testClock();
  const board = new AnswerBoard();
  const builtIn = registerBuiltInHooks(runner, {
    mailbox,
    peers: { board, policy: { firstUpdate: 'mid-stream' } },
    rounds: { initialSeconds: 100, subsequentSeconds: 100, graceSeconds: 10, now },
    paths: { places: [{ path: '/nowhere' }] },
    taskReminder: true,
    human: { poll: () => [] },
    subagents: { pending: () => [] },
    backgroundTools: { pending: () => [] },
    debugDelay: { seconds: 0 },
  });
  return { runner, mailbox, now, board, builtIn };
}

describe('the built-in hooks together', () => {
  it('IJ-41: they run in the documented order', async () => {
    const { runner, builtIn } = makeAll();
    runner.on('PostToolUse', { name: 'mine' }, () => {});
    expect(builtIn.order).toEqual([
      'path-guard',
      'round-timeout-pre',
      'debug-delay',
      'mid-stream-injection',
      'high-priority-task-reminder',
      'human-input',
      'subagent-complete',
      'background-tool-complete',
      'round-timeout-post',
    ]);
    const names = async (tool_name: string) =>
      (await runner.fire('PostToolUse', { ...POST, tool_name })).results.map(({ name }) => name);
    expect(await names('mcp__plan__update_task_status')).toEqual([...builtIn.order.slice(2), 'mine']);
    const before = await runner.fire('PreToolUse', bash());
    expect(before.results.map(({ name }) => name)).toEqual(builtIn.order.slice(0, 2));
  });

  it('IJ-41: an agent’s override does not switch them off', async () => {
    const { runner, now, builtIn } = makeAll();
    const agent = runner.forAgent('a');
    agent.on('PreToolUse', { override: true }, []);
    agent.on('PostToolUse', { override: true }, []);
    await builtIn.beginRound('a');
    now.pass(100_000);
    expect((await agent.fire('PostToolUse', POST)).results.length).toBeGreaterThan(4);
    now.pass(10_000);
    expect((await agent.fire('PreToolUse', bash())).decision).toBe('deny');
    const outside = { ...bash(), tool_name: 'Read', tool_input: { file_path: '/etc/passwd' } };
    expect((await agent.fire('PreToolUse', outside)).reason).toContain('is outside the allowed places');
  });

  it('IJ-41: for one agent alone, they count for that agent', async () => {
    const { runner } = makeRunner();
    const { mailbox } = makeMailbox();
    registerBuiltInHooks(runner.forAgent('a'), { mailbox, paths: { places: [{ path: '/nowhere' }] } });
    const read = { ...bash(), tool_name: 'Read', tool_input: { file_path: '/etc/passwd' } };
    expect((await runner.fire('PreToolUse', read, { agentId: 'a' })).decision).toBe('deny');
    expect((await runner.fire('PreToolUse', read, { agentId: 'b' })).decision).toBeUndefined();
  });

  it('IJ-41: what is not asked for is not registered, and all of it can be taken out', async () => {
    const { runner } = makeRunner();
    const { mailbox } = makeMailbox();
    registerBuiltInHooks(runner, { mailbox });
    expect((await runner.fire('PostToolUse', POST)).results).toEqual([]);
    const all = makeAll();
    all.builtIn.dispose();
    expect((await all.runner.fire('PostToolUse', POST)).results).toEqual([]);
    expect((await all.runner.fire('PreToolUse', bash())).results).toEqual([]);
  });

  it('IJ-41: a source that hangs is left behind at the deadline', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { runner } = makeRunner();
    const { mailbox } = makeMailbox();
    let aborted = false;
    const hook = createSubagentComplete({
      mailbox,
      pending: (_agentId, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
        }),
    });
    hook.register(runner);
    const fire = runner.fire('PostToolUse', POST);
    await vi.advanceTimersByTimeAsync(4999);
    expect(aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect((await fire).failures).toMatchObject([
      { name: 'subagent-complete', kind: 'timed-out', message: 'it took longer than 5 s' },
    ]);
    expect(aborted).toBe(true);
  });

  it('IJ-55: a new round begins for the time and for the peers', async () => {
    const { mailbox, now, board, builtIn, runner } = makeAll();
    await builtIn.beginRound('a');
    now.pass(100_000);
    await runner.fire('PostToolUse', POST, { agentId: 'a' });
    board.publish('b', { content: 'x' });
    await builtIn.beginRound('a');
    expect(builtIn.timer?.roundOf('a')).toBe(1);
    expect(builtIn.timer?.hasWarned('a')).toBe(false);
    expect((await mailbox.pending('a')).map(({ source }) => source.kind)).toEqual([
      'system',
      'system',
      'peer',
    ]);
  });

  it('IJ-42: a deny, or a hook that fails, loses nothing of what they have to say', async () => {
    const { runner, mailbox, board } = makeAll();
    runner.on('PostToolUse', () => ({ decision: 'block', reason: 'no' }));
    runner.on('PostToolUse', () => {
      throw new Error('broken');
    });
    board.publish('b', { content: 'x' });
    await runner.fire('PostToolUse', POST, { agentId: 'a' });
    expect(await mailbox.pending('a')).toHaveLength(2);
  });
});

describe('delivery by outcomes', () => {
  function makeDelivery(limit?: number) {
    const { runner } = makeRunner();
    const bench = makeMailbox();
    const delivery = createDelivery({ mailbox: bench.mailbox, limit, nonce: countedNonce() });
    delivery.register(runner);
    const tool = (tool_name = 'Bash', agentId = 'a') =>
      runner.fire('PostToolUse', { ...POST, tool_name }, { agentId });
    return { ...bench, runner, delivery, tool };
  }

  it('IJ-59: what waits is in the injections of the outcome, each framed and with its strategy', async () => {
    const { mailbox, tool, runner } = makeDelivery();
    await mailbox.put({ id: 'x', content: 'one', to: 'a', source: { kind: 'peer', label: 'agent2' } });
    await mailbox.put({ id: 'y', content: 'two', to: 'a', strategy: 'user_message' });
    await mailbox.put({ id: 'z', content: 'three', to: 'a', matcher: 'Read' });
    const { injections } = await tool();
    expect(injections.map(({ strategy }) => strategy)).toEqual(['tool_result', 'user_message']);
    expect(injections.flatMap(({ content }) => parseFrames(content))).toMatchObject([
      { id: 'x', content: 'one', source: { kind: 'peer', label: 'agent2' } },
      { id: 'y', content: 'two', source: { kind: 'system' } },
    ]);
    expect((await tool()).injections).toEqual([]);
    const failed = await runner.fire(
      'PostToolUseFailure',
      { ...SAMPLES.PostToolUseFailure, tool_name: 'Read' },
      { agentId: 'a' },
    );
    expect(failed.injections.flatMap(({ content }) => parseFrames(content))).toMatchObject([{ id: 'z' }]);
  });

  it('IJ-59: it counts as sent when the host says so, or when the turn ends', async () => {
    const { mailbox, tool, delivery, runner, told } = makeDelivery();
    await mailbox.put({ id: 'x', content: 'one', to: 'a' });
    await tool();
    expect(await mailbox.status('x')).toEqual({ a: 'queued' });
    await delivery.sent('b');
    expect(await mailbox.status('x')).toEqual({ a: 'queued' });
    await delivery.sent('a');
    await mailbox.put({ id: 'y', content: 'two', to: 'a' });
    await tool();
    await runner.fire('Stop', { stop_hook_active: false }, { agentId: 'a' });
    expect(told()).toEqual(['a x queued', 'a x delivered', 'a y queued', 'a y delivered']);
    await mailbox.put({ id: 'z', content: 'three', to: 'sub-1' });
    await tool('Bash', 'sub-1');
    await runner.fire('SubagentStop', SAMPLES.SubagentStop);
    expect(await mailbox.status('z')).toEqual({ 'sub-1': 'delivered' });
  });

  it('IJ-59: what was not sent after all is handed over again', async () => {
    const { mailbox, tool, delivery } = makeDelivery();
    await mailbox.put({ id: 'x', content: 'one', to: 'a' });
    await tool();
    await delivery.notSent('a');
    expect((await tool()).injections).toHaveLength(1);
    await delivery.sent('a');
    expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
  });

  it('IJ-59: with one tool comes at most so much', async () => {
    const { mailbox, tool } = makeDelivery(2);
    for (const id of ['1', '2', '3']) await mailbox.put({ id, content: id, to: 'a' });
    expect((await tool()).injections).toHaveLength(2);
    expect((await tool()).injections).toHaveLength(1);
  });

  it('IJ-59: three tools at once: each item is in one outcome', async () => {
    const { mailbox, tool } = makeDelivery(1);
    for (const id of ['1', '2', '3']) await mailbox.put({ id, content: id, to: 'a' });
    const outcomes = await Promise.all([tool(), tool(), tool()]);
    const found = outcomes.flatMap(({ injections }) =>
      injections.flatMap(({ content }) => parseFrames(content)),
    );
    expect(found.map(({ id }) => id).sort()).toEqual(['1', '2', '3']);
  });
});

describe('messages', () => {
  it('IJ-22: every change is a message for those who watch, and a line that is safe to print', async () => {
    const { mailbox, clock } = makeMailbox();
    const messages: InjectionMessage[] = [];
    const stop = watchInjections(mailbox, 's-1', (message) => messages.push(message));
    await mailbox.put({
      id: 'x',
      content: 'one',
      to: 'a',
      source: { kind: 'peer', label: 'agent2\u001b[2J' },
    });
    mailbox.withdraw('x', 'never\nmind');
    expect(messages).toEqual([
      {
        type: 'system',
        subtype: 'injection',
        injection_id: 'x',
        agent_id: 'a',
        state: 'queued',
        strategy: 'tool_result',
        source_kind: 'peer',
        source_label: 'agent2\u001b[2J',
        at: clock(),
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        session_id: 's-1',
      },
      expect.objectContaining({ state: 'failed', reason: 'never\nmind' }),
    ]);
    expect(messages.map(injectionLine)).toEqual([
      '[injection] peer agent2␛[2J -> a: queued as tool_result',
      '[injection] peer agent2␛[2J -> a: failed as tool_result (never mind)',
    ]);
    stop();
    await mailbox.put({ content: 'two', to: 'a' });
    expect(messages).toHaveLength(2);
  });
});
