/** Shell commands that run in the background of a session: their output is kept within limits, and all end with it. */
import { MAX_TIMER_MS } from '../../base/async/timeout.js';
import { beforePair } from '../../base/text/cut-text.js';
import type { ProcessRequest, ProcessResult, RunningProcess } from '../../process/run-process.js';
import type { SessionPart } from './host.js';

/** More at once are refused. */
export const MAX_RUNNING = 20;
/** Of those that have ended, the oldest are forgotten. */
const MAX_ENDED = 50;
/** Of the output that was not read yet, the beginning is dropped. */
const MAX_UNREAD_CHARACTERS = 1_000_000;

export interface ShellState {
  readonly id: string;
  readonly command: string;
  readonly status: 'running' | 'completed' | 'failed' | 'killed';
  readonly exitCode?: number | undefined;
}

/** Output since the last read. */
export interface ShellOutput extends ShellState {
  readonly output: string;
  /** How many characters before it were dropped, because they were not read in time. */
  readonly dropped: number;
}

interface Shell {
  readonly id: string;
  readonly command: string;
  readonly running: RunningProcess;
  readonly unread: Unread;
  killed: boolean;
  end?: ProcessResult['end'];
}

/** The key under which a session keeps them. */
export const BACKGROUND_SHELLS = {};

export class BackgroundShells implements SessionPart {
  readonly #shells = new Map<string, Shell>();
  #count = 0;
  #closed = false;

  /** Returns the id, or why it was not started. `onEnd` is called once, unless it is killed. */
  start(
    request: Omit<ProcessRequest, 'timeoutMs' | 'onText' | 'keepsOutput'>,
    command: string,
    start: (request: ProcessRequest) => RunningProcess,
    onEnd: (ended: ShellOutput) => void,
  ): { readonly id: string } | { readonly problem: string } {
    const running = [...this.#shells.values()].filter(({ end }) => end === undefined);
    if (running.length >= MAX_RUNNING)
      return { problem: `${MAX_RUNNING} commands run in the background already. End one with KillShell.` };
    const id = `shell_${++this.#count}`;
    const unread = new Unread();
    const shell: Shell = {
      id,
      command,
      unread,
      killed: false,
      running: start({
        ...request,
        timeoutMs: MAX_TIMER_MS,
        keepsOutput: false,
        onText: (_, text) => unread.add(text),
      }),
    };
    this.#shells.set(id, shell);
    void shell.running.done.then(({ end }) => {
      shell.end = end;
      this.#forgetOld();
      if (!this.#closed && !shell.killed) onEnd({ ...stateOf(shell), ...unread.look() });
    });
    return { id };
  }

  /** Undefined if there is no such shell. */
  read(id: string): ShellOutput | undefined {
    const shell = this.#shells.get(id);
    return shell && { ...stateOf(shell), ...shell.unread.take() };
  }

  /** Ends a shell with everything that it started. Undefined if there is no such shell. */
  async kill(id: string): Promise<ShellState | undefined> {
    const shell = this.#shells.get(id);
    if (shell === undefined) return undefined;
    if (shell.end === undefined) {
      shell.killed = true;
      shell.running.abort();
      await shell.running.done;
    }
    return stateOf(shell);
  }

  list(): readonly ShellState[] {
    return [...this.#shells.values()].map(stateOf);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#shells.keys()].map((id) => this.kill(id)));
    this.#shells.clear();
  }

  #forgetOld(): void {
    const ended = [...this.#shells.values()].filter(({ end }) => end !== undefined);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#shells.delete(id);
  }
}

/** Text that waits to be read. */
class Unread {
  #parts: string[] = [];
  #length = 0;
  #dropped = 0;

  add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    // Not at every piece: a program may write many small ones.
    if (this.#length > 2 * MAX_UNREAD_CHARACTERS) this.#shorten();
  }

  look(): { readonly output: string; readonly dropped: number } {
    this.#shorten();
    return { output: this.#parts.join(''), dropped: this.#dropped };
  }

  take(): { readonly output: string; readonly dropped: number } {
    const taken = this.look();
    this.#parts = [];
    this.#length = 0;
    this.#dropped = 0;
    return taken;
  }

  #shorten(): void {
    if (this.#length <= MAX_UNREAD_CHARACTERS) return;
    const all = this.#parts.join('');
    const start = beforePair(all, all.length - MAX_UNREAD_CHARACTERS);
    this.#dropped += start;
    this.#parts = [all.slice(start)];
    this.#length = all.length - start;
  }
}

function stateOf({ id, command, end, killed }: Shell): ShellState {
  if (end === undefined) return { id, command, status: 'running' };
  if (killed) return { id, command, status: 'killed' };
  const exitCode = end.kind === 'exited' ? end.exitCode : undefined;
  return { id, command, status: exitCode === 0 ? 'completed' : 'failed', exitCode };
}
