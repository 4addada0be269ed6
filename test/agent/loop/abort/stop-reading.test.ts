import { describe, expect, it } from 'vitest';
import { watchProcess } from '../../../support/runner.js';
import { makePidFile, watchLoop } from '../session/support.js';
import { expectToGoOn } from './support.js';

watchProcess();

const bypass = { permissions: { mode: 'bypassPermissions' } } as const;
const bash = (line: string) => ({ tools: [{ name: 'Bash', input: { command: line } }] });

describe('whoever stops reading a run ends it', () => {
  it.each([
    [
      'break',
      async (run: AsyncIterable<unknown>, begun: Promise<unknown>) => {
        for await (const _ of run) {
          await begun;
          break;
        }
      },
    ],
    [
      'an exception',
      async (run: AsyncIterable<unknown>, begun: Promise<unknown>) => {
        const reading = (async () => {
          for await (const _ of run) {
            await begun;
            throw new Error('enough');
          }
        })();
        await expect(reading).rejects.toThrow('enough');
      },
    ],
  ])('LO-7: with %s, in the middle of a shell command; the session goes on', async (_, stop) => {
    const pids = makePidFile();
    const made = await watchLoop({ turns: [bash(pids.sleeper), { text: 'Here I am.' }], options: bypass });
    await stop(made.loop.run('Begin.'), pids.reported());
    expect(pids.running()).toEqual([]);
    expect(made.of('SessionEnd')).toEqual([]);
    await expectToGoOn(made);
  });

  it('LO-7: before the first message is read, nothing has begun', async () => {
    const made = await watchLoop({ turns: [{ text: 'Here I am.' }] });
    await made.loop.run('Never read').return(undefined as never);
    expect(made.seen).toEqual([]);
    await expectToGoOn(made);
  });
});
