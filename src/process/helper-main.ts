/** The spawn helper's program: runs what it is asked to with the same code, and dies with its application. */

import { Socket } from 'node:net';
import { type FromHelper, HELPER_FD, readFrames, type ToHelper, writeFrame } from './helper-protocol.js';
import { type RunningProcess, runProcess } from './run-process.js';

const channel = new Socket({ fd: HELPER_FD, readable: true, writable: true });
const running = new Map<number, RunningProcess>();
const tell = (message: FromHelper, body?: Uint8Array): void => writeFrame(channel, message, body);

// Without the application nobody wants an answer; leaving takes every live group along.
channel.on('end', () => process.exit());
channel.on('close', () => process.exit());
channel.on('error', () => process.exit());

readFrames<ToHelper>(channel, (message, body) => {
  if (message.type === 'start') start(message, body);
  else if (message.type === 'abort') running.get(message.id)?.abort();
  else running.get(message.id)?.setTimeout(message.ms);
});
tell({ type: 'ready' });

function start(message: ToHelper & { type: 'start' }, stdin: Buffer): void {
  const { id, wantsText } = message;
  const run = runProcess({
    ...message,
    stdin,
    ...(wantsText && { onText: (stream, text) => tell({ type: 'text', id, stream }, Buffer.from(text)) }),
  });
  running.set(id, run);
  if (run.pid !== undefined) tell({ type: 'started', id, pid: run.pid });
  void run.done.then(({ end, durationMs, ...text }) => {
    running.delete(id);
    const stdout = Buffer.from(text.stdout);
    tell(
      { type: 'done', id, end, durationMs, stdoutBytes: stdout.length },
      Buffer.concat([stdout, Buffer.from(text.stderr)]),
    );
  });
}
