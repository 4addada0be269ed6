/** The lifecycle of one process: start, output, and exactly one end, whatever the program does. */

import { type Deadline, type Drain, startDeadline, startDrain } from '../base/async/deadline.js';
import { assertTimerMs } from '../base/async/timeout.js';
import { CappedOutput } from './capped-output.js';
import { type Ending, endGroup } from './end-group.js';
import type { Launch, LaunchedChild } from './launch.js';
import { type LiveGroup, trackGroup } from './live-groups.js';
import { platform } from './platform.js';
import { describeStartFailure } from './start-failure.js';
import {
  DEFAULT_LIMITS,
  type OutputName,
  type ProcessEnd,
  type ProcessLimits,
  type ProcessRequest,
  type ProcessResult,
  type RunningProcess,
} from './types.js';

/** The longest time from TERM to KILL on abort. */
const ABORT_GRACE_MS = 500;

/** Throws only for a timeout that a timer cannot hold. */
export class ProcessRun implements RunningProcess {
  readonly done: Promise<ProcessResult>;
  readonly #limits: ProcessLimits;
  readonly #output: Readonly<Record<OutputName, CappedOutput>>;
  readonly #child: LaunchedChild | undefined;
  readonly #deadline: Deadline | undefined;
  readonly #group: LiveGroup;
  readonly #startedAt = performance.now();
  #resolve: (result: ProcessResult) => void = () => {};
  #openPipes = 2;
  /** How the leader ended by itself. */
  #exit: ProcessEnd | undefined;
  #drain: Drain | undefined;
  /** Set once we are ending it. */
  #ending: Ending | undefined;
  #settled = false;

  constructor(request: ProcessRequest, launch: Launch) {
    assertTimerMs(request.timeoutMs);
    const { onText, keepsOutput } = request;
    this.#limits = { ...DEFAULT_LIMITS, ...request.limits };
    this.#output = {
      stdout: new CappedOutput(
        this.#limits.maxStdoutBytes,
        onText && ((text) => onText('stdout', text)),
        keepsOutput,
      ),
      stderr: new CappedOutput(
        this.#limits.maxStderrBytes,
        onText && ((text) => onText('stderr', text)),
        keepsOutput,
      ),
    };
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#group = trackGroup();
    const child = launch(request, (error) => this.#settle(describeStartFailure(error, request)));
    this.#child = child;
    if (!child) return;
    this.#group.started(child.pid);
    this.#deadline = startDeadline(request.timeoutMs, () => this.#end({ kind: 'timed-out' }));
    child.once('exit', (code, signal) => this.#leaderExited(code, signal));
    this.#read('stdout', child);
    this.#read('stderr', child);
    // A program need not read its input: EPIPE and similar errors are ignored.
    child.stdin.on('error', () => {});
    child.stdin.end(request.stdin);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  abort(): void {
    this.#end({ kind: 'aborted' });
  }

  setTimeout(ms: number): void {
    assertTimerMs(ms);
    if (!this.#exit && !this.#ending) this.#deadline?.restart(ms);
  }

  #read(name: OutputName, child: LaunchedChild): void {
    const stream = child[name];
    let open = true;
    const closed = (): void => {
      if (!open) return;
      open = false;
      this.#openPipes--;
      if (this.#drain && this.#openPipes === 0 && this.#exit) this.#settle(this.#exit);
    };
    stream.on('data', (chunk: Buffer) => {
      this.#drain?.seen();
      if (this.#output[name].append(chunk)) return;
      const limit = this.#limits[name === 'stdout' ? 'maxStdoutBytes' : 'maxStderrBytes'];
      this.#end({ kind: 'too-much-output', stream: name, limit });
      // No more output is needed, and a program that keeps writing now gets SIGPIPE.
      stream.destroy();
    });
    stream.on('error', () => {});
    stream.on('end', closed);
    stream.on('close', closed);
  }

  #leaderExited(code: number | null, signal: NodeJS.Signals | null): void {
    const exit = describeExit(code, signal);
    this.#exit = exit;
    this.#deadline?.cancel();
    if (this.#ending) {
      this.#ending.leaderExited();
      return;
    }
    // Processes left running by a normal exit are intentional; those left by a crash are not.
    if (exit.kind === 'signalled' && this.#child) platform.forceEnd(this.#child.pid);
    if (this.#openPipes === 0) {
      this.#settle(exit);
      return;
    }
    // A process left behind may hold the pipes open forever, so do not wait for them to close.
    const { drainGraceMs, drainCapMs } = this.#limits;
    this.#drain = startDrain(drainGraceMs, drainCapMs, () => this.#settle(exit));
  }

  /** Ends the process for this reason; the first reason wins. */
  #end(reason: ProcessEnd): void {
    if (this.#settled || this.#ending || !this.#child) return;
    this.#deadline?.cancel();
    this.#drain?.cancel();
    this.#drain = undefined;
    const leaderIsGone = this.#exit !== undefined;
    const { killGraceMs } = this.#limits;
    // The caller of `abort` waits for the end; after a timeout no one does.
    const graceMs = reason.kind === 'aborted' ? Math.min(killGraceMs, ABORT_GRACE_MS) : killGraceMs;
    this.#ending = endGroup(this.#child.pid, graceMs, leaderIsGone, () => this.#settle(reason));
  }

  #settle(end: ProcessEnd): void {
    if (this.#settled) return;
    this.#settled = true;
    const child = this.#child;
    this.#deadline?.cancel();
    this.#drain?.cancel();
    this.#group.forget();
    for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy();
    // Only matters for a process that even SIGKILL could not end: it must not keep this one alive.
    child?.unref();
    const stdout = this.#output.stdout.finish();
    const stderr = this.#output.stderr.finish();
    const durationMs = performance.now() - this.#startedAt;
    this.#resolve({ end, stdout, stderr, durationMs, ...(child && { pid: child.pid }) });
  }
}

/** Without an exit code it is not a success: Node reports either a code or a signal. */
function describeExit(code: number | null, signal: NodeJS.Signals | null): ProcessEnd {
  return code === null
    ? { kind: 'signalled', signal: signal ?? 'SIGKILL' }
    : { kind: 'exited', exitCode: code };
}
