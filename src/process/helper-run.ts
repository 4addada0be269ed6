/** The application's side of one process that the spawn helper runs. */

import { type Deadline, startDeadline } from '../base/async/deadline.js';
import { assertTimerMs, MAX_TIMER_MS } from '../base/async/timeout.js';
import type { DoneMessage, ToHelper } from './helper-protocol.js';
import { platform } from './platform.js';
import { runProcess } from './run-process.js';
import {
  DEFAULT_LIMITS,
  type OutputName,
  type ProcessEnd,
  type ProcessRequest,
  type ProcessResult,
  type RunningProcess,
} from './types.js';

export interface HelperLink {
  /** How long the helper may take to report that it has started a process. */
  readonly startMs: number;
  /** How long its answer may be overdue after all time limits of the request have passed. */
  readonly overdueMs: number;
  send(message: ToHelper, body?: Uint8Array): void;
  onOverdue(): void;
  onDone(): void;
}

export class HelperRun implements RunningProcess {
  readonly done: Promise<ProcessResult>;
  readonly #id: number;
  readonly #request: ProcessRequest;
  readonly #link: HelperLink;
  readonly #sentAt = performance.now();
  #resolve: (result: ProcessResult) => void = () => {};
  #pid: number | undefined;
  /** Waits for the start, and then for the end. */
  readonly #watchdog: Deadline;
  #timeoutMs: number;
  #direct: RunningProcess | undefined;
  #settled = false;

  constructor(id: number, request: ProcessRequest, link: HelperLink) {
    this.#id = id;
    this.#request = request;
    this.#link = link;
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#timeoutMs = request.timeoutMs;
    this.#watchdog = startDeadline(link.startMs, () => link.onOverdue());
    const { stdin, onText, ...rest } = request;
    const body = typeof stdin === 'string' ? Buffer.from(stdin) : stdin;
    link.send({ type: 'start', id, wantsText: onText !== undefined, ...rest }, body);
  }

  get pid(): number | undefined {
    return this.#direct?.pid ?? this.#pid;
  }

  abort(): void {
    if (this.#direct) this.#direct.abort();
    else if (!this.#settled) {
      this.#link.send({ type: 'abort', id: this.#id });
      this.#expectEnd(0);
    }
  }

  setTimeout(ms: number): void {
    assertTimerMs(ms);
    if (this.#direct) {
      this.#direct.setTimeout(ms);
    } else if (!this.#settled) {
      this.#link.send({ type: 'timeout', id: this.#id, ms });
      this.#expectEnd(ms);
    }
  }

  started(pid: number): void {
    this.#pid = pid;
    this.#expectEnd(this.#timeoutMs);
  }

  onOutput(stream: OutputName, text: string): void {
    try {
      this.#request.onText?.(stream, text);
    } catch {
      // An error in the listener must not affect the process.
    }
  }

  finished({ end, durationMs, stdoutBytes }: DoneMessage, output: Buffer): void {
    this.#settle(
      end,
      durationMs,
      output.toString('utf8', 0, stdoutBytes),
      output.toString('utf8', stdoutBytes),
    );
  }

  /** The helper never became ready, so nothing was started yet: run without it. */
  runDirectly(): void {
    this.#watchdog.cancel();
    this.#direct = runProcess(this.#request);
    void this.#direct.done.then((result) => {
      this.#resolve(result);
      this.#link.onDone();
    });
  }

  /** The helper died without ending its processes, as it does when it can still act. */
  lost(code: string, message: string): void {
    if (this.#pid !== undefined) platform.forceEnd(this.#pid);
    this.#settle({ kind: 'failed-to-start', code, message }, performance.now() - this.#sentAt);
  }

  #settle(end: ProcessEnd, durationMs: number, stdout = '', stderr = ''): void {
    this.#settled = true;
    this.#watchdog.cancel();
    const pid = this.#pid;
    this.#resolve({ end, stdout, stderr, durationMs, ...(pid !== undefined && { pid }) });
    this.#link.onDone();
  }

  /** Within this time it must be over, or ending. */
  #expectEnd(ms: number): void {
    this.#timeoutMs = ms;
    if (this.#pid === undefined) return;
    const { killGraceMs, drainCapMs } = { ...DEFAULT_LIMITS, ...this.#request.limits };
    this.#watchdog.restart(Math.min(ms + killGraceMs + drainCapMs + this.#link.overdueMs, MAX_TIMER_MS));
  }
}
