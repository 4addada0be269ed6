/** The application's side of one process that the spawn helper runs. */

import { type Deadline, startDeadline } from '../base/async/deadline.js';
import { assertTimerMs, MAX_TIMER_MS } from '../base/async/timeout.js';
import { type DoneMessage, monotonicMs, type ToHelper } from './helper-protocol.js';
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
  /** Takes back what was not sent yet; false if the helper was ready, so that it may have been started. */
  withdraw(): boolean;
  onOverdue(): void;
  /** It did not answer: others had better not wait for it. */
  onSilent(): void;
  onDone(): void;
}

/** How long a helper that is not stuck may take to answer. */
const ANSWER_MS = 500;
/** A shorter deadline is not held against the time that a start takes on a busy machine. */
const MIN_START_MS = 1000;

const NOT_STARTED =
  'The spawn helper did not start it within its deadline. The helper may be stuck; it is replaced if it stays so.';

export class HelperRun implements RunningProcess {
  readonly done: Promise<ProcessResult>;
  readonly #id: number;
  readonly #request: ProcessRequest;
  readonly #link: HelperLink;
  readonly #sentAt = performance.now();
  /** The time by which it has to be started. */
  readonly #startByMs: number;
  #resolve: (result: ProcessResult) => void = () => {};
  #pid: number | undefined;
  /** Replaces a helper that hangs: waits for the start, and then for the end. */
  readonly #watchdog: Deadline;
  /** Ends the wait of the caller, whose own deadline has passed, for a helper that does not answer. */
  readonly #answerDeadline: Deadline;
  #onNoAnswer: () => void = () => this.#doWithout();
  #timeoutMs: number;
  #aborted = false;
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
    this.#startByMs = Math.max(request.timeoutMs, MIN_START_MS);
    this.#watchdog = startDeadline(link.startMs, () => link.onOverdue());
    this.#answerDeadline = startDeadline(Math.min(this.#startByMs / 2, link.startMs), () =>
      this.#onNoAnswer(),
    );
    const { stdin, onText, ...rest } = request;
    const body = typeof stdin === 'string' ? Buffer.from(stdin) : stdin;
    const expiresAt = monotonicMs() + this.#startByMs;
    link.send({ type: 'start', id, wantsText: onText !== undefined, expiresAt, ...rest }, body);
  }

  get pid(): number | undefined {
    return this.#direct?.pid ?? this.#pid;
  }

  abort(): void {
    if (this.#direct) this.#direct.abort();
    else if (!this.#settled) {
      this.#aborted = true;
      if (this.#link.withdraw()) {
        this.#settle({ kind: 'aborted' }, this.#elapsedMs());
        return;
      }
      this.#link.send({ type: 'abort', id: this.#id });
      this.#expectEnd(0);
      this.#ping();
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
    if (this.#settled) platform.forceEnd(pid);
    else this.#expectEnd(this.#timeoutMs);
  }

  onOutput(stream: OutputName, text: string): void {
    if (this.#settled) return;
    try {
      this.#request.onText?.(stream, text);
    } catch {
      // An error in the listener must not affect the process.
    }
  }

  /** The helper is not stuck. */
  answered(): void {
    if (!this.#settled) this.#answerDeadline.cancel();
  }

  finished({ end, durationMs, stdoutBytes }: DoneMessage, output: Buffer): void {
    this.#settle(
      end,
      durationMs,
      output.toString('utf8', 0, stdoutBytes),
      output.toString('utf8', stdoutBytes),
    );
  }

  /** Nothing was started yet: runs without the helper. */
  runDirectly(): void {
    if (this.#direct) return;
    this.#watchdog.cancel();
    this.#answerDeadline.cancel();
    this.#direct = runProcess({ ...this.#request, timeoutMs: this.#timeoutMs });
    void this.#direct.done.then((result) => {
      this.#resolve(result);
      this.#link.onDone();
    });
  }

  /** The helper died without ending its processes, as it does when it can still act. */
  lost(code: string, message: string): void {
    if (this.#direct) return;
    if (this.#pid !== undefined) platform.forceEnd(this.#pid);
    this.#settle({ kind: 'failed-to-start', code, message }, this.#elapsedMs());
  }

  #settle(end: ProcessEnd, durationMs: number, stdout = '', stderr = ''): void {
    this.#settled = true;
    this.#watchdog.cancel();
    this.#answerDeadline.cancel();
    const pid = this.#pid;
    this.#resolve({ end, stdout, stderr, durationMs, ...(pid !== undefined && { pid }) });
    this.#link.onDone();
  }

  #elapsedMs(): number {
    return performance.now() - this.#sentAt;
  }

  /** Within this time it must be over, or ending. */
  #expectEnd(ms: number): void {
    this.#timeoutMs = ms;
    if (this.#pid === undefined) return;
    const { killGraceMs, drainCapMs } = { ...DEFAULT_LIMITS, ...this.#request.limits };
    this.#watchdog.restart(Math.min(ms + killGraceMs + drainCapMs + this.#link.overdueMs, MAX_TIMER_MS));
    this.#wait(ms, () => this.#ping());
  }

  #wait(ms: number, onImpatient: () => void): void {
    this.#onNoAnswer = onImpatient;
    this.#answerDeadline.restart(ms);
  }

  /** Half of the time has passed, and it is not started. */
  #doWithout(): void {
    if (this.#link.withdraw()) this.runDirectly();
    else this.#wait(Math.max(this.#startByMs - this.#elapsedMs(), 0), () => this.#giveUp());
  }

  /** A helper that answers ends it in time. */
  #ping(): void {
    this.#link.send({ type: 'ping', id: this.#id });
    this.#wait(ANSWER_MS, () => this.#giveUp());
  }

  /** The caller gets an end; the watchdog still waits for the helper's. */
  #giveUp(): void {
    this.#settled = true;
    this.#link.onSilent();
    const pid = this.#pid;
    if (pid !== undefined) platform.forceEnd(pid);
    this.#link.send({ type: 'abort', id: this.#id });
    const late: ProcessEnd =
      pid === undefined
        ? { kind: 'failed-to-start', code: 'EHELPER', message: NOT_STARTED }
        : { kind: 'timed-out' };
    const end: ProcessEnd = this.#aborted ? { kind: 'aborted' } : late;
    const durationMs = this.#elapsedMs();
    this.#resolve({ end, stdout: '', stderr: '', durationMs, ...(pid !== undefined && { pid }) });
  }
}
