import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    // Most tests wait for processes: leaving a core free, as is the default, doubles the time on two cores.
    maxWorkers: '100%',
    testTimeout: 20_000,
    // A condition that comes true ends the wait at once; one second is not enough on a busy machine.
    expect: { poll: { timeout: 10_000 } },
  },
});
