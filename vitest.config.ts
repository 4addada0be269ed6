import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * These have a process of their own: they look at all of it (its memory, its children, its packages, what is registered
 * in it), they replace modules, or they run so long that one more start does not count. All others share a few
 * processes, and so load the source a few times instead of hundreds of times.
 */
const OWN = [
  'test/{docs,examples,package,parity,process}/**/*.test.ts',
  'test/agent/transcript/large-files.test.ts',
  'test/guard/{behaviour,lines}.test.ts',
  'test/handlers/command/life.test.ts',
  'test/hosts/bridge.test.ts',
  'test/injection/mailboxes/files/processes.test.ts',
  'test/runner/soak.test.ts',
  'test/integrations/{hosts,packages}.test.ts',
  'test/integrations/opentelemetry/*.test.ts',
];

/**
 * Files that take long or wait for npm, the longest first: what begins last would otherwise run alone at the end. The
 * order of the others does not matter.
 */
const LONGEST = [
  // With a process of their own.
  'test/integrations/hosts.test.ts',
  'test/package/installed.test.ts',
  'test/hosts/bridge.test.ts',
  'test/examples/examples.test.ts',
  'test/process/spawn-helper.test.ts',
  'test/docs/pages.test.ts',
  'test/package/bundle.test.ts',
  'test/injection/mailboxes/files/processes.test.ts',
  'test/package/tarball.test.ts',
  'test/handlers/command/life.test.ts',
  // In a process that they share.
  'test/cli/run/run.test.ts',
  'test/cli/removed-guards.test.ts',
  'test/hosts/ready-guards.test.ts',
  'test/integrations/sdk-query.test.ts',
  'test/config/trust/executed.test.ts',
  'test/injection/mailboxes/files/contract.test.ts',
  'test/cli/add.test.ts',
  'test/cli/compiled-code.test.ts',
  'test/cli/run/terminal.test.ts',
  'test/config/trust/edited-code.test.ts',
  'test/injection/mailboxes/files/crash.test.ts',
  'test/injection/mailboxes/redis/contract.test.ts',
  'test/handlers/command/load.test.ts',
  'test/integrations/sdk-query-items.test.ts',
  'test/dialects/massgen/python-life.test.ts',
  'test/cli/team/processes.test.ts',
  'test/injection/mailboxes/redis/processes.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(path));
      // A process that files share ends when the next file in line has to have its own.
      const own = project.config.isolate ? 0 : LONGEST.length + 1;
      return own + (place === -1 ? LONGEST.length : place);
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    // Many tests wait, for processes or for npm: workers more than there are cores use that time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: 'own', include: OWN },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...OWN],
          isolate: false,
          setupFiles: ['test/support/leave-process-as-found.ts'],
        },
      },
    ],
    // What hangs is found, and a machine that is busy with other work fails nobody.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A condition that comes true ends the wait at once; one second is not enough on a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
});
