/**
 * Connects one query of the SDK to a runner: every event runs the hooks, and items are delivered with the responses.
 */
import type { HookCallback, HookCallbackMatcher, SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
import { onAbort } from '../../base/async/abortable.js';
import { ALL_EVENTS } from '../../events/registry.js';
import type { AnyEvent, FireInput } from '../../events/types.js';
import { emptyOutcome } from '../../runner/aggregate.js';
import type { FireOptions } from '../../runner/hook-runner.js';
import type { HookOutcome } from '../../runner/outcome.js';
import { askHooks, reportProblem } from '../ask-hooks.js';
import { endsBeforeTool } from '../model-texts.js';
import { AnswerWriter, type Question } from './answer-writer.js';
import { CarriedItems } from './carried-items.js';
import { readOptions, type SdkHookOptions, type SdkHooks, type SdkRunner, type Settings } from './options.js';
import { formFor, type Role } from './roles.js';

/** The hooks of one query, and the items delivered with their responses. Throws a `HookError` for invalid options. */
export class SdkBridge {
  /** Pass it to `query({ options: { hooks } })`. Use it for one query only. */
  readonly hooks: SdkHooks;
  readonly #runner: SdkRunner;
  readonly #settings: Settings;
  readonly #items: CarriedItems;
  readonly #run: RunView;
  readonly #writer: AnswerWriter;
  readonly #asking = new Map<AbortController, Promise<unknown>>();
  /** The session, once something of the query has named it. */
  #session: SessionFields | undefined;
  #beginning: Promise<void> | undefined;
  /** Why no more tools may run in this turn. */
  #halted: string | undefined;
  #closed = false;
  readonly #called = new Set<Role>();
  #stopListening = (): void => {};

  constructor(runner: SdkRunner, options: SdkHookOptions = {}) {
    this.#runner = runner;
    this.#settings = readOptions(options, runner);
    this.#items = new CarriedItems(this.#settings);
    this.#run = new RunView(this.#settings.agentId);
    this.#writer = new AnswerWriter(this.#settings, runner, this.#items);
    this.hooks = listHooks(this.#settings, (event) => this.#callbackFor(event));
    this.#stopListening = onAbort(this.#settings.signal, () => this.#close());
  }

  /**
   * Passes the query's messages through, and detects in them which items were sent to the model. Closes the bridge when
   * the messages end or fail. Throws when the query throws.
   */
  follow<M>(messages: AsyncIterable<M>): AsyncGenerator<M, void, undefined> {
    this.#items.leases.follow();
    return this.#passOn(messages);
  }

  /**
   * Call it after the query: aborts running hooks, stops responding, releases items that were not sent for certain, and
   * fires SessionEnd. A query that is still running would wait for its responses. Never rejects.
   */
  async close(): Promise<void> {
    this.#close();
    await this.#end();
    await Promise.allSettled(this.#asking.values());
    await this.#items.leases.settled();
  }

  #close(): void {
    this.#closed = true;
    this.#stopListening();
    for (const asking of this.#asking.keys()) asking.abort();
    this.#items.leases.releaseAll();
  }

  async *#passOn<M>(messages: AsyncIterable<M>): AsyncGenerator<M, void, undefined> {
    try {
      for await (const message of messages) {
        const { type, subtype, model, ...fields } = Object(message) as Readonly<Record<string, unknown>>;
        if (type === 'system' && subtype === 'init') await this.#begin(fields, textOf(model));
        this.#items.leases.see(message);
        yield message;
      }
    } finally {
      await this.close();
    }
  }

  /**
   * The SDK starts a session before its callbacks are registered, and ends it when they can no longer be called. So the
   * first thing that comes from the query starts it here, and what the hooks add travels with the first response.
   */
  #begin(fields: Readonly<Record<string, unknown>>, model?: string): Promise<void> {
    this.#session ??= {
      session_id: textOf(fields['session_id']),
      cwd: textOf(fields['cwd']),
      transcript_path: textOf(fields['transcript_path']) ?? '',
    };
    if (!this.#registers('session-begins') || this.#called.has('session-begins')) return Promise.resolve();
    this.#beginning ??= this.#fire((options) =>
      this.#runner.fire('SessionStart', { ...this.#session, source: 'startup', model }, options),
    );
    return this.#beginning;
  }

  async #end(): Promise<void> {
    if (this.#session === undefined || !this.#registers('session-ends')) return;
    if (this.#called.has('session-ends')) return;
    this.#called.add('session-ends');
    await this.#fire((options) =>
      this.#runner.fire('SessionEnd', { ...this.#session, reason: 'other' }, options),
    );
  }

  /** Whether hooks of such an event may be there; a runner that cannot say is asked. */
  #registers(role: Role): boolean {
    const { events, agentId } = this.#settings;
    return events.some(
      (event) => formFor(event).role === role && (this.#runner.hasHooks?.(event, agentId) ?? true),
    );
  }

  /** What the hooks say to the model is delivered with the next response. Never rejects. */
  async #fire(fire: (options: FireOptions) => Promise<HookOutcome>): Promise<void> {
    const { agentId, onProblem, signal } = this.#settings;
    try {
      this.#writer.deliverLater(await fire({ agentId, signal }));
    } catch (error) {
      reportProblem(onProblem, error);
    }
  }

  #callbackFor(event: AnyEvent): HookCallback {
    const { role } = formFor(event);
    return async (input, toolUseID, { signal }) => {
      if (this.#closed) return neverRespond();
      // The SDK has a type for each event; here they are handled alike.
      const fields = completed(role, input as unknown as Question['input']);
      if (role === 'session-begins') this.#called.add(role);
      else await this.#begin(fields);
      this.#called.add(role);
      const isMain = this.#run.isMain(role, fields);
      const answer = await this.#whileAsked(signal, (asked) =>
        this.#answer({ event, role, input: fields, toolUseID, isMain }, asked),
      );
      return answer ?? neverRespond();
    };
  }

  /** Runs something that is aborted when the SDK gives up waiting, and when the bridge is closed. */
  async #whileAsked<T>(signal: AbortSignal, answer: (asked: AbortSignal) => Promise<T>): Promise<T> {
    const asking = new AbortController();
    const stop = onAbort(signal, () => asking.abort());
    const answering = answer(asking.signal);
    this.#asking.set(asking, answering);
    try {
      return await answering;
    } finally {
      stop();
      this.#asking.delete(asking);
    }
  }

  /** Undefined if the caller no longer waits for a response. */
  async #answer(question: Question, signal: AbortSignal): Promise<SyncHookJSONOutput | undefined> {
    const { role, isMain, toolUseID } = question;
    const outcome = await this.#ask(question, signal);
    if (signal.aborted) return undefined;
    if (role === 'tool-begins' && isMain && endsBeforeTool(outcome)) this.#halted = whyEnded(outcome);
    const { answer, prepared } = await this.#writer.write(question, outcome);
    if (signal.aborted) {
      prepared.release();
      return undefined;
    }
    prepared.commit(role === 'tool-begins' || role === 'tool-ended' ? toolUseID : undefined);
    return answer;
  }

  async #ask({ event, role, input, toolUseID, isMain }: Question, signal: AbortSignal): Promise<HookOutcome> {
    const { onError, onProblem, agentId } = this.#settings;
    this.#learn(role, toolUseID, isMain);
    if (this.#halted !== undefined && role === 'tool-begins')
      return { ...emptyOutcome(event), continue: false, stopReason: this.#halted, ...denied(this.#halted) };
    const asking = { runner: this.#runner, onError, onProblem };
    // The SDK's inputs match the event table; the runner validates them.
    return askHooks(asking, event, input as unknown as FireInput<typeof event>, {
      signal,
      toolUseID,
      agentId,
    });
  }

  /** Updates the open leases by what an event reveals about sent items. */
  #learn(role: Role, toolUseID: string | undefined, isMain: boolean): void {
    const { leases } = this.#items;
    if (role === 'session-ends') leases.releaseAll();
    if (role === 'prompt') this.#halted = undefined;
    if (!isMain) return;
    if (role === 'tool-begins') leases.toolBegins(toolUseID);
    if (role === 'tool-ended') leases.toolEnded(toolUseID);
    if (role === 'prompt' || role === 'turn-ends') leases.turnPasses();
  }
}

/** Tells a caller who lets no bridge follow the query that nobody can run its hooks of the end of a session. */
export function reportLostEnd(runner: SdkRunner, { agentId, onProblem = () => {} }: SdkHookOptions): void {
  const isLost = ALL_EVENTS.some(
    (event) => formFor(event).role === 'session-ends' && runner.hasHooks?.(event, agentId) === true,
  );
  if (isLost)
    reportProblem(
      onProblem,
      'Hooks of SessionEnd do not run: the SDK calls them when nobody can answer any more. Create an SdkBridge, and let it follow the query.',
    );
}

interface SessionFields {
  readonly session_id: string | undefined;
  readonly cwd: string | undefined;
  readonly transcript_path: string;
}

/** Older hosts do not say which type of agent ends. */
const completed = (role: Role, input: Question['input']): Question['input'] =>
  role === 'subagent-ends' ? { agent_type: '', ...input } : input;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const denied = (reason: string) => ({ decision: 'deny', reason }) as const;

const whyEnded = ({ stopReason }: HookOutcome): string => stopReason ?? 'A hook has ended the run.';

/** The caller is gone. A response would be written to a host that has exited, which crashes the SDK. */
const neverRespond = (): Promise<never> => new Promise(() => {});

/** One callback per event. Existing hooks come first and are not changed; events unknown here are kept. */
function listHooks(
  { merge = {}, events, matchers, timeout }: Settings,
  callbackFor: (event: AnyEvent) => HookCallback,
): SdkHooks {
  const hooks: Partial<Record<string, HookCallbackMatcher[]>> = {};
  for (const [event, theirs] of Object.entries(merge)) if (theirs !== undefined) hooks[event] = [...theirs];
  for (const event of events) {
    const matcher = matchers[event];
    const ours = { ...(matcher !== undefined && { matcher }), hooks: [callbackFor(event)], timeout };
    hooks[event] = [...(hooks[event] ?? []), ours];
  }
  // Newer SDKs have more events than these fifteen, so the keys of `merge` may be any string.
  return hooks as SdkHooks;
}

/**
 * Decides which agent an event belongs to. Older hosts do not mark tool calls of subagents: while a subagent runs, it
 * is unknown.
 */
class RunView {
  readonly #agentId: string | undefined;
  readonly #subagents = new Set<string>();
  #hostTells = false;

  constructor(agentId: string | undefined) {
    this.#agentId = agentId;
  }

  /** Records an event, and returns whether it certainly belongs to the main agent. */
  isMain(role: Role, input: Readonly<Record<string, unknown>>): boolean {
    const id = String(input['agent_id'] ?? '');
    if (role === 'subagent-begins' || role === 'subagent-ends') {
      if (role === 'subagent-begins') this.#subagents.add(id);
      else this.#subagents.delete(id);
      return false;
    }
    // The end of a subagent is not always reported; at the end of a turn they are all done, or marked in their own
    // events.
    if (role === 'prompt' || role === 'turn-ends') this.#subagents.clear();
    if (id === '' || id === this.#agentId) return this.#hostTells || this.#subagents.size === 0;
    this.#hostTells = true;
    return false;
  }
}
