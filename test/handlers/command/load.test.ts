/** Many commands at once. */
import { expect } from 'vitest';
import { commandTest } from '../../support/command-harness.js';
import { bash } from '../../support/runner.js';

commandTest(
  'CO-7 500 fires at once of three commands each: none is lost, and no more run than may',
  async ({ runner, line }) => {
    const counted = line('true', { args: [], timeout: 600 });
    runner.on('PreToolUse', { parallel: true }, [counted, counted, counted]);
    let running = 0;
    let most = 0;
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, async () => {
        running += 1;
        most = Math.max(most, running);
        const outcome = await runner.fire('PreToolUse', bash());
        running -= 1;
        return outcome;
      }),
    );
    expect(most).toBe(500);
    const results = outcomes.flatMap((outcome) => outcome.results);
    expect(results).toHaveLength(1500);
    expect(results.filter((result) => result.outcome !== 'success')).toEqual([]);
    expect(new Set(results.map((result) => result.hookId)).size).toBe(1500);
  },
  { timeout: 300_000 },
);

commandTest(
  'CO-7 the limit holds: at most four at the same time',
  async ({ runner, line, dir }) => {
    const hook = line(`ls ${dir}/running 2>/dev/null | wc -l >> ${dir}/seen; exit 0`, { timeout: 30 });
    const tracked = line(
      `mkdir -p ${dir}/running; touch ${dir}/running/$$; ls ${dir}/running | wc -l >> ${dir}/seen; sleep 0.02; rm ${dir}/running/$$`,
    );
    runner.on('PreToolUse', { parallel: true }, [tracked, hook]);
    await Promise.all(Array.from({ length: 40 }, () => runner.fire('PreToolUse', bash())));
    const { readFileSync } = await import('node:fs');
    const seen = readFileSync(`${dir}/seen`, 'utf8').trim().split('\n').map(Number);
    expect(seen.length).toBe(80);
    expect(Math.max(...seen)).toBeLessThanOrEqual(4);
  },
  { timeout: 60_000, options: { maxProcesses: 4 } },
);
