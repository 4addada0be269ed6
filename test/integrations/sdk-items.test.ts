import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseFrames } from '../../src/injection/frame.js';
import { createMailbox, type MemoryMailbox } from '../../src/injection/mailboxes/memory/mailbox.js';
import type { NewInjection } from '../../src/injection/port.js';
import { SdkBridge, type SdkHookOptions } from '../../src/integrations/claude-agent-sdk/index.js';
import { gate, hasSettled, makeRunner, turns, untyped, watchProcess } from '../support/runner.js';
import { hostOf } from './support/sdk-host.js';

watchProcess();

interface Bench {
  readonly mailbox: MemoryMailbox;
  readonly bridge: SdkBridge;
  readonly runner: ReturnType<typeof makeRunner>['runner'];
  readonly host: ReturnType<typeof hostOf>;
  put(content: string, item?: Partial<NewInjection>): Promise<string>;
  /** What an answer tells. */
  told(answer: object): string;
  state(id: string): Promise<string | undefined>;
}

function bench(options: SdkHookOptions = {}, mailbox: MemoryMailbox = createMailbox()): Bench {
  const { runner } = makeRunner();
  const bridge = new SdkBridge(runner, { agentId: 'ada', mailbox, ...options });
  return {
    mailbox,
    bridge,
    runner,
    host: hostOf(bridge.hooks),
    put: async (content, item) => (await mailbox.put({ content, to: 'ada', ...item })).id,
    told: (answer) =>
      (answer as { hookSpecificOutput?: { additionalContext?: string } }).hookSpecificOutput
        ?.additionalContext ?? '',
    async state(id) {
      await turns();
      return (await mailbox.status(id))?.['ada'];
    },
  };
}

const call = (tool_use_id: string, tool_name = 'Bash') => ({ tool_use_id, tool_name });

describe('where items are told', () => {
  it('AD-12: behind results of tools, of failed ones and of refused ones, and with prompts', async () => {
    const { host, put, told, runner } = bench();
    untyped(runner).on('PreToolUse', { matcher: 'Write' }, () => ({ decision: 'block', reason: 'no' }));
    for (const [event, input] of [
      ['PostToolUse', {}],
      ['PostToolUseFailure', {}],
      ['UserPromptSubmit', {}],
      ['PreToolUse', { tool_name: 'Write' }],
    ] as const) {
      await put(`news for ${event}`);
      expect(told(await host.ask(event, input)), event).toContain(`news for ${event}`);
    }
  });

  it('AD-12: in frames that say who has sent them, behind what hooks add; or as the host wants', async () => {
    const { host, put, told, runner } = bench();
    untyped(runner).on('PostToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'from a hook' },
    }));
    await put('one', { source: { kind: 'peer', label: 'Bob' } });
    await put('two');
    const text = told(await host.ask('PostToolUse'));
    expect(text.startsWith('from a hook\n\n')).toBe(true);
    expect(parseFrames(text).map(({ source, content }) => [source.label, content])).toEqual([
      ['Bob', 'one'],
      [undefined, 'two'],
    ]);
    const own = bench({ render: (items) => items.map(({ content }) => `<<${content}>>`).join() });
    await own.put('mine');
    expect(own.told(await own.host.ask('PostToolUse'))).toBe('<<mine>>');
  });

  it('AD-12: only with the tools that they are meant for, and never for another agent', async () => {
    const { host, put, told } = bench();
    await put('for reading', { matcher: 'Read|mcp__*' });
    await put('for Bob', { to: 'bob' });
    expect(await host.ask('PostToolUse')).toEqual({});
    expect(told(await host.ask('PostToolUse', { tool_name: 'Read' }))).toContain('for reading');
  });

  it('AD-12: not where the model is not asked next: blocked prompts, ended runs, tools that may still run', async () => {
    const { host, put, state, runner } = bench();
    const id = await put('news');
    await host.ask('PreToolUse');
    await host.ask('Stop');
    const off = runner.on('UserPromptSubmit', () => ({ decision: 'block', reason: 'no' }));
    expect(await host.ask('UserPromptSubmit')).toEqual({ decision: 'block', reason: 'no' });
    off();
    runner.on('PostToolUse', () => ({ continue: false }));
    expect(await host.ask('PostToolUse')).toEqual({ continue: false });
    expect(await state(id)).toBe('queued');
    await host.ask('UserPromptSubmit');
    await host.ask('Stop');
    expect(await state(id)).toBe('delivered');
  });

  it('AD-12: as many as fit; the rest waits, and one that fits nowhere is a preview with a file', async () => {
    const { host, put, told } = bench({ maxContext: 2000 });
    for (const letter of ['a', 'b', 'c']) await put(letter.repeat(700));
    await put(`${'long '.repeat(1500)}end`);
    const texts = [];
    for (let i = 0; i < 4; i++) texts.push(told(await host.ask('PostToolUse')));
    expect(texts.map((text) => parseFrames(text).map(({ content }) => content[0]))).toEqual([
      ['a', 'b'],
      ['c', 'l'],
      [],
      [],
    ]);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(2000);
    const path = /the whole text is in (\S+?)\]/.exec(texts[1] ?? '')?.[1] ?? '';
    expect(readFileSync(path, 'utf8')).toMatch(/^long .* end$/);
  });

  it('AD-12: not to subagents, whether the host says whose call it is or not', async () => {
    const quiet = bench();
    await quiet.put('news');
    await quiet.host.ask('SubagentStart', { agent_id: 'sub' });
    expect(await quiet.host.ask('PostToolUse')).toEqual({});
    await quiet.host.ask('SubagentStop', { agent_id: 'sub' });
    expect(quiet.told(await quiet.host.ask('PostToolUse'))).toContain('news');

    const telling = bench();
    await telling.put('news');
    await telling.host.ask('SubagentStart', { agent_id: 'sub' });
    expect(await telling.host.ask('PostToolUse', { agent_id: 'sub' })).toEqual({});
    expect(telling.told(await telling.host.ask('PostToolUse'))).toContain('news');

    const lost = bench();
    await lost.put('news');
    await lost.host.ask('SubagentStart', { agent_id: 'sub' });
    expect(lost.told(await lost.host.ask('UserPromptSubmit'))).toContain('news');
  });

  it('AD-15: with the feedback that makes a turn go on; on their own only where that is wanted', async () => {
    const { host, put, runner } = bench();
    await put('by the way');
    expect(await host.ask('Stop')).toEqual({});
    runner.on('Stop', () => ({ decision: 'block', reason: 'the tests fail' }));
    const { reason = '' } = await host.ask('Stop');
    expect(reason.startsWith('the tests fail\n\n')).toBe(true);
    expect(reason).toContain('by the way');

    const wanted = bench({ deliverOnStop: true, maxStops: 1 });
    const first = await wanted.put('one');
    expect(await wanted.host.ask('Stop')).toMatchObject({ decision: 'block' });
    const second = await wanted.put('two');
    expect(await wanted.host.ask('Stop', { stop_hook_active: true })).not.toHaveProperty('decision');
    expect([await wanted.state(first), await wanted.state(second)]).toEqual(['delivered', 'queued']);
    expect(await wanted.mailbox.pending('ada')).toHaveLength(1);
  });
});

describe('when items count as sent', () => {
  it('AD-13: with the next call that the model makes, or the end of its turn', async () => {
    for (const next of ['PreToolUse', 'Stop', 'UserPromptSubmit'] as const) {
      const { host, put, state } = bench();
      const id = await put('news');
      await host.ask('PostToolUse', call('1'));
      expect(await state(id), next).toBe('queued');
      await host.ask(next, next === 'PreToolUse' ? call('2') : {});
      expect(await state(id), next).toBe('delivered');
    }
  });

  it('AD-13: not with calls that ran beside the one that carries them, nor with what a subagent does', async () => {
    const { host, put, state } = bench();
    const id = await put('news');
    await host.ask('PreToolUse', call('1'));
    await host.ask('PreToolUse', call('2'));
    await host.ask('PostToolUse', call('1'));
    await host.ask('PostToolUse', call('2'));
    await host.ask('SubagentStart');
    await host.ask('PreToolUse', { ...call('3'), agent_id: 'sub-1' });
    await host.ask('PostToolUse', { ...call('3'), agent_id: 'sub-1' });
    await host.ask('SubagentStop');
    await host.ask('Notification');
    expect(await state(id)).toBe('queued');
    await host.ask('PostToolUse', call('4'));
    expect(await state(id)).toBe('delivered');
  });

  const assistant = (id: string, ...calls: string[]) => ({
    type: 'assistant',
    parent_tool_use_id: null as string | null,
    message: { id, content: calls.map((use) => ({ type: 'tool_use', id: use })) },
  });

  /** Messages that come when the test lets them. */
  function stream() {
    const waiting: unknown[] = [];
    let wake = gate();
    async function* read() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift();
        await wake.passed;
        wake = gate();
      }
    }
    return {
      messages: read(),
      async send(message: unknown) {
        waiting.push(message);
        wake.open();
        await turns();
      },
    };
  }

  it("AD-13: where messages are followed, only with another message of the model's own", async () => {
    const { bridge, host, put, state } = bench();
    const { messages, send } = stream();
    const followed = bridge.follow(messages);
    const reading = (async () => {
      for await (const _ of followed);
    })();
    const id = await put('news');
    await host.ask('PreToolUse', call('1'));
    await host.ask('PostToolUse', call('1'));
    // The reader is slow: what it reads now was said before the item was handed over.
    await send({ type: 'user', parent_tool_use_id: null, message: {} });
    await send(assistant('first'));
    await send(assistant('first', '1'));
    await send(assistant('first', '2'));
    await host.ask('PreToolUse', call('2'));
    await host.ask('PostToolUse', call('2'));
    await send({ ...assistant('of a subagent'), parent_tool_use_id: '2' });
    await send({ ...assistant('of no model'), error: 'server_error' });
    expect(await state(id)).toBe('queued');
    await send(assistant('second'));
    expect(await state(id)).toBe('delivered');
    expect(await hasSettled(reading)).toBe(false);
  });

  it('AD-13: what came with a prompt was sent when the model calls a tool, followed or not', async () => {
    const { bridge, host, put, state } = bench();
    bridge.follow(stream().messages);
    const id = await put('news');
    await host.ask('UserPromptSubmit');
    expect(await state(id)).toBe('queued');
    await host.ask('PreToolUse', call('1'));
    expect(await state(id)).toBe('delivered');
  });

  it('AD-13: messages pass through as they are, and their end closes', async () => {
    const { bridge, host, put, state } = bench();
    async function* three() {
      yield* ['a', 'b', 'c'];
    }
    const id = await put('news');
    await host.ask('PostToolUse');
    const seen: string[] = [];
    for await (const message of bridge.follow(three())) seen.push(message);
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(await state(id)).toBe('queued');
    expect(await hasSettled(host.ask('PostToolUse'))).toBe(false);
  });

  it('AD-17: a lease that runs out does not make an item be told twice', async () => {
    let now = 0;
    const { bridge, host, put, told, state, mailbox } = bench(
      {},
      createMailbox({ leaseMs: 1000, now: () => now }),
    );
    const { messages, send } = stream();
    void bridge.follow(messages).next();
    const id = await put('news');
    await send(assistant('first', '1', '2'));
    await host.ask('PreToolUse', call('1'));
    expect(told(await host.ask('PostToolUse', call('1')))).toContain('news');
    now = 2000;
    expect(await mailbox.pending('ada')).toHaveLength(1);
    expect(await host.ask('PostToolUse', call('2'))).toEqual({});
    now = 4000;
    await host.ask('Stop');
    // It was sent, but the mailbox was told too late.
    expect(await state(id)).toBe('queued');
    expect(await host.ask('PostToolUse', call('3'))).toEqual({});
    expect(await state(id)).toBe('delivered');
  });
});

describe('when they are put back', () => {
  it('AD-14: at the end of the session, and when the bridge is closed', async () => {
    const { host, put, mailbox, bridge } = bench();
    await put('news');
    await host.ask('PostToolUse');
    expect(await mailbox.take({ agentId: 'ada' })).toMatchObject({ items: [] });
    await host.ask('SessionEnd');
    await turns();
    expect(await mailbox.pending('ada')).toHaveLength(1);
    await host.ask('PostToolUse');
    await bridge.close();
    const lease = await mailbox.take({ agentId: 'ada' });
    expect(lease.items).toMatchObject([{ content: 'news' }]);
  });

  it('AD-16: an answer that the SDK has given up on is never given, and carries nothing', async () => {
    const { host, put, mailbox, runner } = bench();
    const [began, ended] = [gate(), gate<unknown>()];
    runner.on('PostToolUse', async (_input, _id, { signal }) => {
      signal.addEventListener('abort', () => ended.open(undefined));
      began.open();
      await ended.passed;
    });
    await put('news');
    const controller = new AbortController();
    const answer = host.ask('PostToolUse', {}, { signal: controller.signal });
    await began.passed;
    controller.abort();
    await ended.passed;
    expect(await hasSettled(answer)).toBe(false);
    expect((await mailbox.take({ agentId: 'ada' })).items).toHaveLength(1);
  });

  it('AD-16: the signal of the query ends all that runs, and everything after it is left unanswered', async () => {
    const controller = new AbortController();
    const { host, put, mailbox, runner } = bench({ signal: controller.signal });
    const began = gate();
    runner.on('PreToolUse', () => {
      began.open();
      return new Promise(() => {});
    });
    await put('news');
    const answer = host.ask('PreToolUse', call('2'));
    await began.passed;
    await host.ask('PostToolUse', call('1'));
    expect((await mailbox.take({ agentId: 'ada' })).items).toEqual([]);
    controller.abort();
    expect(await hasSettled(answer)).toBe(false);
    expect(await hasSettled(host.ask('PreToolUse'))).toBe(false);
    expect((await mailbox.take({ agentId: 'ada' })).items).toHaveLength(1);
  });

  it('AD-14: closing waits until what is being taken is back', async () => {
    const mailbox = createMailbox();
    const slow = gate();
    const { host, put, bridge } = bench(
      {},
      Object.assign(Object.create(mailbox) as MemoryMailbox, {
        put: mailbox.put.bind(mailbox),
        async take(request: Parameters<MemoryMailbox['take']>[0]) {
          const lease = await mailbox.take(request);
          await slow.passed;
          return lease;
        },
      }),
    );
    await put('news');
    void host.ask('PostToolUse');
    await turns();
    const closing = bridge.close();
    slow.open();
    await closing;
    expect((await mailbox.take({ agentId: 'ada' })).items).toHaveLength(1);
  });
});

describe('a mailbox that fails', () => {
  const broken = (part: 'take' | 'acknowledge' | 'release') => {
    const real = createMailbox();
    const fail = async (): Promise<never> => {
      throw new Error(`no ${part}`);
    };
    return Object.assign(Object.create(real) as MemoryMailbox, {
      put: real.put.bind(real),
      take: async (request: Parameters<MemoryMailbox['take']>[0]) =>
        part === 'take' ? fail() : { ...(await real.take(request)), [part]: fail },
    });
  };

  it('AD-19: holds nothing up, and is told', async () => {
    for (const part of ['take', 'acknowledge', 'release'] as const) {
      const problems: string[] = [];
      const { host, put, bridge, runner } = bench(
        { onProblem: ({ message }) => problems.push(message) },
        broken(part),
      );
      runner.on('PreToolUse', () => ({ decision: 'block', reason: 'still asked' }));
      await put('news');
      await host.ask('PostToolUse');
      expect(await host.ask('PreToolUse', call('2')), part).toMatchObject({
        hookSpecificOutput: { permissionDecisionReason: 'still asked' },
      });
      await bridge.close();
      expect(problems, part).toContain(`no ${part}`);
    }
  });

  it('AD-19: an item that cannot be shown waits on', async () => {
    const problems: string[] = [];
    const { host, put, mailbox } = bench({
      render: () => {
        throw new Error('no way to show it');
      },
      onProblem: ({ message }) => problems.push(message),
    });
    await put('news');
    expect(await host.ask('PostToolUse')).toEqual({});
    expect(problems).toEqual(['no way to show it']);
    expect(await mailbox.pending('ada')).toHaveLength(1);
  });
});
