import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { watchProcess } from '../../../support/runner.js';
import { readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { expectValid, story, textOf, watchLoop } from './support.js';

watchProcess();

describe('the points of a run', () => {
  it('LO-1: a prompt passes SessionStart, UserPromptSubmit, its tools and Stop; closing passes SessionEnd', async () => {
    const { loop, seen, requests } = await watchLoop({
      turns: [
        { tools: [{ name: 'Note', input: { text: 'a' } }] },
        { tools: [{ name: 'Fail', input: { text: 'b' } }] },
        { text: 'Done.' },
      ],
      options: { tools: testTools().tools },
    });
    const { result } = await readRun(loop.run('Do it.'));
    expect(story(seen)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse:Note',
      'PostToolUse:Note',
      'PreToolUse:Fail',
      'PostToolUseFailure:Fail',
      'Stop',
    ]);
    await loop.close('prompt_input_exit');
    expect(seen.at(-1)).toMatchObject({ event: 'SessionEnd', input: { reason: 'prompt_input_exit' } });
    expect(seen).toHaveLength(8);
    expect(result).toMatchObject({
      terminal_reason: 'completed',
      is_error: false,
      result: 'Done.',
      num_turns: 3,
    });
    expectValid(requests);
  });

  it.each(['init', 'maintenance'] as const)(
    'LO-1: Setup (%s) comes before the start of the session',
    async (setup) => {
      const { loop, seen } = await watchLoop({ turns: [{ text: 'Done.' }], options: { setup } });
      await readRun(loop.run('Do it.'));
      expect(story(seen)).toEqual(['Setup', 'SessionStart', 'UserPromptSubmit', 'Stop']);
      expect(seen[0]?.input).toMatchObject({ trigger: setup });
    },
  );

  it('LO-1: start() fires the beginning alone, and the first prompt does not fire it again', async () => {
    const { loop, seen } = await watchLoop({ turns: [{ text: 'Done.' }], options: { setup: 'init' } });
    await loop.start();
    await loop.start();
    expect(story(seen)).toEqual(['Setup', 'SessionStart']);
    await readRun(loop.run('Do it.'));
    expect(story(seen).slice(2)).toEqual(['UserPromptSubmit', 'Stop']);
  });

  it('LO-1: a session in which nothing was begun has no end either', async () => {
    const { loop, seen } = await watchLoop();
    await loop.close();
    expect(seen).toEqual([]);
  });

  it('LO-1: the session ends once, however often it is closed', async () => {
    const { loop, of } = await watchLoop({ turns: [{ text: 'Done.' }] });
    await readRun(loop.run('Do it.'));
    await Promise.all([loop.close(), loop.close('logout')]);
    await loop[Symbol.asyncDispose]();
    expect(of('SessionEnd').map(({ reason }) => reason)).toEqual(['other']);
  });

  it('LO-1: several prompts begin one session and stop each for itself', async () => {
    const { loop, seen } = await watchLoop({ turns: [{ text: 'One.' }, { text: 'Two.' }] });
    await readRun(loop.run('First'));
    await readRun(loop.run('Second'));
    await loop.close();
    expect(story(seen)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'Stop',
      'UserPromptSubmit',
      'Stop',
      'SessionEnd',
    ]);
  });
});

describe('what hooks find', () => {
  it('LO-3: prompt_id is there from the first prompt on, and each prompt has its own', async () => {
    const { loop, seen, of } = await watchLoop({
      turns: [{ tools: [{ name: 'Note', input: { text: 'a' } }] }, { text: 'One.' }, { text: 'Two.' }],
      options: { tools: testTools().tools, setup: 'init' },
    });
    await readRun(loop.run('First'));
    await readRun(loop.run('Second'));
    await loop.close();
    const ids = seen.map(({ input }) => input['prompt_id']);
    const [first, second] = of('UserPromptSubmit').map((input) => input['prompt_id']);
    expect(first).toEqual(expect.any(String));
    expect(second).not.toBe(first);
    expect(ids).toEqual([undefined, undefined, first, first, first, first, second, second, second]);
  });

  it('LO-3: every input names the session, its transcript, the directory and the mode', async () => {
    const { loop, seen, cwd } = await watchLoop({
      turns: [{ text: 'Done.' }],
      options: { sessionId: 'session-7', permissions: { mode: 'acceptEdits' } },
    });
    await readRun(loop.run('Do it.'));
    const { id, transcriptPath } = await loop.session();
    await loop.close();
    expect(id).toBe('session-7');
    expect(existsSync(transcriptPath)).toBe(true);
    for (const { input } of seen)
      expect(input).toMatchObject({
        session_id: 'session-7',
        transcript_path: transcriptPath,
        cwd,
        permission_mode: 'acceptEdits',
      });
  });

  it('LO-3: permission_mode follows setPermissionMode', async () => {
    const { loop, of } = await watchLoop({ turns: [{ text: 'One.' }, { text: 'Two.' }] });
    await readRun(loop.run('First'));
    await loop.setPermissionMode('plan');
    await readRun(loop.run('Second'));
    expect(of('Stop').map((input) => input['permission_mode'])).toEqual(['default', 'plan']);
  });

  it('LO-3: cwd follows cd, for hooks and for the tools after it', async () => {
    const { loop, of, cwd } = await watchLoop({
      turns: [
        { tools: [{ name: 'Bash', input: { command: 'mkdir deep && cd deep' } }] },
        { tools: [{ name: 'Bash', input: { command: 'pwd' } }] },
        { text: 'Done.' },
        { text: 'Still there.' },
      ],
      options: { permissions: { mode: 'bypassPermissions' } },
    });
    await readRun(loop.run('Go deeper.'));
    await readRun(loop.run('And now?'));
    const deep = `${cwd}/deep`;
    expect(of('PreToolUse').map((input) => input['cwd'])).toEqual([cwd, deep]);
    expect(of('PostToolUse').map((input) => input['cwd'])).toEqual([deep, deep]);
    expect(of('PostToolUse')[1]?.['tool_response']).toMatchObject({ stdout: deep });
    expect(of('UserPromptSubmit').map((input) => input['cwd'])).toEqual([cwd, deep]);
    expect(of('Stop').map((input) => input['cwd'])).toEqual([deep, deep]);
  });

  it('LO-3: what was said so far is in the transcript before a hook runs, also that of a subagent', async () => {
    const read: Record<string, string> = {};
    const keep =
      (name: string, key = 'transcript_path') =>
      (input: object): void => {
        read[name] = readFileSync((input as Record<string, string>)[key] ?? '', 'utf8');
      };
    const { loop } = await watchLoop({
      hooks: {
        PreToolUse: [{ matcher: 'Agent', hooks: [keep('PreToolUse')] }],
        SubagentStop: [{ hooks: [keep('SubagentStop', 'agent_transcript_path')] }],
        Stop: [{ hooks: [keep('Stop')] }],
      },
      turns: [
        {
          text: 'I ask somebody',
          tools: [{ name: 'Agent', input: { description: 'd', prompt: 'Dig.', subagent_type: 'digger' } }],
        },
        { text: 'The answer is 7' },
      ],
      options: {
        agents: {
          digger: { description: 'digs', prompt: 'Dig', model: scriptedModel([{ text: 'I dug up a 7' }]) },
        },
      },
    });
    await readRun(loop.run('What is it?'));
    expect(read['PreToolUse']).toContain('What is it?');
    expect(read['PreToolUse']).toContain('I ask somebody');
    expect(read['SubagentStop']).toContain('I dug up a 7');
    expect(read['Stop']).toContain('The answer is 7');
  });

  it('LO-3: without transcripts the path is empty and everything else is the same', async () => {
    const { loop, seen } = await watchLoop({ turns: [{ text: 'Done.' }], options: { transcripts: false } });
    await readRun(loop.run('Do it.'));
    expect(story(seen)).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop']);
    for (const { input } of seen) expect(input['transcript_path']).toBe('');
  });

  it('LO-3: a transcript that cannot be written is told, and the session goes on', async () => {
    const { loop } = await watchLoop({
      turns: [{ text: 'Done.' }],
      options: { transcripts: '/dev/null/no' },
    });
    const { messages, result } = await readRun(loop.run('Do it.'));
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'Done.' });
    const warnings = messages.filter((each) => each.type === 'system' && each.subtype === 'informational');
    expect(warnings).toEqual([
      expect.objectContaining({ level: 'warning', content: expect.stringContaining('cannot be written') }),
    ]);
    expect(textOf((await loop.conversation())[1])).toBe('Done.');
  });
});
