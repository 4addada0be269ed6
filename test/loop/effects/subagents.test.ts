/** The same effects one level down: context, objections, refusals and ends inside a subagent. */
import { describe, expect } from 'vitest';
import type { HookEvent } from '../../../src/index.js';
import { agentTool } from '../../../src/tools/agent.js';
import { prints } from '../support/claude-hooks.js';
import { reminder } from '../support/expected.js';
import { itAsks, opening } from '../support/scenario.js';

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
  const NOBODY = 'Change needs approval: no rule allows it. Nobody is there to be asked, so it was refused.';
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
      expect(requests.map(({ system }) => system)).toEqual([
        'You are under test.',
        'You are under test.',
        'You are under test.\n\nbe brief',
        'You are under test.',
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
