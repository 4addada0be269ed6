/** Hooks before a tool: they refuse, rewrite, allow, ask and put off, and the model reads what became of it. */
import { describe, expect, it } from 'vitest';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import { command, type HookConfig } from '../../../../src/index.js';
import { prints } from '../support/claude-hooks.js';
import { readsError, readsResult, reminder } from '../support/expected.js';
import { runLoop } from '../support/run-loop.js';
import { itAsks, itReads, type ScenarioRun } from '../support/scenario.js';
import { testTools } from '../support/tools.js';

const NOTE = { id: 'call-1', name: 'Note', input: { text: 'a' } };
const CHANGE = { id: 'call-1', name: 'Change', input: { text: 'a' } };
const REFUSED = 'PreToolUse:Note hook refused this call: ';

const hooksWith = (answer: object): HookConfig => ({
  PreToolUse: [{ name: 'guard', hooks: [() => answer] }],
});

const decides = (decision: object): object => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision },
});

const isRefused = ({ ran, last: { result, messages } }: ScenarioRun): void => {
  expect(ran).toEqual([]);
  expect(result).toMatchObject({
    subtype: 'success',
    terminal_reason: 'completed',
    permission_denials: [{ tool_name: 'Note', tool_use_id: 'call-1', tool_input: { text: 'a' } }],
  });
  const denied = messages.filter(
    (message) => 'subtype' in message && message.subtype === 'permission_denied',
  );
  expect(denied).toMatchObject([{ tool_name: 'Note', tool_use_id: 'call-1', decision_reason_type: 'hook' }]);
};

/** What every refusal looks like, but for its words. */
const reads = (why: string) => readsError(`${REFUSED}${why}`);

describe('a deny', () => {
  const answer = decides({ permissionDecision: 'deny', permissionDecisionReason: 'not on a Monday' });

  itReads('LO-11: skips the tool, and the model reads the reason as an error', {
    hooks: hooksWith(answer),
    claude: { 'PreToolUse:Note': [prints(answer)] },
    calls: [NOTE],
    ...reads('not on a Monday'),
    responses: [
      { type: 'function_call_output', call_id: 'call-1', output: `Error: ${REFUSED}not on a Monday` },
    ],
    also: isRefused,
  });

  itReads('LO-11: without a reason names the hook that refused', {
    hooks: hooksWith(decides({ permissionDecision: 'deny' })),
    calls: [NOTE],
    ...reads('Refused by the hook guard'),
    also: isRefused,
  });

  itReads('LO-11: with an empty reason says that there is none', {
    hooks: hooksWith(decides({ permissionDecision: 'deny', permissionDecisionReason: '' })),
    calls: [NOTE],
    ...reads('no reason given'),
    also: isRefused,
  });

  itReads('LO-11: of a settings file, without a reason, names what was refused', {
    claude: { PreToolUse: [prints(decides({ permissionDecision: 'deny' }))] },
    calls: [NOTE],
    ...reads('Refused by the hook PreToolUse:Note'),
    also: isRefused,
  });

  itReads('LO-11: may be said with the older word, block', {
    hooks: hooksWith({ decision: 'block', reason: 'blocked' }),
    claude: { PreToolUse: [prints({ decision: 'block', reason: 'blocked' })] },
    calls: [NOTE],
    ...reads('blocked'),
    also: isRefused,
  });

  itReads('LO-11: may be exit code 2, with the reason on stderr', {
    hooks: { PreToolUse: [{ hooks: [command('echo "read only today" >&2; exit 2')] }] },
    claude: { PreToolUse: ['echo "read only today" >&2; exit 2'] },
    calls: [NOTE],
    ...reads('read only today'),
    also: isRefused,
  });

  itReads('LO-11: by exit code 2 without a word on stderr is a refusal too', {
    hooks: { PreToolUse: [{ hooks: [command('exit 2')] }] },
    calls: [NOTE],
    ...reads('The hook refused without giving a reason'),
    also: isRefused,
  });

  itReads('LO-11: of a guard that crashes and is set to block tells what happened', {
    hooks: {
      PreToolUse: [
        {
          name: 'guard',
          onFailure: 'block',
          hooks: [
            () => {
              throw new Error('no database');
            },
          ],
        },
      ],
    },
    calls: [NOTE],
    ...reads('The hook guard failed and is set to block: it threw: no database'),
    also: isRefused,
  });

  itReads('LO-11: LO-19: comes with the context that hooks add, behind the result', {
    hooks: hooksWith(
      decides({ permissionDecision: 'deny', permissionDecisionReason: 'no', additionalContext: 'try Look' }),
    ),
    calls: [NOTE],
    anthropic: [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call-1', content: `${REFUSED}no`, is_error: true },
          { type: 'text', text: reminder('PreToolUse:Note hook adds: try Look') },
        ],
      },
    ],
    chat: [
      { role: 'tool', tool_call_id: 'call-1', content: `Error: ${REFUSED}no` },
      { role: 'user', content: reminder('PreToolUse:Note hook adds: try Look') },
    ],
    also: isRefused,
  });
});

describe('a call that no tool can take', () => {
  const fired: string[] = [];
  const hooks = (): HookConfig => {
    fired.length = 0;
    const note = ({ hook_event_name: event }: { hook_event_name: string }) => void fired.push(event);
    return {
      PreToolUse: [{ hooks: [note] }],
      PostToolUse: [{ hooks: [note] }],
      PostToolUseFailure: [{ hooks: [note] }],
      PermissionRequest: [{ hooks: [note] }],
    };
  };
  const UNKNOWN = 'There is no tool Nope. Available: Note, Look, Change, Fail, mcp__box__get.';

  itReads('LO-9: because there is none of that name fires nothing, and the model reads which there are', {
    hooks,
    calls: [{ id: 'call-1', name: 'Nope', input: { text: 'a' } }],
    ...readsError(UNKNOWN),
    also: () => expect(fired).toEqual([]),
  });

  const MISFIT =
    'The input of Note does not match its schema:\n- text: Invalid input: expected string, received number\nCorrect it and call Note again.';

  itReads('LO-9: because its input does not fit fires nothing, and the model reads what is wrong', {
    hooks,
    calls: [{ id: 'call-1', name: 'Note', input: { text: 7 } }],
    ...readsError(MISFIT),
    also: ({ ran }) => {
      expect(fired).toEqual([]);
      expect(ran).toEqual([]);
    },
  });
});

const rewrite = (updatedInput: object, decision: object = {}): object => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput, ...decision },
});

describe('a rewritten input', () => {
  const seen: unknown[] = [];

  itReads('LO-12: is what the tool runs with; what the model said stays as it was', {
    hooks: hooksWith(rewrite({ text: 'b' })),
    claude: { PreToolUse: [prints(rewrite({ text: 'b' }))] },
    calls: [NOTE],
    ...readsResult('Note: b'),
    also: ({ ran }) => expect(ran).toEqual([{ name: 'Note', text: 'b' }]),
  });

  itReads('LO-12: is what the hooks after the tool see', {
    hooks: () => {
      seen.length = 0;
      return {
        ...hooksWith(rewrite({ text: 'b' })),
        PostToolUse: [{ hooks: [({ tool_input }) => void seen.push(tool_input)] }],
      };
    },
    calls: [NOTE],
    ...readsResult('Note: b'),
    also: () => expect(seen).toEqual([{ text: 'b' }]),
  });

  itReads('LO-12: is what the hooks after a failure see', {
    hooks: () => {
      seen.length = 0;
      return {
        ...hooksWith(rewrite({ text: 'the engine' })),
        PostToolUseFailure: [{ hooks: [({ tool_input, error }) => void seen.push(tool_input, error)] }],
      };
    },
    calls: [{ id: 'call-1', name: 'Fail', input: { text: 'a' } }],
    ...readsError('the engine went wrong'),
    also: () => expect(seen).toEqual([{ text: 'the engine' }, 'the engine went wrong']),
  });

  itReads('LO-12: replaces the whole input, keys that it leaves out are gone', {
    hooks: hooksWith(rewrite({})),
    calls: [NOTE],
    ...readsError(
      'A hook changed the input of Note. The input of Note does not match its schema:\n- text: Invalid input: expected string, received undefined\nCorrect it and call Note again.',
    ),
    also: ({ ran }) => expect(ran).toEqual([]),
  });

  itReads('LO-12: that does not fit the schema is told, and nothing runs', {
    hooks: hooksWith(rewrite({ text: 5, more: true }, { permissionDecision: 'allow' })),
    claude: { PreToolUse: [prints(rewrite({ text: 5, more: true }, { permissionDecision: 'allow' }))] },
    calls: [NOTE],
    ...readsError(
      'A hook changed the input of Note. The input of Note does not match its schema:\n- text: Invalid input: expected string, received number\n- input: unknown: more\nCorrect it and call Note again.',
    ),
    also: ({ ran, last }) => {
      expect(ran).toEqual([]);
      expect(last.result.permission_denials).toEqual([]);
    },
  });

  const READ = { id: 'call-1', name: 'Read', input: { file_path: 'open.txt' } };

  itReads('LO-12: that a rule denies is refused, although the input that the model gave was not', {
    hooks: hooksWith(rewrite({ command: 'rm -rf build' })),
    claude: { PreToolUse: [prints(rewrite({ command: 'rm -rf build' }))] },
    calls: [{ id: 'call-1', name: 'Bash', input: { command: 'echo hello' } }],
    options: { tools: builtInTools(), permissions: { allow: ['Bash'], deny: ['Bash(rm *)'] } },
    ...readsError('The rule `Bash(rm *)` denies this call of Bash.'),
    also: ({ last }) =>
      expect(last.result.permission_denials).toEqual([
        { tool_name: 'Bash', tool_use_id: 'call-1', tool_input: { command: 'rm -rf build' } },
      ]),
  });

  itReads('LO-12: that a rule denies is refused although the hook itself allows it', {
    hooks: hooksWith(rewrite({ file_path: 'secret.txt' }, { permissionDecision: 'allow' })),
    calls: [READ],
    options: { tools: builtInTools(), permissions: { deny: ['Read(secret.txt)'] } },
    ...readsError('The rule `Read(secret.txt)` denies this call of Read.'),
  });

  itReads('LO-12: with an allow of its own runs without a question', {
    hooks: hooksWith(rewrite({ text: 'b' }, { permissionDecision: 'allow' })),
    claude: { PreToolUse: [prints(rewrite({ text: 'b' }, { permissionDecision: 'allow' }))] },
    calls: [CHANGE],
    ...readsResult('Change: b'),
  });

  itReads('LO-12: is handed from hook to hook, and the last one counts', {
    hooks: {
      PreToolUse: [
        {
          hooks: [
            ({ tool_input }) => rewrite({ text: `${(tool_input as { text: string }).text}1` }),
            ({ tool_input }) => rewrite({ text: `${(tool_input as { text: string }).text}2` }),
          ],
        },
      ],
    },
    calls: [NOTE],
    ...readsResult('Note: a12'),
  });
});

const decide = (permissionDecision: 'allow' | 'ask' | 'defer', reason?: string): object => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision,
    ...(reason && { permissionDecisionReason: reason }),
  },
});

describe('allow', () => {
  itReads('LO-13: skips the question', {
    hooks: hooksWith(decide('allow')),
    claude: { PreToolUse: [prints(decide('allow'))] },
    calls: [CHANGE],
    ...readsResult('Change: a'),
    also: ({ ran }) => expect(ran).toEqual([{ name: 'Change', text: 'a' }]),
  });

  itReads('LO-13: does not skip a rule that denies', {
    hooks: hooksWith(decide('allow')),
    claude: { PreToolUse: [prints(decide('allow'))] },
    calls: [CHANGE],
    options: { permissions: { deny: ['Change'] } },
    ...readsError('The rule `Change` denies this call of Change.'),
    also: ({ ran }) => expect(ran).toEqual([]),
  });

  itReads('LO-13: does not skip a rule that asks', {
    hooks: hooksWith(decide('allow')),
    claude: { PreToolUse: [prints(decide('allow'))] },
    calls: [CHANGE],
    options: { permissions: { ask: ['Change'] } },
    ...readsError(
      'Change needs approval: the rule `Change` asks for it. It was denied, because there is no user to ask. No other rule changes that: a user must confirm it, at a terminal, or in code with canUseTool.',
    ),
    also: ({ ran }) => expect(ran).toEqual([]),
  });

  itReads('LO-13: does not make a mode wider in which nothing may be changed', {
    hooks: hooksWith(decide('allow')),
    calls: [CHANGE],
    options: { permissions: { mode: 'plan' } },
    ...readsError(
      'The mode plan allows no changes, and Change may change something here. Read, think, and present the plan.',
    ),
  });

  itReads('LO-13: of one hook counts for nothing against the deny of another', {
    hooks: {
      PreToolUse: [{ hooks: [() => decide('allow'), () => ({ decision: 'block', reason: 'no' })] }],
    },
    claude: { PreToolUse: [prints(decide('allow')), prints({ decision: 'block', reason: 'no' })] },
    calls: [CHANGE],
    ...readsError('PreToolUse:Change hook refused this call: no'),
  });

  itReads('LO-26: nobody who could say yes is a no, where no hook has an opinion', {
    calls: [CHANGE],
    ...readsError(
      'Change needs approval: no rule allows it. It was denied, because there is no user to ask. To allow it, on the command line: --allowedTools "Change", or the permissions of a settings file; in code: permissions: { allow: ["Change"] }, or canUseTool to ask a user, or readOnly: true on the tool if it changes nothing.',
    ),
  });
});

describe('ask', () => {
  itReads('LO-13: without a person is a refusal with the hook’s reason, although a rule allows', {
    hooks: hooksWith(decide('ask', 'a person must see this')),
    claude: { PreToolUse: [prints(decide('ask', 'a person must see this'))] },
    calls: [CHANGE],
    options: { permissions: { allow: ['Change'] } },
    ...readsError('a person must see this'),
    also: ({ ran }) => expect(ran).toEqual([]),
  });

  itReads('LO-13: without a person is a refusal although every question is bypassed', {
    hooks: hooksWith(decide('ask')),
    calls: [CHANGE],
    options: { permissions: { mode: 'bypassPermissions' } },
    ...readsError('Change needs approval: a hook asks for it.'),
  });

  it('LO-13: goes to the person although a rule allows, and the person decides', async () => {
    const asked: unknown[] = [];
    const { ran, tools } = testTools();
    const { requests } = await runLoop({
      hooks: hooksWith(decide('ask', 'look at this')),
      turns: [{ tools: [{ ...CHANGE }] }, { text: 'Done.' }],
      options: {
        tools,
        permissions: { allow: ['Change'] },
        canUseTool: async (name, input, { decisionReason, suggestions }) => {
          asked.push([name, input, decisionReason, suggestions]);
          return { behavior: 'allow' };
        },
      },
    });
    expect(asked).toEqual([['Change', { text: 'a' }, 'look at this', undefined]]);
    expect(ran).toEqual([{ name: 'Change', text: 'a' }]);
    expect(requests[1]?.messages.at(-1)?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'call-1', content: 'Change: a' },
    ]);
  });

  itReads('LO-13: of one hook yields to the allow of another, in code', {
    hooks: { PreToolUse: [{ hooks: [() => decide('ask', 'hm'), () => decide('allow')] }] },
    calls: [CHANGE],
    ...readsResult('Change: a'),
  });

  itReads('LO-13: of one hook outranks the allow of another, in a settings file', {
    claude: { PreToolUse: [prints(decide('ask', 'hm')), prints(decide('allow'))] },
    calls: [CHANGE],
    ...readsError('hm'),
  });
});

describe('defer', () => {
  const DEFERRED = 'Change was deferred: whether it runs is decided later.';
  const LEFT = 'Note was not run: the run ended before it.';
  const NEXT = { id: 'call-2', name: 'Note', input: { text: 'b' } };

  itAsks('LO-14: ends the run with the call, nothing runs, and the conversation can go on', {
    hooks: { PreToolUse: [{ matcher: 'Change', hooks: [() => decide('defer')] }] },
    claude: { 'PreToolUse:Change': [prints(decide('defer'))] },
    answers: [{ calls: [CHANGE, NEXT] }, { text: 'Fine.' }],
    prompts: ['Do it.', 'Go on.'],
    options: { permissions: { allow: ['Change'] } },
    anthropic: {
      2: [
        { role: 'user', content: [{ type: 'text', text: 'Do it.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', ...CHANGE },
            { type: 'tool_use', ...NEXT },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call-1', content: DEFERRED, is_error: true },
            { type: 'tool_result', tool_use_id: 'call-2', content: LEFT, is_error: true },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
    },
    chat: {
      2: [
        { role: 'user', content: 'Do it.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call-1', type: 'function', function: { name: 'Change', arguments: '{"text":"a"}' } },
            { id: 'call-2', type: 'function', function: { name: 'Note', arguments: '{"text":"b"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call-1', content: `Error: ${DEFERRED}` },
        { role: 'tool', tool_call_id: 'call-2', content: `Error: ${LEFT}` },
        { role: 'user', content: 'Go on.' },
      ],
    },
    also: ({ runs: [first, second], ran }) => {
      expect(first?.result).toMatchObject({
        is_error: false,
        terminal_reason: 'tool_deferred',
        deferred_tool_use: { id: 'call-1', name: 'Change', input: { text: 'a' } },
        permission_denials: [],
      });
      expect(second?.result).toMatchObject({ terminal_reason: 'completed', result: 'Fine.' });
      expect(ran).toEqual([]);
    },
  });
});
