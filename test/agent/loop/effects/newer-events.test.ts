/** Each further event of newer hosts: it fires at its point, with its fields, and its answers are obeyed. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import type { AnyEvent, HookConfig } from '../../../../src/index.js';
import { type LoopSetup, makeLoop, readRun, runLoop } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';

type Input = Readonly<Record<string, unknown>>;

/** Hooks that keep what they see; the answers are by event. */
function watching(events: readonly AnyEvent[], answers: Partial<Record<AnyEvent, object>> = {}) {
  const seen: Input[] = [];
  const hooks = Object.fromEntries(
    events.map((event) => [
      event,
      [
        {
          hooks: [
            (input: object) => {
              seen.push(input as Input);
              return answers[event] ?? {};
            },
          ],
        },
      ],
    ]),
  ) as HookConfig;
  return { seen, hooks, order: () => seen.map((input) => input['hook_event_name']) };
}

const own = ({ session_id, transcript_path, cwd, prompt_id, permission_mode, ...rest }: Input): Input => rest;
const note = (text: string) => ({ name: 'Note', input: { text } });
const DONE = { text: 'Done.' };

const withTools = (setup: LoopSetup): LoopSetup => ({
  ...setup,
  options: { tools: testTools().tools, ...setup.options },
});

describe('PostToolBatch', () => {
  const turns = [{ tools: [note('a'), { name: 'Fail', input: { text: 'b' } }] }, DONE];

  it('LO-56: fires once for all calls of an answer, with what the model reads of each', async () => {
    const { seen, hooks, order } = watching(['PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop']);
    await runLoop(withTools({ hooks, turns }));
    expect(order()).toEqual(['PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop']);
    expect(own(seen[2] ?? {})).toEqual({
      hook_event_name: 'PostToolBatch',
      tool_calls: [
        {
          tool_name: 'Note',
          tool_input: { text: 'a' },
          tool_use_id: expect.any(String),
          tool_response: 'Note: a',
        },
        {
          tool_name: 'Fail',
          tool_input: { text: 'b' },
          tool_use_id: expect.any(String),
          tool_response: 'b went wrong',
        },
      ],
    });
  });

  it('LO-56: its context reaches the model with the results', async () => {
    const { hooks } = watching(['PostToolBatch'], {
      PostToolBatch: {
        hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext: 'Two calls.' },
      },
    });
    const { requests } = await runLoop(withTools({ hooks, turns }));
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain('PostToolBatch hook adds: Two calls.');
  });

  it('LO-56: a refusal ends the turn: no request, no Stop', async () => {
    const { hooks, order } = watching(['PostToolBatch', 'Stop'], {
      PostToolBatch: { decision: 'block', reason: 'enough' },
    });
    const { requests, result } = await runLoop(withTools({ hooks, turns }));
    expect(order()).toEqual(['PostToolBatch']);
    expect(requests).toHaveLength(1);
    expect(result).toMatchObject({
      is_error: false,
      terminal_reason: 'hook_stopped',
      hook_stop_reason: 'enough',
    });
  });

  it('LO-56: does not fire when a hook has already ended the turn', async () => {
    const { hooks, order } = watching(['PostToolUse', 'PostToolBatch'], { PostToolUse: { continue: false } });
    await runLoop(withTools({ hooks, turns: [{ tools: [note('a')] }, DONE] }));
    expect(order()).toEqual(['PostToolUse']);
  });
});

describe('PermissionDenied', () => {
  const turns = [{ tools: [{ name: 'Change', input: { text: 'a' } }] }, DONE];

  it.each([
    ['nobody can be asked', {}],
    ['the mode denies it', { permissions: { mode: 'dontAsk' as const } }],
  ])('LO-57: fires when %s, and its retry reaches the model', async (_, options) => {
    const { seen, hooks } = watching(['PermissionDenied'], {
      PermissionDenied: { hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: true } },
    });
    const { requests } = await runLoop(withTools({ hooks, turns, options }));
    expect(own(seen[0] ?? {})).toEqual({
      hook_event_name: 'PermissionDenied',
      tool_name: 'Change',
      tool_input: { text: 'a' },
      tool_use_id: expect.any(String),
      reason: expect.stringContaining('Change'),
    });
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain('you may try this call again');
  });

  it('LO-57: fires for a rule that denies the tool, whose other hooks do not run', async () => {
    const { hooks, order } = watching(['PreToolUse', 'PermissionDenied', 'PostToolBatch'], {
      PermissionDenied: { hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: true } },
    });
    const { requests } = await runLoop(
      withTools({ hooks, turns, options: { permissions: { deny: ['Change'] } } }),
    );
    expect(order()).toEqual(['PermissionDenied', 'PostToolBatch']);
    expect(JSON.stringify(requests[1]?.messages.at(-1))).not.toContain('try this call again');
  });

  it('LO-57: does not fire when a hook or a person has denied the call', async () => {
    const { hooks, order } = watching(['PreToolUse', 'PermissionDenied'], {
      PreToolUse: { decision: 'block', reason: 'no' },
    });
    await runLoop(withTools({ hooks, turns }));
    const asked = watching(['PermissionDenied']);
    const canUseTool = async () => ({ behavior: 'deny', message: 'no' }) as const;
    await runLoop(withTools({ hooks: asked.hooks, turns, options: { canUseTool } }));
    expect([...order(), ...asked.order()]).toEqual(['PreToolUse']);
  });
});

describe('TaskCreated', () => {
  const turns = [
    { tools: [{ name: 'TaskCreate', input: { subject: 'Test it', description: 'All of it' } }] },
    { tools: [{ name: 'TaskList', input: {} }] },
    DONE,
  ];

  it('LO-58: fires with the task; a refusal removes it and is the error of the call', async () => {
    const { seen, hooks, order } = watching(['TaskCreated', 'PostToolUse', 'PostToolUseFailure'], {
      TaskCreated: { decision: 'block', reason: 'too vague' },
    });
    const { requests } = await runLoop({ hooks, turns, options: { tools: builtInTools() } });
    expect(own(seen[0] ?? {})).toEqual({
      hook_event_name: 'TaskCreated',
      task_id: '1',
      task_subject: 'Test it',
      task_description: 'All of it',
    });
    expect(order()).toEqual(['TaskCreated', 'PostToolUseFailure', 'PostToolUse']);
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain('too vague');
    expect(JSON.stringify(requests[2]?.messages.at(-1))).not.toContain('Test it');
  });
});

describe('PostCompact', () => {
  it('LO-30: fires with the summary after SessionStart, and its answers change nothing', async () => {
    const { seen, hooks, order } = watching(['PreCompact', 'SessionStart', 'PostCompact'], {
      PostCompact: { decision: 'block', reason: 'too late' },
    });
    const { loop } = await makeLoop({ hooks, turns: [DONE, { when: 'summary', text: 'What was done.' }] });
    await readRun(loop.run('Go.'));
    const { result } = await readRun(loop.compact('Keep names.'));
    expect(result.terminal_reason).toBe('compacted');
    expect(order()).toEqual(['SessionStart', 'PreCompact', 'SessionStart', 'PostCompact']);
    expect(own(seen[3] ?? {})).toEqual({
      hook_event_name: 'PostCompact',
      trigger: 'manual',
      compact_summary: 'What was done.',
    });
  });
});

describe('CwdChanged and DirectoryAdded', () => {
  it('LO-59: a cd in Bash fires CwdChanged after PostToolUse, and before the batch ends', async () => {
    const { seen, hooks, order } = watching(['PostToolUse', 'CwdChanged', 'PostToolBatch']);
    const bash = { name: 'Bash', input: { command: 'cd inner', description: 'd' } };
    const { cwd } = await runLoop({
      hooks,
      turns: [{ tools: [bash] }, DONE],
      prepare: ({ cwd: folder }) => mkdirSync(join(folder, 'inner')),
      options: { tools: builtInTools(), permissions: { mode: 'bypassPermissions' } },
    });
    expect(order()).toEqual(['PostToolUse', 'CwdChanged', 'PostToolBatch']);
    expect(own(seen[1] ?? {})).toEqual({
      hook_event_name: 'CwdChanged',
      old_cwd: cwd,
      new_cwd: join(cwd, 'inner'),
    });
  });

  it('LO-60: addDirectory and the answers of permission questions fire DirectoryAdded', async () => {
    const { seen, hooks } = watching(['DirectoryAdded']);
    const canUseTool = async () =>
      ({
        behavior: 'allow',
        updatedPermissions: [{ type: 'addDirectories', directories: ['/other'], destination: 'session' }],
      }) as const;
    const { loop, cwd } = await makeLoop(
      withTools({
        hooks,
        turns: [{ tools: [{ name: 'Change', input: { text: 'a' } }] }, DONE],
        options: { canUseTool: canUseTool as never },
      }),
    );
    await loop.addDirectory('beside');
    await readRun(loop.run('Go.'));
    expect(seen.map(own)).toEqual([
      { hook_event_name: 'DirectoryAdded', directory: join(cwd, 'beside'), source: 'register_repo_root' },
      { hook_event_name: 'DirectoryAdded', directory: '/other', source: 'permission_update' },
    ]);
    await expect(loop.addDirectory('')).rejects.toMatchObject({ code: 'invalid_option' });
  });
});

describe('MessageDisplay', () => {
  const display = { hookSpecificOutput: { hookEventName: 'MessageDisplay', displayContent: '(hidden)' } };

  it('LO-61: people see what the hook answers; the conversation and Stop keep the original', async () => {
    const { seen, hooks } = watching(['MessageDisplay', 'Stop'], { MessageDisplay: display });
    const { loop, messages, result } = await runLoop({ hooks, turns: [{ text: 'The key is 42.' }] });
    expect(own(seen[0] ?? {})).toEqual({
      hook_event_name: 'MessageDisplay',
      turn_id: expect.any(String),
      message_id: expect.any(String),
      index: 0,
      final: true,
      delta: 'The key is 42.',
    });
    expect(result.result).toBe('(hidden)');
    expect(JSON.stringify(messages)).not.toContain('The key');
    expect(seen[1]).toMatchObject({ last_assistant_message: 'The key is 42.' });
    expect(JSON.stringify(await loop.conversation())).toContain('The key is 42.');
  });

  it('LO-61: with partial messages it sees whole lines, and exactly one is the final one', async () => {
    const { seen, hooks } = watching(['MessageDisplay']);
    const pieces = ['one\ntw', 'o\nthr', 'ee'];
    const model = {
      name: 'in-pieces',
      async *stream() {
        for (const text of pieces) yield { type: 'text', text } as const;
        yield { type: 'end', stopReason: 'end_turn', usage: { inputTokens: 1, outputTokens: 1 } } as const;
      },
    };
    const { messages } = await runLoop({ hooks, options: { model, includePartialMessages: true } });
    expect(seen.map(({ delta, final, index }) => [index, delta, final])).toEqual([
      [0, 'one\n', false],
      [1, 'two\n', false],
      [2, 'three', true],
    ]);
    const shown = messages.flatMap((message) =>
      message.type === 'stream_event' && message.event.delta.type === 'text_delta'
        ? [message.event.delta.text]
        : [],
    );
    expect(shown).toEqual(['one\n', 'two\n', 'three']);
  });
});

describe('PreModelSwitch and PostModelSwitch', () => {
  const second = () => scriptedModel([DONE], { name: 'second' });

  it('LO-62: setModel fires both, and the new model reads the context', async () => {
    const { seen, hooks } = watching(['PreModelSwitch', 'PostModelSwitch'], {
      PostModelSwitch: {
        hookSpecificOutput: { hookEventName: 'PostModelSwitch', additionalContext: 'You are new here.' },
      },
    });
    const { loop } = await makeLoop({ hooks, turns: [DONE] });
    await readRun(loop.run('Go.'));
    const model = second();
    await loop.setModel(model);
    await readRun(loop.run('Again.'));
    expect(seen.map(own)).toEqual(
      ['PreModelSwitch', 'PostModelSwitch'].map((hook_event_name) => ({
        hook_event_name,
        from_model: 'scripted',
        to_model: 'second',
        requested_model: 'second',
        source: 'sdk',
        context_tokens: expect.any(Number),
        prompt_cache_warm: true,
        cache_ttl: '5m',
        estimated_cache_write_usd: 0,
        pricing: 'default',
      })),
    );
    expect(JSON.stringify(model.requests[0]?.messages.at(-1))).toContain('You are new here.');
  });

  it.each([
    ['deny', 'A hook refused it: too dear'],
    ['ask', 'A hook wants a person to decide about it: too dear'],
  ])('LO-62: %s keeps the model', async (permissionDecision, words) => {
    const { hooks } = watching(['PreModelSwitch'], {
      PreModelSwitch: {
        hookSpecificOutput: {
          hookEventName: 'PreModelSwitch',
          permissionDecision,
          permissionDecisionReason: 'too dear',
        },
      },
    });
    const { loop, requests } = await makeLoop({ hooks, turns: [DONE] });
    await expect(loop.setModel(second())).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(words),
    });
    await readRun(loop.run('Go.'));
    expect(requests).toHaveLength(1);
  });

  it('LO-62: a model that takes over by itself fires PostModelSwitch only', async () => {
    const { seen, hooks } = watching(['PreModelSwitch', 'PostModelSwitch']);
    const model = scriptedModel([{ error: { code: 'overloaded', message: 'busy' } }] as never, {
      name: 'first',
    });
    await runLoop({ hooks, options: { model, fallbackModel: second() } });
    expect(seen).toMatchObject([
      { hook_event_name: 'PostModelSwitch', from_model: 'first', to_model: 'second', source: 'auto' },
    ]);
  });
});

describe('the limit of blocked stops', () => {
  const blocks = { Stop: { decision: 'block', reason: 'more' } };
  const work = (rounds: number) =>
    Array.from({ length: rounds }, (_, i) => [{ tools: [note(`${i}`)] }, DONE]).flat();

  it('LO-63: counts stops without a tool call in between, and reaching it is a message', async () => {
    const { hooks, order } = watching(['Stop'], blocks);
    const turns = [...work(4), ...Array.from({ length: 10 }, () => DONE)];
    const { result, messages } = await runLoop(withTools({ hooks, turns, options: { stopCap: 2 } }));
    expect(result.terminal_reason).toBe('stop_hook_cap');
    expect(order()).toHaveLength(6);
    expect(JSON.stringify(messages)).toContain('kept the agent from stopping 3 times in a row');
  });

  it('LO-63: 0 switches it off', async () => {
    let stops = 0;
    const hooks: HookConfig = {
      Stop: [{ hooks: [() => (++stops < 12 ? { decision: 'block' as const, reason: 'more' } : {})] }],
    };
    const turns = Array.from({ length: 12 }, () => DONE);
    const { result } = await runLoop(withTools({ hooks, turns, options: { stopCap: 0 } }));
    expect([stops, result.terminal_reason]).toEqual([12, 'completed']);
  });
});
