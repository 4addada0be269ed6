import { describe, expect, it } from 'vitest';
import { watchProcess } from '../../../support/runner.js';
import { expectValid, lastSaid, story, textOf, watchLoop } from '../session/support.js';
import { makeLoop, readRun } from '../support/run-loop.js';

watchProcess();

describe('clear()', () => {
  it('LO-31: forgets the conversation: hooks see the session end and start again', async () => {
    const { loop, seen, of, requests } = await watchLoop({
      hooks: {
        SessionStart: [
          {
            hooks: [
              ({ source }) => ({
                hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: `born by ${source}` },
              }),
            ],
          },
        ],
      },
      turns: [{ text: 'Seven.' }, { text: 'I know nothing.' }],
    });
    await readRun(loop.run('Remember seven.'));
    const { result } = await readRun(loop.clear());
    expect(result).toMatchObject({ terminal_reason: 'cleared', is_error: false, result: '' });
    expect(story(seen).slice(3)).toEqual(['SessionEnd', 'SessionStart']);
    expect(of('SessionEnd')[0]).toMatchObject({ reason: 'clear' });
    expect(of('SessionStart')[1]).toMatchObject({ source: 'clear' });
    expect(await loop.conversation()).toEqual([]);
    await readRun(loop.run('What was it?'));
    expectValid(requests);
    expect(requests[1]?.messages).toHaveLength(1);
    expect(lastSaid(requests)).toMatch(/born by clear[\s\S]*What was it\?$/);
    expect(lastSaid(requests)).not.toMatch(/seven|startup/i);
    await loop.close();
    expect(of('SessionEnd').map(({ reason }) => reason)).toEqual(['clear', 'other']);
  });

  it('LO-31: a session that is resumed afterwards knows nothing from before', async () => {
    const { loop } = await makeLoop({ turns: [{ text: 'Seven.' }, { text: 'Eight.' }] });
    await readRun(loop.run('Remember seven.'));
    await readRun(loop.clear());
    await readRun(loop.run('Remember eight.'));
    const { transcriptPath } = await loop.session();
    await loop.close();
    const resumed = await makeLoop({ options: { resume: transcriptPath } });
    expect((await resumed.loop.conversation()).map(textOf)).toEqual(['Remember eight.', 'Eight.']);
  });

  it('LO-31: what the model counted before does not count any more', async () => {
    const { loop, of } = await watchLoop({
      turns: [{ text: 'Seven.', usage: { inputTokens: 5000, outputTokens: 0 } }, { text: 'Eight.' }],
      options: { contextWindow: 1000 },
    });
    await readRun(loop.run('Remember seven.'));
    await readRun(loop.clear());
    await readRun(loop.run('Remember eight.'));
    expect(of('PreCompact')).toEqual([]);
  });
});
