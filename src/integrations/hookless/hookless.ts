/** For hosts without hooks: what waits is handed over between turns, and a turn can be told that it should begin anew. */
import { HookError } from '../../base/errors.js';
import { type CanonicalMessage, placeInjections } from '../../injection/format.js';
import { FRAMES_PARAGRAPH } from '../../injection/frame.js';
import type { InjectionItem } from '../../injection/port.js';
import { endLease } from '../take-items.js';
import { type Collected, collect } from './collect.js';
import { type HooklessOptions, readOptions, type Settings } from './options.js';
import { RestartPending, TurnWatch } from './watch.js';

/**
 * What the next turn begins with. Exactly one of the two calls ends it; the second one changes nothing. Neither rejects: a
 * mailbox that fails is told to `onProblem`.
 */
export interface Handover {
  readonly items: readonly InjectionItem[];
  /** To be put into the next prompt; undefined when nothing waits. */
  readonly text: string | undefined;
  /** Aborted, with a `RestartPending`, as soon as the turn should be restarted. */
  readonly signal: AbortSignal;
  /** The model has been sent them, and they stay in the conversation. */
  acknowledge(): Promise<void>;
  /** They were not sent, or what was sent is thrown away. They come again. */
  release(): Promise<void>;
}

/** The same for hosts that keep the conversation as messages. */
export interface PlacedHandover extends Handover {
  readonly messages: readonly CanonicalMessage[];
}

/** The turns of one agent, one round long. After `end` a turn rejects with a `HookError`, code `disposed`. */
export interface Hookless {
  /** What waits, as a text. A turn begins; what the last one neither acknowledged nor released is given back first. */
  betweenTurns(): Promise<Handover>;
  /** The same, placed into the messages of the next request: into the last one of the user, or as one more. */
  beforeTurn(messages: readonly CanonicalMessage[]): Promise<PlacedHandover>;
  /** Something important waits for which the running turn should be restarted. False again when the next one begins. */
  readonly restartPending: boolean;
  /**
   * Runs a turn, and again as long as it fails because a restart is pending. What it was told is acknowledged when it
   * ends well; a turn that keeps the conversation in any case acknowledges by itself. Rejects with what the turn rejects.
   */
  runTurn<T>(turn: (handover: Handover) => Promise<T>): Promise<T>;
  /**
   * The round is over: what the agent was not told, for whoever comes next. The second call returns the same. Rejects when
   * the mailbox does, and can then be called again.
   */
  end(): Promise<readonly InjectionItem[]>;
}

/** Of more than these the oldest are forgotten. */
const MAX_REMEMBERED = 1000;

/**
 * Injection for a host without hooks: what waits is handed over between turns. Throws a HookError for options that
 * make no sense.
 */
export function createHookless(options: HooklessOptions): Hookless {
  return new BetweenTurns(readOptions(options));
}

interface Turn {
  readonly handover: Handover;
  readonly watch: TurnWatch;
  isRestartPending: boolean;
}

class BetweenTurns implements Hookless {
  readonly #settings: Settings;
  /** Ids that the host has said to have sent. */
  readonly #told = new Set<string>();
  #carried: readonly InjectionItem[];
  #explains: boolean;
  #turn: Turn | undefined;
  #restarts = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #ending: Promise<readonly InjectionItem[]> | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#carried = [...(settings.carried ?? [])];
    this.#explains = settings.explain;
  }

  get restartPending(): boolean {
    return this.#turn?.isRestartPending ?? false;
  }

  betweenTurns(): Promise<Handover> {
    if (this.#ending !== undefined)
      return Promise.reject(new HookError('disposed', 'The round has ended; make a new one for the next.'));
    return this.#oneByOne(() => this.#begin());
  }

  async beforeTurn(messages: readonly CanonicalMessage[]): Promise<PlacedHandover> {
    const handover = await this.betweenTurns();
    return { ...handover, messages: placeItems(messages, handover.items) };
  }

  async runTurn<T>(turn: (handover: Handover) => Promise<T>): Promise<T> {
    for (;;) {
      const handover = await this.betweenTurns();
      try {
        const result = await turn(handover);
        await handover.acknowledge();
        return result;
      } catch (error) {
        await handover.release();
        if (!this.restartPending) throw error;
      }
    }
  }

  end(): Promise<readonly InjectionItem[]> {
    this.#ending ??= this.#oneByOne(async () => {
      await this.#close();
      const left = await this.#settings.mailbox.carryOver(this.#settings.agentId);
      return [...this.#carried, ...left.filter(({ id }) => !this.#told.has(id))];
    }).catch((error: unknown) => {
      // Nothing was taken on, so it can be tried again.
      this.#ending = undefined;
      throw error;
    });
    return this.#ending;
  }

  async #begin(): Promise<Handover> {
    const before = this.#turn;
    await this.#close();
    this.#restarts = before?.isRestartPending === true ? this.#restarts + 1 : 0;
    const isTold = (id: string): boolean => this.#told.has(id);
    const collected = await collect(this.#settings, this.#carried, isTold);
    const controller = new AbortController();
    const watch = new TurnWatch(this.#settings, isTold, (items) => {
      turn.isRestartPending = true;
      controller.abort(new RestartPending(items));
    });
    const handover = this.#handOver(collected, controller.signal, watch);
    const turn: Turn = { handover, watch, isRestartPending: false };
    this.#turn = turn;
    watch.ignore(collected.left);
    if (this.#restarts < this.#settings.maxRestarts) watch.start();
    return handover;
  }

  async #close(): Promise<void> {
    const turn = this.#turn;
    this.#turn = undefined;
    turn?.watch.stop();
    await turn?.handover.release();
  }

  #handOver({ items, leases }: Collected, signal: AbortSignal, watch: TurnWatch): Handover {
    const { render, onProblem } = this.#settings;
    let ended: Promise<unknown> | undefined;
    const endAll = (how: 'acknowledge' | 'release'): Promise<unknown> =>
      Promise.all(leases.map((lease) => endLease(lease, how, onProblem)));
    const explanation = this.#explains ? `${FRAMES_PARAGRAPH}\n\n` : '';
    return {
      items,
      text: items.length === 0 ? undefined : `${explanation}${render(items)}`,
      signal,
      acknowledge: async () => {
        if (ended === undefined) {
          this.#remember(items);
          ended = endAll('acknowledge');
        }
        await ended;
      },
      release: async () => {
        if (ended === undefined) {
          watch.ignore(items);
          ended = endAll('release');
        }
        await ended;
      },
    };
  }

  #remember(items: readonly InjectionItem[]): void {
    if (items.length === 0) return;
    this.#explains = false;
    this.#carried = this.#carried.filter((item) => !items.includes(item));
    for (const { id } of items) this.#told.add(id);
    for (const oldest of this.#told) {
      if (this.#told.size <= MAX_REMEMBERED) break;
      this.#told.delete(oldest);
    }
  }

  /** A turn begins when the one before has been dealt with. */
  #oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }
}

/** The conversation with the items in its last message; with a message of their own where the model spoke last. */
function placeItems(
  messages: readonly CanonicalMessage[],
  items: readonly InjectionItem[],
): readonly CanonicalMessage[] {
  if (items.length === 0) return messages;
  const last = messages.at(-1);
  const calls = messages.flatMap(({ content }) => content).filter((part) => part.type === 'tool_use');
  const toolNames = Object.fromEntries(calls.map(({ id, name }) => [id, name]));
  if (last?.role === 'user') return [...messages.slice(0, -1), placeInjections(last, items, { toolNames })];
  return [...messages, placeInjections({ role: 'user', content: [] }, items)];
}
