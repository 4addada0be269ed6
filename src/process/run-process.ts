/** Runs one process to exactly one end: bounded in time and memory, whatever the program does. */

import { launchWithExeca } from './launch-with-execa.js';
import { ProcessRun } from './process-run.js';
import type { ProcessRequest, RunningProcess } from './types.js';

export * from './types.js';

/** Starts at once. Throws only for a timeout that no timer can hold; all else is a value of `done`. */
export function runProcess(request: ProcessRequest): RunningProcess {
  return new ProcessRun(request, launchWithExeca);
}
