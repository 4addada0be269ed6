/** The hook that is a program: JSON on its stdin, JSON on its stdout, bounded by the process layer. */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { canPrevent } from '../../events/registry.js';
import { NO_SLOT, type Turn } from '../../process/run-limited.js';
import type { ProcessRequest, ProcessResult, RunningProcess } from '../../process/run-process.js';
import { ABORTED, type Announcement, type Completion, type Follow } from '../completion.js';
import type { HookRun, RunHook, StartCheck } from '../hook.js';
import { readAsyncLine } from './async-line.js';
import type { EnvFiles } from './env-files.js';
import { commandEnvironment } from './environment.js';
import { ProgressBuffer } from './progress.js';

/** A program to run, as a configuration says it. */
export interface Command {
  /** A line for the shell, or a program when `args` is there. */
  readonly command: string;
  /** Exactly these arguments, and no shell. */
  readonly args?: readonly string[] | undefined;
  /** The program that reads the line. Default: `/bin/sh`. */
  readonly shell?: string | undefined;
  /** Where it runs. Default: the `cwd` of the input. */
  readonly cwd?: string | undefined;
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Which of the parent's variables it gets. Default: 'inherit'. */
  readonly environment?: 'inherit' | 'scrub' | undefined;
  /** Variables of the parent that pass although they look like secrets, with `environment: 'scrub'`. */
  readonly allowedEnvVars?: readonly string[] | undefined;
  /** Goes to the background at once, as if it had announced so. */
  readonly async?: boolean | undefined;
}

/** How commands are started: the runner's limit on processes, and directly or through a helper. */
export interface CommandRuntime {
  readonly projectDir: string;
  readonly envFiles: EnvFiles;
  start(request: ProcessRequest, turn?: Turn): RunningProcess;
}

/** Variables that depend on the run, as a dialect wants them. */
export type RunEnvironment = (run: HookRun) => Readonly<Record<string, string>>;

/** `check` is asked when the command has its process slot, so that nothing changes while it waits for one. */
export function commandHook(
  command: Command,
  runtime: CommandRuntime,
  environment?: RunEnvironment,
  check?: StartCheck,
): RunHook {
  return (run) => {
    if (run.cancellation.cancelled) return ABORTED;
    const env = Object.assign(commandEnvironment(command, runtime, run), environment?.(run));
    return new CommandRun(command, env, runtime, run, check).completion;
  };
}

/** One run: the first of "it ended" and "it says it goes on in the background" completes it. */
class CommandRun {
  readonly completion: Promise<Completion>;
  readonly #process: RunningProcess;
  readonly #run: HookRun;
  readonly #progress: ProgressBuffer | undefined;
  readonly #check: StartCheck | undefined;
  /** What it comes to when it may not start. */
  #refusal: Completion | undefined;
  #resolve: (completion: Completion) => void = () => {};
  /** What stdout has shown so far, until it is clear whether its first line says `async`. */
  #opening: string | undefined = '';
  #asyncLineLength = 0;

  constructor(
    command: Command,
    env: Readonly<Record<string, string>>,
    runtime: CommandRuntime,
    run: HookRun,
    check: StartCheck | undefined,
  ) {
    this.#run = run;
    this.#check = check;
    this.#progress = run.watched ? new ProgressBuffer(run.onProgress) : undefined;
    this.completion = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const request: ProcessRequest = {
      command: command.command,
      ...(command.args !== undefined && { args: command.args }),
      ...(command.shell !== undefined && { shell: command.shell }),
      cwd: placeOf(command, runtime, run),
      env,
      stdin: run.wire(),
      timeoutMs: run.timeoutMs,
      onText: (stream, text) => this.#onText(stream, text),
    };
    // Whoever waits for a guard waits for the tool; nobody waits for what only watches.
    const urgent = command.async !== true && canPrevent(run.event);
    this.#process = runtime.start(request, { urgent, mayStart: check && (() => this.#mayStart()) });
    run.cancellation.add(this.#abort);
    this.#process.done.then((result) => {
      run.cancellation.remove(this.#abort);
      this.#opening = undefined;
      this.#progress?.end();
      this.#resolve(this.#refusal ?? toCompletion(result, run.timeoutMs, 0));
    });
    if (command.async === true) this.#detachAtOnce();
  }

  async #mayStart(): Promise<boolean> {
    const refusal = await this.#check?.(this.#run);
    this.#refusal ??= refusal;
    return refusal === undefined;
  }

  /** It has announced nothing itself, so its own deadline goes on to count. One that may not start still refuses. */
  async #detachAtOnce(): Promise<void> {
    if (this.#check === undefined || (await this.#mayStart()))
      this.#detach({ ownTimeoutMs: this.#run.timeoutMs });
    else this.#abort();
  }

  #detach(announcement: Announcement): void {
    this.#opening = undefined;
    this.#run.cancellation.remove(this.#abort);
    this.#resolve({ kind: 'detached', ...announcement, follow: this.#follow });
  }

  #onText(stream: 'stdout' | 'stderr', text: string): void {
    this.#progress?.add(stream, text);
    if (stream !== 'stdout' || this.#opening === undefined) return;
    this.#opening += text;
    const line = readAsyncLine(this.#opening);
    if (line === 'undecided') return;
    this.#opening = undefined;
    if (line === 'no') return;
    this.#asyncLineLength = line.length;
    this.#detach(line);
  }

  readonly #abort = (): void => this.#process.abort();

  readonly #follow: Follow = async (timeoutMs, cancellation) => {
    this.#process.setTimeout(timeoutMs);
    if (cancellation.cancelled) this.#abort();
    else cancellation.add(this.#abort);
    const result = await this.#process.done;
    cancellation.remove(this.#abort);
    return this.#refusal ?? toCompletion(result, timeoutMs, this.#asyncLineLength);
  };
}

/** Leaves out the line that announced the background work: what came after it is the answer. */
function toCompletion(result: ProcessResult, timeoutMs: number, asyncLineLength: number): Completion {
  const { end, stderr } = result;
  const stdout = result.stdout.slice(asyncLineLength);
  switch (end.kind) {
    case 'exited':
      return { kind: 'exited', exitCode: end.exitCode, signal: undefined, stdout, stderr };
    case 'signalled':
      return { kind: 'exited', exitCode: undefined, signal: end.signal, stdout, stderr };
    case 'timed-out':
      return { kind: 'timed-out', timeoutMs, stdout, stderr };
    case 'aborted':
      return { kind: 'aborted', stdout, stderr };
    case 'too-much-output':
      return {
        kind: 'too-much-output',
        message: `it printed more than ${end.limit} bytes on ${end.stream}`,
        stdout,
        stderr,
      };
    case 'failed-to-start':
      return end.code === NO_SLOT ? noSlot(end.message) : { kind: 'failed-to-start', message: end.message };
  }
}

function noSlot(why: string): Completion {
  const advice = 'raise maxProcesses, or give the hooks that hold them a shorter timeout';
  return { kind: 'no-slot', message: `it was not started: ${why}; ${advice}` };
}

/**
 * Where the command is started. An agent may have removed the directory it is in, and must not be rid of its guards by
 * that: the nearest one above it takes its place. A directory that the hook's author names has to be there.
 */
function placeOf(command: Command, { projectDir }: CommandRuntime, run: HookRun): string {
  if (command.cwd !== undefined) return resolve(projectDir, command.cwd);
  let place = resolve(projectDir, String(run.input['cwd']));
  while (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true && dirname(place) !== place)
    place = dirname(place);
  return place;
}
