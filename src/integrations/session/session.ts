/**
 * What a host with its own loop does around its model and tools: fires the events, obeys the outcomes, and delivers
 * items. Adapters for agent frameworks are built on it.
 */
import { rowOf } from '../../events/registry.js';
import type { FireInput, HookEvent } from '../../events/types.js';
import { frameItems } from '../../injection/frame.js';
import type { HookOutcome } from '../../runner/outcome.js';
import { askHooks, reportProblem } from '../ask-hooks.js';
import { HeldLeases } from '../held-leases.js';
import { textsForModel } from '../model-texts.js';
import { takeItems } from '../take-items.js';
import {
  type CallContext,
  finishCall,
  type Judgement,
  judgeCall,
  type ToolCall,
  type ToolEnd,
} from '../tool-call.js';
import { checkOptions, type SessionOptions } from './options.js';

/** Why hooks have ended the run. */
export interface Halt {
  readonly stopReason: string;
}

/** What hooks say to a prompt. */
export type PromptEnd =
  | { readonly blocked: true; readonly reason: string }
  /** `texts`: what the model reads in addition to the prompt, in order. */
  | { readonly blocked: false; readonly texts: readonly string[] };

/** What hooks say to the end of a turn. */
export type StopEnd =
  | {
      readonly continues: false;
      /** Hooks would have the agent continue, but `stopCap` was reached. */
      readonly capped: boolean;
    }
  /** `texts`: what the model reads next, as the message of a user. */
  | { readonly continues: true; readonly texts: readonly string[] };

/** A request to the model. Everything delivered before it travels with it. Never throws. */
export interface ModelRequest {
  /** The model has begun to answer: the items are delivered. Further calls have no effect. */
  answered(): void;
}

/** The subagent that a session belongs to. */
interface Subagent {
  readonly id: string;
  readonly type: string;
}

/** A subagent, and the agent in the mailbox whose items reach it. */
export interface SubagentOptions extends Subagent {
  readonly agentId?: string | undefined;
}

const MAIN_AGENT = 'main';
const DEFAULT_STOP_CAP = 8;

/** One agent's session. Make one with `createSession`. Its methods reject only with the reason of an abort. */
export class HookSession {
  readonly #options: SessionOptions;
  readonly #subagent: Subagent | undefined;
  readonly #context: CallContext;
  readonly #leases: HeldLeases<number>;
  readonly #judged = new Map<string, Promise<Judgement>>();
  #requests = 0;
  #stops = 0;
  #started: Promise<readonly string[]> | undefined;
  #ended = false;
  #halt: Halt | undefined;

  constructor(options: SessionOptions, subagent?: Subagent) {
    checkOptions(options);
    const { runner, onError = 'block', onProblem = () => {}, onOutcome = () => {} } = options;
    const { sessionId, cwd, permissions, agentId, ask } = options;
    this.#options = options;
    this.#subagent = subagent;
    this.#leases = new HeldLeases(onProblem);
    this.#context = {
      runner,
      onError,
      onProblem,
      onOutcome: (outcome) => {
        this.#obey(outcome);
        onOutcome(outcome);
      },
      agentId,
      ask,
      base: {
        ...(sessionId !== undefined && { session_id: sessionId }),
        ...(cwd !== undefined && { cwd }),
        ...(subagent && { agent_id: subagent.id, agent_type: subagent.type }),
      },
      decide: permissions && ((call) => permissions.decide({ ...call, cwd: cwd ?? process.cwd() })),
    };
  }

  /** Set when a hook has ended the run with `continue: false`, until the next prompt. No more tools run. */
  get halt(): Halt | undefined {
    return this.#halt;
  }

  /**
   * Fires SessionStart, or SubagentStart. Called by the first `prompt` with the source `startup`; call it yourself for
   * another source. What hooks add is read with the next prompt. Only the first call fires.
   */
  async start(source = 'startup'): Promise<void> {
    this.#started ??= this.#start(source);
    await this.#started;
  }

  /** Fires UserPromptSubmit. A subagent has no such event: its prompt comes from another agent. */
  async prompt(prompt: string, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<PromptEnd> {
    this.#started ??= this.#start('startup');
    const first = await this.#started;
    this.#started = Promise.resolve([]);
    this.#halt = undefined;
    this.#stops = 0;
    this.#judged.clear();
    const outcome = this.#subagent ? undefined : await this.#fire('UserPromptSubmit', { prompt }, signal);
    signal?.throwIfAborted();
    if (outcome?.decision === 'deny') {
      this.#started = Promise.resolve(first);
      return { blocked: true, reason: outcome.reason ?? 'The prompt was refused by a hook.' };
    }
    if (this.#halt !== undefined) return { blocked: true, reason: (this.#halt as Halt).stopReason };
    const own = outcome === undefined ? [] : textsForModel(outcome);
    return { blocked: false, texts: [...first, ...own, ...(await this.#deliver())] };
  }

  /**
   * Fires PreToolUse before the call is run, for hosts that ask for approval first. `run` for the same id then uses this
   * judgement, and no hook runs twice.
   */
  judge(call: ToolCall<unknown>): Promise<Judgement> {
    const known = this.#judged.get(call.id);
    if (known !== undefined) return known;
    const judging = this.#judge(call);
    this.#judged.set(call.id, judging);
    return judging;
  }

  /**
   * Runs a tool call with its hooks. `approved`: a person has approved it, so it runs unless a hook or rule denies it.
   * A tool that pauses (see `ToolCall.pauses`) rejects with what it has thrown.
   */
  async run<R>(call: ToolCall<R>, { approved = false } = {}): Promise<ToolEnd<R>> {
    const judgement = await this.judge(call);
    const behavior = approved && judgement.behavior === 'ask' ? 'allow' : judgement.behavior;
    const end = await finishCall(this.#context, call, { ...judgement, behavior });
    // A call that pauses is run again, without the hooks before it.
    this.#judged.delete(call.id);
    const texts = [...end.texts, ...(this.#halt === undefined ? await this.#deliver(call.name) : [])];
    return { ...end, texts };
  }

  /** Call it when a request is sent to the model, and `answered` when the first part of the answer arrives. */
  request(): ModelRequest {
    const number = this.#requests;
    this.#requests += 1;
    return { answered: () => this.#leases.acknowledge((placed) => placed <= number) };
  }

  /**
   * Releases the items whose request the model has not begun to answer. Call it when a run failed and its conversation
   * is dropped. If the same conversation is sent again, do not call it: the items are in it.
   */
  async release(): Promise<void> {
    this.#leases.release(() => true);
    await this.#leases.settled();
  }

  /**
   * Releases the items that were delivered since the last request. Call it when a run failed or was aborted before the
   * results of its tools became part of the conversation.
   */
  async releaseUnsent(): Promise<void> {
    this.#leases.release((placed) => placed >= this.#requests);
    await this.#leases.settled();
  }

  /** Fires Stop, or SubagentStop, when the agent is about to stop. Queued items make it continue too. */
  async stop(
    options: { lastMessage?: string | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<StopEnd> {
    const { lastMessage, signal } = options;
    if (this.#halt !== undefined) return { continues: false, capped: false };
    const turn = {
      stop_hook_active: this.#stops > 0,
      ...(lastMessage !== undefined && { last_assistant_message: lastMessage }),
    };
    const outcome = this.#subagent
      ? await this.#fire(
          'SubagentStop',
          {
            ...turn,
            agent_id: this.#subagent.id,
            agent_type: this.#subagent.type,
            agent_transcript_path: '',
          },
          signal,
        )
      : await this.#fire('Stop', turn, signal);
    signal?.throwIfAborted();
    if (this.#halt !== undefined) return { continues: false, capped: false };
    const { decision, continue: goesOn, reason } = outcome;
    const context = textsForModel(outcome);
    const wants = decision === 'deny' || goesOn === true || outcome.additionalContext.length > 0;
    const texts = wants ? [reason ?? 'A hook asks you to continue.', ...context] : [];
    if (wants && this.#stops >= (this.#options.stopCap ?? DEFAULT_STOP_CAP))
      return { continues: false, capped: true };
    const items = await this.#deliver();
    if (!wants && items.length === 0) return { continues: false, capped: false };
    if (wants) this.#stops += 1;
    return { continues: true, texts: [...texts, ...items] };
  }

  /** A session for a subagent of this one. Its items are those of `agentId`, if given. */
  subagent({ id, type, agentId }: SubagentOptions): HookSession {
    return new HookSession(
      { ...this.#options, agentId, ...(agentId === undefined && { mailbox: undefined }) },
      {
        id,
        type,
      },
    );
  }

  /** Releases undelivered items and fires SessionEnd, once. A subagent only releases. */
  async end(reason = 'other'): Promise<void> {
    await this.release();
    if (this.#ended || this.#subagent !== undefined) return;
    this.#ended = true;
    await this.#fire('SessionEnd', { reason });
  }

  async #start(source: string): Promise<readonly string[]> {
    const outcome = this.#subagent
      ? await this.#fire('SubagentStart', { agent_id: this.#subagent.id, agent_type: this.#subagent.type })
      : await this.#fire('SessionStart', { source });
    return textsForModel(outcome);
  }

  async #judge(call: ToolCall<unknown>): Promise<Judgement> {
    if (this.#halt !== undefined)
      return { behavior: 'deny', input: call.input, reason: this.#halt.stopReason, texts: [] };
    return judgeCall(this.#context, call);
  }

  async #fire<E extends HookEvent>(
    event: E,
    own: FireInput<E>,
    signal?: AbortSignal,
  ): Promise<HookOutcome<E>> {
    const input = { ...this.#context.base, ...own };
    const { agentId } = this.#options;
    const outcome = await askHooks(this.#context, event, input, { signal, agentId });
    try {
      this.#context.onOutcome(outcome);
    } catch (error) {
      reportProblem(this.#context.onProblem, error);
    }
    return outcome;
  }

  /** A hook cannot end a run that has not begun, or that is over. */
  #obey({ event, continue: goesOn, stopReason }: HookOutcome): void {
    const { moment } = rowOf(event);
    if (goesOn !== false || moment === 'session-begins' || moment === 'session-ends') return;
    this.#halt ??= { stopReason: stopReason ?? 'A hook has ended the run.' };
  }

  /** Late texts of background hooks, and items; with a tool's name only those that its result may carry. */
  async #deliver(toolName?: string): Promise<string[]> {
    const { runner, mailbox, agentId, render = frameItems } = this.#options;
    const { onProblem } = this.#context;
    const late = (runner.takeLate?.(agentId) ?? []).flatMap(({ additionalContext, systemMessage }) =>
      [additionalContext, systemMessage].filter((text) => text !== undefined),
    );
    if (mailbox === undefined) return late;
    const items = await takeItems({
      mailbox,
      agentId: agentId ?? MAIN_AGENT,
      toolName,
      show: render,
      onProblem,
      isKnown: (lease) => this.#leases.absorb(lease),
    });
    for (const { lease } of items) this.#leases.add(lease, this.#requests);
    return [...late, ...items.map(({ text }) => text)];
  }
}

/** Makes the session of one agent in a host with its own loop. Throws a `HookError` for invalid options. */
export function createSession(options: SessionOptions): HookSession {
  return new HookSession(options);
}
