/** What SessionStart and UserPromptSubmit hooks say about the session itself: its title, its first prompt. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { command, type HookConfig } from '../../../../src/index.js';
import { watchProcess } from '../../../support/runner.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';

watchProcess();

const DONE = { text: 'Done.' };
const starts = (own: object) => ({
  SessionStart: [
    { hooks: [() => ({ hookSpecificOutput: { hookEventName: 'SessionStart', ...own } }) as never] },
  ],
});

describe('the title of a session', () => {
  it('LO-68: hooks set it, later hooks see it, and a resumed session has it', async () => {
    const seen: unknown[] = [];
    const hooks: HookConfig = {
      ...starts({ sessionTitle: 'auth-refactor' }),
      UserPromptSubmit: [
        {
          hooks: [
            ({ session_title, prompt }) => {
              seen.push(session_title);
              if (prompt !== 'Rename.') return {};
              return {
                hookSpecificOutput: { hookEventName: 'UserPromptSubmit', sessionTitle: 'login' },
              };
            },
          ],
        },
      ],
    };
    const { loop } = await makeLoop({ hooks, turns: [DONE, DONE, DONE], options: { title: 'given' } });
    await readRun(loop.run('Go.'));
    await readRun(loop.run('Rename.'));
    await readRun(loop.run('Go.'));
    expect(seen).toEqual(['auth-refactor', 'auth-refactor', 'login']);
    const { transcriptPath, title } = await loop.session();
    expect(title).toBe('login');
    await loop.close();
    const lines = readFileSync(transcriptPath, 'utf8').trim().split('\n');
    const titles = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'custom-title');
    expect(titles.map(({ customTitle }) => customTitle)).toEqual(['given', 'auth-refactor', 'login']);

    const started: unknown[] = [];
    const again = await makeLoop({
      hooks: { SessionStart: [{ hooks: [({ session_title }) => void started.push(session_title)] }] },
      turns: [DONE],
      options: { resume: transcriptPath },
    });
    await readRun(again.loop.run('Go on.'));
    expect([started, (await again.loop.session()).title]).toEqual([['login'], 'login']);
    await again.loop.rename('third');
    expect((await again.loop.session()).title).toBe('third');
    await expect(again.loop.rename(' ')).rejects.toMatchObject({ code: 'invalid_option' });
  });

  it('LO-68: is not set after a clear', async () => {
    const { loop } = await makeLoop({ hooks: starts({ sessionTitle: 'x' }), turns: [DONE] });
    await readRun(loop.clear());
    await loop.rename('mine');
    await readRun(loop.clear());
    expect((await loop.session()).title).toBe('mine');
  });
});

describe('a first prompt of SessionStart hooks', () => {
  it('LO-69: is a turn of its own before the prompt, once', async () => {
    const hooks = starts({ initialUserMessage: 'Read the plan.' });
    const { loop, requests } = await makeLoop({ hooks, turns: [{ text: 'Read.' }, DONE, DONE] });
    const { messages } = await readRun(loop.run('Go.'));
    const results = messages.flatMap((message) => (message.type === 'result' ? [message.result] : []));
    expect(results).toEqual(['Read.', 'Done.']);
    expect(JSON.stringify(requests[0]?.messages)).toContain('Read the plan.');
    await readRun(loop.run('Again.'));
    expect(requests).toHaveLength(3);
  });

  it('LO-69: can be all there is: run() without a prompt', async () => {
    const hooks = starts({ initialUserMessage: 'Read the plan.' });
    const { loop, requests } = await makeLoop({ hooks, turns: [{ text: 'Read.' }] });
    await loop.start();
    expect((await loop.session()).firstPrompts).toEqual(['Read the plan.']);
    expect((await readRun(loop.run())).result.result).toBe('Read.');
    expect(requests).toHaveLength(1);
  });

  it('LO-69: is not used when a person writes the prompts, whose source is user', async () => {
    const sources: unknown[] = [];
    const hooks: HookConfig = {
      ...starts({ initialUserMessage: 'Read the plan.' }),
      UserPromptSubmit: [{ hooks: [({ source }) => void sources.push(source)] }],
    };
    const { loop, requests } = await makeLoop({ hooks, turns: [DONE] });
    await readRun(loop.run('Go.', { source: 'user' }));
    expect([sources, requests.length]).toEqual([['user'], 1]);
  });
});

describe('the effort of the model', () => {
  it('LO-70: is in the inputs of events within a turn, and a variable of commands', async () => {
    const seen: Record<string, unknown> = {};
    const look = ({ hook_event_name, effort }: { hook_event_name: string; effort?: unknown }) => {
      seen[hook_event_name] = effort;
    };
    const hooks = Object.fromEntries(
      ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop', 'SessionEnd'].map((event) => [
        event,
        [{ hooks: [look] }],
      ]),
    ) as HookConfig;
    const says = { dialect: 'claude-code', hooks: [command('echo "$CLAUDE_EFFORT" > effort.txt')] } as const;
    const { loop, cwd } = await makeLoop({
      hooks: { ...hooks, PostToolUse: [says] },
      options: {
        tools: testTools().tools,
        model: {
          ...scriptedModel([{ tools: [{ name: 'Note', input: { text: 'a' } }] }, DONE]),
          effort: 'high',
        },
      },
    });
    await readRun(loop.run('Go.'));
    await loop.close();
    expect(seen).toEqual({
      SessionStart: undefined,
      UserPromptSubmit: undefined,
      PreToolUse: { level: 'high' },
      Stop: { level: 'high' },
      SessionEnd: undefined,
    });
    expect(readFileSync(`${cwd}/effort.txt`, 'utf8')).toBe('high\n');
  });
});
