#!/usr/bin/env node
/** The process entry point: arguments, signals and exit code. */

import { EXIT } from '../base/exit-codes.js';
import { runCli } from './cli.js';
import { processIo } from './io.js';

const controller = new AbortController();

/** How a command that a signal has ended exits, as shells and supervisors expect. */
const EXIT_BY = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: EXIT.hungUp } as const;
let interrupted: number = EXIT.interrupted;

// The first signal shuts down cleanly; a second one exits immediately.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (controller.signal.aborted) process.exit(interrupted);
    interrupted = EXIT_BY[signal];
    controller.abort();
  });
for (const stream of [process.stdout, process.stderr]) {
  // The reader of our output may close the pipe early, as `head` does: shut down cleanly.
  stream.on('error', () => controller.abort());
}

void runCli(process.argv.slice(2), processIo(controller.signal)).then((ended) => {
  const code = ended === EXIT.interrupted ? interrupted : ended;
  process.exitCode = code;
  // A hook module may have left a timer running; flush the output, then exit.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
});
