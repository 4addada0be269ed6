/** Prompts that do not reach the model: blocked, or ended with the turn. */
import { describe, expect } from 'vitest';
import type { HookConfig } from '../../../src/index.js';
import { prints } from '../support/claude-hooks.js';
import { reminder } from '../support/expected.js';
import { itAsks, type ScenarioRun } from '../support/scenario.js';

const HALT = { continue: false, stopReason: 'enough for today' };

const isHalted = ({ runs: [first, second] }: ScenarioRun): void => {
  expect(first?.result).toMatchObject({
    subtype: 'success',
    is_error: false,
    terminal_reason: 'hook_stopped',
    hook_stop_reason: 'enough for today',
  });
  expect(second?.result).toMatchObject({ terminal_reason: 'completed', result: 'Fine.' });
};

describe('a blocked prompt', () => {
  const START = reminder('SessionStart:startup hook adds: the branch is main');
  const WHY =
    'A UserPromptSubmit hook blocked the prompt:\nno secrets\n\nThe prompt was: My password is 1234.';
  const blocked = {
    prompts: ['My password is 1234.', 'Do it.'],
    answers: [{ text: 'Done.' }],
    anthropic: {
      1: [
        {
          role: 'user',
          content: [
            { type: 'text', text: START },
            { type: 'text', text: 'Do it.' },
          ],
        },
      ],
    },
    chat: {
      1: [
        {
          role: 'user',
          content: [
            { type: 'text', text: START },
            { type: 'text', text: 'Do it.' },
          ],
        },
      ],
    },
  } as const;

  itAsks('LO-22: does not reach the model; neither it nor its context is kept, the start’s context is', {
    ...blocked,
    hooks: {
      SessionStart: [
        {
          hooks: [
            () => ({
              hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'the branch is main' },
            }),
          ],
        },
      ],
      UserPromptSubmit: [
        {
          hooks: [
            ({ prompt }) =>
              prompt.includes('password')
                ? {
                    decision: 'block',
                    reason: 'no secrets',
                    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'hm' },
                  }
                : undefined,
          ],
        },
      ],
    },
    claude: {
      SessionStart: ['echo the branch is main'],
      UserPromptSubmit: ['if grep -q password; then echo "no secrets" >&2; exit 2; fi'],
    },
    also: ({ runs: [first, second] }) => {
      expect(first?.result).toMatchObject({
        subtype: 'success',
        is_error: false,
        terminal_reason: 'prompt_blocked',
        result: WHY,
        num_turns: 0,
      });
      expect(first?.messages).toContainEqual(
        expect.objectContaining({ subtype: 'informational', content: WHY, level: 'warning' }),
      );
      expect(second?.result.terminal_reason).toBe('completed');
    },
  });

  itAsks('LO-22: may be blocked without a reason; nothing is asked at all', {
    hooks: { UserPromptSubmit: [{ name: 'gate', hooks: [() => ({ decision: 'block' })] }] },
    answers: [],
    anthropic: {},
    chat: {},
    also: async ({ last: { result }, loop }) => {
      expect(result).toMatchObject({
        terminal_reason: 'prompt_blocked',
        result:
          'A UserPromptSubmit hook blocked the prompt:\nRefused by the hook gate\n\nThe prompt was: Do it.',
      });
      expect(await loop.conversation()).toEqual([]);
    },
  });
});

describe('continue: false at a prompt', () => {
  const onlyTheSecond = {
    anthropic: { 1: [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }] },
    chat: { 1: [{ role: 'user', content: 'Go on.' }] },
    responses: { 1: [{ role: 'user', content: 'Go on.' }] },
  };
  const answers = [{ text: 'Fine.' }];
  const first = (answer: object): HookConfig => ({
    UserPromptSubmit: [{ hooks: [({ prompt }) => (prompt === 'Do it.' ? answer : undefined)] }],
  });
  const shell = `grep -q '"prompt":"Do it."' && ${prints(HALT)} || true`;

  itAsks('LO-21: ends the turn before the model is asked, and the prompt is not kept', {
    prompts: ['Do it.', 'Go on.'],
    hooks: first(HALT),
    claude: { UserPromptSubmit: [shell] },
    answers,
    ...onlyTheSecond,
    also: (run) => {
      isHalted(run);
      expect(run.runs[0]?.result.result).toBe('A hook ended the run: enough for today');
    },
  });

  itAsks('LO-21: outranks a block', {
    prompts: ['Do it.', 'Go on.'],
    hooks: first({ ...HALT, decision: 'block', reason: 'no' }),
    answers,
    ...onlyTheSecond,
    also: isHalted,
  });

  itAsks('LO-21: at the start of the session ends its first turn', {
    prompts: ['Do it.', 'Go on.'],
    hooks: { SessionStart: [{ hooks: [() => HALT] }] },
    answers,
    ...onlyTheSecond,
    also: isHalted,
  });
});
