/**
 * Runs one process to exactly one end: bounded in time and memory, whatever the program does.
 *
 * Known limits: a descendant that made a session of its own (setsid) has left the group and is not ended with it; and
 * when this very process gets SIGKILL, nobody is left to end what it started (the spawn helper does that).
 */

import type { Launch } from './launch.js';
import { launchPlainly } from './launch-plainly.js';
import { launchWithExeca, loadExeca } from './launch-with-execa.js';
import { platform } from './platform.js';
import { ProcessRun } from './process-run.js';
import type { ProcessRequest, RunningProcess } from './types.js';

export * from './types.js';

const launch: Launch = platform.startsPlainly ? launchPlainly : launchWithExeca;

/** Starts at once. Throws only for a timeout that no timer can hold; all else is a value of `done`. */
export function runProcess(request: ProcessRequest): RunningProcess {
  return new ProcessRun(request, launch);
}

/** The same with execa on every system, for what is not started on a hot path. Resolves when it has been loaded. */
export async function loadExecaStart(): Promise<(request: ProcessRequest) => RunningProcess> {
  await loadExeca();
  return (request) => new ProcessRun(request, launchWithExeca);
}
