import { describe, expect, it } from 'vitest';
import { command } from '../../../../src/index.js';
import { watchProcess } from '../../../support/runner.js';
import { story } from '../session/support.js';
import { change, decide } from './support.js';

watchProcess();

const nobody = () => Promise.reject(new Error('nobody should be asked'));

describe('hooks that are asked for permission', () => {
  it('LO-26: are asked where nothing decides, with suggestions, before the person', async () => {
    const order: string[] = [];
    const { of, seen, ran } = await change(['a'], {
      hooks: { PermissionRequest: [{ hooks: [() => void order.push('hook')] }] },
      canUseTool: async () => {
        order.push('person');
        return { behavior: 'allow' };
      },
    });
    expect(order).toEqual(['hook', 'person']);
    expect(ran).toEqual([{ name: 'Change', text: 'a' }]);
    expect(story(seen)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse:Change',
      'PermissionRequest:Change',
      'PostToolUse:Change',
      'Stop',
    ]);
    expect(of('PermissionRequest')[0]?.['permission_suggestions']).toEqual([
      {
        type: 'addRules',
        rules: [{ toolName: 'Change' }],
        behavior: 'allow',
        destination: expect.any(String),
      },
    ]);
  });

  it.each([
    ['a rule', { permissions: { allow: ['Change'] } }],
    ['the mode', { permissions: { mode: 'bypassPermissions' } }],
    ['dontAsk', { permissions: { mode: 'dontAsk' } }],
    ['a rule that denies', { permissions: { deny: ['Change(text:a)'] } }],
  ] as const)('LO-26: are not asked where %s decides', async (_, options) => {
    const { of } = await change(['a'], options);
    expect(of('PermissionRequest')).toEqual([]);
  });

  it('LO-26: an allow lets the tool run and nobody else is asked, also without anybody there', async () => {
    for (const canUseTool of [nobody, undefined]) {
      const { ran, result } = await change(['a'], {
        hooks: decide({ behavior: 'allow' }),
        ...(canUseTool && { canUseTool }),
      });
      expect(ran).toHaveLength(1);
      expect(result.permission_denials).toEqual([]);
    }
  });

  it('LO-27: an allow with another input runs the tool on that one', async () => {
    const { ran, of } = await change(['a'], {
      hooks: decide({ behavior: 'allow', updatedInput: { text: 'b' } }),
    });
    expect(ran).toEqual([{ name: 'Change', text: 'b' }]);
    expect(of('PostToolUse')[0]).toMatchObject({ tool_input: { text: 'b' } });
  });

  it.each([
    ['does not fit the tool', { text: 7 }, {}, 'does not match its schema'],
    ['a rule denies', { text: 'secret' }, { permissions: { deny: ['Change(text:secret)'] } }, 'secret'],
  ])('LO-27: an allow with an input that %s is none', async (_, updatedInput, options, message) => {
    const { ran, results, result } = await change(['a'], {
      hooks: decide({ behavior: 'allow', updatedInput }),
      ...options,
    });
    expect(ran).toEqual([]);
    expect(results[0]).toMatchObject({ is_error: true, content: expect.stringContaining(message) });
    expect(result.permission_denials).toHaveLength(1);
  });

  it('LO-27: what is suggested and agreed to makes the next call pass without a question', async () => {
    const { ran, of } = await change(['a', 'b'], {
      hooks: {
        PermissionRequest: [
          {
            hooks: [
              ({ permission_suggestions: suggested = [] }) => ({
                hookSpecificOutput: {
                  hookEventName: 'PermissionRequest',
                  decision: { behavior: 'allow', updatedPermissions: structuredCopy(suggested) },
                },
              }),
            ],
          },
        ],
      },
    });
    expect(ran.map(({ text }) => text)).toEqual(['a', 'b']);
    expect(of('PermissionRequest')).toHaveLength(1);
  });

  it('LO-27: a mode that is agreed to counts from then on, and hooks are told', async () => {
    const mode = { type: 'setMode', mode: 'bypassPermissions', destination: 'session' };
    const { of } = await change(['a', 'b'], {
      hooks: decide({ behavior: 'allow', updatedPermissions: [mode] }),
    });
    expect(of('PermissionRequest')).toHaveLength(1);
    expect(of('PreToolUse').map((input) => input['permission_mode'])).toEqual([
      'default',
      'bypassPermissions',
    ]);
  });

  it('LO-27: changes that cannot all be made are not made at all, and the call is refused', async () => {
    const updatedPermissions = [
      { type: 'addRules', rules: [{ toolName: 'Change' }], behavior: 'allow', destination: 'session' },
      { type: 'setMode', mode: 'delegate', destination: 'session' },
    ];
    const { ran, of, results } = await change(['a', 'b'], {
      hooks: decide({ behavior: 'allow', updatedPermissions }),
    });
    expect(ran).toEqual([]);
    expect(of('PermissionRequest')).toHaveLength(2);
    expect(results[0]).toMatchObject({
      is_error: true,
      content: expect.stringContaining('cannot be applied'),
    });
  });

  it('LO-26: a deny is what the model reads, and is told to those who watch', async () => {
    const { ran, results, result, messages, of } = await change(['a'], {
      hooks: decide({ behavior: 'deny', message: 'Not on a Monday' }),
      canUseTool: nobody,
    });
    expect(ran).toEqual([]);
    expect(results).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'use-a',
        content: expect.stringContaining('Not on a Monday'),
        is_error: true,
      },
    ]);
    expect(result).toMatchObject({
      terminal_reason: 'completed',
      permission_denials: [{ tool_name: 'Change', tool_use_id: 'use-a', tool_input: { text: 'a' } }],
    });
    expect(messages).toContainEqual(
      expect.objectContaining({ subtype: 'permission_denied', tool_name: 'Change', tool_use_id: 'use-a' }),
    );
    expect([...of('PostToolUse'), ...of('PostToolUseFailure')]).toEqual([]);
  });

  it('LO-26: one that exits with 2 denies, and one that fails where failures block', async () => {
    const exits = await change(['a'], {
      hooks: { PermissionRequest: [{ hooks: [command('echo "not now" >&2; exit 2')] }] },
      canUseTool: nobody,
    });
    expect(exits.ran).toEqual([]);
    expect(exits.results[0]?.content).toContain('not now');
    const fails = await change(['a'], {
      hooks: {
        PermissionRequest: [{ onFailure: 'block', hooks: [() => Promise.reject(new Error('broken'))] }],
      },
      canUseTool: nobody,
    });
    expect(fails.ran).toEqual([]);
  });

  it('LO-26: one that fails has no opinion: the person is asked', async () => {
    const { ran } = await change(['a'], {
      hooks: { PermissionRequest: [{ hooks: [() => Promise.reject(new Error('broken'))] }] },
      canUseTool: async () => ({ behavior: 'allow' }),
    });
    expect(ran).toHaveLength(1);
  });

  it('LO-27: an interrupt ends the turn: later calls do not run, there is no Stop, the session goes on', async () => {
    const { ran, result, results, of, loop } = await change(['a', 'b'], {
      together: true,
      hooks: decide({ behavior: 'deny', message: 'Enough!', interrupt: true }),
    });
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ terminal_reason: 'permission_interrupt', is_error: false, num_turns: 1 });
    expect(results.map(({ tool_use_id, is_error }) => [tool_use_id, is_error])).toEqual([
      ['use-a', true],
      ['use-b', true],
    ]);
    expect(of('PermissionRequest')).toHaveLength(1);
    expect(of('Stop')).toEqual([]);
    for await (const message of loop.run('Something else.'))
      if (message.type === 'result') expect(message.terminal_reason).toBe('completed');
  });
});

const structuredCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
