/**
 * Injection for hosts without hooks: items are delivered between turns, and a running turn can be restarted for urgent
 * ones.
 */
import { HookError } from '../../base/errors.js';
import { type CanonicalMessage, placeInjections } from '../../injection/format.js';
import { FRAMES_PARAGRAPH } from '../../injection/frame.js';
import type { InjectionItem } from '../../injection/port.js';
import { endLease } from '../take-items.js';
import { type Collected, collect } from './collect.js';
import { type HooklessOptions, readOptions, type Settings } from './options.js';
import { RestartPending, TurnWatch } from './watch.js';

/**
 * The items for the next turn. Call either `acknowledge` or `release`; further calls have no effect. Neither rejects:
 * errors of the mailbox are reported to `onProblem`.
 */
export interface Handover {
  readonly items: readonly InjectionItem[];
  /** Text for the next prompt; undefined if there are no items. */
  readonly text: string | undefined;
  /** Aborted with a `RestartPending` when the turn should be restarted. */
  readonly signal: AbortSignal;
  /** Confirms that the items were sent to the model and stay in the conversation. */
  acknowledge(): Promise<void>;
  /** The items were not sent, or what was sent is discarded. They are delivered again. */
  release(): Promise<void>;
}

/** The same for hosts that keep the conversation as messages. */
export interface PlacedHandover extends Handover {
  readonly messages: readonly CanonicalMessage[];
}

/**
 * The turns of one agent in one round. After `end`, starting a turn rejects with a `HookError` with the code
 * `disposed`.
 */
export interface Hookless {
  /**
   * Starts a turn and returns the queued items as text. Items of the last turn that were neither acknowledged nor
   * released are released first.
   */
  betweenTurns(): Promise<Handover>;
  /**
   * The same, with the items placed into the messages of the next request: into the last user message, or a new one.
   */
  beforeTurn(messages: readonly CanonicalMessage[]): Promise<PlacedHandover>;
  /**
   * Whether an important item is queued for which the running turn should be restarted. False again when the next turn
   * starts.
   */
  readonly restartPending: boolean;
  /**
   * Runs a turn, and repeats it as long as it fails because a restart is pending. Its items are acknowledged when it
   * succeeds; a turn that keeps the conversation even if it fails must acknowledge them itself. Rejects when the turn
   * rejects.
   */
  runTurn<T>(turn: (handover: Handover) => Promise<T>): Promise<T>;
  /**
   * Ends the round and returns the undelivered items, for the next round. A second call returns the same. Rejects when
   * the mailbox does, and can then be retried.
   */
  end(): Promise<readonly InjectionItem[]>;
}

/** Older ids are dropped. */
const MAX_REMEMBERED = 1000;

/**
 * Creates injection for a host without hooks: items are delivered between turns. Throws a `HookError` for invalid
 * options.
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
  /** Ids of the items that the host has acknowledged. */
  readonly #sent = new Set<string>();
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
      return Promise.reject(
        new HookError('disposed', 'The round has ended; create a new Hookless for the next one.'),
      );
    return this.#serialize(() => this.#begin());
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
    this.#ending ??= this.#serialize(async () => {
      await this.#close();
      const left = await this.#settings.mailbox.carryOver(this.#settings.agentId);
      return [...this.#carried, ...left.filter(({ id }) => !this.#sent.has(id))];
    }).catch((error: unknown) => {
      // Nothing was carried over, so it can be retried.
      this.#ending = undefined;
      throw error;
    });
    return this.#ending;
  }

  async #begin(): Promise<Handover> {
    const before = this.#turn;
    await this.#close();
    this.#restarts = before?.isRestartPending === true ? this.#restarts + 1 : 0;
    const wasSent = (id: string): boolean => this.#sent.has(id);
    const collected = await collect(this.#settings, this.#carried, wasSent);
    const controller = new AbortController();
    const watch = new TurnWatch(this.#settings, wasSent, (items) => {
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
    for (const { id } of items) this.#sent.add(id);
    for (const oldest of this.#sent) {
      if (this.#sent.size <= MAX_REMEMBERED) break;
      this.#sent.delete(oldest);
    }
  }

  /** A turn starts when the previous one has been closed. */
  #serialize<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }
}

/** Adds the items to the last message, or as a new message if the last one is the assistant's. */
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
