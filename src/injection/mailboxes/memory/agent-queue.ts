/** What waits for one agent: the most important first, then the oldest; in lanes, so that no item stands in another's way. */

import type { MatchesTool } from '../../matcher.js';
import type { InjectionItem, InjectionState } from '../../port.js';
import { Heap } from './heap.js';

/** An item with all that has become of it. */
export interface Letter {
  readonly item: InjectionItem;
  /** When it came, counted. */
  readonly order: number;
  readonly matches: MatchesTool | undefined;
  /** By agent. */
  readonly copies: Map<string, Copy>;
  /** How many copies have no end yet. */
  open: number;
  /** No agent that comes later gets it. */
  withdrawn: boolean;
}

/** An item for one agent. */
export interface Copy {
  readonly letter: Letter;
  readonly agentId: string;
  state: InjectionState;
  /** Somebody is about to send it. */
  leased: boolean;
}

export function isWaiting({ state, leased }: Copy): boolean {
  return state === 'queued' && !leased;
}

/** Below zero: the first one is handed over first. */
export function compareLetters(a: Letter, b: Letter): number {
  return (b.item.priority ?? 0) - (a.item.priority ?? 0) || a.order - b.order;
}

const comesBefore = (a: Copy, b: Copy): boolean => compareLetters(a.letter, b.letter) < 0;

/** The items with the same matcher. */
interface SequenceContext {
  readonly matches: MatchesTool | undefined;
  readonly heap: Heap<Copy>;
}

const laneOf = ({ letter }: Copy): string => letter.item.matcher ?? '';

export class AgentQueue {
  readonly #lanes = new Map<string, SequenceContext>();

  get isEmpty(): boolean {
    for (const { heap } of this.#lanes.values()) if (heap.peek() !== undefined) return false;
    return true;
  }

  push(copy: Copy): void {
    let lane = this.#lanes.get(laneOf(copy));
    if (lane === undefined) {
      lane = { matches: copy.letter.matches, heap: new Heap(comesBefore, isWaiting) };
      this.#lanes.set(laneOf(copy), lane);
    }
    lane.heap.push(copy);
  }

  /** Takes out what may go with the results of these tools; without names, everything. */
  take(toolNames: readonly string[] | undefined, limit: number): Copy[] {
    const open = [...this.#lanes].filter(
      ([, { matches }]) => toolNames === undefined || matches === undefined || toolNames.some(matches),
    );
    const taken: Copy[] = [];
    while (taken.length < limit) {
      let first: { readonly lane: SequenceContext; readonly copy: Copy } | undefined;
      for (const [, lane] of open) {
        const copy = lane.heap.peek();
        if (copy !== undefined && (first === undefined || comesBefore(copy, first.copy)))
          first = { lane, copy };
      }
      if (first === undefined) break;
      first.lane.heap.pop();
      taken.push(first.copy);
    }
    for (const [key, { heap }] of open) if (heap.size === 0) this.#lanes.delete(key);
    return taken;
  }

  /** A copy that is still in here no longer waits. */
  noteDeath(copy: Copy): void {
    this.#lanes.get(laneOf(copy))?.heap.noteDeath();
  }

  /** All that wait, in order, without taking any. */
  list(): Copy[] {
    return [...this.#lanes.values()]
      .flatMap(({ heap }) => heap.list())
      .sort((a, b) => compareLetters(a.letter, b.letter));
  }
}

/** The queues of all agents; one comes with the first item for its agent. */
export class AgentQueues {
  readonly #queues = new Map<string, AgentQueue>();

  push(copy: Copy): void {
    let queue = this.#queues.get(copy.agentId);
    if (queue === undefined) {
      queue = new AgentQueue();
      this.#queues.set(copy.agentId, queue);
    }
    queue.push(copy);
  }

  take(
    agentId: string,
    toolNames: readonly string[] | undefined,
    limit = Number.POSITIVE_INFINITY,
  ): readonly Copy[] {
    return this.#queues.get(agentId)?.take(toolNames, limit) ?? [];
  }

  list(agentId: string): readonly Copy[] {
    return this.#queues.get(agentId)?.list() ?? [];
  }

  /** A copy that is still in its queue no longer waits. Names that nobody uses any more are not kept. */
  noteDeath(copy: Copy): void {
    const queue = this.#queues.get(copy.agentId);
    queue?.noteDeath(copy);
    if (queue?.isEmpty) this.#queues.delete(copy.agentId);
  }
}
