/** The protocol between an application and its spawn helper: frames of a JSON head and raw bytes. */

import type { Duplex } from 'node:stream';
import type { OutputName, ProcessEnd, ProcessRequest } from './types.js';

/** From the application. The bytes of `start` are the child's input. */
export type ToHelper =
  | ({
      readonly type: 'start';
      readonly id: number;
      readonly wantsText: boolean;
      /** By `monotonicMs`: it is no longer awaited, so it must not be started. */
      readonly expiresAt: number;
    } & Omit<ProcessRequest, 'stdin' | 'onText'>)
  | { readonly type: 'abort'; readonly id: number }
  /** Is answered at once by a helper that is not stuck. */
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'timeout'; readonly id: number; readonly ms: number };

/** From the helper. The bytes of `text` are UTF-8; those of `done` are stdout followed by stderr. */
export type FromHelper =
  | { readonly type: 'ready' }
  | { readonly type: 'started'; readonly id: number; readonly pid: number }
  | { readonly type: 'pong'; readonly id: number }
  | { readonly type: 'text'; readonly id: number; readonly stream: OutputName }
  | DoneMessage;

export interface DoneMessage {
  readonly type: 'done';
  readonly id: number;
  readonly end: ProcessEnd;
  readonly durationMs: number;
  readonly stdoutBytes: number;
}

/** The descriptor of the helper's channel to the application; it closes when the application exits. */
export const HELPER_FD = 3;

const PREFIX_BYTES = 8;

/** A clock that all processes of the machine share, and that cannot be set. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A frame: the lengths of head and body as two 32-bit integers, then both. */
export function writeFrame<Message>(
  channel: Duplex,
  message: Message,
  body: Uint8Array = new Uint8Array(),
): void {
  const head = Buffer.from(JSON.stringify(message));
  const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
  prefix.writeUInt32LE(head.length, 0);
  prefix.writeUInt32LE(body.length, 4);
  channel.cork();
  channel.write(prefix);
  channel.write(head);
  if (body.length > 0) channel.write(body);
  channel.uncork();
}

/** Both ends are this package, so a head is assumed to have its sender's type. */
export function readFrames<Message>(
  channel: Duplex,
  onFrame: (message: Message, body: Buffer) => void,
): void {
  let chunks: Buffer[] = [];
  let length = 0;
  let needed = PREFIX_BYTES;

  channel.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    // Joined only once a whole frame has arrived, so that a large one is not copied with every chunk.
    if (length < needed) return;
    let bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks, length);
    for (needed = frameLength(bytes); bytes.length >= needed; needed = frameLength(bytes)) {
      const headEnd = PREFIX_BYTES + bytes.readUInt32LE(0);
      onFrame(
        JSON.parse(bytes.toString('utf8', PREFIX_BYTES, headEnd)) as Message,
        bytes.subarray(headEnd, needed),
      );
      bytes = bytes.subarray(needed);
    }
    chunks = bytes.length > 0 ? [bytes] : [];
    length = bytes.length;
  });
}

/** The length of the first frame, as far as it is known yet. */
function frameLength(bytes: Buffer): number {
  return bytes.length < PREFIX_BYTES
    ? PREFIX_BYTES
    : PREFIX_BYTES + bytes.readUInt32LE(0) + bytes.readUInt32LE(4);
}
