/** How hosts that were run read what their hooks print, beside the plain cases: odd values, several fields, signals. */
import { describe, expect, it } from 'vitest';
import { limited } from '../../src/dialects/host/dialect.js';
import type { Answer, Spelling } from '../../src/dialects/host/host.js';
import { HOSTS } from '../../src/dialects/hosts.js';
import type { AnyEvent } from '../../src/index.js';

interface Printed {
  readonly exit?: number | null;
  readonly out?: unknown;
  readonly err?: string;
}

const spellingOf = (id: string): Spelling => {
  const found = HOSTS.flatMap(({ spellings }) => [...spellings]).find((each) => each.id === id);
  if (found === undefined) throw new Error(`no spelling ${id}`);
  return found;
};

/** `exit: null`: ended by a signal. */
function read(id: string, event: AnyEvent, { exit = 0, out = '', err = '' }: Printed): Answer {
  const spelling = spellingOf(id);
  const own = spelling.events[event];
  if (own === undefined) throw new Error(`no ${event}`);
  const input = { tool_name: 'Bash', tool_input: { command: 'old', description: 'kept' } };
  const done = {
    kind: 'exited',
    exitCode: exit ?? undefined,
    signal: exit === null ? 'SIGKILL' : undefined,
    stdout: typeof out === 'string' ? out : JSON.stringify(out),
    stderr: err,
  } as const;
  const { notes: _, failure, ...answer } = limited(spelling.read(done, { event, own, input }), own);
  return failure === undefined ? answer : { ...answer, failure: 'yes' };
}

const nested = (event: string, fields: object, more: object = {}) => ({
  ...more,
  hookSpecificOutput: { hookEventName: event, ...fields },
});
const FAILED = { failure: 'yes' };

type Case = readonly [what: string, event: AnyEvent, printed: Printed, answer: Answer];

function check(id: string, cases: readonly Case[]): void {
  it.each(cases)(`HS-1 ${id}: %s on %s`, (_what, event, printed, answer) => {
    expect(read(id, event, printed)).toEqual(answer);
  });
}

describe('answers of hooks of Codex', () => {
  const pre = (fields: object, more?: object) => ({ out: nested('PreToolUse', fields, more) });
  const deny = { permissionDecision: 'deny', permissionDecisionReason: 'R' };
  const rewrite = { permissionDecision: 'allow', updatedInput: { command: 'new' } };
  check('codex', [
    [
      'a refusal that names another event',
      'PreToolUse',
      { out: nested('PostToolUse', deny) },
      { refuse: 'R' },
    ],
    [
      'a refusal that names no event that it knows',
      'PreToolUse',
      { out: nested('SessionEnd', deny) },
      FAILED,
    ],
    ['null for a truth value', 'PreToolUse', pre(deny, { suppressOutput: null }), FAILED],
    ['null for `continue`', 'PreToolUse', pre(deny, { continue: null }), FAILED],
    ['null for a text', 'PreToolUse', pre(deny, { stopReason: null }), { refuse: 'R' }],
    [
      'a void answer with context',
      'PreToolUse',
      pre({ permissionDecision: 'allow', additionalContext: 'C' }),
      FAILED,
    ],
    [
      'a rewrite with context',
      'PreToolUse',
      pre({ ...rewrite, additionalContext: 'C' }),
      { rewrite: { command: 'new' }, context: 'C' },
    ],
    [
      'a refusal with context',
      'PreToolUse',
      pre({ ...deny, additionalContext: 'C' }),
      { refuse: 'R', context: 'C' },
    ],
    [
      'a message of a void answer',
      'PreToolUse',
      pre({ permissionDecision: 'ask' }, { systemMessage: 'M' }),
      { message: 'M', ...FAILED },
    ],
    [
      'a rewrite that is no object',
      'PreToolUse',
      pre({ permissionDecision: 'allow', updatedInput: 'x' }),
      { refuse: 'The hook rewrote the input as something else than an object, which Codex cannot run' },
    ],
    ['a null rewrite', 'PreToolUse', pre({ permissionDecision: 'allow', updatedInput: null }), FAILED],
    [
      'context, output hidden',
      'PostToolUse',
      { out: nested('PostToolUse', { additionalContext: 'C' }, { suppressOutput: true }) },
      FAILED,
    ],
    [
      'an output for MCP',
      'PostToolUse',
      { out: nested('PostToolUse', { additionalContext: 'C', updatedMCPToolOutput: 1 }) },
      FAILED,
    ],
    [
      'a reason without a decision',
      'PostToolUse',
      { out: nested('PostToolUse', { additionalContext: 'C' }, { reason: 'R' }) },
      FAILED,
    ],
    [
      'an end and a reason',
      'PostToolUse',
      { out: { continue: false, stopReason: 'S', reason: 'R' } },
      { replace: 'R' },
    ],
    [
      'an end that is void otherwise',
      'PostToolUse',
      {
        out: nested(
          'PostToolUse',
          { additionalContext: 'C' },
          { continue: false, stopReason: 'S', suppressOutput: true },
        ),
      },
      { replace: 'S' },
    ],
    [
      'a block without a reason, with context',
      'UserPromptSubmit',
      { out: nested('UserPromptSubmit', { additionalContext: 'C' }, { decision: 'block' }) },
      FAILED,
    ],
    ['a number', 'UserPromptSubmit', { out: '5' }, { context: '5' }],
    ['a truncated list', 'UserPromptSubmit', { out: '[note' }, FAILED],
    [
      'output hidden',
      'Stop',
      { out: { decision: 'block', reason: 'R', suppressOutput: true } },
      { refuse: 'R' },
    ],
    [
      'an end',
      'PermissionRequest',
      { out: nested('PermissionRequest', { decision: { behavior: 'deny' } }, { continue: false }) },
      FAILED,
    ],
    [
      'a permission with an unknown field',
      'PermissionRequest',
      { out: nested('PermissionRequest', { decision: { behavior: 'deny', foo: 1 } }) },
      FAILED,
    ],
    [
      'a permission with null fields',
      'PermissionRequest',
      {
        out: nested('PermissionRequest', {
          decision: { behavior: 'deny', message: null, updatedInput: null },
        }),
      },
      { refuse: 'The hook denied approval' },
    ],
    [
      'a permission whose `interrupt` is null',
      'PermissionRequest',
      { out: nested('PermissionRequest', { decision: { behavior: 'deny', interrupt: null } }) },
      FAILED,
    ],
    ['a refusal of a hook that a signal ended', 'PreToolUse', { ...pre(deny), exit: null }, {}],
  ]);
});

describe('answers of hooks of Gemini CLI', () => {
  const pre = (fields: object, more?: object) => ({ out: nested('BeforeTool', fields, more) });
  check('gemini', [
    [
      'a part of the input',
      'PreToolUse',
      pre({ tool_input: { command: 'new' } }),
      { rewrite: { command: 'new' } },
    ],
    [
      'a refusal whose reason is that of an end',
      'PreToolUse',
      { out: { decision: 'deny', stopReason: 'S' } },
      { refuse: 'The hook refused without giving a reason' },
    ],
    [
      'text for the event',
      'PreToolUse',
      { out: { decision: 'deny', reason: 'R', hookSpecificOutput: 'x' } },
      FAILED,
    ],
    [
      'nothing for the event',
      'PreToolUse',
      { out: { decision: 'deny', reason: 'R', hookSpecificOutput: null } },
      { refuse: 'R' },
    ],
    [
      'a refusal with context',
      'PostToolUse',
      { out: nested('AfterTool', { additionalContext: 'C' }, { decision: 'deny', reason: 'R' }) },
      { replace: 'R' },
    ],
    [
      'a rewrite and exit code 1',
      'PreToolUse',
      { ...pre({ tool_input: { command: 'new' } }), exit: 1 },
      { rewrite: { command: 'new' } },
    ],
    ['text of a hook that a signal ended', 'PreToolUse', { exit: null, err: 'T' }, { message: 'T' }],
    [
      'a refusal of a hook that a signal ended',
      'PreToolUse',
      { exit: null, out: { decision: 'deny', reason: 'R' } },
      { refuse: 'R' },
    ],
    ['a text in quotes', 'PreToolUse', { exit: 2, out: '"R"' }, { refuse: '"R"' }],
    [
      'an answer in a text',
      'PreToolUse',
      { out: JSON.stringify('{"decision":"deny","reason":"R"}') },
      { refuse: 'R' },
    ],
    ['a list', 'PreToolUse', { exit: 2, out: '[]', err: 'R' }, {}],
    ['two answers', 'PreToolUse', { out: '{}\n{"decision":"deny"}' }, { message: '{}\n{"decision":"deny"}' }],
  ]);
});

describe('answers of hooks of Qwen Code', () => {
  const pre = (fields: object, more?: object) => ({ out: nested('PreToolUse', fields, more) });
  const deny = { permissionDecision: 'deny', permissionDecisionReason: 'R' };
  check('qwen', [
    [
      'a permission that is no word of it',
      'PreToolUse',
      pre({ permissionDecision: 'block', permissionDecisionReason: 'R' }),
      {},
    ],
    [
      'the same beside a decision',
      'PreToolUse',
      pre({ permissionDecision: 'approve' }, { decision: 'deny', reason: 'D' }),
      { refuse: 'D' },
    ],
    [
      'a permission that allows beside a block',
      'PreToolUse',
      pre({ permissionDecision: 'allow' }, { decision: 'block' }),
      { allow: true },
    ],
    ['a refusal and an end', 'PreToolUse', pre(deny, { continue: false, stopReason: 'S' }), { refuse: 'R' }],
    [
      'a question and an end',
      'PreToolUse',
      pre({ ...deny, permissionDecision: 'ask' }, { continue: false }),
      { ask: 'R' },
    ],
    [
      'a permission and an end',
      'PreToolUse',
      pre({ permissionDecision: 'allow' }, { continue: false, stopReason: 'S' }),
      { refuse: 'S' },
    ],
    ['a decision of another event', 'PreToolUse', pre({ decision: { behavior: 'deny' } }), {}],
    [
      'text for the event',
      'PreToolUse',
      { out: { decision: 'deny', reason: 'R', hookSpecificOutput: 'x' } },
      FAILED,
    ],
    [
      'an end with context',
      'PostToolUse',
      { out: nested('PostToolUse', { additionalContext: 'C' }, { continue: false, stopReason: 'S' }) },
      { replace: 'S' },
    ],
    ['a permission', 'UserPromptSubmit', { out: nested('UserPromptSubmit', deny) }, {}],
    [
      'a block with the reason of an end',
      'Stop',
      { out: { decision: 'block', reason: 'R', stopReason: 'S' } },
      { refuse: 'S' },
    ],
    [
      'a decision that allows nothing',
      'PermissionRequest',
      { out: nested('PermissionRequest', { decision: { message: 'R' } }) },
      { refuse: 'R' },
    ],
    ['a permission of another event', 'PermissionRequest', { out: nested('PermissionRequest', deny) }, {}],
  ]);
});

describe('answers of hooks of Copilot CLI', () => {
  const deny = { permissionDecision: 'deny', permissionDecisionReason: 'R' };
  const old = { command: 'new' };
  check('copilot', [
    ['a block without a reason', 'UserPromptSubmit', { out: { decision: 'block' } }, {}],
    ['a block without a reason', 'Stop', { out: { decision: 'block' } }, {}],
    ['a block without a reason', 'PostToolUse', { out: { decision: 'block' } }, {}],
    [
      'a block with context',
      'PostToolUse',
      { out: { decision: 'block', reason: 'R', additionalContext: 'C' } },
      { replace: 'R' },
    ],
    [
      'a block and another result',
      'PostToolUse',
      { out: { decision: 'block', reason: 'R', modifiedResult: { textResultForLlm: 'N' } } },
      { replace: 'R' },
    ],
    [
      'an empty result',
      'PostToolUse',
      { out: { modifiedResult: { textResultForLlm: '' } } },
      { replace: 'A hook removed the output', isNoRefusal: true },
    ],
    ['a result in snake case', 'PostToolUse', { out: { modifiedResult: { text_result_for_llm: 'N' } } }, {}],
    [
      'another result with context',
      'PostToolUse',
      { out: { modifiedResult: { textResultForLlm: 'N' }, additionalContext: 'C' } },
      { replace: 'N', isNoRefusal: true, context: 'C' },
    ],
    ['stderr and exit code 2', 'PostToolUseFailure', { exit: 2, err: 'C' }, { context: 'C' }],
    ['exit code 2', 'PermissionRequest', { exit: 2, err: 'R' }, { refuse: 'The hook exited with code 2' }],
    [
      'another exit code',
      'PermissionRequest',
      { exit: 1, out: { behavior: 'allow' } },
      { refuse: 'The hook exited with code 1' },
    ],
    [
      'text',
      'PermissionRequest',
      { out: 'yes' },
      { refuse: 'The permission hook gave no answer that can be read' },
    ],
    ['nothing', 'PermissionRequest', {}, {}],
    [
      'a refusal that ends the run',
      'PermissionRequest',
      { out: { behavior: 'deny', message: 'R', interrupt: true } },
      { refuse: 'R', stop: 'R' },
    ],
    ['a signal', 'PreToolUse', { exit: null }, { refuse: 'The hook exited with code SIGKILL' }],
    [
      'JSON in a text as input',
      'PreToolUse',
      { out: { modifiedArgs: JSON.stringify(old) } },
      { rewrite: old },
    ],
    ['a refusal for the event', 'PreToolUse', { out: { hookSpecificOutput: deny } }, {}],
    [
      'another prompt',
      'UserPromptSubmit',
      { out: { modifiedPrompt: 'N', additionalContext: 'C' } },
      { context: 'A hook replaced the prompt. Follow this one instead:\nN\n\nC' },
    ],
  ]);
  check('copilot-pascal', [
    ['a refusal in the answer itself', 'PreToolUse', { out: deny }, { refuse: 'R' }],
    [
      'a refusal without the name of the event',
      'PreToolUse',
      { out: { hookSpecificOutput: deny } },
      { refuse: 'R' },
    ],
    ['an input in the answer itself', 'PreToolUse', { out: { modifiedArgs: old } }, { rewrite: old }],
    ['context in the answer itself', 'PreToolUse', { out: { additionalContext: 'C' } }, { context: 'C' }],
    ['context in the answer itself', 'PostToolUse', { out: { additionalContext: 'C' } }, { context: 'C' }],
    ['context for the event', 'PostToolUse', { out: nested('PostToolUse', { additionalContext: 'C' }) }, {}],
    [
      'context for the event',
      'UserPromptSubmit',
      { out: nested('UserPromptSubmit', { additionalContext: 'C' }) },
      {},
    ],
    [
      'context for the event',
      'SessionStart',
      { out: nested('SessionStart', { additionalContext: 'C' }) },
      {},
    ],
  ]);
});
