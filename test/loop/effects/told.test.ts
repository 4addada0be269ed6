/** What hooks hand over beside their decisions: injections, system messages, answers that come late. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { HookConfig, Runner } from '../../../src/index.js';
import type { LoopMessage } from '../../../src/loop/messages.js';
import { prints } from '../support/claude-hooks.js';
import { readsBeside, reminder } from '../support/expected.js';
import { itAsks, itReads, opening } from '../support/scenario.js';

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

describe('an answer that comes late', () => {
  const late = {
    systemMessage: 'look at the build',
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'the build is red' },
  };
  const BUILD = reminder('the build is red');
  const LOOK_AT_IT = reminder('look at the build');
  const THIRD = { id: 'call-3', name: 'mcp__box__get', input: { text: 'c' } };
  /** Set when a scenario begins. */
  let answerNow: () => Promise<void> = async () => {};
  let answered: Promise<object> = Promise.resolve({});

  const prepare = ({ runner, cwd }: { readonly runner: Runner; readonly cwd: string }): void => {
    let resolve: (answer: object) => void = () => {};
    answered = new Promise((settle) => {
      resolve = settle;
    });
    answerNow = async () => {
      resolve(late);
      writeFileSync(join(cwd, 'go'), '');
      await runner.drain();
    };
  };
  const inBackground: HookConfig['PostToolUse'] = [
    { matcher: 'Note', dialect: 'claude-code', hooks: [() => ({ async: true, result: answered })] },
  ];
  const inShell = `echo '{"async":true}'; until [ -e go ]; do sleep 0.02; done; ${prints(late)}`;
  const done = (id: string, content: string): object => ({ type: 'tool_result', tool_use_id: id, content });

  itAsks('LO-24: is read behind the next tool results, once', {
    prepare,
    hooks: { PostToolUse: inBackground },
    claude: { 'PostToolUse:Note': [inShell] },
    inside: (name) => (name === 'Look' ? answerNow() : undefined),
    answers: [{ calls: [NOTE] }, { calls: [LOOK] }, { calls: [THIRD] }, { text: 'Done.' }],
    anthropic: {
      2: [...opening('anthropic', [NOTE]), { role: 'user', content: [done('call-1', 'Note: a')] }],
      4: [
        ...opening('anthropic', [NOTE]),
        { role: 'user', content: [done('call-1', 'Note: a')] },
        { role: 'assistant', content: [{ type: 'tool_use', ...LOOK }] },
        {
          role: 'user',
          content: [
            done('call-2', 'Look: b'),
            { type: 'text', text: BUILD },
            { type: 'text', text: LOOK_AT_IT },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', ...THIRD }] },
        { role: 'user', content: [done('call-3', 'mcp__box__get: c')] },
      ],
    },
    chat: {
      3: [
        ...opening('chat', [NOTE]),
        { role: 'tool', tool_call_id: 'call-1', content: 'Note: a' },
        ...opening('chat', [LOOK]).slice(1),
        { role: 'tool', tool_call_id: 'call-2', content: 'Look: b' },
        {
          role: 'user',
          content: [
            { type: 'text', text: BUILD },
            { type: 'text', text: LOOK_AT_IT },
          ],
        },
      ],
    },
  });

  itAsks('LO-24: after the last tool is read before the next prompt', {
    prepare,
    hooks: { PostToolUse: inBackground, Stop: [{ hooks: [() => answerNow()] }] },
    answers: [{ calls: [NOTE] }, { text: 'Done.' }, { text: 'Red indeed.' }],
    prompts: ['Do it.', 'Go on.'],
    anthropic: {
      3: [
        ...opening('anthropic', [NOTE]),
        { role: 'user', content: [done('call-1', 'Note: a')] },
        { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: BUILD },
            { type: 'text', text: LOOK_AT_IT },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
    },
    chat: {
      3: [
        ...opening('chat', [NOTE]),
        { role: 'tool', tool_call_id: 'call-1', content: 'Note: a' },
        { role: 'assistant', content: 'Done.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: BUILD },
            { type: 'text', text: LOOK_AT_IT },
            { type: 'text', text: 'Go on.' },
          ],
        },
      ],
    },
  });
});
