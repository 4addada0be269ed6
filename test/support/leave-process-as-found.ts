/** Files that share a process: each finds it as the first one did, whatever the one before has changed. */
import { afterAll, expect, vi } from 'vitest';

// Commands are started in another way in a process that is large. This one is large because of other files.
process.memoryUsage.rss = () => 64 * 1024 * 1024;

const [cwd, { env }, exitCode] = [process.cwd(), process, process.exitCode];
const environment = { ...env };
const { setTimeout } = globalThis;

afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  process.chdir(cwd);
  process.exitCode = exitCode;
  expect(globalThis.setTimeout === setTimeout, 'setTimeout is the function that it was').toBe(true);
  // What asks the operating system, such as os.homedir(), does not see changes of another object.
  expect(process.env === env, 'process.env is the object that it was').toBe(true);
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
