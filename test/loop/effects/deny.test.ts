/** A hook refuses a call: what the model reads, and that the tool has not run. */
import { describe, expect } from 'vitest';
import { command, type HookConfig } from '../../../src/index.js';
import { prints } from '../support/claude-hooks.js';
import { readsError, reminder } from '../support/expected.js';
import { itReads, type ScenarioRun } from '../support/scenario.js';

const CALL = { id: 'call-1', name: 'Note', input: { text: 'a' } };
const REFUSED = 'PreToolUse:Note hook refused this call: ';

const answersBefore = (answer: object): HookConfig => ({
  PreToolUse: [{ matcher: 'Note', name: 'guard', hooks: [() => answer] }],
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
    hooks: answersBefore(answer),
    claude: { 'PreToolUse:Note': [prints(answer)] },
    calls: [CALL],
    ...reads('not on a Monday'),
    responses: [
      { type: 'function_call_output', call_id: 'call-1', output: `Error: ${REFUSED}not on a Monday` },
    ],
    also: isRefused,
  });

  itReads('LO-11: without a reason names the hook that refused', {
    hooks: answersBefore(decides({ permissionDecision: 'deny' })),
    calls: [CALL],
    ...reads('Refused by the hook guard'),
    also: isRefused,
  });

  itReads('LO-11: of a settings file, without a reason, names what was refused', {
    claude: { PreToolUse: [prints(decides({ permissionDecision: 'deny' }))] },
    calls: [CALL],
    ...reads('Refused by the hook PreToolUse:Note'),
    also: isRefused,
  });

  itReads('LO-11: may be said with the older word, block', {
    hooks: answersBefore({ decision: 'block', reason: 'blocked' }),
    claude: { PreToolUse: [prints({ decision: 'block', reason: 'blocked' })] },
    calls: [CALL],
    ...reads('blocked'),
    also: isRefused,
  });

  itReads('LO-11: may be exit code 2, with the reason on stderr', {
    hooks: { PreToolUse: [{ hooks: [command('echo "read only today" >&2; exit 2')] }] },
    claude: { PreToolUse: ['echo "read only today" >&2; exit 2'] },
    calls: [CALL],
    ...reads('read only today'),
    also: isRefused,
  });

  itReads('LO-11: by exit code 2 without a word on stderr is a refusal too', {
    hooks: { PreToolUse: [{ hooks: [command('exit 2')] }] },
    calls: [CALL],
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
    calls: [CALL],
    ...reads('The hook guard failed and is set to block: it threw: no database'),
    also: isRefused,
  });

  itReads('LO-11: LO-19: comes with the context that hooks add, behind the result', {
    hooks: answersBefore(
      decides({ permissionDecision: 'deny', permissionDecisionReason: 'no', additionalContext: 'try Look' }),
    ),
    calls: [CALL],
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
  const UNKNOWN = 'There is no tool Nope. There are: Note, Look, Change, Fail, mcp__box__get.';

  itReads('LO-9: because there is none of that name fires nothing, and the model reads which there are', {
    hooks,
    calls: [{ id: 'call-1', name: 'Nope', input: { text: 'a' } }],
    ...readsError(UNKNOWN),
    also: () => expect(fired).toEqual([]),
  });

  const MISFIT =
    'The input of Note does not fit its schema:\n- text: Invalid input: expected string, received number\nCorrect it and call Note again.';

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
