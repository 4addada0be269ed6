/** Prompts that are blocked, and `continue: false`: what has run by then, and that the conversation can go on. */
import { describe, expect, it } from 'vitest';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import type { HookConfig } from '../../../../src/index.js';
import { prints } from '../support/claude-hooks.js';
import { reminder } from '../support/expected.js';
import { runLoop } from '../support/run-loop.js';
import { itAsks, opening, type ScenarioRun } from '../support/scenario.js';
import { testTools } from '../support/tools.js';

const NOTE = { id: 'call-1', name: 'Note', input: { text: 'a' } };
const NEXT = { id: 'call-2', name: 'Note', input: { text: 'b' } };
const HALT = { continue: false, stopReason: 'enough for today' };
const TWICE = { prompts: ['Do it.', 'Go on.'] };

const fired: string[] = [];
/** The hooks, and a record of the ends that they come to. */
const watched =
  (hooks: HookConfig): (() => HookConfig) =>
  () => {
    fired.length = 0;
    const note = ({ hook_event_name: event }: { readonly hook_event_name: string }): void =>
      void fired.push(event);
    return {
      ...hooks,
      PostToolUse: [...(hooks.PostToolUse ?? []), { hooks: [note] }],
      Stop: [...(hooks.Stop ?? []), { hooks: [note] }],
    };
  };

const isHalted = ({ runs: [first, second] }: ScenarioRun): void => {
  expect(first?.result).toMatchObject({
    subtype: 'success',
    is_error: false,
    terminal_reason: 'hook_stopped',
    hook_stop_reason: 'enough for today',
  });
  expect(second?.result).toMatchObject({ terminal_reason: 'completed', result: 'Fine.' });
};

describe('a blocked prompt', () => {
  const START = reminder('SessionStart:startup hook adds: the branch is main');
  const WHY =
    'A UserPromptSubmit hook blocked the prompt:\nno secrets\n\nThe prompt was: My password is 1234.';
  const blocked = {
    prompts: ['My password is 1234.', 'Do it.'],
    answers: [{ text: 'Done.' }],
    anthropic: {
      1: [
        {
          role: 'user',
          content: [
            { type: 'text', text: START },
            { type: 'text', text: 'Do it.' },
          ],
        },
      ],
    },
    chat: {
      1: [
        {
          role: 'user',
          content: [
            { type: 'text', text: START },
            { type: 'text', text: 'Do it.' },
          ],
        },
      ],
    },
  } as const;

  itAsks('LO-22: does not reach the model; neither it nor its context is kept, the start’s context is', {
    ...blocked,
    hooks: {
      SessionStart: [
        {
          hooks: [
            () => ({
              hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'the branch is main' },
            }),
          ],
        },
      ],
      UserPromptSubmit: [
        {
          hooks: [
            ({ prompt }) =>
              prompt.includes('password')
                ? {
                    decision: 'block',
                    reason: 'no secrets',
                    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'hm' },
                  }
                : undefined,
          ],
        },
      ],
    },
    claude: {
      SessionStart: ['echo the branch is main'],
      UserPromptSubmit: ['if grep -q password; then echo "no secrets" >&2; exit 2; fi'],
    },
    also: ({ runs: [first, second] }) => {
      expect(first?.result).toMatchObject({
        subtype: 'success',
        is_error: false,
        terminal_reason: 'prompt_blocked',
        result: WHY,
        num_turns: 0,
      });
      expect(first?.messages).toContainEqual(
        expect.objectContaining({ subtype: 'informational', content: WHY, level: 'warning' }),
      );
      expect(second?.result.terminal_reason).toBe('completed');
    },
  });

  itAsks('LO-22: may be blocked without a reason; nothing is asked at all', {
    hooks: { UserPromptSubmit: [{ name: 'gate', hooks: [() => ({ decision: 'block' })] }] },
    answers: [],
    anthropic: {},
    chat: {},
    also: async ({ last: { result }, loop }) => {
      expect(result).toMatchObject({
        terminal_reason: 'prompt_blocked',
        result:
          'A UserPromptSubmit hook blocked the prompt:\nRefused by the hook gate\n\nThe prompt was: Do it.',
      });
      expect(await loop.conversation()).toEqual([]);
    },
  });
});

describe('continue: false at a prompt', () => {
  const onlyTheSecond = {
    anthropic: { 1: [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }] },
    chat: { 1: [{ role: 'user', content: 'Go on.' }] },
    responses: { 1: [{ role: 'user', content: 'Go on.' }] },
  };
  const answers = [{ text: 'Fine.' }];
  const first = (answer: object): HookConfig => ({
    UserPromptSubmit: [{ hooks: [({ prompt }) => (prompt === 'Do it.' ? answer : undefined)] }],
  });
  const shell = `grep -q '"prompt":"Do it."' && ${prints(HALT)} || true`;

  itAsks('LO-21: ends the turn before the model is asked, and the prompt is not kept', {
    prompts: ['Do it.', 'Go on.'],
    hooks: first(HALT),
    claude: { UserPromptSubmit: [shell] },
    answers,
    ...onlyTheSecond,
    also: (run) => {
      isHalted(run);
      expect(run.runs[0]?.result.result).toBe('A hook ended the run: enough for today');
    },
  });

  itAsks('LO-21: outranks a block', {
    prompts: ['Do it.', 'Go on.'],
    hooks: first({ ...HALT, decision: 'block', reason: 'no' }),
    answers,
    ...onlyTheSecond,
    also: isHalted,
  });

  itAsks('LO-21: at the start of the session ends its first turn', {
    prompts: ['Do it.', 'Go on.'],
    hooks: { SessionStart: [{ hooks: [() => HALT] }] },
    answers,
    ...onlyTheSecond,
    also: isHalted,
  });
});

describe('continue: false before a tool', () => {
  const hooks: HookConfig = { PreToolUse: [{ hooks: [() => HALT] }] };
  const answers = [{ calls: [NOTE, NEXT] }, { text: 'Fine.' }];
  const NOT_RUN = 'Note was not run: a hook ended the run before it.';
  const LEFT_OUT = 'Note was not run: the run ended before it.';

  itAsks('LO-21: ends the turn without the tool, and without those after it', {
    ...TWICE,
    hooks: watched(hooks),
    answers,
    anthropic: {
      2: [
        ...opening('anthropic', [NOTE, NEXT]),
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call-1', content: NOT_RUN, is_error: true },
            { type: 'tool_result', tool_use_id: 'call-2', content: LEFT_OUT, is_error: true },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
    },
    chat: {
      2: [
        ...opening('chat', [NOTE, NEXT]),
        { role: 'tool', tool_call_id: 'call-1', content: `Error: ${NOT_RUN}` },
        { role: 'tool', tool_call_id: 'call-2', content: `Error: ${LEFT_OUT}` },
        { role: 'user', content: 'Go on.' },
      ],
    },
    also: (run) => {
      isHalted(run);
      expect(run.ran).toEqual([]);
      expect(fired).toEqual(['Stop']);
      expect(run.runs[0]?.result).toMatchObject({ result: '', permission_denials: [] });
    },
  });

  itAsks('LO-21: of a settings file lets that tool run, and none after it', {
    ...TWICE,
    claude: { PreToolUse: [prints(HALT)] },
    answers,
    anthropic: {
      2: [
        ...opening('anthropic', [NOTE, NEXT]),
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call-1', content: 'Note: a' },
            { type: 'tool_result', tool_use_id: 'call-2', content: LEFT_OUT, is_error: true },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
    },
    chat: {
      2: [
        ...opening('chat', [NOTE, NEXT]),
        { role: 'tool', tool_call_id: 'call-1', content: 'Note: a' },
        { role: 'tool', tool_call_id: 'call-2', content: `Error: ${LEFT_OUT}` },
        { role: 'user', content: 'Go on.' },
      ],
    },
    also: (run) => {
      isHalted(run);
      expect(run.ran).toEqual([{ name: 'Note', text: 'a' }]);
    },
  });

  itAsks('LO-21: ends the turn although another hook refuses the tool', {
    ...TWICE,
    hooks: {
      PreToolUse: [{ hooks: [() => ({ decision: 'block', reason: 'no' })] }, { hooks: [() => HALT] }],
    },
    claude: { PreToolUse: [prints({ decision: 'block', reason: 'no' }), prints(HALT)] },
    answers: [{ calls: [NOTE] }, { text: 'Fine.' }],
    anthropic: {},
    chat: {},
    also: (run) => {
      isHalted(run);
      expect(run.ran).toEqual([]);
      expect(run.runs[0]?.result.permission_denials).toHaveLength(1);
    },
  });
});

describe('continue: false after a tool', () => {
  const LEFT_OUT = 'Note was not run: the run ended before it.';

  itAsks('LO-21: ends the turn; what has run is in the conversation, nothing further runs', {
    ...TWICE,
    hooks: watched({ PostToolUse: [{ hooks: [() => HALT] }] }),
    claude: { PostToolUse: [prints(HALT)] },
    answers: [{ calls: [NOTE, NEXT] }, { text: 'Fine.' }],
    anthropic: {
      2: [
        ...opening('anthropic', [NOTE, NEXT]),
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call-1', content: 'Note: a' },
            { type: 'tool_result', tool_use_id: 'call-2', content: LEFT_OUT, is_error: true },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
    },
    chat: {
      2: [
        ...opening('chat', [NOTE, NEXT]),
        { role: 'tool', tool_call_id: 'call-1', content: 'Note: a' },
        { role: 'tool', tool_call_id: 'call-2', content: `Error: ${LEFT_OUT}` },
        { role: 'user', content: 'Go on.' },
      ],
    },
    also: (run) => {
      isHalted(run);
      expect(run.ran).toEqual([{ name: 'Note', text: 'a' }]);
      // The second prompt's; where the hooks are a file's, nobody keeps the record.
      expect(fired.filter((event) => event === 'Stop').length).toBeLessThan(2);
    },
  });

  it.each([
    ['ends the turn', undefined, 'hook_stopped', 1],
    ['is not heard there, in the claude-code dialect', 'claude-code', 'completed', 2],
  ] as const)('LO-21: that failed %s', async (_, dialect, reason, count) => {
    const { result, requests } = await runLoop({
      hooks: { PostToolUseFailure: [{ dialect, hooks: [() => HALT] }] },
      turns: [{ tools: [{ id: 'call-1', name: 'Fail', input: { text: 'a' } }] }, { text: 'Fine.' }],
      options: { tools: testTools().tools },
    });
    expect(result.terminal_reason).toBe(reason);
    expect(requests).toHaveLength(count);
  });

  it('LO-21: of several calls side by side, the first call’s reason counts, whichever ends first', async () => {
    let secondIsDone: () => void = () => {};
    const second = new Promise<void>((resolve) => {
      secondIsDone = resolve;
    });
    const { result } = await runLoop({
      hooks: {
        PostToolUse: [
          {
            hooks: [
              async ({ tool_use_id }) => {
                if (tool_use_id === 'one') await second;
                else setImmediate(secondIsDone);
                return { continue: false, stopReason: tool_use_id };
              },
            ],
          },
        ],
      },
      turns: [{ tools: ['one', 'two'].map((id) => ({ id, name: 'Look', input: { text: id } })) }],
      options: { tools: testTools().tools },
    });
    expect(result).toMatchObject({ terminal_reason: 'hook_stopped', hook_stop_reason: 'one' });
  });
});

describe('continue: false beside another call', () => {
  it.each(['hookline', 'claude-code'] as const)(
    'LO-21: a call that already runs ends with its PostToolUse, in the %s dialect',
    async (dialect) => {
      let isHalted: () => void = () => {};
      const halted = new Promise<void>((resolve) => {
        isHalted = resolve;
      });
      const after: unknown[] = [];
      const { result, requests } = await runLoop({
        hooks: {
          PostToolUse: [
            {
              dialect,
              hooks: [
                ({ tool_use_id }) => {
                  after.push(tool_use_id);
                  if (tool_use_id !== 'one') return {};
                  setImmediate(isHalted);
                  return HALT;
                },
              ],
            },
          ],
        },
        turns: [{ tools: ['one', 'two'].map((id) => ({ id, name: 'Look', input: { text: id } })) }],
        options: { tools: testTools(async (_, text) => text === 'two' && halted).tools },
      });
      expect(after).toEqual(['one', 'two']);
      expect([result.terminal_reason, requests.length]).toEqual(['hook_stopped', 1]);
    },
  );
});

describe('continue: false elsewhere', () => {
  it.each([
    ['alone', {}],
    ['beside an allow', { hookSpecificOutput: allows() }],
  ])('LO-21: at a question for permission, %s, ends the turn without the tool', async (_, more) => {
    const { ran, tools } = testTools();
    const { result, requests } = await runLoop({
      hooks: { PermissionRequest: [{ hooks: [() => ({ ...HALT, ...more })] }] },
      turns: [{ tools: [{ id: 'call-1', name: 'Change', input: { text: 'a' } }] }],
      options: { tools, canUseTool: async () => ({ behavior: 'allow' }) },
    });
    expect(result).toMatchObject({
      terminal_reason: 'hook_stopped',
      hook_stop_reason: 'enough for today',
    });
    expect(requests).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it('LO-21: before a task is completed ends the turn, and the task stays open', async () => {
    const { result, requests, loop } = await runLoop({
      hooks: { TaskCompleted: [{ hooks: [() => HALT] }] },
      turns: [
        { tools: [{ id: 'call-1', name: 'TaskCreate', input: { subject: 'Rest' } }] },
        { tools: [{ id: 'call-2', name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }] },
      ],
      options: { tools: builtInTools() },
    });
    expect(result).toMatchObject({
      terminal_reason: 'hook_stopped',
      hook_stop_reason: 'enough for today',
    });
    expect(requests).toHaveLength(2);
    expect((await loop.conversation()).at(-1)?.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'call-2',
        content: 'TaskCompleted hook feedback:\nenough for today',
      },
    ]);
  });
});

function allows() {
  return { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } as const;
}
