import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHookModel, type HookModelOptions } from '../../../../src/agent/loop/hook-model.js';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import type { Model, ModelRequest } from '../../../../src/agent/models/port.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import type { ScriptedTurn } from '../../../../src/agent/models/scripted-schema.js';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import { place } from '../../../dialects/claude-code/support.js';
import { gate, watchProcess } from '../../../support/runner.js';
import { abortAt } from '../abort/support.js';
import { kind, start } from '../agents/support.js';
import {
  expectValid,
  hangingModel,
  lastSaid,
  textOf,
  type WatchedLoop,
  watchLoop,
} from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';

watchProcess();

const YES = '{"ok": true}';
const no = (reason: string): string => JSON.stringify({ ok: false, reason });
const says = (...texts: readonly string[]): ScriptedTurn[] => texts.map((text) => ({ when: 'hook', text }));

interface Judged extends WatchedLoop {
  readonly ran: readonly { readonly text: string }[];
  /** What the judging model was asked. */
  readonly asked: readonly ModelRequest[];
}

/** A loop with one hook of a settings file, which a model of its own judges. */
async function judged(
  hook: { event: string; matcher?: string; type: 'prompt' | 'agent'; prompt: string; [key: string]: unknown },
  judge: readonly ScriptedTurn[] | Model,
  turns: readonly ScriptedTurn[],
  { asked = {}, ...options }: Partial<AgentLoopOptions> & { readonly asked?: HookModelOptions } = {},
): Promise<Judged> {
  const { event, matcher, ...fields } = hook;
  const asking = 'stream' in judge ? judge : scriptedModel(judge, { name: 'judge' });
  const { write, load } = place();
  write('workspace/.claude/settings.json', {
    hooks: { [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [fields] }] },
  });
  const { tools, ran } = testTools();
  const made = await watchLoop({
    prepare: async ({ runner, cwd }) => {
      writeFileSync(join(cwd, 'rules.txt'), 'no changes on Mondays');
      const config = await load({
        model: createHookModel(asking, { tools: builtInTools(), cwd, ...asked }),
      });
      expect(config.diagnostics).toEqual([]);
      runner.use(config);
    },
    turns,
    options: { tools: [...builtInTools(), ...tools], permissions: { allow: ['Change'] }, ...options },
  });
  return { ...made, ran, asked: 'requests' in asking ? (asking.requests as ModelRequest[]) : [] };
}

const changing: ScriptedTurn[] = [
  { tools: [{ name: 'Change', id: 'use-1', input: { text: 'a' } }] },
  { text: 'Done.' },
];

describe('a prompt of a settings file', () => {
  const guard = {
    event: 'PreToolUse',
    matcher: 'Change',
    type: 'prompt',
    prompt: 'Is this safe? $ARGUMENTS',
  } as const;

  it('LO-36: is answered by the model in one request, without tools and without the conversation', async () => {
    const { loop, asked, ran } = await judged(guard, says(YES), changing);
    const { result } = await readRun(loop.run('Change it.'));
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'Done.' });
    expect(ran).toHaveLength(1);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ purpose: 'hook', tools: [], system: expect.stringContaining('"ok"') });
    expect(asked[0]?.messages).toHaveLength(1);
    const question = textOf(asked[0]?.messages[0]);
    expect(question.startsWith('Is this safe? {')).toBe(true);
    expect(JSON.parse(question.slice('Is this safe? '.length))).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Change',
      tool_input: { text: 'a' },
    });
  });

  it('LO-36: a no refuses the call and ends the run, as settings files expect it', async () => {
    const { loop, ran, of } = await judged(guard, says(no('it is Monday')), changing);
    const { result } = await readRun(loop.run('Change it.'));
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ terminal_reason: 'hook_stopped', hook_stop_reason: 'it is Monday' });
    expect(JSON.stringify(await loop.conversation())).toContain('it is Monday');
    expect(of('Stop')).toEqual([]);
  });

  it('LO-36: with continueOnBlock the agent goes on, and reads why', async () => {
    const { loop, ran, requests } = await judged(
      { ...guard, continueOnBlock: true },
      says(no('it is Monday')),
      changing,
    );
    const { result } = await readRun(loop.run('Change it.'));
    expect(ran).toEqual([]);
    expect(result.terminal_reason).toBe('completed');
    expect(lastSaid(requests)).toContain('it is Monday');
  });

  it('LO-36: an answer that is no judgement is a failure of the hook, and the call goes on', async () => {
    const { loop, ran } = await judged(guard, says('I would rather not say.'), changing);
    const { messages } = await readRun(loop.run('Change it.'));
    expect(ran).toHaveLength(1);
    expect(messages).toContainEqual(
      expect.objectContaining({ subtype: 'hook_response', hook_event: 'PreToolUse', outcome: 'error' }),
    );
  });

  it('LO-36: a hook that names a model is asked of that one', async () => {
    const small = scriptedModel(says(YES), { name: 'small' });
    const { loop, asked } = await judged({ ...guard, model: 'tiny' }, says(YES), changing, {
      asked: { modelFor: (name) => (name === 'tiny' ? small : undefined) },
    });
    await readRun(loop.run('Change it.'));
    expect(small.requests).toHaveLength(1);
    expect(asked).toEqual([]);
  });

  it('LO-36: about stopping, it sees the whole conversation, and a no makes the agent go on', async () => {
    const { loop, asked, requests, of } = await judged(
      { event: 'Stop', type: 'prompt', prompt: 'Is it done?' },
      says(no('the tests are missing'), YES),
      [...changing, { text: 'Now with tests.' }],
    );
    const { result } = await readRun(loop.run('Change it.'));
    expect(result.result).toBe('Now with tests.');
    expect(lastSaid(requests)).toContain('the tests are missing');
    expect(of('Stop').map(({ stop_hook_active }) => stop_hook_active)).toEqual([false, true]);
    expectValid([...requests, ...asked]);
    expect(asked[0]?.messages.slice(0, -1).map(textOf)).toEqual([
      'Change it.',
      '{"text":"a"}',
      'Change: a',
      'Done.',
    ]);
    expect(textOf(asked[0]?.messages.at(-1))).toMatch(/^Is it done\?/);
    expect(asked[1]?.messages.slice(0, -1).map(textOf).at(-1)).toBe('Now with tests.');
  });

  it('LO-36: about the stopping of a subagent, it sees what that one said', async () => {
    const scout = kind([{ text: 'Nothing there.' }]);
    const { loop, asked } = await judged(
      { event: 'SubagentStop', type: 'prompt', prompt: 'Is it done?' },
      says(YES),
      [{ tools: [start('scout')] }, { text: 'All clear.' }],
      { agents: { scout: scout.definition } },
    );
    await readRun(loop.run('Is it safe?'));
    expect(asked[0]?.messages.slice(0, -1).map(textOf)).toEqual(['Work, scout.', 'Nothing there.']);
  });

  it('LO-7, LO-36: an abort ends it', async () => {
    const asked = gate();
    const made = await judged(
      guard,
      hangingModel(() => asked.open()),
      changing,
    );
    await abortAt(made, { begun: asked.passed });
    expect(made.ran).toEqual([]);
  });
});

describe('an agent of a settings file', () => {
  const guard = {
    event: 'PreToolUse',
    matcher: 'Change',
    type: 'agent',
    prompt: 'Do the rules allow it?',
  } as const;
  const reads: ScriptedTurn = { tools: [{ name: 'Read', input: { file_path: 'rules.txt' } }] };

  it('LO-36: looks into the matter with the tools that only read, and its last words count', async () => {
    const { loop, asked, ran, of, transcripts, requests } = await judged(
      guard,
      [reads, { text: no('the rules forbid it') }],
      changing,
    );
    const { result } = await readRun(loop.run('Change it.'));
    expect(ran).toEqual([]);
    expect(result.terminal_reason).toBe('completed');
    expect(lastSaid(requests)).toContain('the rules forbid it');
    const readOnly = builtInTools().flatMap((tool) => (tool.readOnly ? [tool.name] : []));
    expect(asked[0]?.tools.map(({ name }) => name)).toEqual(readOnly);
    expect(textOf(asked[0]?.messages[0])).toMatch(/^Do the rules allow it\?/);
    expect(lastSaid(asked)).toContain('no changes on Mondays');
    // Its own tools are no business of the hooks, which would wait for themselves, and it leaves no transcript.
    expect(of('PreToolUse').map(({ tool_name }) => tool_name)).toEqual(['Change']);
    expect(
      readdirSync(join(transcripts, 'projects')).flatMap((dir) =>
        readdirSync(join(transcripts, 'projects', dir)),
      ),
    ).toHaveLength(1);
  });

  it('LO-36: cannot change anything, even if it tries', async () => {
    const { loop, asked, cwd, ran } = await judged(
      guard,
      [{ tools: [{ name: 'Write', input: { file_path: 'mine.txt', content: 'x' } }] }, { text: YES }],
      changing,
    );
    await readRun(loop.run('Change it.'));
    expect(lastSaid(asked)).toContain('There is no tool Write');
    expect(readdirSync(cwd)).toEqual(['rules.txt']);
    expect(ran).toHaveLength(1);
  });

  it('LO-36: one whose model fails is a hook that fails', async () => {
    const { loop, ran } = await judged(
      guard,
      [{ error: { code: 'overloaded', message: 'too busy' } }],
      changing,
    );
    const { messages } = await readRun(loop.run('Change it.'));
    expect(ran).toHaveLength(1);
    expect(messages).toContainEqual(
      expect.objectContaining({ subtype: 'hook_response', hook_event: 'PreToolUse', outcome: 'error' }),
    );
  });

  it('LO-7, LO-36: an abort ends it', async () => {
    const asked = gate();
    const made = await judged(
      guard,
      hangingModel(() => asked.open()),
      changing,
    );
    await abortAt(made, { begun: asked.passed });
    expect(made.ran).toEqual([]);
  });
});
