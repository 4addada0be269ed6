#!/usr/bin/env node
/** The command as a process: its arguments, its signals, its exit code. */

import { EXIT } from '../base/exit-codes.js';
import { runCli } from './cli.js';
import { processIo } from './io.js';

const controller = new AbortController();

/** The first time everything is ended in order; whoever insists gets the end at once. */
function interrupt(): void {
  if (controller.signal.aborted) process.exit(EXIT.interrupted);
  controller.abort();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
for (const stream of [process.stdout, process.stderr]) {
  // Whoever reads us may go away before we have said everything, as `head` does: everything is ended in order.
  stream.on('error', () => controller.abort());
}

const code = await runCli(process.argv.slice(2), processIo(controller.signal));
process.exitCode = code;
// A hook module may have left a timer behind; what was printed is out first.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
