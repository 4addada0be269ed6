/** One call of a Python handler: from the start of its deadline to exactly one completion, even if the process dies. */
import { type Deadline, startDeadline } from '../../../base/async/deadline.js';
import type { Cancellation } from '../../../handlers/cancellation.js';
import { ABORTED, type Completion } from '../../../handlers/completion.js';
import type { FromPython } from './child.js';

/** How long an `async def` may take to end after it was cancelled, before the process is killed. */
const CANCEL_GRACE_MS = 250;

/** What a call needs from the process that serves it. */
export interface CallServer {
  /** Cancels a coroutine. */
  cancel(call: PythonCall): void;
  /** Kills the process: nothing else can end a function that runs in a thread. */
  kill(call: PythonCall): void;
  /** Whether something that the call may have started is still running. */
  leavesSomething(): boolean;
  /** The call is over. */
  release(call: PythonCall): void;
}

export interface CallRequest {
  readonly id: number;
  readonly name: string;
  /** The line for the process, in parts. */
  readonly line: readonly (string | Uint8Array)[];
  readonly timeoutMs: number;
  readonly cancellation: Cancellation | undefined;
  onText(text: string): void;
}

export class PythonCall {
  readonly completion: Promise<Completion>;
  readonly request: CallRequest;
  /** Its handler may have had effects: it must not be called again. */
  begun = false;
  /** How often it was moved to another process because its own one was lost. */
  moves = 0;
  server: CallServer | undefined;
  readonly #deadline: Deadline;
  #resolve: (completion: Completion) => void = () => {};
  #isAsync = false;
  /** The completion to report once it has really ended. */
  #ending: Completion | undefined;
  #grace: NodeJS.Timeout | undefined;

  constructor(request: CallRequest) {
    this.request = request;
    this.completion = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const { timeoutMs, cancellation } = request;
    this.#deadline = startDeadline(timeoutMs, () => this.#end({ kind: 'timed-out', timeoutMs }));
    cancellation?.add(this.#abort);
  }

  /** Handles a message of the process about this call. */
  onMessage(message: FromPython): void {
    if (typeof message['text'] === 'string') this.request.onText(message['text']);
    else if (message['begun'] === true) {
      this.begun = true;
      this.#isAsync = message['async'] === true;
    } else if (this.#ending !== undefined) this.#ended(message['clean'] === true);
    else this.finish(this.#read(message));
  }

  /** Its process is gone. Contract: not called for a call that has not begun and can be moved. */
  lost(how: string, neverReady: boolean): void {
    if (this.#ending !== undefined) this.finish(this.#ending);
    else if (neverReady) this.finish({ kind: 'failed-to-start', message: how });
    else {
      const message = `${this.request.name} has no answer: ${how}; the call is not repeated, because it may already have had effects`;
      this.finish({ kind: 'threw', error: new Error(message) });
    }
  }

  /** Once its end is decided, it must not be called again. */
  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  finish(completion: Completion): void {
    this.#deadline.cancel();
    clearTimeout(this.#grace);
    this.request.cancellation?.remove(this.#abort);
    this.server?.release(this);
    this.#resolve(completion);
  }

  readonly #abort = (): void => this.#end(ABORTED);

  /** Ends the call now. It completes when it has really ended. */
  #end(completion: Completion): void {
    if (this.#ending !== undefined) return;
    this.#ending = completion;
    this.#deadline.cancel();
    if (this.server === undefined) this.finish(completion);
    else if (this.begun && !this.#isAsync) this.server.kill(this);
    else {
      this.server.cancel(this);
      this.#grace = setTimeout(() => this.server?.kill(this), CANCEL_GRACE_MS);
    }
  }

  /** The coroutine has ended; what it started may still run. */
  #ended(clean: boolean): void {
    clearTimeout(this.#grace);
    if (clean && this.server?.leavesSomething() !== true) this.finish(this.#ending ?? ABORTED);
    else this.server?.kill(this);
  }

  #read(message: FromPython): Completion {
    if (typeof message['missing'] === 'string') {
      const text = `the Python handler ${this.request.name} cannot be imported: ${message['missing']}`;
      return { kind: 'failed-to-start', message: text };
    }
    if (typeof message['raised'] === 'string') return { kind: 'threw', error: new Error(message['raised']) };
    if (typeof message['huge'] === 'number') {
      return { kind: 'too-much-output', message: `its answer has ${message['huge']} characters` };
    }
    if (message['cancelled'] === true) return { kind: 'threw', error: new Error('it cancelled itself') };
    return { kind: 'returned', output: message['result'] };
  }
}
