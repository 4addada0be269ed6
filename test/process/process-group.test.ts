import { describe, expect, test } from 'vitest';
import {
  childrenOf,
  currentTick,
  groupExists,
  groupRuns,
  groupsLeftBy,
} from '../../src/process/process-group.js';
import { isRunning, processTest, stateOf, until } from '../support/process-harness.js';

describe('a process group', () => {
  processTest(
    'of which only a zombie is left still exists but does not run',
    async ({ fixture, reported }) => {
      const running = fixture('leave-dead-group.sh');
      const [zombie = 0] = await reported(1);
      await until(() => stateOf(zombie) === 'Z', 'the zombie');
      expect([groupExists(zombie), groupRuns(zombie)]).toEqual([true, false]);
      const leader = running.pid ?? 0;
      expect([groupExists(leader), groupRuns(leader)]).toEqual([true, true]);
      expect(childrenOf(leader)).toEqual([zombie]);
      expect(childrenOf(process.pid)).toContain(leader);
      running.abort();
      await running.done;
      expect([groupExists(leader), groupRuns(leader)]).toEqual([false, false]);
    },
  );

  processTest(
    'that a leader has left is told from one that others have made with its number',
    async ({ run, reported, pidFile }) => {
      const { done } = run({ command: 'sh', args: ['-c', `sleep 100 & echo $! >> ${pidFile}`] });
      const { pid = 0 } = await done;
      const endedAt = currentTick() ?? 0;
      const [left = 0] = await reported(1);
      expect(groupsLeftBy([{ pid, endedAt }])).toEqual([pid]);
      // Everybody in it has come later: it is another one.
      expect(groupsLeftBy([{ pid, endedAt: endedAt - 6000 }])).toEqual([]);
      expect(groupsLeftBy([{ pid: 2 ** 30, endedAt }])).toEqual([]);
      process.kill(left, 'SIGKILL');
      await until(() => !isRunning(left), 'its end');
      expect(groupsLeftBy([{ pid, endedAt }])).toEqual([]);
    },
  );

  test('that never was does not exist', () => {
    expect([groupExists(2 ** 30), groupRuns(2 ** 30)]).toEqual([false, false]);
  });
});
