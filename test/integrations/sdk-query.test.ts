import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSdkMcpServer, type HookCallback, tool } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toSdkHooks } from '../../src/integrations/claude-agent-sdk/index.js';
import { gate, makeRunner, watchProcess } from '../support/runner.js';
import type { Turn } from './support/messages-server.js';
import { countIn, startQuery } from './support/sdk-run.js';

watchProcess();

const shell = (id: string, command: string): Turn => [{ id, name: 'Bash', input: { command } }];

describe('a real query', { timeout: 180_000 }, () => {
  it('AD-4: a tool that a hook denies is not run, and the model reads why', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { matcher: 'Ba*' }, () => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'not on my watch',
      },
    }));
    const run = await startQuery({
      turns: [shell('toolu_1', 'touch made'), 'Understood.'],
      options: { hooks: toSdkHooks(runner) },
    });
    await run.finish();
    expect(existsSync(join(run.project, 'made'))).toBe(false);
    expect(run.server.lastSaid(1)).toContain('not on my watch');
    expect(run.server.requests).toHaveLength(2);
  });

  it('AD-4: hooks rewrite an input one after another, and what comes out is run', async () => {
    const { runner } = makeRunner();
    const append = (text: string) => (input: { tool_input: unknown }) => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse' as const,
        updatedInput: { command: `${(input.tool_input as { command: string }).command}${text}` },
      },
    });
    runner.on('PreToolUse', append(' > made'));
    runner.on('PreToolUse', append('; echo second >> made'));
    const seen: unknown[] = [];
    runner.on('PostToolUse', ({ tool_input }) => void seen.push(tool_input));
    const theirs: string[] = [];
    const merged: HookCallback = async (input) => {
      theirs.push(input.hook_event_name);
      return {};
    };
    const run = await startQuery({
      turns: [shell('toolu_1', 'echo first'), 'Done.'],
      options: { hooks: toSdkHooks(runner, { merge: { PreToolUse: [{ hooks: [merged] }] } }) },
    });
    await run.finish();
    expect(readFileSync(join(run.project, 'made'), 'utf8')).toBe('first\nsecond\n');
    expect(seen).toEqual([{ command: 'echo first > made; echo second >> made' }]);
    expect(theirs).toEqual(['PreToolUse']);
  });

  it('AD-5: context from every place reaches the next request, once', async () => {
    const { runner } = makeRunner();
    runner.on('UserPromptSubmit', () => ({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'told with the prompt' },
    }));
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'told before the tool' },
    }));
    runner.on('PostToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'told after the tool' },
    }));
    runner.on('PostToolUseFailure', () => ({
      hookSpecificOutput: {
        hookEventName: 'PostToolUseFailure',
        additionalContext: 'told after the failure',
      },
    }));
    const run = await startQuery({
      turns: [shell('toolu_1', 'true'), shell('toolu_2', 'exit 3'), 'Done.'],
      options: { hooks: toSdkHooks(runner) },
    });
    await run.finish();
    const { server } = run;
    expect(countIn(server.said(0), 'told with the prompt')).toBe(1);
    expect(countIn(server.said(1), 'told before the tool')).toBe(1);
    expect(countIn(server.said(1), 'told after the tool')).toBe(1);
    expect(countIn(server.said(2), 'told after the failure')).toBe(1);
    expect(countIn(server.said(2), 'told after the tool')).toBe(1);
  });

  it('AD-6: a turn goes on when a hook says so, and not for ever', async () => {
    const { runner } = makeRunner();
    const active: boolean[] = [];
    runner.on('Stop', ({ stop_hook_active }) => {
      active.push(stop_hook_active);
      return { continue: true, reason: 'there is more to do' };
    });
    const run = await startQuery({
      turns: ['One.', 'Two.', 'Three.', 'Four.'],
      options: { hooks: toSdkHooks(runner, { maxStops: 2 }) },
    });
    const messages = await run.finish();
    expect(active).toEqual([false, true, true]);
    expect(run.server.requests).toHaveLength(3);
    expect(run.server.lastSaid(1)).toContain('there is more to do');
    expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'success', result: 'Three.' });
  });

  it('AD-5: the output of an MCP tool is replaced, in whatever form a hook gives it', async () => {
    const { runner } = makeRunner();
    runner.on('PostToolUse', { matcher: 'mcp__vault__*' }, ({ tool_response }) => ({
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        updatedMCPToolOutput: { content: [{ type: 'text', text: `hidden ${Array.isArray(tool_response)}` }] },
      },
    }));
    const vault = createSdkMcpServer({
      name: 'vault',
      tools: [
        tool('open', 'opens it', { name: z.string() }, async () => ({
          content: [{ type: 'text', text: 'the secret' }],
        })),
      ],
    });
    const run = await startQuery({
      turns: [[{ id: 'toolu_1', name: 'mcp__vault__open', input: { name: 'a' } }], 'Done.'],
      options: { hooks: toSdkHooks(runner), mcpServers: { vault } },
    });
    await run.finish();
    expect(run.server.lastSaid(1)).toContain('hidden true');
    expect(run.server.said(1)).not.toContain('the secret');
  });

  it('AD-8: a hook that ends the run before a tool keeps it, and every later one, from running', async () => {
    const { runner } = makeRunner();
    let asked = 0;
    runner.on('PreToolUse', () => {
      asked += 1;
      return { continue: false, stopReason: 'enough for today' };
    });
    const run = await startQuery({
      turns: [shell('toolu_1', 'touch made'), shell('toolu_2', 'touch made'), 'Done.'],
      options: { hooks: toSdkHooks(runner) },
    });
    await run.finish();
    expect(existsSync(join(run.project, 'made'))).toBe(false);
    expect(asked).toBe(1);
    expect(run.server.lastSaid(1)).toContain('enough for today');
  });

  it('AD-10: a guard that fails refuses; so does a runner that cannot be asked any more', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { matcher: 'Bash', onFailure: 'block' }, () => {
      throw new Error('the guard is broken');
    });
    runner.on('PreToolUse', { matcher: 'Write' }, () => void runner.dispose());
    const run = await startQuery({
      turns: [
        shell('toolu_1', 'touch made'),
        [{ id: 'toolu_2', name: 'Write', input: { file_path: 'made', content: '' } }],
        shell('toolu_3', 'touch made'),
        'Done.',
      ],
      options: { hooks: toSdkHooks(runner) },
    });
    await run.finish();
    expect(existsSync(join(run.project, 'made'))).toBe(false);
    expect(run.server.lastSaid(1)).toContain('the guard is broken');
    expect(run.server.lastSaid(3)).toContain('could not be run');
  });

  it('AD-16: a query that is aborted while a hook runs ends the hook, and nothing is left to complain', async () => {
    const { runner } = makeRunner();
    const began = gate();
    const ended = gate<string>();
    runner.on('PreToolUse', (_input, _id, { signal }) => {
      began.open();
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          ended.open('aborted');
          resolve({});
        }),
      );
    });
    const abortController = new AbortController();
    const hooks = toSdkHooks(runner, { signal: abortController.signal });
    const run = await startQuery({
      turns: [shell('toolu_1', 'touch made'), 'Done.'],
      options: { hooks, abortController },
    });
    const finished = run.finish().catch((error: unknown) => error);
    await began.passed;
    abortController.abort();
    expect(await ended.passed).toBe('aborted');
    expect(await finished).toBeInstanceOf(Error);
    expect(existsSync(join(run.project, 'made'))).toBe(false);
  });
});
