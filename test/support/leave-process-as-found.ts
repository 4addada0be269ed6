/** Files that share a process leave it as they found it: the next one may not notice them. */
import { afterAll, expect, vi } from 'vitest';

const look = () => ({
  cwd: process.cwd(),
  environment: { ...process.env },
  exitCode: process.exitCode,
  timersAreFake: vi.isFakeTimers(),
});

const found = look();
afterAll(() => expect(look()).toEqual(found));
