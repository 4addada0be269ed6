/**
 * Runs one process to exactly one end, limited in time and memory, whatever the program does.
 *
 * Known limits: a descendant that created its own session (setsid) has left the group and is not ended with it; and if
 * this process gets SIGKILL, nothing ends what it started (the spawn helper does).
 */

import type { Launch } from './launch.js';
import { launchPlainly } from './launch-plainly.js';
import { launchWithExeca, loadExeca } from './launch-with-execa.js';
import { platform } from './platform.js';
import { ProcessRun } from './process-run.js';
import type { ProcessRequest, RunningProcess } from './types.js';

export * from './types.js';

const launch: Launch = platform.startsPlainly ? launchPlainly : launchWithExeca;

/** Starts immediately. Throws only for a timeout that a timer cannot hold; all other failures are values of `done`. */
export function runProcess(request: ProcessRequest): RunningProcess {
  return new ProcessRun(request, launch);
}

/** The same with execa on every system, for processes off the hot path. Resolves once execa is loaded. */
export async function loadExecaStart(): Promise<(request: ProcessRequest) => RunningProcess> {
  await loadExeca();
  return (request) => new ProcessRun(request, launchWithExeca);
}
