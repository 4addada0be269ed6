import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AgentLoop } from '../../../../src/agent/loop/agent-loop.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { command, Runner } from '../../../../src/index.js';
import { startLimit } from '../../../support/limit.js';
import { until } from '../../../support/process-harness.js';
import { gate, soon, watchProcess } from '../../../support/runner.js';
import { makePidFile, story, watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { PROMPTLY_MS } from './support.js';

watchProcess();

describe('the end of a session', () => {
  it('LO-7: close() in the middle of a run waits for its end: no process is left, the transcript is whole', async () => {
    const pids = makePidFile();
    const made = await watchLoop({
      turns: [{ tools: [{ name: 'Bash', input: { command: `trap '' TERM; ${pids.sleeper}` } }] }],
      options: { permissions: { mode: 'bypassPermissions' } },
    });
    const reading = readRun(made.loop.run('Begin.'));
    await pids.reported();
    const at = performance.now();
    await made.loop.close();
    expect(pids.running()).toEqual([]);
    expect(performance.now() - at).toBeLessThan(PROMPTLY_MS);
    const { messages, result } = await reading;
    expect(result.terminal_reason).toBe('aborted');
    expect(story(made.seen)).toEqual(['SessionStart', 'UserPromptSubmit', 'PreToolUse:Bash', 'SessionEnd']);
    expect(messages.filter((each) => 'level' in each && each.level === 'warning')).toEqual([]);
    const { transcriptPath } = await made.loop.session();
    expect(readFileSync(transcriptPath, 'utf8')).toContain('The command was interrupted');
  });

  it('LO-7: a hook or a tool that closes the session does not wait for itself', async () => {
    const { tools } = testTools(() => loop.close());
    const { loop, of } = await watchLoop({
      turns: [{ tools: [{ name: 'Note', input: { text: 'a' } }] }],
      options: { tools },
    });
    expect((await soon(readRun(loop.run('End.')), 'the run')).result.terminal_reason).toBe('aborted');
    const other = await watchLoop({
      turns: [{ text: 'Done.' }],
      hooks: { Stop: [{ hooks: [() => other.loop.close()] }] },
    });
    expect((await soon(readRun(other.loop.run('End.')), 'the run')).result.terminal_reason).toBe('aborted');
    await Promise.all([loop.close(), other.loop.close()]);
    expect([of('SessionEnd').length, other.of('SessionEnd').length]).toEqual([1, 1]);
  });

  it('LO-7: SessionEnd hooks that never answer hold close() no longer than endTimeoutMs', async () => {
    const signalled = gate<boolean>();
    // The default is 1.5 s.
    let limit = { passed: true };
    const { loop } = await watchLoop({
      hooks: {
        SessionEnd: [
          {
            hooks: [
              (_: unknown, __: unknown, { signal }: { signal: AbortSignal }) => {
                signal.addEventListener('abort', () => signalled.open(limit.passed));
                return new Promise(() => {});
              },
            ],
          },
        ],
      },
      turns: [{ text: 'Done.' }],
      options: { endTimeoutMs: 100 },
    });
    await readRun(loop.run('Begin.'));
    const at = performance.now();
    limit = startLimit(1400);
    await loop.close();
    expect(await signalled.passed).toBe(false);
    expect(performance.now() - at).toBeGreaterThanOrEqual(95);
  });

  it('LO-7: nor do commands, and their processes are gone', async () => {
    const pids = makePidFile();
    const { loop } = await watchLoop({
      hooks: { SessionEnd: [{ hooks: [command(pids.sleeper)] }] },
      turns: [{ text: 'Done.' }],
      options: { endTimeoutMs: 1000 },
    });
    await readRun(loop.run('Begin.'));
    const at = performance.now();
    await loop.close();
    expect(pids.running()).toEqual([]);
    expect(performance.now() - at).toBeLessThan(PROMPTLY_MS);
    expect((await pids.reported()).length).toBe(2);
  });

  it('LO-7: SessionEnd hooks that are quick have their say, also after an abort', async () => {
    const { loop, dir } = await (async () => {
      const pids = makePidFile();
      const made = await watchLoop({
        hooks: { SessionEnd: [{ hooks: [command(`cat > '${pids.path}.end'`)] }] },
        turns: [{ text: 'Done.' }],
      });
      return { loop: made.loop, dir: pids.path };
    })();
    const controller = new AbortController();
    for await (const message of loop.run('Begin.', { signal: controller.signal }))
      if (message.type === 'assistant') controller.abort();
    expect(JSON.parse(readFileSync(`${dir}.end`, 'utf8'))).toMatchObject({
      hook_event_name: 'SessionEnd',
      reason: 'other',
    });
  });

  it('LO-7: a notification that hooks are still at work on ends with the session', async () => {
    const pids = makePidFile();
    const { loop } = await watchLoop({
      hooks: { Notification: [{ hooks: [command(pids.sleeper)] }] },
      turns: [{ text: 'Done.' }],
    });
    await readRun(loop.run('Begin.'));
    await loop.notify('Look at this', 'custom');
    await pids.reported();
    await loop.close();
    await until(() => pids.running().length === 0, 'the end of the notification', PROMPTLY_MS);
  });

  it('LO-7: `await using` ends a session, and the loop leaves its runner to others', async () => {
    await using runner = new Runner();
    let ends = 0;
    runner.on('SessionEnd', () => void ends++);
    {
      await using loop = new AgentLoop({
        model: scriptedModel([{ text: 'Hi.' }]),
        hooks: runner,
        transcripts: false,
      });
      await readRun(loop.run('Hello.'));
      expect(ends).toBe(0);
    }
    expect(ends).toBe(1);
    await runner.fire('SessionEnd', { reason: 'other' });
    expect(ends).toBe(2);
  });
});
