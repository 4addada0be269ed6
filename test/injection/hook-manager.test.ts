import { describe, expect, it } from 'vitest';
import { command, loadMassgenConfig } from '../../src/index.js';
import { HookManager, type ManagedHook } from '../../src/injection/hook-manager.js';
import type { ManagedCall } from '../../src/injection/managed-result.js';
import { bash, gate, makeRunner, SAMPLES } from '../support/runner.js';

function makeManager() {
  const { runner, record } = makeRunner();
  return { manager: new HookManager(runner), runner, record };
}

const inject =
  (content: string, strategy?: 'tool_result' | 'user_message'): ManagedHook =>
  () => ({ inject: { content, strategy } });

const append =
  (letter: string): ManagedHook =>
  ({ toolInput }) => ({ updatedInput: { ...toolInput, command: `${toolInput['command']}${letter}` } });

const POST = SAMPLES.PostToolUse;

describe('registration', () => {
  it('IJ-34: global hooks run first, then those of the agent, in the order of registration', async () => {
    const { manager } = makeManager();
    manager.registerAgentHook('a', 'PreToolUse', append('3'), { name: 'own' });
    manager.registerGlobalHook('PreToolUse', append('1'), { name: 'first' });
    manager.registerGlobalHook('PreToolUse', append('2'), { name: 'second' });
    const forAgent = await manager.executeHooks('PreToolUse', bash(''), { agentId: 'a' });
    expect(forAgent.executedHooks.map(({ hookName }) => hookName)).toEqual(['first', 'second', 'own']);
    expect(forAgent.updatedInput).toEqual({ command: '123' });
    for (const agentId of [undefined, 'b']) {
      expect((await manager.executeHooks('PreToolUse', bash(''), { agentId })).updatedInput).toEqual({
        command: '12',
      });
    }
  });

  it('IJ-34: override leaves an agent its own hooks of that event, even with an empty list; protected ones stay', async () => {
    const { manager } = makeManager();
    manager.registerGlobalHook('PreToolUse', append('1'), { name: 'global' });
    manager.registerGlobalHook('PreToolUse', append('g'), { name: 'guard', protected: true });
    manager.registerGlobalHook('PostToolUse', inject('all'), { name: 'post' });
    const dispose = manager.registerAgentHook('a', 'PreToolUse', append('2'), {
      name: 'own',
      override: true,
    });
    manager.registerAgentHook('b', 'PreToolUse', [], { override: true });
    const names = async (agentId: string) =>
      (await manager.executeHooks('PreToolUse', bash(), { agentId })).executedHooks.map(
        ({ hookName }) => hookName,
      );
    expect(await names('a')).toEqual(['guard', 'own']);
    expect(await names('b')).toEqual(['guard']);
    expect(await names('c')).toEqual(['global', 'guard']);
    expect((await manager.executeHooks('PostToolUse', POST, { agentId: 'a' })).injections).toHaveLength(1);
    dispose();
    expect(await names('a')).toEqual(['global', 'guard']);
  });

  it('IJ-34: a hook can be taken out again; clearing leaves what others have registered', async () => {
    const { manager, runner } = makeManager();
    runner.on('PreToolUse', { name: 'theirs' }, () => {});
    const dispose = manager.registerGlobalHook('PreToolUse', append('1'));
    manager.registerGlobalHook('PreToolUse', append('2'));
    dispose();
    dispose();
    expect((await manager.executeHooks('PreToolUse', bash(''))).updatedInput).toEqual({ command: '2' });
    manager.clearHooks();
    const { executedHooks, decision } = await manager.executeHooks('PreToolUse', bash());
    expect(executedHooks.map(({ hookName }) => hookName)).toEqual(['theirs']);
    expect(decision).toBe('allow');
  });

  it('IJ-34: matchers are names and globs with | between them', async () => {
    const { manager } = makeManager();
    manager.registerGlobalHook('PreToolUse', () => ({ decision: 'deny' }), { matcher: 'Write | mcp__*' });
    const decide = async (tool_name: string) =>
      (await manager.executeHooks('PreToolUse', { ...bash(), tool_name })).decision;
    expect(await decide('Write')).toBe('deny');
    expect(await decide('mcp__fs__read')).toBe('deny');
    expect(await decide('Read')).toBe('allow');
  });

  it('IJ-34: a hook is told of the call, before and after it', async () => {
    const { manager } = makeManager();
    const calls: ManagedCall[] = [];
    const note: ManagedHook = (call) => void calls.push(call);
    manager.registerGlobalHook('PreToolUse', note);
    manager.registerGlobalHook('PostToolUse', note);
    manager.registerGlobalHook('PostToolUseFailure', note);
    await manager.executeHooks('PreToolUse', { ...bash(), session_id: 's' }, { agentId: 'a' });
    await manager.executeHooks('PreToolUse', { ...bash(), tool_input: 'raw' });
    await manager.executeHooks('PostToolUse', POST);
    await manager.executeHooks('PostToolUseFailure', SAMPLES.PostToolUseFailure);
    expect(calls).toMatchObject([
      {
        hookType: 'PreToolUse',
        sessionId: 's',
        agentId: 'a',
        toolName: 'Bash',
        toolInput: { command: 'ls' },
        toolOutput: null,
      },
      { agentId: null, toolInput: { raw: 'raw' } },
      { hookType: 'PostToolUse', toolOutput: '{"stdout":"README.md"}' },
      { hookType: 'PostToolUseFailure', toolOutput: 'exit code 1' },
    ]);
    expect(calls[0]?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });
});

describe('results', () => {
  it('IJ-35: the first deny ends it; the record of those before it is kept', async () => {
    const { manager } = makeManager();
    manager.registerGlobalHook('PreToolUse', () => ({ decision: 'ask', reason: 'sure?' }), { name: 'asks' });
    manager.registerGlobalHook('PreToolUse', () => ({ decision: 'deny', reason: 'no' }), { name: 'denies' });
    manager.registerGlobalHook('PreToolUse', () => ({ decision: 'deny', reason: 'never' }), {
      name: 'unasked',
    });
    expect(await manager.executeHooks('PreToolUse', bash())).toMatchObject({
      allowed: false,
      decision: 'deny',
      reason: 'no',
      executedHooks: [
        {
          hookName: 'asks',
          hookType: 'PreToolUse',
          decision: 'ask',
          reason: 'sure?',
          executionTimeMs: expect.any(Number),
        },
        { hookName: 'denies', decision: 'deny', reason: 'no' },
      ],
    });
  });

  it('IJ-35: an ask is an ask, with the first reason, and is not allowed by itself', async () => {
    const { manager } = makeManager();
    manager.registerGlobalHook('PreToolUse', () => ({ decision: 'allow' }));
    manager.registerGlobalHook('PreToolUse', async () => ({ decision: 'ask', reason: 'first' }));
    manager.registerGlobalHook('PreToolUse', () => ({ decision: 'ask', reason: 'second' }));
    const result = await manager.executeHooks('PreToolUse', bash());
    expect(result).toMatchObject({ allowed: false, decision: 'ask', reason: 'first' });
  });

  it('IJ-35: no hook objects: it is allowed, and nothing is changed', async () => {
    const { manager } = makeManager();
    manager.registerGlobalHook('PreToolUse', () => {});
    const result = await manager.executeHooks('PreToolUse', bash());
    expect(result).toMatchObject({ allowed: true, decision: 'allow', injections: [], hookErrors: [] });
    expect(result.updatedInput).toBeUndefined();
  });

  it('IJ-36: each hook sees the input as the one before left it', async () => {
    const { manager } = makeManager();
    manager.registerGlobalHook('PreToolUse', append('a'));
    manager.registerGlobalHook('PreToolUse', append('b'));
    expect((await manager.executeHooks('PreToolUse', bash('-'))).updatedInput).toEqual({ command: '-ab' });
  });

  it('IJ-37: all injections are kept, in order, each with its own strategy, also beside a deny after the tool', async () => {
    const { manager } = makeManager();
    manager.registerGlobalHook('PostToolUse', inject('one'));
    manager.registerGlobalHook('PostToolUse', () => ({
      decision: 'deny',
      reason: 'too late',
      inject: { content: 'two' },
    }));
    manager.registerGlobalHook('PostToolUse', () => ({
      inject: [{ content: 'three', strategy: 'user_message' }, { content: 'four' }],
    }));
    expect((await manager.executeHooks('PostToolUse', POST)).injections).toEqual([
      { content: 'one', strategy: 'tool_result' },
      { content: 'two', strategy: 'tool_result' },
      { content: 'three', strategy: 'user_message' },
      { content: 'four', strategy: 'tool_result' },
    ]);
  });
});

describe('failures', () => {
  const fails: ManagedHook = () => {
    throw new Error('broken');
  };

  it('IJ-38: a hook that fails is left out and reported; with failClosed it denies', async () => {
    const { manager } = makeManager();
    const dispose = manager.registerGlobalHook('PreToolUse', fails, { name: 'open' });
    manager.registerGlobalHook('PreToolUse', append('!'));
    const open = await manager.executeHooks('PreToolUse', bash(''));
    expect(open).toMatchObject({ allowed: true, updatedInput: { command: '!' } });
    expect(open.hookErrors).toEqual(['open: it threw: broken']);
    expect(open.executedHooks[0]).toMatchObject({ hookName: 'open', decision: 'error' });
    dispose();
    manager.registerGlobalHook('PreToolUse', fails, { name: 'closed', failClosed: true });
    expect(await manager.executeHooks('PreToolUse', bash())).toMatchObject({
      allowed: false,
      decision: 'deny',
    });
  });

  it('IJ-38: a hook that hangs is ended by its deadline, and its signal says so', async () => {
    const { manager } = makeManager();
    const aborted = gate();
    manager.registerGlobalHook(
      'PreToolUse',
      (_call, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => aborted.open());
        }),
      { timeout: 0.02, failClosed: true, name: 'slow' },
    );
    const result = await manager.executeHooks('PreToolUse', bash());
    await aborted.passed;
    expect(result).toMatchObject({
      decision: 'deny',
      executedHooks: [{ hookName: 'slow', decision: 'error' }],
    });
    expect(result.hookErrors[0]).toContain('longer than 0.02 s');
  });

  it.each([
    ['a word', 'deny'],
    ['false', false],
    ['an unknown decision', { decision: 'block' }],
    ["another system's word", { permissionDecision: 'deny' }],
    ['an input that is no object', { updatedInput: 'x' }],
    ['content that is no text', { inject: { content: 7 } }],
    ['an unknown strategy', { inject: { content: 'x', strategy: 'deny' } }],
  ])('IJ-38: an answer that is %s is a failure, never an allow', async (_what, answer) => {
    const { manager } = makeManager();
    manager.registerGlobalHook('PreToolUse', (() => answer) as unknown as ManagedHook, { failClosed: true });
    expect((await manager.executeHooks('PreToolUse', bash())).decision).toBe('deny');
  });

  it('IJ-38: a handler of a configuration that cannot be imported denies', async () => {
    const { manager } = makeManager();
    const config = await loadMassgenConfig({
      text: 'hooks:\n  PreToolUse:\n    - handler: ./missing.mjs\n      type: module\n',
      file: '/nowhere/config.yaml',
    });
    const dispose = manager.registerHooksFromConfig(config);
    expect((await manager.executeHooks('PreToolUse', bash())).decision).toBe('deny');
    dispose();
    expect((await manager.executeHooks('PreToolUse', bash())).decision).toBe('allow');
  });

  it('IJ-38: a command is a hook too, and speaks JSON on stdin and stdout', async () => {
    const { manager } = makeManager();
    const line = `read -r event; case "$event" in *'"tool_name":"Bash"'*) echo '{"decision":"deny","reason":"'"$MASSGEN_TOOL_NAME"'"}';; esac`;
    manager.registerGlobalHook('PreToolUse', command(line));
    expect(await manager.executeHooks('PreToolUse', bash())).toMatchObject({
      decision: 'deny',
      reason: 'Bash',
    });
  });

  it('IJ-39: what hooks report beside their answers is told with their names', async () => {
    const { manager } = makeManager();
    manager.registerGlobalHook(
      'PostToolUse',
      () => ({ hookErrors: ['half failed'], inject: { content: 'x' } }),
      { name: 'partly' },
    );
    const result = await manager.executeHooks('PostToolUse', POST);
    expect(result.hookErrors).toEqual(['partly: half failed']);
    expect(result.injections).toHaveLength(1);
    expect(result.outcome.event).toBe('PostToolUse');
  });

  it('IJ-40: hooks that others have put on the runner count too; a decision that is put off is a question', async () => {
    const { manager, runner } = makeManager();
    manager.registerGlobalHook('PreToolUse', append('!'));
    runner.on('PreToolUse', { name: 'later' }, (input) => ({
      hookSpecificOutput: { hookEventName: input.hook_event_name, permissionDecision: 'defer' },
    }));
    expect(await manager.executeHooks('PreToolUse', bash(''))).toMatchObject({
      allowed: false,
      decision: 'ask',
      updatedInput: { command: '!' },
      executedHooks: [{ decision: 'allow' }, { hookName: 'later', decision: 'ask' }],
    });
  });
});
