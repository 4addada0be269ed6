import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long or wait for npm, the longest first: what begins last would otherwise run alone at the end. The
 * order of the others does not matter.
 */
const LONGEST = [
  'test/docs/pages.test.ts',
  'test/package/matrix.test.ts',
  'test/package/installed.test.ts',
  'test/injection/mailboxes/redis/processes.test.ts',
  'test/process/spawn-helper.test.ts',
  'test/package/bundle.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    // Many tests wait, for processes or for npm: a worker more than there are cores uses that time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    // A CI machine may be busy with other work: what fails there is tried once more, and the report names it.
    retry: process.env['CI'] ? 1 : 0,
    // A condition that comes true ends the wait at once; one second is not enough on a busy machine.
    expect: { poll: { timeout: 10_000 } },
  },
});
