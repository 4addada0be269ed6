/** One instance of the spawn helper: its process, the channel to it, and the notification when it is gone. */

import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { helperArguments } from './helper-program.js';
import { type FromHelper, HELPER_FD, readFrames, type ToHelper, writeFrame } from './helper-protocol.js';
import { platform } from './platform.js';

export interface HelperEvents {
  onMessage(message: Exclude<FromHelper, { type: 'ready' }>, body: Buffer): void;
  /** Called once. `wasReady` is false if it cannot have started anything. */
  onGone(wasReady: boolean): void;
}

const LAST_MESSAGES_MS = 250;

export class HelperProcess {
  readonly gone: Promise<void>;
  readonly #child;
  readonly #channel: Socket | undefined;
  #ready = false;
  /** Sent when it is ready, so that until then a run can still do without it. */
  #unsent: (readonly [ToHelper, Uint8Array | undefined])[] = [];
  #closing = false;

  constructor({ onMessage, onGone }: HelperEvents) {
    // Not execa: loading it blocks the host for 53 ms, and the first command through the helper takes 32 ms in all.
    this.#child = spawn(process.execPath, helperArguments(), {
      // Not the application's variables: some make Node load code.
      env: { ...platform.bareEnvironment, ELECTRON_RUN_AS_NODE: '1' },
      cwd: '/',
      // Its own session: Ctrl-C at the terminal is for the application, which controls the helper.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      windowsHide: true,
    });
    this.gone = new Promise((resolve) => {
      const notify = once(() => {
        this.#channel?.destroy();
        onGone(this.#ready);
        resolve();
      });
      this.#child.on('error', notify);
      this.#child.on('exit', () => {
        // Its last messages are still to be read, especially the pids of what it started.
        if (!this.#channel || this.#channel.destroyed) return notify();
        this.#channel.on('close', notify);
        setTimeout(notify, LAST_MESSAGES_MS).unref();
      });
    });
    this.#channel = this.#child.stdio?.[HELPER_FD] as Socket | undefined;
    this.setBusy(false);
    if (!this.#channel) return;
    this.#channel.on('error', () => {});
    this.#channel.on('close', () => !this.#closing && this.kill());
    readFrames<FromHelper>(this.#channel, (message, body) => {
      if (message.type === 'ready') this.#getReady();
      else onMessage(message, body);
    });
  }

  /** Whether it accepts requests. */
  get ready(): boolean {
    return this.#ready;
  }

  /** False as soon as its exit is seen, which is before its last messages are read. */
  get alive(): boolean {
    return (
      this.#child.exitCode === null && this.#child.signalCode === null && this.#channel?.writable === true
    );
  }

  send(message: ToHelper, body?: Uint8Array): void {
    if (!this.#ready) this.#unsent.push([message, body]);
    else if (this.#channel && this.alive) writeFrame(this.#channel, message, body);
  }

  /** Takes back what was not sent yet. Returns whether it was still here, so that nothing of it has happened. */
  withdraw(id: number): boolean {
    this.#unsent = this.#unsent.filter(([message]) => message.id !== id);
    return !this.#ready;
  }

  #getReady(): void {
    this.#ready = true;
    for (const [message, body] of this.#unsent.splice(0)) this.send(message, body);
  }

  /** An idle helper must not keep the application alive; a busy one must. */
  setBusy(busy: boolean): void {
    // Includes the process itself: if it is killed, the channel closes before the exit event arrives.
    for (const handle of [this.#child, this.#channel]) {
      if (busy) handle?.ref();
      else handle?.unref();
    }
  }

  /** Lets it exit by itself, together with everything it still runs. */
  close(): void {
    this.#closing = true;
    this.#channel?.destroy();
  }

  /** For one that hangs. It may have started something without reporting it. */
  kill(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      for (const child of platform.children(pid)) platform.forceEnd(child);
      this.#child.kill('SIGKILL');
    }
    this.#channel?.destroy();
  }
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
