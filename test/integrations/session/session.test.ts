import { describe, expect, it } from 'vitest';
import { createMailbox } from '../../../src/injection/index.js';
import {
  createSession,
  type SessionOptions,
  type ToolCall,
} from '../../../src/integrations/session/index.js';
import { Permissions } from '../../../src/permissions/permissions.js';
import { Runner } from '../../../src/runner/runner.js';

const made = (options: Omit<SessionOptions, 'runner'> = {}) => {
  const runner = new Runner();
  const mailbox = createMailbox({ agents: ['main'] });
  return { runner, mailbox, session: createSession({ runner, mailbox, ...options }) };
};

const call = (over: Partial<ToolCall<string>> = {}): ToolCall<string> => ({
  name: 'Bash',
  input: { command: 'ls' },
  id: 'call-1',
  run: (input) => `ran ${input['command']}`,
  ...over,
});

const context = (event: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName: event, additionalContext },
});

describe('a prompt', () => {
  it('SE-1 the first prompt starts the session; what hooks add is read with the prompt, once', async () => {
    const { runner, session } = made();
    const fired: string[] = [];
    runner.on('SessionStart', ({ source }) => {
      fired.push(`start ${source}`);
      return context('SessionStart', 'policy') as never;
    });
    runner.on('UserPromptSubmit', ({ prompt }) => {
      fired.push(`prompt ${prompt}`);
      return context('UserPromptSubmit', 'today is Monday') as never;
    });
    expect(await session.prompt('one')).toEqual({ blocked: false, texts: ['policy', 'today is Monday'] });
    expect(await session.prompt('two')).toEqual({ blocked: false, texts: ['today is Monday'] });
    expect(fired).toEqual(['start startup', 'prompt one', 'prompt two']);
  });

  it('SE-2 a blocked prompt has a reason, and the context of the start waits for the next prompt', async () => {
    const { runner, session } = made();
    runner.on('SessionStart', () => context('SessionStart', 'policy') as never);
    runner.on('UserPromptSubmit', ({ prompt }) =>
      prompt === 'bad' ? { decision: 'block', reason: 'not this' } : undefined,
    );
    expect(await session.prompt('bad')).toEqual({ blocked: true, reason: 'not this' });
    expect(await session.prompt('good')).toEqual({ blocked: false, texts: ['policy'] });
  });
});

describe('a tool call', () => {
  it('SE-18 a tool that pauses has not failed, and the hooks before it run once', async () => {
    const { runner, session } = made();
    const fired: string[] = [];
    runner.observe(({ event }) => void fired.push(event));
    const pause = new Error('a question');
    let asked = false;
    const tool = call({
      pauses: (error) => error === pause,
      run: () => {
        if (asked) return 'done';
        asked = true;
        throw pause;
      },
    });
    await expect(session.run(tool)).rejects.toBe(pause);
    expect(await session.run(tool)).toMatchObject({ status: 'done', result: 'done' });
    expect(fired).toEqual(['PreToolUse', 'PostToolUse']);
  });

  it('SE-19 items of dropped results go back to the mailbox, those of a request do not', async () => {
    const { mailbox, session } = made();
    const source = { kind: 'human' } as const;
    await mailbox.put({ id: 'sent', content: 'Metres.', source });
    await session.run(call());
    session.request();
    await mailbox.put({ id: 'dropped', content: 'Please.', source });
    expect(await session.run(call({ id: 'call-2' }))).toMatchObject({
      texts: [expect.stringContaining('Please.')],
    });
    expect(await mailbox.pending('main')).toEqual([]);
    await session.releaseUnsent();
    expect(await mailbox.pending('main')).toMatchObject([{ id: 'dropped' }]);
  });

  it('SE-3 a refused tool does not run, and the model reads the reason', async () => {
    const { runner, session } = made();
    runner.on('PreToolUse', () => ({ decision: 'block', reason: 'not today' }));
    const end = await session.run(call({ run: () => expect.unreachable() }));
    expect(end).toEqual({ status: 'refused', reason: 'not today', texts: [] });
  });

  it('SE-4 a rewritten input is what the tool gets and later hooks see; a rewritten output replaces the result', async () => {
    const { runner, session } = made();
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'nice ls' } },
    }));
    const seen: unknown[] = [];
    runner.on('PostToolUse', ({ tool_input, tool_response }) => {
      seen.push(tool_input, tool_response);
      return { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'redacted' } };
    });
    expect(await session.run(call())).toEqual({
      status: 'done',
      input: { command: 'nice ls' },
      result: 'ran nice ls',
      updatedOutput: 'redacted',
      texts: [],
    });
    expect(seen).toEqual([{ command: 'nice ls' }, 'ran nice ls']);
  });

  it('SE-4 an input that a hook has made invalid is refused with what is wrong', async () => {
    const { runner, session } = made();
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 7 } },
    }));
    const end = await session.run(call({ check: () => '`command` must be a string' }));
    expect(end).toMatchObject({ status: 'refused', reason: expect.stringContaining('must be a string') });
  });

  it('SE-5 a tool that throws, and a result that reports a failure, fire PostToolUseFailure', async () => {
    const { runner, session } = made();
    const errors: string[] = [];
    runner.on('PostToolUseFailure', ({ error }) => {
      errors.push(error);
      return context('PostToolUseFailure', 'try again later') as never;
    });
    const error = new Error('no such file');
    const threw = await session.run(call({ run: () => Promise.reject(error) }));
    expect(threw).toMatchObject({ status: 'failed', error, texts: ['try again later'] });
    const reported = await session.run(call({ failureIn: () => 'exit code 1' }));
    expect(reported).toMatchObject({ status: 'failed', result: 'ran ls' });
    expect(errors).toEqual(['no such file', 'exit code 1']);
  });

  it('SE-6 an objection after the tool is read beside the result', async () => {
    const { runner, session } = made();
    runner.on('PostToolUse', () => ({ decision: 'block', reason: 'the tests fail now' }));
    expect(await session.run(call())).toMatchObject({ status: 'done', texts: ['the tests fail now'] });
  });

  it('SE-7 a question goes to `ask`; without it, or without a yes, the call is refused', async () => {
    const asks = (ask?: SessionOptions['ask']) => {
      const { runner, session } = made({ ask });
      runner.on('PreToolUse', () => ({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'ask',
          permissionDecisionReason: 'it costs money',
        },
      }));
      return session.run(call());
    };
    const refused = { status: 'refused', reason: expect.stringContaining('it costs money') };
    expect(await asks()).toMatchObject(refused);
    expect(await asks(() => false)).toMatchObject(refused);
    expect(await asks(() => Promise.reject(new Error('nobody is there')))).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('nobody is there'),
    });
    expect(
      await asks(({ toolName, reason }) => toolName === 'Bash' && reason === 'it costs money'),
    ).toMatchObject({ status: 'done' });
  });

  it('SE-8 PermissionRequest hooks may answer a question in the place of a person', async () => {
    const { runner, session } = made({ ask: () => expect.unreachable(), permissions: new Permissions() });
    runner.on('PermissionRequest', ({ tool_input }) => ({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision:
          (tool_input as { command: string }).command === 'make'
            ? { behavior: 'allow', updatedInput: { command: 'make -j2' } }
            : { behavior: 'deny', message: 'only make' },
      },
    }));
    expect(await session.run(call({ input: { command: 'make' } }))).toMatchObject({ result: 'ran make -j2' });
    expect(await session.run(call({ input: { command: 'curl x' } }))).toMatchObject({ reason: 'only make' });
  });

  it('SE-8 permission rules hold beside the hooks, also for what a hook allows or puts in', async () => {
    const { runner, session } = made({ permissions: new Permissions({ deny: ['Bash(rm *)'] }) });
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: 'rm -r x' },
      },
    }));
    expect(await session.run(call({ run: () => expect.unreachable() }))).toMatchObject({ status: 'refused' });
  });

  it('SE-9 a host that asks by itself judges first; the same hooks do not run again', async () => {
    const { runner, session } = made({ ask: 'host' });
    let fires = 0;
    runner.on('PreToolUse', () => {
      fires += 1;
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } };
    });
    expect(await session.judge(call())).toMatchObject({ behavior: 'ask', input: { command: 'ls' } });
    expect(await session.run(call(), { approved: true })).toMatchObject({ status: 'done', result: 'ran ls' });
    expect(fires).toBe(1);
    expect(await session.run(call({ id: 'call-2' }))).toMatchObject({ status: 'refused' });
  });

  it('SE-9 an approval does not overrule a hook that denies', async () => {
    const { runner, session } = made({ ask: 'host' });
    runner.on('PreToolUse', () => ({ decision: 'block', reason: 'never' }));
    expect(await session.run(call(), { approved: true })).toMatchObject({
      status: 'refused',
      reason: 'never',
    });
  });

  it('SE-10 `continue: false` ends the run: no tool runs until the next prompt', async () => {
    const { runner, session } = made();
    const off = runner.on('PreToolUse', () => ({ continue: false, stopReason: 'budget spent' }));
    expect(await session.run(call({ run: () => expect.unreachable() }))).toMatchObject({
      reason: 'budget spent',
    });
    expect(session.halt).toEqual({ stopReason: 'budget spent' });
    off();
    expect(await session.run(call({ id: 'call-2' }))).toMatchObject({ status: 'refused' });
    expect(await session.stop()).toEqual({ continues: false, capped: false });
    await session.prompt('again');
    expect(await session.run(call({ id: 'call-3' }))).toMatchObject({ status: 'done' });
  });

  it('SE-11 an abort rejects with its reason, and no further hooks run', async () => {
    const { runner, session } = made();
    runner.on('PostToolUseFailure', () => expect.unreachable());
    const aborting = new AbortController();
    const running = session.run(
      call({
        signal: aborting.signal,
        run: () => {
          aborting.abort(new Error('enough'));
          throw new Error('interrupted');
        },
      }),
    );
    await expect(running).rejects.toThrow('enough');
  });

  it('SE-12 hooks that cannot be run refuse the call, or let it run if the host says so', async () => {
    const { runner, session } = made();
    await runner.dispose();
    expect(await session.run(call())).toMatchObject({ status: 'refused' });
    const lenient = createSession({ runner, onError: 'continue' });
    expect(await lenient.run(call())).toMatchObject({ status: 'done' });
  });
});

describe('items', () => {
  const say = (content: string, more = {}) => ({ content, source: { kind: 'human', label: 'Eva' }, ...more });

  it('SE-13 travel with prompts, tool results and continuations, and are delivered when the model answers', async () => {
    const { mailbox, session } = made();
    await mailbox.put(say('first', { id: 'a' }));
    const prompt = await session.prompt('go');
    expect(prompt).toMatchObject({ texts: [expect.stringContaining('first')] });
    expect(await mailbox.status('a')).toEqual({ main: 'queued' });
    session.request().answered();
    await expect.poll(() => mailbox.status('a')).toEqual({ main: 'delivered' });

    await mailbox.put(say('second', { id: 'b' }));
    expect(await session.run(call())).toMatchObject({ texts: [expect.stringContaining('second')] });
    session.request().answered();
    await mailbox.put(say('third', { id: 'c' }));
    expect(await session.stop()).toMatchObject({
      continues: true,
      texts: [expect.stringContaining('third')],
    });
    session.request().answered();
    expect(await session.stop()).toEqual({ continues: false, capped: false });
    await expect.poll(() => mailbox.status('c')).toEqual({ main: 'delivered' });
  });

  it('SE-14 an item added after a request began is not delivered by its answer', async () => {
    const { mailbox, session } = made();
    const request = session.request();
    await mailbox.put(say('late', { id: 'a' }));
    await session.run(call());
    request.answered();
    await session.release();
    expect(await mailbox.status('a')).toEqual({ main: 'queued' });
    expect(await mailbox.pending('main')).toHaveLength(1);
  });

  it('SE-14 an item whose request failed goes back, and is delivered once with the next one', async () => {
    const { mailbox, session } = made();
    await mailbox.put(say('keep me', { id: 'a' }));
    await session.prompt('go');
    session.request();
    await session.release();
    const again = await session.prompt('go again');
    expect(again).toMatchObject({ texts: [expect.stringContaining('keep me')] });
    session.request().answered();
    await expect.poll(() => mailbox.status('a')).toEqual({ main: 'delivered' });
    expect(await session.run(call())).toMatchObject({ texts: [] });
  });

  it('SE-13 wait for the tool that their matcher names', async () => {
    const { mailbox, session } = made();
    await mailbox.put(say('for reading', { matcher: 'Read' }));
    expect(await session.run(call())).toMatchObject({ texts: [] });
    expect(await session.run(call({ name: 'Read' }))).toMatchObject({
      texts: [expect.stringContaining('for reading')],
    });
  });

  it('SE-14 go back when the session ends', async () => {
    const { mailbox, session, runner } = made();
    const reasons: string[] = [];
    runner.on('SessionEnd', ({ reason }) => void reasons.push(reason));
    await mailbox.put(say('unread', { id: 'a' }));
    await session.prompt('go');
    await session.end('logout');
    await session.end();
    expect(await mailbox.pending('main')).toHaveLength(1);
    expect(reasons).toEqual(['logout']);
  });
});

describe('the end of a turn', () => {
  it('SE-15 a block makes the agent continue with the reason, up to the cap', async () => {
    const { runner, session } = made({ stopCap: 2 });
    const active: boolean[] = [];
    runner.on('Stop', ({ stop_hook_active }) => {
      active.push(stop_hook_active);
      return { decision: 'block', reason: 'run the tests' };
    });
    expect(await session.stop({ lastMessage: 'done' })).toEqual({
      continues: true,
      texts: ['run the tests'],
    });
    expect(await session.stop()).toEqual({ continues: true, texts: ['run the tests'] });
    expect(await session.stop()).toEqual({ continues: false, capped: true });
    expect(active).toEqual([false, true, true]);
    await session.prompt('next');
    expect(await session.stop()).toMatchObject({ continues: true });
  });
});

describe('a subagent', () => {
  it('SE-16 has its own start and stop, and its tool calls name it', async () => {
    const { runner, session } = made();
    const seen: unknown[] = [];
    runner.on('SubagentStart', ({ agent_id, agent_type }) => {
      seen.push([agent_id, agent_type]);
      return context('SubagentStart', 'be brief') as never;
    });
    runner.on('PreToolUse', ({ agent_id }) => void seen.push(agent_id));
    runner.on('SubagentStop', ({ agent_type }) => void seen.push(agent_type));
    runner.on('SessionEnd', () => expect.unreachable());
    const child = session.subagent({ id: 'r1', type: 'researcher' });
    expect(await child.prompt('look')).toEqual({ blocked: false, texts: ['be brief'] });
    await child.run(call());
    expect(await child.stop()).toEqual({ continues: false, capped: false });
    await child.end();
    expect(seen).toEqual([['r1', 'researcher'], 'r1', 'researcher']);
  });
});

describe('options', () => {
  it('SE-17 that cannot be used are refused with what was expected', () => {
    const runner = new Runner();
    expect(() => createSession({ runner, mailbx: 1 } as never)).toThrow(/Did you mean "mailbox"/);
    expect(() => createSession({} as never)).toThrow(/`runner` is undefined; expected a runner/);
    expect(() => createSession({ runner, stopCap: -1 })).toThrow(/stopCap/);
    expect(() => createSession({ runner, onError: 'maybe' as never })).toThrow(/onError/);
  });
});
