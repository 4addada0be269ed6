/** Many calls at once, the way that every call goes, in subagents too, and tasks that hooks keep open. */
import { describe, expect, it } from 'vitest';
import { agentTool } from '../../../../src/agent/tools/agent.js';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import type { HookConfig, HookEvent } from '../../../../src/index.js';
import { prints } from '../support/claude-hooks.js';
import { readsError, readsResult, reminder } from '../support/expected.js';
import { runLoop } from '../support/run-loop.js';
import { itAsks, itReads, opening } from '../support/scenario.js';

const look = (id: string) => ({ id, name: 'Look', input: { text: id } });

describe('calls side by side', () => {
  const calls = [look('one'), look('two'), look('three'), look('four')];
  const REFUSED = 'PreToolUse:Look hook refused this call: not this one';

  /** One call is refused, one rewritten, one left alone, one gets a new output; each adds something. */
  const hooks: HookConfig = {
    PreToolUse: [
      {
        hooks: [
          ({ tool_use_id: id }) => ({
            hookSpecificOutput: {
              hookEventName: 'PreToolUse',
              additionalContext: `before ${id}`,
              ...(id === 'one' && {
                permissionDecision: 'deny',
                permissionDecisionReason: 'not this one',
              }),
              ...(id === 'two' && { updatedInput: { text: 'rewritten' } }),
            },
          }),
        ],
      },
    ],
    PostToolUse: [
      {
        hooks: [
          ({ tool_use_id: id }) => ({
            hookSpecificOutput: {
              hookEventName: 'PostToolUse',
              additionalContext: `after ${id}`,
              ...(id === 'four' && { updatedToolOutput: 'replaced' }),
            },
          }),
        ],
      },
    ],
  };
  const texts = [
    reminder('PreToolUse:Look hook adds: before one'),
    reminder('PreToolUse:Look hook adds: before two'),
    reminder('PostToolUse:Look hook adds: after two'),
    reminder('PreToolUse:Look hook adds: before three'),
    reminder('PostToolUse:Look hook adds: after three'),
    reminder('PreToolUse:Look hook adds: before four'),
    reminder('PostToolUse:Look hook adds: after four'),
  ].map((text) => ({ type: 'text', text }));

  /** Those who run end in the opposite order of the calls. */
  let waiting: (() => void)[] = [];
  const inside = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length < 3) return;
      const all = waiting;
      waiting = [];
      const next = (): void => {
        all.pop()?.();
        if (all.length > 0) setImmediate(next);
      };
      next();
    });

  itReads('LO-10: have their results in the order of the calls, and what is told behind them all', {
    hooks,
    inside,
    calls,
    anthropic: [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'one', content: REFUSED, is_error: true },
          { type: 'tool_result', tool_use_id: 'two', content: 'Look: rewritten' },
          { type: 'tool_result', tool_use_id: 'three', content: 'Look: three' },
          { type: 'tool_result', tool_use_id: 'four', content: 'replaced' },
          ...texts,
        ],
      },
    ],
    chat: [
      { role: 'tool', tool_call_id: 'one', content: `Error: ${REFUSED}` },
      { role: 'tool', tool_call_id: 'two', content: 'Look: rewritten' },
      { role: 'tool', tool_call_id: 'three', content: 'Look: three' },
      { role: 'tool', tool_call_id: 'four', content: 'replaced' },
      { role: 'user', content: texts },
    ],
    responses: [
      { type: 'function_call_output', call_id: 'one', output: `Error: ${REFUSED}` },
      { type: 'function_call_output', call_id: 'two', output: 'Look: rewritten' },
      { type: 'function_call_output', call_id: 'three', output: 'Look: three' },
      { type: 'function_call_output', call_id: 'four', output: 'replaced' },
      { role: 'user', content: texts.map(({ text }) => ({ type: 'input_text', text })) },
    ],
    also: ({ ran, last: { result } }) => {
      expect(ran.map(({ text }) => text)).toEqual(['rewritten', 'three', 'four']);
      expect(result.permission_denials).toEqual([
        { tool_name: 'Look', tool_use_id: 'one', tool_input: { text: 'one' } },
      ]);
    },
  });
});

describe('the way of a call', () => {
  const fired: string[] = [];
  const record = (answers: HookConfig = {}): (() => HookConfig) => {
    const note = (input: object): void => {
      const { hook_event_name: event, tool_name: tool, agent_id: agent } = input as Record<string, string>;
      fired.push([event, tool, agent && 'in a subagent'].filter(Boolean).join(' '));
    };
    return () => {
      fired.length = 0;
      const events = ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure'] as const;
      return Object.fromEntries(
        events.map((event) => [event, [{ hooks: [note] }, ...(answers[event] ?? [])]]),
      );
    };
  };
  const allowed: HookConfig = {
    PermissionRequest: [
      {
        hooks: [
          () => ({
            hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
          }),
        ],
      },
    ],
  };

  itReads('LO-9: is hooks, permission, the tool, hooks', {
    hooks: record(allowed),
    inside: (name) => fired.push(`run ${name}`),
    calls: [{ id: 'call-1', name: 'Change', input: { text: 'a' } }],
    ...readsResult('Change: a'),
    also: () =>
      expect(fired).toEqual([
        'PreToolUse Change',
        'PermissionRequest Change',
        'run Change',
        'PostToolUse Change',
      ]),
  });

  itReads('LO-9: of a tool that fails ends with the hooks for that', {
    hooks: record(),
    inside: (name) => fired.push(`run ${name}`),
    calls: [{ id: 'call-1', name: 'Fail', input: { text: 'a' } }],
    ...readsError('a went wrong'),
    also: () => expect(fired).toEqual(['PreToolUse Fail', 'run Fail', 'PostToolUseFailure Fail']),
  });
});

describe('a task', () => {
  const CREATE = { id: 'call-1', name: 'TaskCreate', input: { subject: 'Write the tests' } };
  const COMPLETE = { id: 'call-2', name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } };
  const LIST = { id: 'call-3', name: 'TaskList', input: {} };
  const answers = [{ calls: [CREATE] }, { calls: [COMPLETE] }, { calls: [LIST] }, { text: 'Done.' }];
  const FEEDBACK = 'TaskCompleted hook feedback:\nthey do not pass';

  itAsks('LO-35: stays open where a hook refuses, and the model reads why', {
    hooks: { TaskCompleted: [{ hooks: [() => ({ decision: 'block', reason: 'they do not pass' })] }] },
    claude: { TaskCompleted: ['echo "they do not pass" >&2; exit 2'] },
    tools: builtInTools,
    answers,
    anthropic: {
      4: [
        ...opening('anthropic', [CREATE]),
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call-1', content: 'Created task #1: Write the tests' },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', ...COMPLETE }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-2', content: FEEDBACK }] },
        { role: 'assistant', content: [{ type: 'tool_use', ...LIST }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call-3', content: '#1 [pending] Write the tests' }],
        },
      ],
    },
    chat: {
      3: [
        ...opening('chat', [CREATE]),
        { role: 'tool', tool_call_id: 'call-1', content: 'Created task #1: Write the tests' },
        ...opening('chat', [COMPLETE]).slice(1),
        { role: 'tool', tool_call_id: 'call-2', content: FEEDBACK },
      ],
    },
    also: ({ last: { result } }) => expect(result.permission_denials).toEqual([]),
  });

  it('LO-35: is told to the hook, and its refusal to the hooks after the tool', async () => {
    const seen: unknown[] = [];
    await runLoop({
      hooks: {
        TaskCompleted: [
          {
            hooks: [
              ({ task_id, task_subject, task_description }) => {
                seen.push([task_id, task_subject, task_description]);
                return { decision: 'block', reason: 'they do not pass' };
              },
            ],
          },
        ],
        PostToolUse: [
          { matcher: 'TaskUpdate', hooks: [({ tool_response }) => void seen.push(tool_response)] },
        ],
      },
      turns: [{ tools: [CREATE] }, { tools: [COMPLETE] }, { text: 'Done.' }],
    });
    expect(seen).toEqual([
      ['1', 'Write the tests', ''],
      { success: false, taskId: '1', updatedFields: [], error: FEEDBACK },
    ]);
  });
});

const AGENT = { id: 'call-1', name: 'Agent', input: { description: 'look around', prompt: 'Look.' } };
const context = (hookEventName: HookEvent, additionalContext: string): object => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});

describe('context for a subagent', () => {
  itAsks('LO-19: stands before its prompt, and is the next message when it wants to stop', {
    hooks: () => {
      let stops = 0;
      return {
        SubagentStart: [{ hooks: [() => context('SubagentStart', 'you are not alone')] }],
        SubagentStop: [
          { hooks: [() => (stops++ === 0 ? context('SubagentStop', 'look twice') : undefined)] },
        ],
      };
    },
    tools: () => [agentTool],
    answers: [{ calls: [AGENT] }, { text: 'Nothing.' }, { text: 'A mouse.' }, { text: 'Done.' }],
    anthropic: {
      3: [
        {
          role: 'user',
          content: [
            { type: 'text', text: reminder('SubagentStart hook adds: you are not alone') },
            { type: 'text', text: 'Look.' },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'Nothing.' }] },
        { role: 'user', content: [{ type: 'text', text: reminder('SubagentStop hook adds: look twice') }] },
      ],
      4: [
        ...opening('anthropic', [AGENT]),
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call-1', content: [{ type: 'text', text: 'A mouse.' }] },
          ],
        },
      ],
    },
    chat: {
      3: [
        {
          role: 'user',
          content: [
            { type: 'text', text: reminder('SubagentStart hook adds: you are not alone') },
            { type: 'text', text: 'Look.' },
          ],
        },
        { role: 'assistant', content: 'Nothing.' },
        { role: 'user', content: reminder('SubagentStop hook adds: look twice') },
      ],
      4: [...opening('chat', [AGENT]), { role: 'tool', tool_call_id: 'call-1', content: 'A mouse.' }],
    },
  });
});

describe('a subagent that wants to stop', () => {
  const first = (line: string): string => `if grep -q '"stop_hook_active":false'; then ${line}; fi`;

  itAsks('LO-23: goes on with the objections, and its starter reads its last word', {
    hooks: () => ({
      SubagentStop: [
        {
          hooks: [
            ({ stop_hook_active: again }) =>
              again ? undefined : { decision: 'block', reason: 'look under the bed' },
          ],
        },
      ],
    }),
    claude: { SubagentStop: [first('echo "look under the bed" >&2; exit 2')] },
    tools: () => [agentTool],
    answers: [{ calls: [AGENT] }, { text: 'Nothing.' }, { text: 'A mouse.' }, { text: 'Done.' }],
    anthropic: {
      3: [
        { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Nothing.' }] },
        {
          role: 'user',
          content: [{ type: 'text', text: 'SubagentStop hook feedback:\nlook under the bed' }],
        },
      ],
      4: [
        ...opening('anthropic', [AGENT]),
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call-1', content: [{ type: 'text', text: 'A mouse.' }] },
          ],
        },
      ],
    },
    chat: {
      4: [...opening('chat', [AGENT]), { role: 'tool', tool_call_id: 'call-1', content: 'A mouse.' }],
    },
  });
});

describe('a call inside a subagent', () => {
  const CHANGE = { id: 'call-2', name: 'Change', input: { text: 'b' } };
  const NOTE = { id: 'call-2', name: 'Note', input: { text: 'b' } };
  const NOBODY =
    'Change needs approval: no rule allows it. It was denied, because there is no user to ask. To allow it, on the command line: --allowedTools "Change", or the permissions of a settings file; in code: permissions: { allow: ["Change"] }, or canUseTool to ask a user, or readOnly: true on the tool if it changes nothing.';
  const fired: string[] = [];

  itAsks('LO-9: goes the same way: nothing is permitted there that was not', {
    hooks: () => {
      fired.length = 0;
      const note = (input: {
        readonly hook_event_name: string;
        readonly tool_name: string;
        readonly agent_type?: string | undefined;
      }): void => {
        fired.push(`${input.hook_event_name} ${input.tool_name} ${input.agent_type ?? '-'}`);
      };
      return {
        PreToolUse: [{ hooks: [note] }],
        PermissionRequest: [{ hooks: [note] }],
        PostToolUse: [{ hooks: [note] }],
      };
    },
    tools: () => [agentTool],
    answers: [{ calls: [AGENT] }, { calls: [CHANGE] }, { text: 'It was refused.' }, { text: 'Done.' }],
    anthropic: {
      3: [
        { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
        { role: 'assistant', content: [{ type: 'tool_use', ...CHANGE }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'call-2', content: NOBODY, is_error: true }],
        },
      ],
    },
    chat: {
      4: [...opening('chat', [AGENT]), { role: 'tool', tool_call_id: 'call-1', content: 'It was refused.' }],
    },
    also: ({ ran }) => {
      expect(ran).toEqual([]);
      expect(fired).toEqual([
        'PreToolUse Agent -',
        'PreToolUse Change general-purpose',
        'PermissionRequest Change general-purpose',
        'PostToolUse Agent -',
      ]);
    },
  });

  const REFUSED = 'PreToolUse:Note hook refused this call: no notes';
  itAsks('LO-11: LO-19: is refused with a reason that the subagent reads, and nobody else', {
    hooks: {
      PreToolUse: [
        {
          matcher: 'Note',
          hooks: [
            () => ({ decision: 'block', reason: 'no notes', ...context('PreToolUse', 'paper is scarce') }),
          ],
        },
      ],
    },
    claude: {
      'PreToolUse:Note': [
        prints({ decision: 'block', reason: 'no notes', ...context('PreToolUse', 'paper is scarce') }),
      ],
    },
    tools: () => [agentTool],
    answers: [{ calls: [AGENT] }, { calls: [NOTE] }, { text: 'I could not.' }, { text: 'Done.' }],
    anthropic: {
      3: [
        { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
        { role: 'assistant', content: [{ type: 'tool_use', ...NOTE }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call-2', content: REFUSED, is_error: true },
            { type: 'text', text: reminder('PreToolUse:Note hook adds: paper is scarce') },
          ],
        },
      ],
      4: [
        ...opening('anthropic', [AGENT]),
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call-1', content: [{ type: 'text', text: 'I could not.' }] },
          ],
        },
      ],
    },
    chat: {
      4: [...opening('chat', [AGENT]), { role: 'tool', tool_call_id: 'call-1', content: 'I could not.' }],
    },
    also: ({ last: { result } }) =>
      expect(result.permission_denials).toEqual([
        { tool_name: 'Note', tool_use_id: 'call-2', tool_input: { text: 'b' } },
      ]),
  });

  itAsks('LO-20: may bring a system message, which is for the subagent’s next request', {
    hooks: { PostToolUse: [{ matcher: 'Note', hooks: [() => ({ systemMessage: 'be brief' })] }] },
    tools: () => [agentTool],
    answers: [{ calls: [AGENT] }, { calls: [NOTE] }, { text: 'Noted.' }, { text: 'Done.' }],
    anthropic: {},
    chat: {},
    also: ({ requests }) =>
      expect(requests.map(({ messages }) => JSON.stringify(messages).includes('be brief'))).toEqual([
        false,
        false,
        true,
        false,
      ]),
  });

  itAsks('LO-21: ends the subagent on continue: false; whoever started it goes on', {
    hooks: {
      PreToolUse: [{ matcher: 'Note', hooks: [() => ({ continue: false, stopReason: 'enough' })] }],
    },
    tools: () => [agentTool],
    answers: [{ calls: [AGENT] }, { text: 'I begin.', calls: [NOTE] }, { text: 'Done.' }],
    anthropic: {
      3: [
        ...opening('anthropic', [AGENT]),
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call-1', content: [{ type: 'text', text: 'I begin.' }] },
          ],
        },
      ],
    },
    chat: {
      3: [...opening('chat', [AGENT]), { role: 'tool', tool_call_id: 'call-1', content: 'I begin.' }],
    },
    also: ({ ran, last: { result } }) => {
      expect(ran).toEqual([]);
      expect(result).toMatchObject({ terminal_reason: 'completed', result: 'Done.' });
    },
  });
});
