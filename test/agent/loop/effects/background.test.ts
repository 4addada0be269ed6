import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMailbox } from '../../../../src/injection/mailboxes/memory/mailbox.js';
import { isRunning } from '../../../support/process-harness.js';
import { watchProcess } from '../../../support/runner.js';
import { expectValid, makePidFile } from '../session/support.js';
import { makeLoop, readRun, runLoop } from '../support/run-loop.js';

watchProcess();

const bypass = { permissions: { mode: 'bypassPermissions' } } as const;
const bash = (command: string, more: object = {}) => ({ name: 'Bash', input: { command, ...more } });
const inBackground = { run_in_background: true };
/** Lasts until the file is there. */
const waitFor = (name: string): string => `until [ -e ${name} ]; do sleep 0.02; done`;
const ENDED = 'The background job';

describe('a command in the background', () => {
  it.each(['a mailbox', 'no mailbox'] as const)(
    'LO-52: its end reaches the agent with the next request, once, and watchers see it: with %s',
    async (kind) => {
      const mailbox = createMailbox();
      const made = await makeLoop({
        turns: [
          { tools: [bash('echo ready', inBackground)] },
          { tools: [bash(waitFor('told'))] },
          { tools: [{ name: 'BashOutput', input: { bash_id: 'shell_1' } }] },
          { text: 'Done.' },
        ],
        options: { ...bypass, ...(kind === 'a mailbox' && { mailbox }) },
      });
      const { loop, requests, cwd } = made;
      const run = loop.run('Go.');
      const seen: unknown[] = [];
      for await (const message of run) {
        if (message.type !== 'system' || message.subtype !== 'task_notification') continue;
        seen.push(message);
        writeFileSync(join(cwd, 'told'), '');
      }
      expect(seen).toMatchObject([
        { task_id: 'shell_1', status: 'completed', summary: expect.stringContaining('ready') },
      ]);
      const counts = requests.map(({ messages }) => JSON.stringify(messages).split(ENDED).length - 1);
      expect(counts).toEqual([0, 0, 1, 1]);
      expect(JSON.stringify(requests[3]?.messages)).toContain('shell_1 has ended: completed (exit code 0).');
      expectValid(requests);
    },
  );

  it('LO-52: a run does not wait for it; it ends with the session', async () => {
    const pids = makePidFile();
    const { loop, result } = await runLoop({
      turns: [{ tools: [bash(pids.sleeper, inBackground)] }, { text: 'Started.' }],
      options: bypass,
    });
    expect(result).toMatchObject({ result: 'Started.', terminal_reason: 'completed' });
    const started = await pids.reported();
    expect(started.every(isRunning)).toBe(true);
    await loop.close();
    expect(pids.running()).toEqual([]);
  });

  it('LO-52: an end after the run is told with the next prompt', async () => {
    const { loop, cwd, requests } = await runLoop({
      turns: [
        { tools: [bash(waitFor('go'), inBackground)] },
        { text: 'One.' },
        { tools: [bash(waitFor('told'))] },
        { text: 'Two.' },
      ],
      options: bypass,
    });
    expect(JSON.stringify(requests)).not.toContain(ENDED);
    writeFileSync(join(cwd, 'go'), '');
    for await (const message of loop.run('Again.'))
      if (message.type === 'system' && message.subtype === 'task_notification')
        writeFileSync(join(cwd, 'told'), '');
    expect(JSON.stringify(requests.at(-1)).split(ENDED)).toHaveLength(2);
  });
});

describe('a tool that runs for long', () => {
  it('LO-53: is mentioned at most once in an interval, with what it has printed, and not after its end', async () => {
    const { loop, cwd } = await makeLoop({
      turns: [
        { tools: [bash(`echo one; echo two; ${waitFor('go')}; echo three; ${waitFor('on')}`)] },
        { text: 'Done.' },
      ],
      options: { ...bypass, progressInterval: 0.05 },
    });
    const seen: [number | undefined, number | undefined][] = [];
    const times: number[] = [];
    for await (const message of loop.run('Go.')) {
      if (message.type !== 'tool_progress') continue;
      expect(message).toMatchObject({ tool_name: 'Bash', parent_tool_use_id: null });
      times.push(message.elapsed_time_seconds);
      if (seen.at(-1)?.[1] !== message.total_bytes) seen.push([message.total_lines, message.total_bytes]);
      if (message.total_lines === 2) writeFileSync(join(cwd, 'go'), '');
      if (message.total_lines === 3) writeFileSync(join(cwd, 'on'), '');
    }
    expect(seen.filter(([lines]) => lines !== undefined)).toEqual([
      [2, 8],
      [3, 14],
    ]);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('LO-53: without messages if that is wanted; an interval that is none is refused', async () => {
    const { messages } = await runLoop({
      turns: [{ tools: [bash('echo a; sleep 0.2')] }, { text: 'Done.' }],
      options: { ...bypass, progressInterval: Number.POSITIVE_INFINITY },
    });
    expect(messages.some(({ type }) => type === 'tool_progress')).toBe(false);
    const { loop } = await makeLoop({ options: { progressInterval: 0 } });
    await expect(readRun(loop.run('Go.'))).rejects.toThrow('progressInterval is 0');
  });
});
