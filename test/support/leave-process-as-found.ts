/** Files that share a process leave it as they found it: the next one may not notice them. */
import { afterAll, expect, vi } from 'vitest';

// Commands are started in another way in a process that is large. This one is large because of other files.
process.memoryUsage.rss = () => 64 * 1024 * 1024;

const look = () => ({
  cwd: process.cwd(),
  environment: { ...process.env },
  exitCode: process.exitCode,
  timersAreFake: vi.isFakeTimers(),
});

const found = look();
afterAll(() => expect(look()).toEqual(found));
