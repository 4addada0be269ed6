/** Keeps one Python process warm: started by the first call, shared by all, replaced when it is lost. */

import { messageOf } from '../../../base/errors.js';
import type { Cancellation } from '../../../handlers/cancellation.js';
import { ABORTED, type Completion } from '../../../handlers/completion.js';
import { inheritEnvironment, scrubEnvironment } from '../../../process/environment.js';
import type { Launch } from '../../../process/launch.js';
import { loadExecaLaunch } from '../../../process/launch-with-execa.js';
import { type CallServer, PythonCall } from './call.js';
import { type FromPython, PythonChild, type PythonEnd } from './child.js';
import { PYTHON_PROGRAM } from './program.js';

export interface PythonOptions {
  /** The interpreter. Default: `python3`. */
  readonly python?: string | undefined;
  /** Where handlers run. */
  readonly cwd: string;
  /** The first folders in which modules are searched. */
  readonly paths: readonly string[];
  /** Which of the parent's variables it gets. Default: 'inherit'. */
  readonly environment?: 'inherit' | 'scrub' | undefined;
}

/** A handler as Python finds it: a dotted name, or a name inside a file. */
export interface PythonHandler {
  readonly name: string;
  readonly file?: string;
}

export interface PythonCallOptions {
  readonly timeoutMs: number;
  readonly cancellation?: Cancellation;
  onText?(text: string): void;
}

/**
 * Handlers share a process, so that the state of a module survives between calls. A call that hangs in a function
 * therefore takes the process with it: calls that had begun there fail, calls that had not are moved to the next one.
 */
export class PythonHost {
  readonly #options: PythonOptions;
  readonly #serving = new Set<Serving>();
  #current: Serving | undefined;
  #launch: Launch | undefined;
  #nextId = 1;
  #closed = false;

  constructor(options: PythonOptions) {
    this.#options = options;
  }

  async #load(): Promise<Launch> {
    this.#launch = await loadExecaLaunch();
    return this.#launch;
  }

  /** The id of the process that takes calls now, if there is one. */
  get pid(): number | undefined {
    return this.#current?.child.usable === true ? this.#current.child.pid : undefined;
  }

  /** Imports a handler without calling it. Resolves to the problem, or undefined. */
  async check(handler: PythonHandler, timeoutMs: number): Promise<string | undefined> {
    const completion = await this.#start('check', handler, undefined, { timeoutMs });
    if (completion.kind === 'returned') return undefined;
    if (completion.kind === 'failed-to-start') return completion.message;
    if (completion.kind === 'threw') return completion.error.message;
    return completion.kind === 'timed-out'
      ? `importing ${handler.name} took longer than ${timeoutMs / 1000} s`
      : `importing ${handler.name} was aborted`;
  }

  /** Contract: never rejects, and always ends by the deadline. `event` is one JSON object. */
  call(handler: PythonHandler, event: Uint8Array, options: PythonCallOptions): Promise<Completion> {
    return this.#start('call', handler, event, options);
  }

  /** Ends the process and every call. Resolves when it has exited. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const serving of this.#serving) serving.child.kill('the Python process was closed');
    await Promise.all([...this.#serving].map(({ gone }) => gone));
  }

  #start(
    what: 'call' | 'check',
    handler: PythonHandler,
    event: Uint8Array | undefined,
    { timeoutMs, cancellation, onText }: PythonCallOptions,
  ): Promise<Completion> {
    if (this.#closed || cancellation?.cancelled) return Promise.resolve(ABORTED);
    const id = this.#nextId++;
    const head = JSON.stringify({ id, do: what, handler }).slice(0, -1);
    // JSON in UTF-8 contains no line feed except the one at its end.
    const body = event === undefined ? [] : [',"event":', withoutLineEnd(event)];
    const call = new PythonCall({
      id,
      name: handler.name,
      line: [head, ...body, '}\n'],
      timeoutMs,
      cancellation,
      onText: (text) => onText?.(text),
    });
    if (this.#launch === undefined)
      this.#load().then(
        (launch) => this.#serve(call, launch),
        (error: unknown) => call.lost(messageOf(error), true),
      );
    else this.#serve(call, this.#launch);
    return call.completion;
  }

  #serve(call: PythonCall, launch: Launch): void {
    // Its deadline may have passed while the launcher was loading.
    if (call.isEnding) return;
    if (this.#closed) {
      call.finish(ABORTED);
      return;
    }
    if (this.#current?.child.usable !== true) {
      this.#current = new Serving(launch, this.#options, (serving, end) =>
        this.#onGone(serving, end, launch),
      );
      this.#serving.add(this.#current);
    }
    this.#current.take(call);
  }

  #onGone(serving: Serving, end: PythonEnd, launch: Launch): void {
    this.#serving.delete(serving);
    for (const call of serving.leftBehind()) {
      const canMove = !call.begun && !call.isEnding && !end.neverReady && call.moves === 0 && !this.#closed;
      call.server = undefined;
      if (canMove) {
        call.moves += 1;
        this.#serve(call, launch);
      } else if (this.#closed && !call.isEnding) call.finish(ABORTED);
      else call.lost(end.how, end.neverReady);
    }
  }
}

/** One process and the calls that it serves. */
class Serving implements CallServer {
  readonly child: PythonChild;
  readonly gone: Promise<void>;
  readonly #calls = new Map<number, PythonCall>();

  constructor(launch: Launch, options: PythonOptions, onGone: (serving: Serving, end: PythonEnd) => void) {
    let settle = (): void => {};
    this.gone = new Promise((resolve) => {
      settle = resolve;
    });
    const { python = 'python3', cwd, paths, environment } = options;
    const env = environment === 'scrub' ? scrubEnvironment() : inheritEnvironment();
    this.child = new PythonChild(
      launch,
      { command: python, args: ['-c', PYTHON_PROGRAM, cwd, ...paths], cwd, env },
      {
        onMessage: (message: FromPython) => this.#calls.get(message['id'] as number)?.onMessage(message),
        onGone: (end) => {
          onGone(this, end);
          settle();
        },
      },
    );
  }

  take(call: PythonCall): void {
    call.server = this;
    this.#calls.set(call.request.id, call);
    this.child.send(call.request.line);
  }

  leftBehind(): PythonCall[] {
    return [...this.#calls.values()];
  }

  cancel(call: PythonCall): void {
    this.child.send(`${JSON.stringify({ id: call.request.id, do: 'cancel' })}\n`);
  }

  kill(call: PythonCall): void {
    this.child.kill(
      `the Python process was ended because ${call.request.name}, which it also ran, had to be`,
    );
  }

  leavesSomething(): boolean {
    return this.child.hasChildren;
  }

  release(call: PythonCall): void {
    this.#calls.delete(call.request.id);
  }
}

function withoutLineEnd(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
}
