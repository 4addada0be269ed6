/** A hook rewrites the input of a call: what runs, what is checked again, what later events see, what the model reads. */
import { describe, expect } from 'vitest';
import type { HookConfig } from '../../../src/index.js';
import { builtInTools } from '../../../src/tools/built-in.js';
import { prints } from '../support/claude-hooks.js';
import { readsError, readsResult } from '../support/expected.js';
import { itReads } from '../support/scenario.js';

const CALL = { id: 'call-1', name: 'Note', input: { text: 'a' } };

const rewrite = (updatedInput: object, decision: object = {}): object => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput, ...decision },
});

const hooksWith = (answer: object): HookConfig => ({ PreToolUse: [{ hooks: [() => answer] }] });

describe('a rewritten input', () => {
  const seen: unknown[] = [];

  itReads('LO-12: is what the tool runs with; what the model said stays as it was', {
    hooks: hooksWith(rewrite({ text: 'b' })),
    claude: { PreToolUse: [prints(rewrite({ text: 'b' }))] },
    calls: [CALL],
    ...readsResult('Note: b'),
    also: ({ ran }) => expect(ran).toEqual([{ name: 'Note', text: 'b' }]),
  });

  itReads('LO-12: is what the hooks after the tool see', {
    hooks: () => {
      seen.length = 0;
      return {
        ...hooksWith(rewrite({ text: 'b' })),
        PostToolUse: [{ hooks: [({ tool_input }) => void seen.push(tool_input)] }],
      };
    },
    calls: [CALL],
    ...readsResult('Note: b'),
    also: () => expect(seen).toEqual([{ text: 'b' }]),
  });

  itReads('LO-12: is what the hooks after a failure see', {
    hooks: () => {
      seen.length = 0;
      return {
        ...hooksWith(rewrite({ text: 'the engine' })),
        PostToolUseFailure: [{ hooks: [({ tool_input, error }) => void seen.push(tool_input, error)] }],
      };
    },
    calls: [{ id: 'call-1', name: 'Fail', input: { text: 'a' } }],
    ...readsError('the engine went wrong'),
    also: () => expect(seen).toEqual([{ text: 'the engine' }, 'the engine went wrong']),
  });

  itReads('LO-12: replaces the whole input, keys that it leaves out are gone', {
    hooks: hooksWith(rewrite({})),
    calls: [CALL],
    ...readsError(
      'A hook changed the input of Note. The input of Note does not fit its schema:\n- text: Invalid input: expected string, received undefined\nCorrect it and call Note again.',
    ),
    also: ({ ran }) => expect(ran).toEqual([]),
  });

  itReads('LO-12: that does not fit the schema is told, and nothing runs', {
    hooks: hooksWith(rewrite({ text: 5, more: true }, { permissionDecision: 'allow' })),
    claude: { PreToolUse: [prints(rewrite({ text: 5, more: true }, { permissionDecision: 'allow' }))] },
    calls: [CALL],
    ...readsError(
      'A hook changed the input of Note. The input of Note does not fit its schema:\n- text: Invalid input: expected string, received number\n- input: unknown: more\nCorrect it and call Note again.',
    ),
    also: ({ ran, last }) => {
      expect(ran).toEqual([]);
      expect(last.result.permission_denials).toEqual([]);
    },
  });

  const READ = { id: 'call-1', name: 'Read', input: { file_path: 'open.txt' } };

  itReads('LO-12: that a rule denies is refused, although the input that the model gave was not', {
    hooks: hooksWith(rewrite({ command: 'rm -rf build' })),
    claude: { PreToolUse: [prints(rewrite({ command: 'rm -rf build' }))] },
    calls: [{ id: 'call-1', name: 'Bash', input: { command: 'echo hello' } }],
    options: { tools: builtInTools(), permissions: { allow: ['Bash'], deny: ['Bash(rm *)'] } },
    ...readsError('The rule `Bash(rm *)` denies this call of Bash.'),
    also: ({ last }) =>
      expect(last.result.permission_denials).toEqual([
        { tool_name: 'Bash', tool_use_id: 'call-1', tool_input: { command: 'rm -rf build' } },
      ]),
  });

  itReads('LO-12: that a rule denies is refused although the hook itself allows it', {
    hooks: hooksWith(rewrite({ file_path: 'secret.txt' }, { permissionDecision: 'allow' })),
    calls: [READ],
    options: { tools: builtInTools(), permissions: { deny: ['Read(secret.txt)'] } },
    ...readsError('The rule `Read(secret.txt)` denies this call of Read.'),
  });

  itReads('LO-12: with an allow of its own runs without a question', {
    hooks: hooksWith(rewrite({ text: 'b' }, { permissionDecision: 'allow' })),
    claude: { PreToolUse: [prints(rewrite({ text: 'b' }, { permissionDecision: 'allow' }))] },
    calls: [{ id: 'call-1', name: 'Change', input: { text: 'a' } }],
    ...readsResult('Change: b'),
  });

  itReads('LO-12: is handed from hook to hook, and the last one counts', {
    hooks: {
      PreToolUse: [
        {
          hooks: [
            ({ tool_input }) => rewrite({ text: `${(tool_input as { text: string }).text}1` }),
            ({ tool_input }) => rewrite({ text: `${(tool_input as { text: string }).text}2` }),
          ],
        },
      ],
    },
    calls: [CALL],
    ...readsResult('Note: a12'),
  });
});
