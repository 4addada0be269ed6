/** What hooks leave behind for later: answers from the background, variables for the shell. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { HookConfig, Runner } from '../../../src/index.js';
import { builtInTools } from '../../../src/tools/built-in.js';
import { prints } from '../support/claude-hooks.js';
import { readsResult, reminder } from '../support/expected.js';
import { itAsks, itReads, opening } from '../support/scenario.js';

const NOTE = { id: 'call-1', name: 'Note', input: { text: 'a' } };
const LOOK = { id: 'call-2', name: 'Look', input: { text: 'b' } };

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

describe('the environment of the shell', () => {
  const BASH = { id: 'call-1', name: 'Bash', input: { command: 'echo "$GREETING, $NAME"' } };
  const options = { tools: builtInTools(), permissions: { allow: ['Bash'] }, setup: 'init' } as const;

  itReads('LO-25: has what hooks at the start have set for it', {
    claude: {
      Setup: ['echo "export NAME=Ada" >> "$CLAUDE_ENV_FILE"'],
      SessionStart: [
        'echo "export GREETING=\'good morning\'" >> "$CLAUDE_ENV_FILE"',
        prints({ suppressOutput: true }),
      ],
    },
    calls: [BASH],
    options,
    ...readsResult('good morning, Ada'),
  });

  itReads('LO-25: has nothing of what hooks at other times would set', {
    claude: { UserPromptSubmit: ['echo "export NAME=Eve" >> "${CLAUDE_ENV_FILE:-/dev/null}"'] },
    calls: [BASH],
    options,
    ...readsResult(','),
  });
});
