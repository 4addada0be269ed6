/** The agent wants to stop: hooks object, add something, ask it to go on, or end the turn. */
import { describe, expect } from 'vitest';
import type { LoopMessage } from '../../../../src/agent/loop/messages.js';
import type { HookConfig, HookInput } from '../../../../src/index.js';
import { prints } from '../support/claude-hooks.js';
import { reminder } from '../support/expected.js';
import { itAsks, type ScenarioRun } from '../support/scenario.js';

const TWO = [{ text: 'Done.' }, { text: 'Really done.' }];

/** Hooks that answer so when the agent stops for the first time, and then let it. */
const atFirst =
  (...answers: readonly object[]): (() => HookConfig) =>
  () => ({
    Stop: [
      {
        hooks: answers.map(
          (answer) => (input: HookInput<'Stop'>) => (input.stop_hook_active ? undefined : answer),
        ),
      },
    ],
  });
/** The same as a shell line. */
const first = (line: string): string => `if grep -q '"stop_hook_active":false'; then ${line}; fi`;

/** The second request: the prompt, the answer, and these texts. */
const goesOnWith = (...texts: readonly [string, ...string[]]) => ({
  anthropic: {
    2: [
      { role: 'user', content: [{ type: 'text', text: 'Do it.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      { role: 'user', content: texts.map((text) => ({ type: 'text', text })) },
    ],
  },
  chat: {
    2: [
      { role: 'user', content: 'Do it.' },
      { role: 'assistant', content: 'Done.' },
      {
        role: 'user',
        content: texts.length === 1 ? texts[0] : texts.map((text) => ({ type: 'text', text })),
      },
    ],
  },
});

const synthetic = (messages: readonly LoopMessage[]): readonly unknown[] =>
  messages.flatMap((message) =>
    message.type === 'user' && message.isSynthetic === true ? [message.message.content] : [],
  );

const isCompleted = ({ last: { result } }: ScenarioRun): void =>
  expect(result).toMatchObject({ terminal_reason: 'completed', result: 'Really done.', num_turns: 2 });

describe('an agent that wants to stop', () => {
  itAsks('LO-23: goes on with the objection of a hook', {
    hooks: atFirst({ decision: 'block', reason: 'the tests fail' }),
    answers: TWO,
    ...goesOnWith('Stop hook feedback:\nthe tests fail'),
    also: (run) => {
      isCompleted(run);
      expect(synthetic(run.last.messages)).toEqual([
        [{ type: 'text', text: 'Stop hook feedback:\nthe tests fail' }],
      ]);
    },
  });

  itAsks('LO-23: reads each objection where there are several, in the order of the hooks', {
    hooks: atFirst(
      { decision: 'block', reason: 'the tests fail' },
      { systemMessage: 'nothing against it' },
      { decision: 'block', reason: 'the style is off' },
      { decision: 'block', reason: '' },
    ),
    answers: TWO,
    ...goesOnWith(
      'Stop hook feedback:\nthe tests fail',
      'Stop hook feedback:\nthe style is off',
      'Stop hook feedback:\nno reason given',
      reminder('nothing against it'),
    ),
    also: isCompleted,
  });

  itAsks('LO-23: goes on with the objection of a settings file, exit code 2 or JSON', {
    claude: {
      Stop: [
        first('sleep 0.1; echo "the tests fail" >&2; exit 2'),
        first(prints({ decision: 'block', reason: 'the style is off' })),
      ],
    },
    answers: TWO,
    ...goesOnWith(
      reminder('Stop hook "Stop" does not let you stop: the style is off'),
      'Stop hook feedback:\nthe tests fail',
      'Stop hook feedback:\nthe style is off',
    ),
    also: isCompleted,
  });

  itAsks('LO-23: goes on where a hook in code answers continue: true', {
    hooks: atFirst({ continue: true }),
    answers: TWO,
    ...goesOnWith('Stop hook feedback:\nThe work is not done yet. Continue.'),
    also: isCompleted,
  });

  itAsks('LO-23: goes on with the reason that comes with continue: true', {
    hooks: atFirst({ continue: true, reason: 'one file is left' }),
    answers: TWO,
    ...goesOnWith('Stop hook feedback:\none file is left'),
  });

  itAsks('LO-23: stops where a settings file prints continue: true, which means nothing there', {
    claude: { Stop: [prints({ continue: true, suppressOutput: true })] },
    answers: [{ text: 'Done.' }],
    anthropic: {},
    chat: {},
    also: ({ last: { result } }) => expect(result).toMatchObject({ terminal_reason: 'completed' }),
  });

  const adds = { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'one file is left' } };
  itAsks('LO-23: LO-19: goes on with what a hook adds', {
    hooks: atFirst(adds),
    claude: { Stop: [first(prints(adds))] },
    answers: TWO,
    ...goesOnWith(reminder('Stop hook adds: one file is left')),
    also: isCompleted,
  });

  const addsNothing = { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: ' ' } };
  itAsks('LO-23: stops where all that a hook adds is white space', {
    hooks: atFirst(addsNothing),
    claude: { Stop: [prints(addsNothing)] },
    answers: [{ text: 'Done.' }],
    anthropic: {},
    chat: {},
    also: ({ last: { result } }) => expect(result).toMatchObject({ terminal_reason: 'completed' }),
  });

  itAsks('LO-23: reads what hooks add before what they object', {
    hooks: atFirst({ decision: 'block', reason: 'the tests fail' }, adds),
    answers: TWO,
    ...goesOnWith(reminder('Stop hook adds: one file is left'), 'Stop hook feedback:\nthe tests fail'),
  });

  itAsks('LO-21: stops on continue: false, whatever else is said, and reads nothing of it', {
    hooks: {
      Stop: [
        { hooks: [() => ({ decision: 'block', reason: 'the tests fail' })] },
        { hooks: [() => ({ continue: false, stopReason: 'it is late' })] },
      ],
    },
    claude: {
      Stop: [
        'echo "the tests fail" >&2; exit 2',
        prints({ continue: false, stopReason: 'it is late', decision: 'block', reason: 'hm' }),
      ],
    },
    answers: [{ text: 'Done.' }, { text: 'Fine.' }],
    prompts: ['Do it.', 'Go on.'],
    ...goesOnWith('Go on.'),
    also: ({ runs: [run] }) =>
      expect(run?.result).toMatchObject({ terminal_reason: 'hook_stopped', hook_stop_reason: 'it is late' }),
  });
});

describe('how often an agent is kept from stopping', () => {
  const active: boolean[] = [];
  const always = (): HookConfig => {
    active.length = 0;
    return {
      Stop: [
        {
          hooks: [
            ({ stop_hook_active: again }) => {
              active.push(again);
              return { decision: 'block', reason: `no, ${active.length}` };
            },
          ],
        },
      ],
    };
  };
  const text = (content: string): object => ({ role: 'user', content: [{ type: 'text', text: content }] });
  const answer = (content: string): object => ({
    role: 'assistant',
    content: [{ type: 'text', text: content }],
  });

  itAsks('LO-23: is known to the hook from the second time on, and has a cap, which is an end of its own', {
    hooks: always,
    options: { stopCap: 2 },
    answers: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }],
    anthropic: {
      3: [
        text('Do it.'),
        answer('One.'),
        text('Stop hook feedback:\nno, 1'),
        answer('Two.'),
        text('Stop hook feedback:\nno, 2'),
      ],
    },
    chat: {
      3: [
        { role: 'user', content: 'Do it.' },
        { role: 'assistant', content: 'One.' },
        { role: 'user', content: 'Stop hook feedback:\nno, 1' },
        { role: 'assistant', content: 'Two.' },
        { role: 'user', content: 'Stop hook feedback:\nno, 2' },
      ],
    },
    also: ({ last: { result } }) => {
      expect(active).toEqual([false, true, true]);
      expect(result).toMatchObject({ terminal_reason: 'stop_hook_cap', result: 'Three.', num_turns: 3 });
    },
  });

  itAsks('LO-23: is 8 times, where nothing else is said, in each prompt anew', {
    hooks: always,
    answers: Array.from({ length: 18 }, (_, i) => ({ text: `${i}.` })),
    prompts: ['Do it.', 'Go on.'],
    anthropic: {},
    chat: {},
    also: ({ runs }) => {
      const again = [false, ...Array.from({ length: 8 }, () => true)];
      expect(active).toEqual([...again, ...again]);
      expect(runs.map(({ result }) => result.terminal_reason)).toEqual(['stop_hook_cap', 'stop_hook_cap']);
    },
  });

  const NOTE = { id: 'call-1', name: 'Note', input: { text: 'a' } };
  itAsks('LO-23: is known to the hook also when tools were used in between', {
    hooks: () => {
      active.length = 0;
      return {
        Stop: [
          {
            hooks: [
              ({ stop_hook_active: again }) => {
                active.push(again);
                return again ? undefined : { decision: 'block', reason: 'note it' };
              },
            ],
          },
        ],
      };
    },
    answers: [
      { text: 'Done.' },
      { calls: [NOTE] },
      { text: 'Really done.' },
      { text: 'Fine.' },
      { text: 'Really fine.' },
    ],
    prompts: ['Do it.', 'Go on.'],
    anthropic: {},
    chat: {},
    also: () => expect(active).toEqual([false, true, false, true]),
  });
});
