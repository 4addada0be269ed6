/** Hooks after a tool: a new output, an objection, an output only for the model, injections, system messages. */
import { describe, expect } from 'vitest';
import type { LoopMessage, UserMessage } from '../../../../src/agent/loop/messages.js';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import type { HookConfig } from '../../../../src/index.js';
import { prints } from '../support/claude-hooks.js';
import { readsBeside, readsError, readsResult, reminder } from '../support/expected.js';
import { itAsks, itReads } from '../support/scenario.js';

const NOTE = { id: 'call-1', name: 'Note', input: { text: 'a' } };
const MCP = { id: 'call-1', name: 'mcp__box__get', input: { text: 'a' } };
const FAIL = { id: 'call-1', name: 'Fail', input: { text: 'a' } };
const BASH = { id: 'call-1', name: 'Bash', input: { command: 'echo password' } };

const answerAfter = (fields: object): object => ({
  hookSpecificOutput: { hookEventName: 'PostToolUse', ...fields },
});
const hooksWith = (...answers: readonly object[]): HookConfig => ({
  PostToolUse: [{ name: 'checker', hooks: answers.map((answer) => () => answer) }],
});
const watched = (messages: readonly LoopMessage[]): readonly UserMessage[] =>
  messages.filter((message) => message.type === 'user');

/** The content of the result in blocks, as the one format that has blocks has it, and as text in the others. */
const IMAGE_URL = 'data:image/png;base64,iVBORw0KGgo=';

const readsBlocks = (blocks: readonly { readonly type: string; readonly text?: string }[], text: string) => ({
  anthropic: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1', content: blocks }] }],
  chat: [
    { role: 'tool', tool_call_id: 'call-1', content: text },
    {
      role: 'user',
      content: [
        { type: 'text', text: '[Image 1, from the result of the call call-1]' },
        { type: 'image_url', image_url: { url: IMAGE_URL } },
      ],
    },
  ],
  responses: [
    {
      type: 'function_call_output',
      call_id: 'call-1',
      output: blocks.map((block) =>
        block.type === 'text'
          ? { type: 'input_text', text: block.text }
          : { type: 'input_image', detail: 'auto', image_url: IMAGE_URL },
      ),
    },
  ],
});

/** What hooks have said to the model, in order. */
const notesIn = (messages: unknown): readonly string[] =>
  [...JSON.stringify(messages).matchAll(/<system-reminder>\\n(\w+)\\n/g)].map(([, text = '']) => text);

describe('a new output', () => {
  itReads('LO-15: as text is read instead of the tool’s, which did run', {
    hooks: hooksWith(answerAfter({ updatedMCPToolOutput: 'nothing to see' })),
    claude: { PostToolUse: [prints(answerAfter({ updatedMCPToolOutput: 'nothing to see' }))] },
    calls: [MCP],
    ...readsResult('nothing to see'),
    also: ({ ran, last: { messages } }) => {
      expect(ran).toEqual([{ name: 'mcp__box__get', text: 'a' }]);
      expect(watched(messages)).toMatchObject([
        {
          message: { content: [{ tool_use_id: 'call-1', content: 'nothing to see' }] },
          tool_use_result: 'nothing to see',
        },
      ]);
    },
  });

  const blocks = [
    { type: 'text', text: 'one' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
    { type: 'text', text: 'two' },
  ];
  itReads('LO-15: as blocks is read as blocks, where the format has them', {
    hooks: hooksWith(answerAfter({ updatedMCPToolOutput: blocks })),
    claude: { PostToolUse: [prints(answerAfter({ updatedMCPToolOutput: blocks }))] },
    calls: [MCP],
    ...readsBlocks(blocks, 'one\n[Image 1: see the message after the results]\ntwo'),
  });

  itReads('LO-15: in the words of an MCP server is read in those of the model’s service', {
    hooks: hooksWith(
      answerAfter({
        updatedMCPToolOutput: [
          { type: 'text', text: 'one', annotations: { priority: 1 } },
          { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
        ],
      }),
    ),
    calls: [MCP],
    ...readsBlocks(blocks.slice(0, 2), 'one\n[Image 1: see the message after the results]'),
  });

  itReads('LO-15: is no longer than a tool’s own could be', {
    hooks: hooksWith(answerAfter({ updatedToolOutput: `${'a'.repeat(66_667)}bcd${'e'.repeat(33_333)}` })),
    calls: [NOTE],
    ...readsResult(
      `${'a'.repeat(66_667)}\n[... 3 characters left out here: the text is longer than 100000 ...]\n${'e'.repeat(33_333)}`,
    ),
  });

  itReads('LO-15: of any other shape is read as JSON', {
    hooks: hooksWith(answerAfter({ updatedToolOutput: { total: 3, of: ['a', null] } })),
    calls: [NOTE],
    ...readsResult('{"total":3,"of":["a",null]}'),
  });

  itReads('LO-15: that only looks like blocks is read as JSON, since no service would take it', {
    hooks: hooksWith(
      answerAfter({ updatedToolOutput: [{ type: 'text' }, { type: 'image', source: 'a.png' }] }),
    ),
    calls: [NOTE],
    ...readsResult('[{"type":"text"},{"type":"image","source":"a.png"}]'),
  });

  itReads('LO-15: may be empty, and may be null', {
    hooks: {
      PostToolUse: [
        { matcher: 'Note', hooks: [() => answerAfter({ updatedToolOutput: '' })] },
        { matcher: 'Look', hooks: [() => answerAfter({ updatedToolOutput: null })] },
      ],
    },
    calls: [NOTE, { id: 'call-2', name: 'Look', input: { text: 'b' } }],
    anthropic: [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call-1', content: '' },
          { type: 'tool_result', tool_use_id: 'call-2', content: 'null' },
        ],
      },
    ],
    chat: [
      { role: 'tool', tool_call_id: 'call-1', content: '' },
      { role: 'tool', tool_call_id: 'call-2', content: 'null' },
    ],
  });

  const streams = answerAfter({ updatedToolOutput: { stdout: '(hidden)', stderr: 'one warning' } });
  itReads('LO-15: in the shape of Bash’s own response is read as Bash would have told it', {
    hooks: hooksWith(streams),
    claude: { 'PostToolUse:Bash': [prints(streams)] },
    calls: [BASH],
    options: { tools: builtInTools(), permissions: { allow: ['Bash'] } },
    ...readsResult('(hidden)\none warning'),
  });

  itReads('LO-15: for MCP tools counts for other tools in code, the later one of two', {
    hooks: hooksWith(
      answerAfter({ updatedMCPToolOutput: 'first' }),
      answerAfter({ updatedMCPToolOutput: 'second' }),
    ),
    calls: [NOTE],
    ...readsResult('second'),
  });

  itReads('LO-15: for MCP tools counts for nothing else in a settings file', {
    claude: { PostToolUse: [prints(answerAfter({ updatedMCPToolOutput: 'first' }))] },
    calls: [NOTE],
    ...readsResult('Note: a'),
  });
});

describe('an objection after a tool', () => {
  const objection = { decision: 'block', reason: 'the tests fail' };

  itReads('LO-16: changes nothing about the result; the model reads it beside it', {
    hooks: hooksWith(objection),
    calls: [NOTE],
    ...readsBeside('Note: a', reminder('PostToolUse:Note hook "checker" objects: the tests fail')),
    also: ({ last: { result } }) => expect(result.permission_denials).toEqual([]),
  });

  itReads('LO-16: of a settings file is read the same way', {
    claude: { PostToolUse: [prints(objection), 'echo "style is off" >&2; exit 2'] },
    calls: [NOTE],
    ...readsBeside(
      'Note: a',
      reminder('PostToolUse:Note hook "PostToolUse:Note" objects: the tests fail'),
      reminder('PostToolUse:Note hook "PostToolUse:Note" objects: style is off'),
    ),
  });

  itReads('LO-16: LO-19: of each hook is read, before what they add', {
    hooks: hooksWith({ decision: 'block', ...answerAfter({ additionalContext: 'see log 1' }) }, objection),
    calls: [NOTE],
    ...readsBeside(
      'Note: a',
      reminder('PostToolUse:Note hook "checker" objects: no reason given'),
      reminder('PostToolUse:Note hook "checker" objects: the tests fail'),
      reminder('PostToolUse:Note hook adds: see log 1'),
    ),
  });

  itReads('LO-16: to a tool that failed leaves the error as it is', {
    hooks: {
      PostToolUseFailure: [{ name: 'helper', hooks: [() => ({ decision: 'block', reason: 'not again' })] }],
    },
    calls: [FAIL],
    anthropic: [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call-1', content: 'a went wrong', is_error: true },
          { type: 'text', text: reminder('PostToolUseFailure:Fail hook "helper" objects: not again') },
        ],
      },
    ],
    chat: [
      { role: 'tool', tool_call_id: 'call-1', content: 'Error: a went wrong' },
      { role: 'user', content: reminder('PostToolUseFailure:Fail hook "helper" objects: not again') },
    ],
  });
});

describe('suppressOutput', () => {
  const HIDDEN = '(a hook suppressed this output)';

  itReads('LO-17: keeps the output from those who watch; the model reads it', {
    hooks: hooksWith({ suppressOutput: true }),
    calls: [BASH],
    options: { tools: builtInTools(), permissions: { allow: ['Bash'] } },
    ...readsResult('password'),
    also: ({ last: { messages } }) => {
      const [shown, ...others] = watched(messages);
      expect(others).toEqual([]);
      expect(shown?.message.content).toEqual([
        { type: 'tool_result', tool_use_id: 'call-1', content: HIDDEN },
      ]);
      expect(shown).not.toHaveProperty('tool_use_result');
      expect(
        watched(messages)
          .map((message) => JSON.stringify(message))
          .join(),
      ).not.toContain('password');
    },
  });

  itReads('LO-17: of a settings file hides nothing, as in Claude Code', {
    claude: { PostToolUse: [prints({ continue: true, suppressOutput: true })] },
    calls: [BASH],
    options: { tools: builtInTools(), permissions: { allow: ['Bash'] } },
    ...readsResult('password'),
    also: ({ last: { messages } }) => expect(JSON.stringify(watched(messages))).toContain('password'),
  });

  itReads('LO-17: keeps the error of a failed tool from those who watch', {
    hooks: { PostToolUseFailure: [{ hooks: [() => ({ suppressOutput: true })] }] },
    calls: [FAIL],
    ...readsError('a went wrong'),
    also: ({ last: { messages } }) =>
      expect(watched(messages).map(({ message }) => message.content)).toEqual([
        [{ type: 'tool_result', tool_use_id: 'call-1', content: HIDDEN, is_error: true }],
      ]),
  });

  itReads('LO-17: without it those who watch see the output and the response', {
    hooks: hooksWith({ suppressOutput: false }),
    calls: [NOTE],
    ...readsResult('Note: a'),
    also: ({ last: { messages } }) =>
      expect(watched(messages)).toMatchObject([
        {
          message: { content: [{ type: 'tool_result', tool_use_id: 'call-1', content: 'Note: a' }] },
          tool_use_result: { said: 'a' },
        },
      ]),
  });
});

const LOOK = { id: 'call-2', name: 'Look', input: { text: 'b' } };
const THIRD = { id: 'call-3', name: 'Note', input: { text: 'c' } };

/** MassGen's way to hand something over; callbacks are typed for the other dialects. */
const injects =
  (...inject: readonly object[]): (() => object) =>
  () => ({ inject });
const massgen = (event: 'PreToolUse' | 'PostToolUse', ...hooks: readonly (() => object)[]): HookConfig => ({
  [event]: [{ dialect: 'massgen', hooks }],
});

/** How an injection into a result is marked. */
const context = (text: string): string =>
  `${'═'.repeat(55)}\nSYSTEM CONTEXT (not part of tool output):\n${text}\n${'═'.repeat(55)}`;

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
              { type: 'text', text: context('a peer has answered') },
            ],
          },
        ],
      },
    ],
    chat: [{ role: 'tool', tool_call_id: 'call-1', content: `Note: a\n${context('a peer has answered')}` }],
    responses: [
      {
        type: 'function_call_output',
        call_id: 'call-1',
        output: `Note: a\n${context('a peer has answered')}`,
      },
    ],
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
          {
            type: 'tool_result',
            tool_use_id: 'call-1',
            content: [{ type: 'text', text: context('only this') }],
          },
        ],
      },
    ],
    chat: [{ role: 'tool', tool_call_id: 'call-1', content: context('only this') }],
  });

  itReads('LO-18: as a message is read behind the result, marked as no words of the user', {
    hooks: massgen('PostToolUse', injects({ content: 'stop and listen', strategy: 'user_message' })),
    calls: [NOTE],
    ...readsBeside('Note: a', reminder('stop and listen')),
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
              { type: 'text', text: context('before') },
              { type: 'text', text: context('after') },
            ],
          },
          {
            type: 'tool_result',
            tool_use_id: 'call-2',
            content: [
              { type: 'text', text: 'Look: b' },
              { type: 'text', text: context('before') },
              { type: 'text', text: context('after') },
            ],
          },
          { type: 'text', text: reminder('PreToolUse:Note hook adds: about Note') },
          { type: 'text', text: reminder('PreToolUse:Look hook adds: about Look') },
          { type: 'text', text: reminder('to all') },
          { type: 'text', text: reminder('to all') },
        ],
      },
    ],
    chat: [
      { role: 'tool', tool_call_id: 'call-1', content: `Note: a\n${context('before')}\n${context('after')}` },
      { role: 'tool', tool_call_id: 'call-2', content: `Look: b\n${context('before')}\n${context('after')}` },
      {
        role: 'user',
        content: [
          { type: 'text', text: reminder('PreToolUse:Note hook adds: about Note') },
          { type: 'text', text: reminder('PreToolUse:Look hook adds: about Look') },
          { type: 'text', text: reminder('to all') },
          { type: 'text', text: reminder('to all') },
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
              { type: 'text', text: context('the plan: rest') },
            ],
          },
        ],
      },
    ],
    chat: [
      { role: 'tool', tool_call_id: 'call-1', content: `Error: ${REFUSED}\n${context('the plan: rest')}` },
    ],
  });
});

describe('a system message', () => {
  const informs = (messages: readonly LoopMessage[]): readonly string[] =>
    messages.flatMap((message) =>
      'subtype' in message && message.subtype === 'informational' ? [message.content] : [],
    );
  const answers = [{ calls: [NOTE] }, { calls: [THIRD] }, { text: 'Done.' }];
  const once = { systemMessage: 'be brief' };

  itAsks('LO-20: is said once, behind the messages of the next request, and stays there', {
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
      expect(new Set(requests.map(({ system }) => system))).toEqual(new Set(['You are under test.']));
      const said = requests.map(({ messages }) => JSON.stringify(messages).split('be brief').length - 1);
      expect(said).toEqual([0, 1, 1]);
      expect(JSON.stringify(requests[1]?.messages)).toContain(
        JSON.stringify('<system-reminder>\nbe brief\n</system-reminder>'),
      );
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
      expect(requests.map(({ messages }) => notesIn(messages))).toEqual([
        ['one', 'two'],
        ['one', 'two', 'three'],
        ['one', 'two', 'three', 'four', 'two'],
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
