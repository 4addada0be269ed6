import { describe, expect, test } from 'vitest';
import { childrenOf, groupExists, groupRuns } from '../../src/process/process-group.js';
import { processTest, stateOf, until } from '../support/process-harness.js';

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

  test('that never was does not exist', () => {
    expect([groupExists(2 ** 30), groupRuns(2 ** 30)]).toEqual([false, false]);
  });
});
