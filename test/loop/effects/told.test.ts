/** What hooks hand over beside their decisions: injections and system messages. */
import { describe, expect } from 'vitest';
import type { HookConfig } from '../../../src/index.js';
import type { LoopMessage } from '../../../src/loop/messages.js';
import { prints } from '../support/claude-hooks.js';
import { readsBeside, reminder } from '../support/expected.js';
import { itAsks, itReads } from '../support/scenario.js';

const NOTE = { id: 'call-1', name: 'Note', input: { text: 'a' } };
const LOOK = { id: 'call-2', name: 'Look', input: { text: 'b' } };
const THIRD = { id: 'call-3', name: 'Note', input: { text: 'c' } };

/** MassGen's way to hand something over; callbacks are typed for the other dialects. */
const injects =
  (...inject: readonly object[]): (() => object) =>
  () => ({ inject });
const massgen = (event: 'PreToolUse' | 'PostToolUse', ...hooks: readonly (() => object)[]): HookConfig => ({
  [event]: [{ dialect: 'massgen', hooks }],
});

describe('an injection', () => {
  itReads('LO-18: as part of the result is read behind it', {
    hooks: massgen('PostToolUse', injects({ content: 'a peer has answered', strategy: 'tool_result' })),
    calls: [NOTE],
    anthropic: [
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call-1',
            content: [
              { type: 'text', text: 'Note: a' },
              { type: 'text', text: 'a peer has answered' },
            ],
          },
        ],
      },
    ],
    chat: [{ role: 'tool', tool_call_id: 'call-1', content: 'Note: a\na peer has answered' }],
    responses: [{ type: 'function_call_output', call_id: 'call-1', output: 'Note: a\na peer has answered' }],
  });

  itReads('LO-18: behind an empty result is all that the result holds', {
    hooks: {
      PostToolUse: [
        { hooks: [() => ({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: '' } })] },
        { dialect: 'massgen', hooks: [injects({ content: 'only this' })] },
      ],
    },
    calls: [NOTE],
    anthropic: [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call-1', content: [{ type: 'text', text: 'only this' }] },
        ],
      },
    ],
    chat: [{ role: 'tool', tool_call_id: 'call-1', content: 'only this' }],
  });

  itReads('LO-18: as a message is read behind the result, without a mark', {
    hooks: massgen('PostToolUse', injects({ content: 'stop and listen', strategy: 'user_message' })),
    calls: [NOTE],
    ...readsBeside('Note: a', 'stop and listen'),
  });

  itReads('LO-18: LO-10: of each call stands behind its own result, messages behind them all', {
    hooks: {
      PreToolUse: [
        { dialect: 'massgen', hooks: [injects({ content: 'before' })] },
        {
          hooks: [
            ({ tool_name }) => ({
              hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: `about ${tool_name}` },
            }),
          ],
        },
      ],
      PostToolUse: [
        {
          dialect: 'massgen',
          hooks: [
            injects(
              { content: 'after', strategy: 'tool_result' },
              { content: 'to all', strategy: 'user_message' },
            ),
          ],
        },
      ],
    },
    calls: [NOTE, LOOK],
    anthropic: [
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call-1',
            content: [
              { type: 'text', text: 'Note: a' },
              { type: 'text', text: 'before' },
              { type: 'text', text: 'after' },
            ],
          },
          {
            type: 'tool_result',
            tool_use_id: 'call-2',
            content: [
              { type: 'text', text: 'Look: b' },
              { type: 'text', text: 'before' },
              { type: 'text', text: 'after' },
            ],
          },
          { type: 'text', text: reminder('PreToolUse:Note hook adds: about Note') },
          { type: 'text', text: reminder('PreToolUse:Look hook adds: about Look') },
          { type: 'text', text: 'to all' },
          { type: 'text', text: 'to all' },
        ],
      },
    ],
    chat: [
      { role: 'tool', tool_call_id: 'call-1', content: 'Note: a\nbefore\nafter' },
      { role: 'tool', tool_call_id: 'call-2', content: 'Look: b\nbefore\nafter' },
      {
        role: 'user',
        content: [
          { type: 'text', text: reminder('PreToolUse:Note hook adds: about Note') },
          { type: 'text', text: reminder('PreToolUse:Look hook adds: about Look') },
          { type: 'text', text: 'to all' },
          { type: 'text', text: 'to all' },
        ],
      },
    ],
  });

  const REFUSED = 'PreToolUse:Note hook refused this call: first read the plan';
  itReads('LO-18: of a hook that refuses stands behind the refusal', {
    hooks: massgen('PreToolUse', () => ({
      decision: 'deny',
      reason: 'first read the plan',
      inject: { content: 'the plan: rest' },
    })),
    calls: [NOTE],
    anthropic: [
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call-1',
            is_error: true,
            content: [
              { type: 'text', text: REFUSED },
              { type: 'text', text: 'the plan: rest' },
            ],
          },
        ],
      },
    ],
    chat: [{ role: 'tool', tool_call_id: 'call-1', content: `Error: ${REFUSED}\nthe plan: rest` }],
  });
});

describe('a system message', () => {
  const informs = (messages: readonly LoopMessage[]): readonly string[] =>
    messages.flatMap((message) =>
      'subtype' in message && message.subtype === 'informational' ? [message.content] : [],
    );
  const answers = [{ calls: [NOTE] }, { calls: [THIRD] }, { text: 'Done.' }];
  const once = { systemMessage: 'be brief' };

  itAsks('LO-20: is part of the system prompt of the next request, and of that one only', {
    hooks: {
      PostToolUse: [
        { name: 'coach', hooks: [({ tool_use_id }) => (tool_use_id === 'call-1' ? once : undefined)] },
      ],
    },
    answers,
    anthropic: {},
    chat: {},
    responses: {},
    also: ({ requests, last: { messages } }) => {
      expect(requests.map(({ system }) => system)).toEqual([
        'You are under test.',
        'You are under test.\n\nbe brief',
        'You are under test.',
      ]);
      expect(JSON.stringify(requests.map((request) => request.messages))).not.toContain('be brief');
      expect(informs(messages)).toEqual(['coach says: be brief']);
    },
  });

  itAsks('LO-20: of the start, of the prompt and before a tool are there in this order', {
    hooks: {
      SessionStart: [{ hooks: [() => ({ systemMessage: 'one' })] }],
      UserPromptSubmit: [{ hooks: [() => ({ systemMessage: 'two' })] }],
      PreToolUse: [{ hooks: [() => ({ systemMessage: 'three' })] }],
      Stop: [{ hooks: [() => ({ systemMessage: 'four' })] }],
    },
    answers: [{ calls: [NOTE] }, { text: 'Done.' }, { text: 'Done again.' }],
    prompts: ['Do it.', 'Go on.'],
    anthropic: {},
    chat: {},
    also: ({ requests }) =>
      expect(requests.map(({ system }) => system)).toEqual([
        'You are under test.\n\none\n\ntwo',
        'You are under test.\n\nthree',
        'You are under test.\n\nfour\n\ntwo',
      ]),
  });

  itAsks('LO-20: of a settings file is for people only', {
    claude: { 'PostToolUse:Note': [prints(once)] },
    answers: [{ calls: [NOTE] }, { text: 'Done.' }],
    anthropic: {},
    chat: {},
    also: ({ requests, last: { messages } }) => {
      expect(JSON.stringify(requests)).not.toContain('be brief');
      expect(informs(messages)).toEqual(['PostToolUse:Note says: be brief']);
    },
  });
});
