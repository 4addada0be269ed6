import type { CanUseTool as SdkCanUseTool } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import type { CanUseTool, PermissionAnswer } from '../../../../src/agent/loop/ask-permission.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import { watchProcess } from '../../../support/runner.js';
import { watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { change } from './support.js';

watchProcess();

const asking = (reason: string) => ({
  PreToolUse: [
    {
      hooks: [
        () => ({
          hookSpecificOutput: {
            hookEventName: 'PreToolUse' as const,
            permissionDecision: 'ask' as const,
            permissionDecisionReason: reason,
          },
        }),
      ],
    },
  ],
});

describe('a person who is asked for permission', () => {
  it('LO-26: is told the tool, its input, the call, why, and what could be agreed to', async () => {
    const asked: unknown[] = [];
    await change(['a'], {
      canUseTool: async (...args) => {
        asked.push(args);
        return { behavior: 'allow' };
      },
    });
    expect(asked).toEqual([
      [
        'Change',
        { text: 'a' },
        {
          signal: expect.any(AbortSignal),
          toolUseID: 'use-a',
          decisionReason: expect.stringContaining('Change'),
          suggestions: [
            {
              type: 'addRules',
              rules: [{ toolName: 'Change' }],
              behavior: 'allow',
              destination: expect.any(String),
            },
          ],
          agentID: undefined,
        },
      ],
    ]);
  });

  it('LO-26: may be a function that was written for the Agent SDK', async () => {
    const sdk: SdkCanUseTool = async (_, input, { suggestions }) => ({
      behavior: 'allow',
      updatedInput: { ...input, text: 'b' },
      ...(suggestions && { updatedPermissions: suggestions }),
    });
    // The SDK wants the input as a mutable record, which ours is at run time.
    const { ran, of } = await change(['a', 'c'], { canUseTool: sdk as unknown as CanUseTool });
    expect(ran.map(({ text }) => text)).toEqual(['b', 'c']);
    expect(of('PermissionRequest')).toHaveLength(1);
  });

  it('LO-27: may change the input, which is checked again', async () => {
    const better = await change(['a'], {
      canUseTool: async () => ({ behavior: 'allow', updatedInput: { text: 'b' } }),
    });
    expect(better.ran).toEqual([{ name: 'Change', text: 'b' }]);
    expect(better.of('PostToolUse')[0]).toMatchObject({ tool_input: { text: 'b' } });
    // Who gives permission decides what runs: guards have seen the call as it was asked about.
    expect(better.of('PreToolUse')).toMatchObject([{ tool_input: { text: 'a' } }]);
    const worse = await change(['a'], {
      canUseTool: async () => ({ behavior: 'allow', updatedInput: { words: 'b' } }),
    });
    expect(worse.ran).toEqual([]);
    expect(worse.results[0]).toMatchObject({ is_error: true, content: expect.stringContaining('text') });
    const denied = await change(['a'], {
      permissions: { deny: ['Change(text:secret)'] },
      canUseTool: async () => ({ behavior: 'allow', updatedInput: { text: 'secret' } }),
    });
    expect(denied.ran).toEqual([]);
  });

  it('LO-26: a no with a message is what the model reads; one without says that it was refused', async () => {
    const said = await change(['a'], {
      canUseTool: async () => ({ behavior: 'deny', message: 'Use a copy' }),
    });
    expect(said.ran).toEqual([]);
    expect(said.results[0]).toMatchObject({ is_error: true, content: expect.stringContaining('Use a copy') });
    expect(said.result.permission_denials).toHaveLength(1);
    const silent = await change(['a'], { canUseTool: async () => ({ behavior: 'deny' }) });
    expect(silent.ran).toEqual([]);
    expect(silent.results[0]).toMatchObject({ is_error: true, content: expect.stringContaining('refused') });
  });

  it('LO-27: may end the turn', async () => {
    const { result, of } = await change(['a'], {
      canUseTool: async () => ({ behavior: 'deny', message: 'Stop that', interrupt: true }),
    });
    expect(result).toMatchObject({ terminal_reason: 'permission_interrupt', num_turns: 1 });
    expect(of('Stop')).toEqual([]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no terminal');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no terminal'))],
  ])('LO-26: a question that %s is answered with no', async (_, canUseTool) => {
    const { ran, results, result } = await change(['a'], { canUseTool });
    expect(ran).toEqual([]);
    expect(result.terminal_reason).toBe('completed');
    expect(results[0]).toMatchObject({ is_error: true, content: expect.stringContaining('no terminal') });
  });

  it.each([
    ['nothing', undefined],
    ['true', true],
    ['a word', 'allow'],
    ['another behaviour', { behavior: 'approve' }],
    ['no behaviour', { updatedInput: { text: 'b' } }],
  ])('LO-26: an answer that is none (%s) is no permission', async (_, answer) => {
    const { ran, results, result } = await change(['a'], {
      canUseTool: async () => answer as unknown as PermissionAnswer,
    });
    expect(ran).toEqual([]);
    expect(result.terminal_reason).toBe('completed');
    expect(results[0]).toMatchObject({ is_error: true, content: expect.stringContaining('behavior') });
  });

  it('LO-26: hears which agent asks', async () => {
    const { tools } = testTools();
    const agents: unknown[] = [];
    const model = scriptedModel([{ tools: [{ name: 'Change', input: { text: 'a' } }] }, { text: 'Done.' }]);
    const { loop, of } = await watchLoop({
      turns: [
        { tools: [{ name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'digger' } }] },
        { text: 'Done.' },
      ],
      options: {
        tools: [...builtInTools(), ...tools],
        agents: { digger: { description: '', prompt: '', model } },
        canUseTool: async (_, __, { agentID }) => {
          agents.push(agentID);
          return { behavior: 'allow' };
        },
      },
    });
    await readRun(loop.run('Go.'));
    expect(agents).toEqual([of('SubagentStart')[0]?.['agent_id']]);
    expect(of('PermissionRequest')[0]).toMatchObject({ agent_id: agents[0], agent_type: 'digger' });
  });
});

describe('where nobody is there', () => {
  it('LO-26: the call is refused with a sentence that says so, and the agent goes on', async () => {
    const { ran, results, result } = await change(['a']);
    expect(ran).toEqual([]);
    expect(results[0]).toMatchObject({
      is_error: true,
      content: expect.stringContaining('there is no user to ask'),
    });
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'Done.' });
    expect(result.permission_denials).toHaveLength(1);
  });

  it('LO-26: the question of a hook is refused with the reason of that hook; no other hook is asked instead', async () => {
    const { ran, results, of } = await change(['a'], {
      hooks: asking('Mondays are sacred'),
      permissions: { mode: 'bypassPermissions', allow: ['Change'] },
    });
    expect(ran).toEqual([]);
    expect(results[0]).toMatchObject({
      is_error: true,
      content: expect.stringContaining('Mondays are sacred'),
    });
    expect(of('PermissionRequest')).toEqual([]);
  });

  it('LO-26: the question of a hook reaches a person who is there, without suggestions, whatever rules say', async () => {
    const asked: unknown[] = [];
    const { ran, of } = await change(['a'], {
      hooks: asking('Mondays are sacred'),
      permissions: { allow: ['Change'] },
      canUseTool: async (_, __, { suggestions, decisionReason }) => {
        asked.push([suggestions, decisionReason]);
        return { behavior: 'allow' };
      },
    });
    expect(ran).toHaveLength(1);
    expect(asked).toEqual([[undefined, expect.stringContaining('Mondays are sacred')]]);
    expect(of('PermissionRequest')).toHaveLength(1);
    expect(of('PermissionRequest')[0]).not.toHaveProperty('permission_suggestions');
  });
});
