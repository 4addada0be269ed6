/** Hooks after a tool: a new output, an objection, an output that only the model is to see. */
import { describe, expect } from 'vitest';
import type { HookConfig } from '../../../src/index.js';
import type { LoopMessage, UserMessage } from '../../../src/loop/messages.js';
import { builtInTools } from '../../../src/tools/built-in.js';
import { prints } from '../support/claude-hooks.js';
import { readsBeside, readsError, readsResult, reminder } from '../support/expected.js';
import { itReads } from '../support/scenario.js';

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
const readsBlocks = (blocks: readonly object[], text: string) => ({
  anthropic: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1', content: blocks }] }],
  chat: [{ role: 'tool', tool_call_id: 'call-1', content: text }],
  responses: [{ type: 'function_call_output', call_id: 'call-1', output: text }],
});

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
    ...readsBlocks(blocks, 'one\n[content of type image cannot be shown here]\ntwo'),
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
    ...readsBlocks(blocks.slice(0, 2), 'one\n[content of type image cannot be shown here]'),
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
      reminder('PostToolUse:Note hook "checker" objects: it gives no reason'),
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
    claude: { PostToolUse: [prints({ suppressOutput: true })] },
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
