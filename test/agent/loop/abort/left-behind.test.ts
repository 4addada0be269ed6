/** What shell commands have left in the background when the session ends. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import { defineTool } from '../../../../src/agent/tools/tool.js';
import { isRunning } from '../../../support/process-harness.js';
import { watchProcess } from '../../../support/runner.js';
import { makePidFile, watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';

watchProcess();

async function run(commands: readonly string[], options: Partial<AgentLoopOptions> = {}) {
  const made = await watchLoop({
    turns: [
      ...commands.map((command) => ({ tools: [{ name: 'Bash', input: { command } }] })),
      { text: 'Done.' },
    ],
    options: { permissions: { mode: 'bypassPermissions' }, ...options },
  });
  const { result } = await readRun(made.loop.run('Begin.'));
  expect(result.terminal_reason).toBe('completed');
  return made;
}

describe('what commands have left in the background', () => {
  it.each([
    ['a job', 'sleep 100 & echo $! >> PIDS'],
    ['a job of a subshell', '(sleep 100 & echo $! >> PIDS)'],
    ['one that is not to hang up', 'nohup sleep 100 > /dev/null 2>&1 & echo $! >> PIDS'],
    ['one that starts others later', 'sh -c "sleep 0.01; sleep 100 & echo \\$! >> PIDS; wait" & sleep 0.01'],
    ['one with a group of its own', 'set -m; sleep 100 & echo $! >> PIDS'],
    ['one that does not want to end', `sh -c 'trap "" TERM; echo $$ >> PIDS; while :; do sleep 1; done' &`],
    ['of a command that failed', 'sleep 100 & echo $! >> PIDS; exit 3'],
  ])('TO-44: %s ends with the session, and not before', async (_, command) => {
    const pids = makePidFile();
    const { loop, seen } = await run([command.replace('PIDS', pids.path), 'true']);
    const [pid = 0] = await pids.reported(1);
    expect(isRunning(pid)).toBe(true);
    await loop.close();
    expect(pids.running()).toEqual([]);
    expect(seen.at(-1)?.event).toBe('SessionEnd');
  });

  it('TO-44: it is left alone when another session ends that has the same tools', async () => {
    const tools = builtInTools();
    const [mine, other] = [makePidFile(), makePidFile()];
    const { loop } = await run([`sleep 100 & echo $! >> ${mine.path}`], { tools });
    const another = await run([`sleep 100 & echo $! >> ${other.path}`], { tools });
    await loop.close();
    expect([mine.running().length, other.running().length]).toEqual([0, 1]);
    await another.loop.close();
    expect(other.running()).toEqual([]);
  });

  it("TO-44: a tool of one's own has something for a session in the same way", async () => {
    const key = {};
    const events: string[] = [];
    const count = defineTool({
      name: 'Count',
      description: 'Counts its calls',
      input: z.strictObject({}),
      harmless: true,
      run: (_, { host }) => {
        const make = () => ({ calls: 0, close: () => void events.push('closed') });
        const kept = host?.keep(key, make) ?? make();
        kept.calls += 1;
        events.push(`call ${kept.calls}`);
        return { ok: true, content: '', response: {} };
      },
    });
    const call = { tools: [{ name: 'Count', input: {} }] };
    const made = await watchLoop({ turns: [call, call, { text: 'Done.' }], options: { tools: [count] } });
    await readRun(made.loop.run('Begin.'));
    expect(events).toEqual(['call 1', 'call 2']);
    await made.loop.close();
    expect(events).toEqual(['call 1', 'call 2', 'closed']);
  });

  it('TO-44: one that made a session of its own goes on', async () => {
    const pids = makePidFile();
    const { loop } = await run([`setsid sh -c 'echo $$ >> ${pids.path}; exec sleep 100' > /dev/null 2>&1 &`]);
    const [pid = 0] = await pids.reported(1);
    await loop.close();
    expect(isRunning(pid)).toBe(true);
  });
});
