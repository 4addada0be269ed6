/** One life of the spawn helper: its process, the channel to it, and the news when it is gone. */

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type FromHelper, HELPER_FD, readFrames, type ToHelper, writeFrame } from './helper-protocol.js';
import { platform } from './platform.js';

export interface HelperEvents {
  onMessage(message: Exclude<FromHelper, { type: 'ready' }>, body: Buffer): void;
  /** Called once. `wasReady` is false when it cannot have started anything. */
  onGone(wasReady: boolean): void;
}

const LAST_WORDS_MS = 250;

export class HelperProcess {
  readonly gone: Promise<void>;
  readonly #child;
  readonly #channel: Socket | undefined;
  #ready = false;
  #closing = false;

  constructor({ onMessage, onGone }: HelperEvents) {
    // Not execa, which is loaded where it is first used and would hold up the command hook that the helper is for.
    this.#child = spawn(process.execPath, programArguments(), {
      // Not the application's variables: some make Node load code.
      env: { ...platform.bareEnvironment, ELECTRON_RUN_AS_NODE: '1' },
      cwd: '/',
      // A session of its own: the terminal's Ctrl-C is for the application, which decides about the helper.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      windowsHide: true,
    });
    this.gone = new Promise((resolve) => {
      const tell = once(() => {
        this.#channel?.destroy();
        onGone(this.#ready);
        resolve();
      });
      this.#child.on('error', tell);
      this.#child.on('exit', () => {
        // What it said last is still to be read: above all the pids of what it started.
        if (!this.#channel || this.#channel.destroyed) return tell();
        this.#channel.on('close', tell);
        setTimeout(tell, LAST_WORDS_MS).unref();
      });
    });
    this.#channel = this.#child.stdio?.[HELPER_FD] as Socket | undefined;
    this.setBusy(false);
    if (!this.#channel) return;
    this.#channel.on('error', () => {});
    this.#channel.on('close', () => !this.#closing && this.kill());
    readFrames<FromHelper>(this.#channel, (message, body) => {
      if (message.type === 'ready') this.#ready = true;
      else onMessage(message, body);
    });
  }

  /** Whether it has begun to listen. */
  get ready(): boolean {
    return this.#ready;
  }

  /** False as soon as its end is seen, which is before its last words are read. */
  get alive(): boolean {
    return (
      this.#child.exitCode === null && this.#child.signalCode === null && this.#channel?.writable === true
    );
  }

  send(message: ToHelper, body?: Uint8Array): void {
    if (this.#channel && this.alive) writeFrame(this.#channel, message, body);
  }

  /** An idle helper must not keep the application alive; one that works for it must. */
  setBusy(busy: boolean): void {
    // The process itself too: when it is killed the channel is gone first, and its end is still to come.
    for (const handle of [this.#child, this.#channel]) {
      if (busy) handle?.ref();
      else handle?.unref();
    }
  }

  /** Lets it leave by itself, taking along whatever it still runs. */
  close(): void {
    this.#closing = true;
    this.#channel?.destroy();
  }

  /** For one that is stuck. It may have started something that it never came to tell. */
  kill(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      for (const child of platform.children(pid)) platform.forceEnd(child);
      this.#child.kill('SIGKILL');
    }
    this.#channel?.destroy();
  }
}

/** The program lies beside this file. In a checkout both are TypeScript, which only `tsx` makes Node read. */
function programArguments(): string[] {
  const source = import.meta.url.endsWith('.ts');
  const program = fileURLToPath(new URL(source ? './helper-main.ts' : './helper-main.js', import.meta.url));
  if (!source) return [program];
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href, program];
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
