/** An agent: a model that works with tools, asks permission, and does nothing that its hooks have not seen. */
import { randomUUID } from 'node:crypto';
import { onAbort } from '../../base/async/abortable.js';
import { Queue } from '../../base/async/queue.js';
import { HookError } from '../../base/errors.js';
import type { PermissionMode } from '../../permissions/permissions.js';
import { NoopRunner } from '../../runner/hook-runner.js';
import type { ModelMessage } from '../models/port.js';
import { compact } from './compact.js';
import { endable } from './endable.js';
import type { LoopMessage, ResultMessage } from './messages.js';
import { notify } from './notify.js';
import { type OpenSession, openSession } from './open-session.js';
import { type AgentLoopOptions, DEFAULT_END_TIMEOUT_MS } from './options.js';
import { type Prompt, runNotices, runPrompt, withResult } from './run-prompt.js';
import { emitMessage, type Session } from './session.js';
import { fireSessionStart } from './session-start.js';

/** How one run can be ended from outside. */
export interface RunOptions {
  /** Ends the run, and with it the session: whoever aborts does not come back. `interrupt()` ends only the run. */
  readonly signal?: AbortSignal | undefined;
}

/** Why a session ends, as hooks are told. */
export type SessionEndReason = 'other' | 'clear' | 'logout' | 'prompt_input_exit';

/** A run as it happens: its messages, and at the end its result. Whoever stops reading ends the run. */
export type Run = AsyncGenerator<LoopMessage, ResultMessage, void>;

const NOBODY_READS = 'Nobody reads the run any more.';

type Work = (session: Session, signal: AbortSignal) => Promise<ResultMessage>;

/**
 * One session of an agent. Prompts follow each other; `close` ends it, also as `await using`.
 * Events are fired at every point of its life, through nothing but `hooks.fire`.
 *
 * Making one begins nothing and never throws. The first call that needs the session opens it, and rejects with a
 * `HookError` for options that cannot be used: a permission rule, a session id, a transcript that cannot be resumed.
 */
export class AgentLoop {
  readonly #options: AgentLoopOptions;
  readonly #opening: { promise?: Promise<OpenSession> } = {};
  #messages = new Queue<LoopMessage>();
  #running: AbortController | undefined;
  /** Settles when the run that is going on, or the last one, has ended. */
  #ending: Promise<void> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: AgentLoopOptions) {
    this.#options = { ...options, hooks: options.hooks ?? new NoopRunner() };
  }

  /** The id of the session and the path of its transcript, which is empty where none is written. */
  async session(): Promise<Pick<OpenSession, 'id' | 'transcriptPath'>> {
    return this.#open();
  }

  /** The conversation so far, as the model is sent it. */
  async conversation(): Promise<readonly ModelMessage[]> {
    return (await this.#open()).session.main.messages;
  }

  /**
   * Works on a prompt until the agent, and every agent it has started, is done. Each prompt, and each time that another
   * agent has something to tell after the end, has one result; the last one is also what the generator returns.
   *
   * What goes wrong on the way is in the result. Throws a `HookError` only when the session has ended (`disposed`), or
   * while another run is going on (`invalid_option`).
   */
  run(prompt: Prompt, options: RunOptions = {}): Run {
    return this.#carryOut(options, async (session, signal) => {
      let last = await runPrompt(session, prompt, signal);
      // Whatever else ended the turn means that no work is wanted now; what others tell waits for the next prompt.
      while (last.terminal_reason === 'completed' && (await this.#hasNews(session, signal)))
        last = (await runNotices(session, signal)) ?? last;
      return last;
    });
  }

  /** Replaces the conversation by a summary of it. A run like any other: it throws as `run` does. */
  compact(instructions?: string, options: RunOptions = {}): Run {
    return this.#carryOut(options, (session, signal) =>
      withResult(session, signal, async () => {
        session.promptId = randomUUID();
        if (session.main.messages.length === 0)
          return { reason: 'completed', text: 'There is nothing to compact.' };
        const done = await compact(session, session.main, 'manual', instructions ?? null, signal);
        if (!done.done) return { reason: 'compaction_blocked', text: done.why };
        return { reason: 'compacted', text: 'The conversation was compacted.' };
      }),
    );
  }

  /** Forgets the conversation: hooks see the session end and start again. Throws as `run` does. */
  clear(options: RunOptions = {}): Run {
    return this.#carryOut(options, (session, signal) =>
      withResult(session, signal, async () => {
        await session.hooks.fire('SessionEnd', session.main, { reason: 'clear' }, { signal });
        session.main.forget();
        await fireSessionStart(session, 'clear', signal);
        return { reason: 'cleared', text: '' };
      }),
    );
  }

  /** Fires what a session begins with, without a prompt. `run` does it by itself. */
  async start(options: RunOptions = {}): Promise<void> {
    const running = this.#begin();
    const signal = withSignal(running, options.signal);
    const done = this.#open().then(({ begin }) => begin(signal));
    this.#ending = settled(done);
    try {
      await done;
    } finally {
      this.#running = undefined;
      if (options.signal?.aborted) await this.close();
    }
  }

  /** Ends the run that is going on, if there is one; the session stays. Never throws. */
  interrupt(): void {
    this.#running?.abort(new Error('The run was interrupted.'));
  }

  /** Tells hooks something that concerns the person at the other end, and does not wait for them. */
  async notify(message: string, type: string): Promise<void> {
    const { session } = await this.#open();
    notify(session, session.main, type, message);
  }

  /** Changes what may happen without asking, from the next call of a tool on. Rejects for a mode that is none. */
  async setPermissionMode(mode: PermissionMode): Promise<void> {
    const { session } = await this.#open();
    session.permissions.apply([{ type: 'setMode', mode, destination: 'session' }]);
  }

  /**
   * Ends the session: what still runs is ended, hooks are told. The second call waits for the first. Does not reject
   * because of a hook or a run that failed.
   */
  close(reason: SessionEndReason = 'other'): Promise<void> {
    this.#closed ??= this.#close(reason);
    return this.#closed;
  }

  /** As `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #open(): Promise<OpenSession> {
    this.#opening.promise ??= openSession(this.#options, (message) => this.#messages.push(message));
    return this.#opening.promise;
  }

  /** Throws a HookError when there cannot be another run now. */
  #begin(): AbortController {
    if (this.#closed) throw new HookError('disposed', 'The session has ended; make a new AgentLoop.');
    if (this.#running)
      throw new HookError(
        'invalid_option',
        'A run is going on. Read it to its end, or interrupt() it, before the next one; SendMessage and injection reach a running agent.',
      );
    clearTimeout(this.#idle);
    this.#running = new AbortController();
    return this.#running;
  }

  #carryOut({ signal }: RunOptions, work: Work): Run {
    let running: AbortController | undefined;
    const begin = (): AbortController => (running = this.#begin());
    return endable(this.#read(signal, work, begin), () => running?.abort(new Error(NOBODY_READS)));
  }

  async *#read(signal: AbortSignal | undefined, work: Work, begin: () => AbortController): Run {
    const running = begin();
    const messages = new Queue<LoopMessage>();
    this.#messages = messages;
    const done = this.#work(withSignal(running, signal), work).finally(() => messages.close());
    this.#ending = settled(done);
    // Whoever aborts may not read on; the session ends all the same.
    const stop = onAbort(signal, () => void this.close());
    try {
      yield* messages;
      return await done;
    } finally {
      // Whoever stops reading does not want the rest.
      running.abort(new Error(NOBODY_READS));
      await this.#ending;
      stop();
      this.#running = undefined;
      if (signal?.aborted) await this.close();
      else await this.#waitForPrompt();
    }
  }

  async #work(signal: AbortSignal, work: Work): Promise<ResultMessage> {
    const opened = await this.#open();
    const { session } = opened;
    try {
      await opened.begin(signal);
    } catch (error) {
      return withResult(session, signal, () => Promise.reject(error));
    }
    emitMessage(session, opened.describe());
    return work(session, signal);
  }

  /** Whether somebody has told the agent something; waits while agents are at work that could. */
  async #hasNews({ main, background }: Session, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (!main.inbox.isEmpty) return true;
      if (!background.anyBusy) return false;
      await main.inbox.somethingOr(background.change(), signal);
    }
    return false;
  }

  async #waitForPrompt(): Promise<void> {
    const seconds = this.#options.notify?.idleAfter;
    if (seconds === undefined || this.#closed) return;
    const { session } = await this.#open();
    this.#idle = setTimeout(() => {
      notify(session, session.main, 'idle_prompt', 'The agent is waiting for your input');
    }, seconds * 1000);
    this.#idle.unref();
  }

  async #close(reason: SessionEndReason): Promise<void> {
    clearTimeout(this.#idle);
    this.interrupt();
    await this.#ending;
    const opened = await this.#opening.promise?.catch(() => undefined);
    if (opened === undefined) return;
    await opened.end(reason, AbortSignal.timeout(this.#options.endTimeoutMs ?? DEFAULT_END_TIMEOUT_MS));
  }
}

const withSignal = (running: AbortController, signal: AbortSignal | undefined): AbortSignal =>
  signal === undefined ? running.signal : AbortSignal.any([running.signal, signal]);

/** Never rejects. */
const settled = (promise: Promise<unknown>): Promise<void> =>
  promise.then(
    () => {},
    () => {},
  );
