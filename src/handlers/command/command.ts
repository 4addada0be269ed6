/** The hook that is a program: JSON on its stdin, JSON on its stdout, with limits on time and output. */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { canPrevent } from '../../events/registry.js';
import { NO_SLOT, type Turn } from '../../process/run-limited.js';
import type { ProcessRequest, ProcessResult, RunningProcess } from '../../process/run-process.js';
import { ABORTED, type Announcement, type Completion, type Follow, type Rewake } from '../completion.js';
import type { HookRun, RunHook, StartCheck } from '../hook.js';
import { readAsyncLine } from './async-line.js';
import type { EnvFiles } from './env-files.js';
import { commandEnvironment } from './environment.js';
import { ProgressBuffer } from './progress.js';

/** A program to run, as a configuration describes it. */
export interface Command {
  /** A line for the shell; with `args`, a program. */
  readonly command: string;
  /** Exactly these arguments, without a shell. */
  readonly args?: readonly string[] | undefined;
  /** The shell that runs the line. Default: `/bin/sh`. */
  readonly shell?: string | undefined;
  /** The working directory. Default: the `cwd` of the input. */
  readonly cwd?: string | undefined;
  /** Additional variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Which of the parent's variables it gets. Default: 'inherit'. */
  readonly environment?: 'inherit' | 'scrub' | undefined;
  /** With `environment: 'scrub'`: variables of the parent that are passed on although they look like secrets. */
  readonly allowedEnvVars?: readonly string[] | undefined;
  /** Runs in the background from the start, as if it had announced it. */
  readonly async?: boolean | undefined;
  /**
   * Runs in the background, and exit code 2 wakes the agent with what it printed on stderr, or else on stdout. If nobody
   * can wake the agent (`runner.onRewake`), it is awaited.
   */
  readonly asyncRewake?: boolean | undefined;
  /** What the agent reads before the output. */
  readonly rewakeMessage?: string | undefined;
  /** What people see when it wakes the agent. */
  readonly rewakeSummary?: string | undefined;
}

/** How commands are started: the runner's limit on processes, directly or through a helper. */
export interface CommandRuntime {
  readonly projectDir: string;
  readonly envFiles: EnvFiles;
  /** Whether somebody can wake the agent. */
  canWake(): boolean;
  start(request: ProcessRequest, turn?: Turn): RunningProcess;
}

/** Variables that depend on the run, defined by a dialect. */
export type RunEnvironment = (run: HookRun) => Readonly<Record<string, string>>;

/** `check` is called when the command has its process slot, so that nothing can change while it waits for one. */
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

/**
 * One run. It is complete when the process ends or announces that it continues in the background, whichever is first.
 */
class CommandRun {
  readonly completion: Promise<Completion>;
  readonly #process: RunningProcess;
  readonly #run: HookRun;
  readonly #progress: ProgressBuffer | undefined;
  readonly #check: StartCheck | undefined;
  /** The completion if it may not start. */
  #refusal: Completion | undefined;
  #resolve: (completion: Completion) => void = () => {};
  /** The start of stdout, until it is clear whether its first line says `async`. */
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
    // The agent waits for a guard, but not for a hook that only observes: guards get a slot first.
    const rewake = command.asyncRewake === true && runtime.canWake() ? rewakeOf(command) : undefined;
    const inBackground = command.async === true || rewake !== undefined;
    const urgent = !inBackground && canPrevent(run.event);
    this.#process = runtime.start(request, { urgent, mayStart: check && (() => this.#mayStart()) });
    run.cancellation.add(this.#abort);
    this.#process.done.then((result) => {
      run.cancellation.remove(this.#abort);
      this.#opening = undefined;
      this.#progress?.end();
      this.#resolve(this.#refusal ?? toCompletion(result, run.timeoutMs, 0));
    });
    if (inBackground) this.#detachAtOnce(rewake);
  }

  async #mayStart(): Promise<boolean> {
    const refusal = await this.#check?.(this.#run);
    this.#refusal ??= refusal;
    return refusal === undefined;
  }

  /** It announced nothing itself, so its own deadline still applies. If it may not start, it still refuses. */
  async #detachAtOnce(rewake: Rewake | undefined): Promise<void> {
    if (this.#check === undefined || (await this.#mayStart()))
      this.#detach({ ownTimeoutMs: this.#run.timeoutMs, ...(rewake && { rewake }) });
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

/** Removes the line that announced the background work: the answer is what came after it. */
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

const rewakeOf = ({ rewakeMessage: message, rewakeSummary: summary }: Command): Rewake => ({
  message,
  summary,
});

function noSlot(why: string): Completion {
  const advice = 'raise maxProcesses, or give the hooks that hold them a shorter timeout';
  return { kind: 'no-slot', message: `it was not started: ${why}; ${advice}` };
}

/**
 * The directory in which the command starts. If the agent has removed its current directory, the nearest existing
 * parent is used: otherwise removing it would disable the guards. A directory that the hook's author names must
 * exist.
 */
function placeOf(command: Command, { projectDir }: CommandRuntime, run: HookRun): string {
  if (command.cwd !== undefined) return resolve(projectDir, command.cwd);
  let place = resolve(projectDir, String(run.input['cwd']));
  while (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true && dirname(place) !== place)
    place = dirname(place);
  return place;
}
