import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { command } from '../../../../src/index.js';
import { startLimit } from '../../../support/limit.js';
import { isRunning, until } from '../../../support/process-harness.js';
import { watchProcess } from '../../../support/runner.js';
import { watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { kind, start } from './support.js';

watchProcess();

describe('what has no end by itself', () => {
  it('LO-34: a member whose hooks never let it be idle is idle after `stopCap` refusals in a row', async () => {
    const ada = kind([{ text: 'Once more.', repeat: true }]);
    const { loop, of } = await watchLoop({
      hooks: { TeammateIdle: [{ hooks: [() => ({ decision: 'block', reason: 'again' })] }] },
      turns: [{ tools: [start('guard', { name: 'ada' })] }, { text: 'Heard.', repeat: true }],
      options: { team: 'engine', stopCap: 3, agents: { guard: ada.definition } },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result.terminal_reason).toBe('completed');
    expect(of('TeammateIdle')).toHaveLength(3);
    expect(ada.requests).toHaveLength(4);
  });

  it('LO-7: a hook that ignores TERM does not hold up an abort', async () => {
    const { loop, runner, cwd } = await watchLoop({ turns: [{ text: 'Never.' }] });
    const file = join(cwd, 'pid');
    runner.on('UserPromptSubmit', command(`trap '' TERM; echo $$ > ${file}; while :; do sleep 0.05; done`));
    const controller = new AbortController();
    const reading = readRun(loop.run('Go.', { signal: controller.signal }));
    await until(() => existsSync(file) && readFileSync(file, 'utf8').trim() !== '');
    const kill = process.kill.bind(process);
    const spy = vi.spyOn(process, 'kill');
    onTestFinished(() => spy.mockRestore());
    const killed: string[] = [];
    controller.abort();
    // Half a second from TERM to KILL; the grace of a deadline would be 2 s.
    const limit = startLimit(1900);
    spy.mockImplementation((pid, signal) => {
      if (signal === 'SIGKILL') killed.push(limit.passed ? 'late' : 'in time');
      return kill(pid, signal);
    });
    expect((await reading).result.terminal_reason).toBe('aborted');
    expect(killed).toEqual(['in time']);
    expect(isRunning(Number(readFileSync(file, 'utf8')))).toBe(false);
  });

  it('LO-14 LO-27: what is put off or interrupted inside an agent that is waited for ends the whole turn', async () => {
    const use = { name: 'Bash', input: { command: 'touch made' }, id: 'inner' };
    for (const [hooks, reason] of [
      [{ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' } }, 'tool_deferred'],
      [undefined, 'permission_interrupt'],
    ] as const) {
      const worker = kind([{ tools: [use] }, { text: 'Never.' }]);
      const { loop, requests } = await watchLoop({
        ...(hooks && { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [() => hooks] }] } }),
        turns: [{ tools: [start('worker')] }, { text: 'Never.' }],
        options: {
          agents: { worker: worker.definition },
          canUseTool: async () => ({ behavior: 'deny', interrupt: true }),
        },
      });
      const { result } = await readRun(loop.run('Go.'));
      expect(result.terminal_reason).toBe(reason);
      if (reason === 'tool_deferred')
        expect(result.deferred_tool_use).toEqual({ id: 'inner', name: 'Bash', input: use.input });
      expect([requests.length, worker.requests.length]).toEqual([1, 1]);
    }
  });
});
