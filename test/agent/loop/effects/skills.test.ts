/** Skills: loaded by the model or by a prompt, seen by hooks from then on. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type SkillDefinition, skillPrompt } from '../../../../src/agent/tools/skill.js';
import type { HookConfig } from '../../../../src/index.js';
import { makeLoop, readRun, runLoop } from '../support/run-loop.js';

const REVIEW: SkillDefinition = {
  description: 'Reviews code.',
  prompt: 'Review $0, then all of: $ARGUMENTS.',
};
const load = (skill: string, args?: string) => ({
  tools: [{ id: 'call-1', name: 'Skill', input: { skill, ...(args !== undefined && { args }) } }],
});
const DONE = { text: 'Done.' };
const parse = (line: string): unknown => JSON.parse(line);
const lastRead = (requests: readonly { readonly messages: readonly unknown[] }[]): string =>
  JSON.stringify(requests.at(-1)?.messages.at(-1));

describe('the prompt of a skill', () => {
  it.each([
    ['$0 and $1', 'a "b c"', 'a and b c'],
    ['$ARGUMENTS[1] of $ARGUMENTS', "a 'b c'", "b c of a 'b c'"],
    ['all: $ARGUMENTS', '$0 $1', 'all: $0 $1'],
    ['only $3', 'a', 'only '],
    ['costs $5000x', '', 'costs $5000x'],
    ['plain', 'a b', 'plain\n\nARGUMENTS: a b'],
    ['plain', '', 'plain'],
  ])('LO-64: %j with %j is %j', (prompt, args, expected) => {
    expect(skillPrompt({ description: '', prompt }, args)).toBe(expected);
  });

  it('LO-64: names the directory of its files', () => {
    expect(skillPrompt({ description: '', prompt: 'Go.', folder: '/skills/go' }, '')).toBe(
      'The files of this skill are in /skills/go.\n\nGo.',
    );
  });
});

describe('the tool Skill', () => {
  it('LO-64: lists what the model may load, and loads it', async () => {
    const skills = { review: REVIEW, deploy: { ...REVIEW, loadedBy: 'user' as const } };
    const { requests, messages } = await runLoop({
      turns: [load('review', 'src'), load('deploy'), DONE],
      options: { skills },
    });
    const tool = requests[0]?.tools.find(({ name }) => name === 'Skill');
    expect(tool?.description).toContain('- review: Reviews code.');
    expect(tool?.description).not.toContain('deploy');
    expect(JSON.stringify(requests[1]?.messages)).toContain('Review src, then all of: src.');
    expect(lastRead(requests)).toContain('There is no skill \\"deploy\\". Available: review.');
    expect(messages[0]).toMatchObject({ subtype: 'init', skills: ['review', 'deploy'] });
  });

  it('LO-64: is absent without a skill for the model', async () => {
    const { requests } = await runLoop({
      turns: [DONE],
      options: { skills: { deploy: { ...REVIEW, loadedBy: 'user' } } },
    });
    expect(requests[0]?.tools.map(({ name }) => name)).not.toContain('Skill');
  });
});

describe('a prompt that loads a skill', () => {
  const watch = (seen: unknown[]): HookConfig => ({
    UserPromptSubmit: [{ hooks: [(input) => void seen.push(input)] }],
    UserPromptExpansion: [{ hooks: [(input) => void seen.push(input)] }],
  });

  it('LO-65: fires UserPromptSubmit, then UserPromptExpansion, and the model reads the skill', async () => {
    const seen: unknown[] = [];
    const { requests } = await runLoop({
      turns: [DONE],
      hooks: watch(seen),
      options: { skills: { review: { ...REVIEW, source: 'projectSettings' } } },
      prompt: '/review src now',
    });
    expect(seen).toMatchObject([
      { hook_event_name: 'UserPromptSubmit', prompt: '/review src now' },
      {
        hook_event_name: 'UserPromptExpansion',
        expansion_type: 'slash_command',
        command_name: 'review',
        command_args: 'src now',
        command_source: 'projectSettings',
        prompt: '/review src now',
      },
    ]);
    expect(lastRead(requests)).toContain('<command-name>/review</command-name>');
    expect(lastRead(requests)).toContain('Review src, then all of: src now.');
  });

  it('TS-32: its line in the transcript is the command, and what it loads is a line that no person wrote', async () => {
    const { loop, requests } = await makeLoop({ turns: [DONE], options: { skills: { review: REVIEW } } });
    await readRun(loop.run('/review src'));
    const { transcriptPath } = await loop.session();
    await loop.close();
    const [command, loaded] = readFileSync(transcriptPath, 'utf8').trim().split('\n').map(parse);
    expect(command).toMatchObject({
      type: 'user',
      message: { content: '<command-name>/review</command-name>\n<command-args>src</command-args>' },
    });
    expect(command).not.toHaveProperty('isMeta');
    expect(loaded).toMatchObject({ message: { content: 'Review src, then all of: src.' }, isMeta: true });
    expect(requests[0]?.messages).toHaveLength(1);
  });

  it('LO-65: the short name of a skill is enough, and hooks see the whole one', async () => {
    const seen: unknown[] = [];
    const { requests } = await runLoop({
      turns: [DONE],
      hooks: watch(seen),
      options: { skills: { 'my-plugin:review': REVIEW, 'other:review': { ...REVIEW, loadedBy: 'model' } } },
      prompt: '/review src',
    });
    expect(seen[1]).toMatchObject({ command_name: 'my-plugin:review', prompt: '/review src' });
    expect(lastRead(requests)).toContain('<command-name>/my-plugin:review</command-name>');
  });

  it('LO-65: a short name that two skills have loads neither', async () => {
    const { requests } = await runLoop({
      turns: [DONE],
      options: { skills: { 'one:review': REVIEW, 'two:review': REVIEW } },
      prompt: '/review src',
    });
    expect(lastRead(requests)).toContain('/review src');
    expect(lastRead(requests)).not.toContain('command-name');
  });

  it('LO-65: a hook that refuses keeps it from the model', async () => {
    const { requests, result } = await runLoop({
      turns: [DONE],
      hooks: {
        UserPromptExpansion: [
          { matcher: 'review', hooks: [() => ({ decision: 'block', reason: 'not on Fridays' })] },
        ],
      },
      options: { skills: { review: REVIEW } },
      prompt: '/review src',
    });
    expect(requests).toHaveLength(0);
    expect(result).toMatchObject({ terminal_reason: 'prompt_blocked' });
    expect(result.result).toContain('A UserPromptExpansion hook blocked the prompt:\nnot on Fridays');
  });

  it('LO-65: context of the hook comes with it', async () => {
    const hookSpecificOutput = {
      hookEventName: 'UserPromptExpansion',
      additionalContext: 'mind the tests',
    } as const;
    const { requests } = await runLoop({
      turns: [DONE],
      hooks: { UserPromptExpansion: [{ hooks: [() => ({ hookSpecificOutput })] }] },
      options: { skills: { review: REVIEW } },
      prompt: '/review src',
    });
    expect(lastRead(requests)).toContain('mind the tests');
  });

  it.each(['/etc/hosts is odd', '/unknown', 'say /review'])(
    'LO-65: %j is a prompt like any other',
    async (prompt) => {
      const seen: unknown[] = [];
      const { requests } = await runLoop({
        turns: [DONE],
        hooks: watch(seen),
        options: { skills: { review: REVIEW, toString: { ...REVIEW, loadedBy: 'model' as const } } },
        prompt,
      });
      expect(seen).toHaveLength(1);
      expect(lastRead(requests)).toContain(prompt);
    },
  );
});

describe('hooks after a skill was loaded', () => {
  it('LO-66: see its name in every input, until the conversation is cleared', async () => {
    const seen: unknown[] = [];
    const { loop } = await makeLoop({
      turns: [DONE, load('review'), DONE, DONE, DONE],
      hooks: {
        Stop: [{ hooks: [({ active_skills }) => void seen.push(active_skills)] }],
      },
      options: { skills: { review: REVIEW, plan: REVIEW } },
    });
    for (const prompt of ['plain', 'use it', '/plan x']) await readRun(loop.run(prompt));
    await readRun(loop.clear());
    await readRun(loop.run('plain again'));
    expect(seen).toEqual([undefined, ['review'], ['review', 'plan'], undefined]);
  });
});
