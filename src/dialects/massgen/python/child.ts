/**
 * One instance of the warm Python process: its process group, the lines to and from it, and a notification when it is
 * gone.
 */
import { StringDecoder } from 'node:string_decoder';
import { type Ending, endGroup } from '../../../process/end-group.js';
import type { Launch, LaunchedChild } from '../../../process/launch.js';
import { type LiveGroup, trackGroup } from '../../../process/live-groups.js';
import { platform } from '../../../process/platform.js';
import { describeStartFailure } from '../../../process/start-failure.js';
import { DEFAULT_LIMITS, type ProcessRequest } from '../../../process/types.js';
import { MAX_TEXT } from './program.js';

export type FromPython = Readonly<Record<string, unknown>>;

export interface PythonEvents {
  onMessage(message: FromPython): void;
  /** Called once, when its whole group is gone and its last line has been read. */
  onGone(end: PythonEnd): void;
}

export interface PythonEnd {
  /** It never became ready to take a call; the sentence says why. */
  readonly neverReady: boolean;
  readonly how: string;
}

/** How long to wait for its last output. */
const LAST_WORDS_MS = 250;
/** JSON writes a character as six at worst; a longer line is not ours. */
const MAX_LINE = 8 * MAX_TEXT;
const KEPT_STDERR = 4096;

export class PythonChild {
  readonly #events: PythonEvents;
  readonly #child: LaunchedChild | undefined;
  readonly #group: LiveGroup = trackGroup();
  readonly #decoder = new StringDecoder('utf8');
  #line = '';
  #stderr = '';
  #ready = false;
  #exited = false;
  #ending: Ending | undefined;
  #how = '';
  #gone = false;

  constructor(launch: Launch, request: Omit<ProcessRequest, 'stdin' | 'timeoutMs'>, events: PythonEvents) {
    this.#events = events;
    const full = { ...request, stdin: '', timeoutMs: 1 };
    this.#child = launch(full, (error) => this.#finish(describeStartFailure(error, full).message));
    if (this.#child === undefined) return;
    const { pid, stdin, stdout, stderr } = this.#child;
    this.#group.started(pid);
    this.#child.once('exit', (code, signal) => this.#onExit(code, signal));
    stdin.on('error', () => {});
    stdout.on('error', () => {});
    stderr.on('error', () => {});
    stdout.on('data', (chunk: Buffer) => this.#onData(chunk));
    stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-KEPT_STDERR);
    });
    // It never keeps the application alive by itself: the deadline of a pending call does that.
    for (const stream of [stdin, stdout, stderr]) (stream as { unref?: () => void }).unref?.();
    this.#child.unref();
  }

  /** False once no further call may be given to it. */
  get usable(): boolean {
    return !this.#exited && !this.#gone && this.#ending === undefined;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Whether it has started processes that still run. */
  get hasChildren(): boolean {
    return this.#child !== undefined && platform.children(this.#child.pid).length > 0;
  }

  send(line: string | readonly (string | Uint8Array)[]): void {
    for (const part of typeof line === 'string' ? [line] : line) this.#child?.stdin.write(part);
  }

  /** Kills the whole group, for this reason. */
  kill(how: string): void {
    if (this.#child === undefined || this.#gone || this.#ending !== undefined) return;
    if (this.#how === '') this.#how = how;
    this.#ending = endGroup(this.#child.pid, DEFAULT_LIMITS.killGraceMs, this.#exited, () => this.#drain());
  }

  #onExit(code: number | null, signal: NodeJS.Signals | null): void {
    this.#exited = true;
    if (this.#ending !== undefined) {
      this.#ending.leaderExited();
      return;
    }
    const said = lastLine(this.#stderr);
    const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
    this.kill(`the Python process ${how}${said === '' ? '' : `: ${said}`}`);
  }

  #onData(chunk: Buffer): void {
    const lines = (this.#line + this.#decoder.write(chunk)).split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line);
    if (this.#line.length > MAX_LINE) this.kill('the Python process wrote a line that never ends');
  }

  #onLine(line: string): void {
    const message = parseObject(line);
    if (message === undefined) this.kill('the Python process wrote something that is not an answer');
    else if (message['ready'] === undefined) this.#events.onMessage(message);
    else this.#ready = true;
  }

  /** The group is gone; lines that it wrote before may still be in the pipe. */
  #drain(): void {
    const stdout = this.#child?.stdout;
    if (stdout === undefined || stdout.destroyed || stdout.readableEnded) {
      this.#finish(this.#how);
      return;
    }
    const timer = setTimeout(() => this.#finish(this.#how), LAST_WORDS_MS);
    stdout.once('close', () => {
      clearTimeout(timer);
      this.#finish(this.#how);
    });
  }

  #finish(how: string): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#group.forget();
    const child = this.#child;
    for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy();
    this.#events.onGone({ neverReady: !this.#ready, how });
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}

function parseObject(line: string): FromPython | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as FromPython) : undefined;
  } catch {
    return undefined;
  }
}
