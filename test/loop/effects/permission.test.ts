/** Hooks allow, ask and put off: what rules and people still have to say, and what the model reads of it. */
import { describe, expect, it } from 'vitest';
import type { HookConfig } from '../../../src/index.js';
import { prints } from '../support/claude-hooks.js';
import { readsError, readsResult } from '../support/expected.js';
import { runLoop } from '../support/run-loop.js';
import { itAsks, itReads } from '../support/scenario.js';
import { testTools } from '../support/tools.js';

const CALL = { id: 'call-1', name: 'Change', input: { text: 'a' } };

const decide = (permissionDecision: 'allow' | 'ask' | 'defer', reason?: string): object => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision,
    ...(reason && { permissionDecisionReason: reason }),
  },
});

const hooksWith = (answer: object): HookConfig => ({ PreToolUse: [{ hooks: [() => answer] }] });

describe('allow', () => {
  itReads('LO-13: skips the question', {
    hooks: hooksWith(decide('allow')),
    claude: { PreToolUse: [prints(decide('allow'))] },
    calls: [CALL],
    ...readsResult('Change: a'),
    also: ({ ran }) => expect(ran).toEqual([{ name: 'Change', text: 'a' }]),
  });

  itReads('LO-13: does not skip a rule that denies', {
    hooks: hooksWith(decide('allow')),
    claude: { PreToolUse: [prints(decide('allow'))] },
    calls: [CALL],
    options: { permissions: { deny: ['Change'] } },
    ...readsError('The rule `Change` denies this call of Change.'),
    also: ({ ran }) => expect(ran).toEqual([]),
  });

  itReads('LO-13: does not skip a rule that asks', {
    hooks: hooksWith(decide('allow')),
    claude: { PreToolUse: [prints(decide('allow'))] },
    calls: [CALL],
    options: { permissions: { ask: ['Change'] } },
    ...readsError(
      'Change needs approval: the rule `Change` asks for it. Nobody is there to be asked, so it was refused.',
    ),
    also: ({ ran }) => expect(ran).toEqual([]),
  });

  itReads('LO-13: does not make a mode wider in which nothing may be changed', {
    hooks: hooksWith(decide('allow')),
    calls: [CALL],
    options: { permissions: { mode: 'plan' } },
    ...readsError(
      'The mode is plan, in which nothing may be changed, and Change may change something here. Read, think, and present the plan.',
    ),
  });

  itReads('LO-13: of one hook counts for nothing against the deny of another', {
    hooks: {
      PreToolUse: [{ hooks: [() => decide('allow'), () => ({ decision: 'block', reason: 'no' })] }],
    },
    claude: { PreToolUse: [prints(decide('allow')), prints({ decision: 'block', reason: 'no' })] },
    calls: [CALL],
    ...readsError('PreToolUse:Change hook refused this call: no'),
  });

  itReads('LO-26: nobody who could say yes is a no, where no hook has an opinion', {
    calls: [CALL],
    ...readsError(
      'Change needs approval: no rule allows it. Nobody is there to be asked, so it was refused.',
    ),
  });
});

describe('ask', () => {
  itReads('LO-13: without a person is a refusal with the hook’s reason, although a rule allows', {
    hooks: hooksWith(decide('ask', 'a person must see this')),
    claude: { PreToolUse: [prints(decide('ask', 'a person must see this'))] },
    calls: [CALL],
    options: { permissions: { allow: ['Change'] } },
    ...readsError('a person must see this'),
    also: ({ ran }) => expect(ran).toEqual([]),
  });

  itReads('LO-13: without a person is a refusal although every question is bypassed', {
    hooks: hooksWith(decide('ask')),
    calls: [CALL],
    options: { permissions: { mode: 'bypassPermissions' } },
    ...readsError('Change needs approval: a hook asks for it.'),
  });

  it('LO-13: goes to the person although a rule allows, and the person decides', async () => {
    const asked: unknown[] = [];
    const { ran, tools } = testTools();
    const { requests } = await runLoop({
      hooks: hooksWith(decide('ask', 'look at this')),
      turns: [{ tools: [{ ...CALL }] }, { text: 'Done.' }],
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
    calls: [CALL],
    ...readsResult('Change: a'),
  });

  itReads('LO-13: of one hook outranks the allow of another, in a settings file', {
    claude: { PreToolUse: [prints(decide('ask', 'hm')), prints(decide('allow'))] },
    calls: [CALL],
    ...readsError('hm'),
  });
});

describe('defer', () => {
  const PUT_OFF = 'Change was put off: it is decided later whether it runs.';
  const LEFT = 'Note was not run: the run ended before it.';
  const NOTE = { id: 'call-2', name: 'Note', input: { text: 'b' } };

  itAsks('LO-14: ends the run with the call, nothing runs, and the conversation can go on', {
    hooks: { PreToolUse: [{ matcher: 'Change', hooks: [() => decide('defer')] }] },
    claude: { 'PreToolUse:Change': [prints(decide('defer'))] },
    answers: [{ calls: [CALL, NOTE] }, { text: 'Fine.' }],
    prompts: ['Do it.', 'Go on.'],
    options: { permissions: { allow: ['Change'] } },
    anthropic: {
      2: [
        { role: 'user', content: [{ type: 'text', text: 'Do it.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', ...CALL },
            { type: 'tool_use', ...NOTE },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call-1', content: PUT_OFF, is_error: true },
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
        { role: 'tool', tool_call_id: 'call-1', content: `Error: ${PUT_OFF}` },
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
