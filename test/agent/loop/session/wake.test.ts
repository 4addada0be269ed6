/** A hook in the background wakes the agent, while it works and when it is idle. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, type HookConfig } from '../../../../src/index.js';
import { watchProcess } from '../../../support/runner.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';

watchProcess();

const DONE = { text: 'Done.' };
const note = { tools: [{ name: 'Note', input: { text: 'a' } }] };
/** Lasts until the file is there. */
const waitFor = (name: string): string => `until [ -e ${name} ]; do sleep 0.02; done;`;
const review = command(`${waitFor('go')} echo 'a leak' >&2; exit 2`, {
  asyncRewake: true,
  rewakeMessage: 'The review found:',
  rewakeSummary: 'Review: 1 finding',
});

describe('a hook that wakes the agent', () => {
  it('LO-67: calls onWake when no run is in progress; run() without a prompt lets the agent read it', async () => {
    const sources: unknown[] = [];
    const hooks: HookConfig = {
      PostToolUse: [{ hooks: [review] }],
      UserPromptSubmit: [{ hooks: [({ source, prompt }) => void sources.push([source, prompt])] }],
    };
    let wake = (): void => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const { loop, requests, cwd } = await makeLoop({
      hooks,
      turns: [note, DONE, { text: 'Mended.' }],
      options: { tools: testTools().tools, onWake: () => wake() },
    });
    const first = await readRun(loop.run('Go.'));
    expect(first.result).toMatchObject({ terminal_reason: 'completed', result: 'Done.' });
    writeFileSync(join(cwd, 'go'), '');
    await woken;
    const second = await readRun(loop.run());
    expect(second.result.result).toBe('Mended.');
    expect(JSON.stringify(requests[2]?.messages.at(-1))).toContain('The review found:\\na leak');
    expect(JSON.stringify(second.messages)).toContain('Review: 1 finding');
    expect(sources).toEqual([
      ['sdk', 'Go.'],
      ['system', expect.stringContaining('PostToolUse hook feedback:\nThe review found:')],
    ]);
    const third = await readRun(loop.run());
    expect(third.result).toMatchObject({ terminal_reason: 'completed', num_turns: 0, result: '' });
  });

  it('LO-67: while the agent works it reads it with the next results, and onWake is not called', async () => {
    let wakes = 0;
    const hooks: HookConfig = { PreToolUse: [{ matcher: 'Note', hooks: [review] }] };
    const { loop, runner, requests, cwd } = await makeLoop({
      hooks,
      turns: [note, note, DONE],
      options: {
        tools: testTools(async (_, text) => {
          if (text !== 'a') return;
          writeFileSync(join(cwd, 'go'), '');
          await runner.drain();
        }).tools,
        onWake: () => {
          wakes += 1;
        },
      },
    });
    await readRun(loop.run('Go.'));
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain('a leak');
    expect(wakes).toBe(0);
  });

  it('LO-67: without onWake it is awaited, and objects at its event', async () => {
    const hooks: HookConfig = {
      PostToolUse: [
        { dialect: 'claude-code', hooks: [command('echo a leak >&2; exit 2', { asyncRewake: true })] },
      ],
    };
    const { loop, requests } = await makeLoop({
      hooks,
      turns: [note, DONE],
      options: { tools: testTools().tools },
    });
    await readRun(loop.run('Go.'));
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain('objects: a leak');
  });
});
