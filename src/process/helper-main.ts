/**
 * The program of the spawn helper: runs processes on request with the same guarantees, and exits with its application.
 */

import { Socket } from 'node:net';
import {
  type FromHelper,
  HELPER_FD,
  monotonicMs,
  readFrames,
  type ToHelper,
  writeFrame,
} from './helper-protocol.js';
import { launchPlainly } from './launch-plainly.js';
import { ProcessRun } from './process-run.js';
import type { OutputName, RunningProcess } from './types.js';

const channel = new Socket({ fd: HELPER_FD, readable: true, writable: true });
const running = new Map<number, RunningProcess>();
const send = (message: FromHelper, body?: Uint8Array): void => writeFrame(channel, message, body);

// Without the application there is nothing to do; exiting ends every live group.
channel.on('end', () => process.exit());
channel.on('close', () => process.exit());
channel.on('error', () => process.exit());

// The first run of any code is slow; warm up before a request waits for it or a timeout kills the helper.
const warmUp = { command: 'exit 0', cwd: '/', env: {}, stdin: '', timeoutMs: 1000 };
void new ProcessRun(warmUp, launchPlainly).done.then(() => {
  send({ type: 'ready' });
  readFrames<ToHelper>(channel, (message, body) => {
    if (message.type === 'start') start(message, body);
    else if (message.type === 'abort') running.get(message.id)?.abort();
    else if (message.type === 'ping') send({ type: 'pong', id: message.id });
    else running.get(message.id)?.setTimeout(message.ms);
  });
});

function start(message: ToHelper & { type: 'start' }, stdin: Buffer): void {
  const { id, wantsText } = message;
  if (monotonicMs() > message.expiresAt) {
    send({ type: 'done', id, end: { kind: 'timed-out' }, durationMs: 0, stdoutBytes: 0 });
    return;
  }
  const onText = (stream: OutputName, text: string): void =>
    send({ type: 'text', id, stream }, Buffer.from(text));
  const run = new ProcessRun({ ...message, stdin, ...(wantsText && { onText }) }, launchPlainly);
  running.set(id, run);
  if (run.pid !== undefined) send({ type: 'started', id, pid: run.pid });
  void run.done.then(({ end, durationMs, ...text }) => {
    running.delete(id);
    const stdout = Buffer.from(text.stdout);
    send(
      { type: 'done', id, end, durationMs, stdoutBytes: stdout.length },
      Buffer.concat([stdout, Buffer.from(text.stderr)]),
    );
  });
}
