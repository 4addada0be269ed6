/** The agent loop: calls a model, runs its tools with permission, and fires hooks at every step. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { onAbort } from '../../base/async/abortable.js';
import { Queue } from '../../base/async/queue.js';
import { HookError, show } from '../../base/errors.js';
import type { PermissionMode, PermissionUpdate } from '../../permissions/permissions.js';
import { NoopRunner } from '../../runner/hook-runner.js';
import type { Model, ModelMessage } from '../models/port.js';
import { compact } from './compact.js';
import { type ChangedSettings, fireConfigChanges } from './config-change.js';
import { fireDirectoriesAdded } from './directories.js';
import { endable } from './endable.js';
import type { LoopMessage, ResultMessage } from './messages.js';
import { notify } from './notify.js';
import { type OpenSession, openSession } from './open-session.js';
import { type AgentLoopOptions, DEFAULT_END_TIMEOUT_MS } from './options.js';
import { type Prompt, runNotices, runPrompt, withResult } from './run-prompt.js';
import { emitMessage, type Session } from './session.js';
import { fireSessionStart } from './session-start.js';
import { checkPrice } from './spending.js';
import { switchModel } from './switch-model.js';
import { setTitle } from './title.js';

/** Options for a single run. */
export interface RunOptions {
  /** Aborting ends the run and the session. To end only the run, call `interrupt()`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Who wrote the prompt, for UserPromptSubmit hooks: `user`, a person at a terminal, or `sdk`, a program. A person begins
   * the session, so first prompts of SessionStart hooks are then not used. Default: `sdk`.
   */
  readonly source?: 'user' | 'sdk' | undefined;
}

/** Why a session ends, as reported to hooks. */
export type SessionEndReason = 'other' | 'clear' | 'resume' | 'logout' | 'prompt_input_exit';

/** Yields the messages of a run and returns its result. If you stop reading, the run ends. */
export type Run = AsyncGenerator<LoopMessage, ResultMessage, void>;

/** What is known about a session. */
export interface SessionInfo {
  readonly id: string;
  /** Empty if no transcript is written. */
  readonly transcriptPath: string;
  readonly title?: string;
  /** What SessionStart hooks gave as first prompts and no run has worked on yet. */
  readonly firstPrompts: readonly string[];
}

/** Without a prompt there is no turn that could have failed. */
const NO_TURN = { terminal_reason: 'completed' } as const;

const RUN_ABANDONED = 'The run is no longer being read.';

type Work = (session: Session, signal: AbortSignal) => Promise<ResultMessage>;

/**
 * One session of an agent. Run prompts one after another; end the session with `close` or `await using`.
 * All events are fired through `hooks.fire`.
 *
 * The constructor does no work and never throws. The first call that needs the session opens it, and rejects with a
 * `HookError` if an option is invalid: a permission rule, a session id, or a transcript that cannot be resumed.
 */
export class AgentLoop {
  readonly #options: AgentLoopOptions;
  readonly #opening: { promise?: Promise<OpenSession> } = {};
  #messages = new Queue<LoopMessage>();
  #running: AbortController | undefined;
  /** Resolves when the current run, or the last one, has ended. */
  #ending: Promise<void> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: AgentLoopOptions) {
    this.#options = { ...options, hooks: options.hooks ?? new NoopRunner() };
  }

  /** What is known about the session. */
  async session(): Promise<SessionInfo> {
    const { id, transcriptPath, session } = await this.#open();
    const { title, firstPrompts } = session;
    return { id, transcriptPath, ...(title !== undefined && { title }), firstPrompts: [...firstPrompts] };
  }

  /** Gives the session a title. Resolves when the transcript has it. */
  async rename(title: string): Promise<void> {
    if (typeof title !== 'string' || title.trim() === '')
      throw new HookError('invalid_option', `rename needs a title, not ${show(title)}.`);
    setTitle((await this.#open()).session, title);
  }

  /** The conversation so far, as it is sent to the model. */
  async conversation(): Promise<readonly ModelMessage[]> {
    return (await this.#open()).session.main.messages;
  }

  /**
   * Works on a prompt until the agent and every agent it started are done. Yields one result for the prompt, and one
   * for each later turn that messages from other agents cause; the generator returns the last one. A first prompt that
   * SessionStart hooks gave comes before it, with its own result. Without a prompt, the agent reads what waits for it.
   *
   * Errors during the run are reported in the result. Throws a `HookError` only if the session has ended (`disposed`)
   * or another run is in progress (`invalid_option`).
   */
  run(prompt?: Prompt, options: RunOptions = {}): Run {
    const { source = 'sdk' } = options;
    return this.#startRun(options, async (session, signal) => {
      const first = session.firstPrompts.splice(0);
      const prompts = [...(source === 'sdk' ? first : []), ...(prompt === undefined ? [] : [prompt])];
      let last: ResultMessage | undefined;
      for (const each of prompts)
        if (!signal.aborted || last === undefined) last = await runPrompt(session, each, source, signal);
      // If the turn ended for any other reason, no further work is wanted: messages from agents wait for the next
      // prompt.
      while ((last ?? NO_TURN).terminal_reason === 'completed' && (await this.#hasNotice(session, signal)))
        last = (await runNotices(session, signal)) ?? last;
      return last ?? withResult(session, signal, async () => ({ reason: 'completed', text: '' }));
    });
  }

  /** Replaces the conversation with a summary of it. This is a run, and throws as `run` does. */
  compact(instructions?: string, options: RunOptions = {}): Run {
    return this.#startRun(options, (session, signal) =>
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

  /** Clears the conversation: fires SessionEnd, then SessionStart. Throws as `run` does. */
  clear(options: RunOptions = {}): Run {
    return this.#startRun(options, (session, signal) =>
      withResult(session, signal, async () => {
        await session.hooks.fire('SessionEnd', session.main, { reason: 'clear' }, { signal });
        session.main.forget();
        session.activeSkills.clear();
        await fireSessionStart(session, 'clear', signal);
        return { reason: 'cleared', text: '' };
      }),
    );
  }

  /** Fires the events that start a session, without a prompt. `run` does this automatically. */
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

  /**
   * Gives the agent a message of the user while it works: the model reads it with its next request, after the results of
   * running tools, or as a further turn if it had just ended. Without a run it waits for the next one. UserPromptSubmit
   * hooks check it, as every prompt. Rejects with a `HookError` for an empty text, or if the session has ended.
   */
  async send(text: string): Promise<void> {
    if (this.#closed) throw new HookError('disposed', 'The session has ended; create a new AgentLoop.');
    if (typeof text !== 'string' || text.trim() === '')
      throw new HookError('invalid_option', `send needs a text, not ${show(text)}.`);
    const { session } = await this.#open();
    session.main.inbox.put({ from: 'the user', text, isUsers: true });
  }

  /** Ends the current run, if there is one, but not the session. Never throws. */
  interrupt(): void {
    this.#running?.abort(new Error('The run was interrupted.'));
  }

  /** Fires a Notification event for the user, without waiting for the hooks. */
  async notify(message: string, type: string): Promise<void> {
    const { session } = await this.#open();
    notify(session, session.main, type, message);
  }

  /**
   * Changes the model, effective from the next request. Reasoning of the model before is left out of what the new one reads.
   * Rejects if there is a budget and the price of the model is not known, and with the code `refused` if a PreModelSwitch
   * hook refuses it.
   */
  async setModel(model: Model): Promise<void> {
    const { session } = await this.#open();
    if (typeof model?.stream !== 'function')
      throw new HookError('invalid_option', `setModel needs a model, not ${show(model)}.`);
    if (session.options.maxBudgetUsd !== undefined) checkPrice(model, session.options.prices);
    await switchModel(session, model);
  }

  /**
   * Allows the agent to work in another directory, for the rest of the session; fires DirectoryAdded. A relative path
   * starts at the agent's directory.
   */
  async addDirectory(path: string): Promise<void> {
    const { session } = await this.#open();
    if (typeof path !== 'string' || path === '')
      throw new HookError('invalid_option', `addDirectory needs a path, not ${show(path)}.`);
    const directory = resolve(session.main.cwd, path);
    const update: PermissionUpdate = {
      type: 'addDirectories',
      directories: [directory],
      destination: 'session',
    };
    session.permissions.apply([update]);
    await fireDirectoriesAdded(session, session.main, [update], 'register_repo_root');
  }

  /**
   * Call it when settings have changed, before they take effect: fires ConfigChange, and resolves to false if a hook keeps
   * the change from taking effect. `mayReload` of `attachConfig` takes this function.
   */
  async settingsChanged(changes: readonly ChangedSettings[]): Promise<boolean> {
    return fireConfigChanges((await this.#open()).session, changes);
  }

  /** Changes the permission mode, effective from the next tool call. Rejects if the mode is invalid. */
  async setPermissionMode(mode: PermissionMode): Promise<void> {
    const { session } = await this.#open();
    session.permissions.apply([{ type: 'setMode', mode, destination: 'session' }]);
  }

  /**
   * Ends the session: stops everything that is still running and fires SessionEnd. Later calls wait for the first.
   * Does not reject because of a failed hook or run.
   */
  close(reason: SessionEndReason = 'other'): Promise<void> {
    this.#closed ??= this.#close(reason);
    return this.#closed;
  }

  /** Same as `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #open(): Promise<OpenSession> {
    this.#opening.promise ??= openSession(
      this.#options,
      (message) => this.#messages.push(message),
      () => void this.#wakeIfIdle(),
    );
    return this.#opening.promise;
  }

  /** Throws a HookError if no run can start now. */
  #begin(): AbortController {
    if (this.#closed) throw new HookError('disposed', 'The session has ended; create a new AgentLoop.');
    if (this.#running)
      throw new HookError(
        'invalid_option',
        'A run is in progress. Read it to its end, or call interrupt(), before you start another. To reach a running agent, call send(), or use injection.',
      );
    clearTimeout(this.#idle);
    this.#running = new AbortController();
    return this.#running;
  }

  #startRun({ signal }: RunOptions, work: Work): Run {
    let running: AbortController | undefined;
    const begin = (): AbortController => (running = this.#begin());
    return endable(this.#read(signal, work, begin), () => running?.abort(new Error(RUN_ABANDONED)));
  }

  async *#read(signal: AbortSignal | undefined, work: Work, begin: () => AbortController): Run {
    const running = begin();
    const messages = new Queue<LoopMessage>();
    this.#messages = messages;
    const done = this.#work(withSignal(running, signal), work).finally(() => messages.close());
    this.#ending = settled(done);
    // The caller may stop reading after an abort, so close the session here.
    const stop = onAbort(signal, () => void this.close());
    try {
      yield* messages;
      return await done;
    } finally {
      // The caller stopped reading: end the work.
      running.abort(new Error(RUN_ABANDONED));
      await this.#ending;
      stop();
      this.#running = undefined;
      if (signal?.aborted) await this.close();
      else await this.#waitForPrompt();
      if (!running.signal.aborted) await this.#wakeIfIdle();
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

  /** Whether the inbox has a notice. Waits while background agents that could send one are busy. */
  async #hasNotice({ main, background }: Session, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (!main.inbox.isEmpty) return true;
      if (!background.anyBusy) return false;
      await main.inbox.waitForNotice(background.change(), signal);
    }
    return false;
  }

  /** A hook in the background has something for the agent, and nobody is about to ask for it. */
  async #wakeIfIdle(): Promise<void> {
    const { session } = await this.#open();
    if (session.main.inbox.wakes && this.#running === undefined && this.#closed === undefined)
      this.#options.onWake?.();
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
