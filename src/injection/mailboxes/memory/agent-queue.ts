/**
 * The queue of one agent: highest priority first, then oldest first. Items with different matchers have separate lanes,
 * so that no item blocks another.
 */

import type { MatchesTool } from '../../matcher.js';
import type { InjectionItem, InjectionState } from '../../port.js';
import { Heap } from './heap.js';

/** An item and its copies for the agents. */
export interface Entry {
  readonly item: InjectionItem;
  /** Its position in the order of arrival. */
  readonly order: number;
  readonly matches: MatchesTool | undefined;
  /** By agent. */
  readonly copies: Map<string, Copy>;
  /** How many copies have not ended yet. */
  open: number;
  /** Agents that join later do not get it. */
  withdrawn: boolean;
}

/** An item for one agent. */
export interface Copy {
  readonly entry: Entry;
  readonly agentId: string;
  state: InjectionState;
  /** In a lease. */
  leased: boolean;
}

export function isWaiting({ state, leased }: Copy): boolean {
  return state === 'queued' && !leased;
}

/** Negative if the first one is delivered first. */
export function compareEntries(a: Entry, b: Entry): number {
  return (b.item.priority ?? 0) - (a.item.priority ?? 0) || a.order - b.order;
}

const comesBefore = (a: Copy, b: Copy): boolean => compareEntries(a.entry, b.entry) < 0;

/** The queued items with the same matcher. */
interface Lane {
  readonly matches: MatchesTool | undefined;
  readonly heap: Heap<Copy>;
}

const laneOf = ({ entry }: Copy): string => entry.item.matcher ?? '';

export class AgentQueue {
  readonly #lanes = new Map<string, Lane>();

  get isEmpty(): boolean {
    for (const { heap } of this.#lanes.values()) if (heap.peek() !== undefined) return false;
    return true;
  }

  push(copy: Copy): void {
    let lane = this.#lanes.get(laneOf(copy));
    if (lane === undefined) {
      lane = { matches: copy.entry.matches, heap: new Heap(comesBefore, isWaiting) };
      this.#lanes.set(laneOf(copy), lane);
    }
    lane.heap.push(copy);
  }

  /** Removes and returns the items that may go with the results of these tools; without names, all of them. */
  take(toolNames: readonly string[] | undefined, limit: number): Copy[] {
    const open = [...this.#lanes].filter(
      ([, { matches }]) => toolNames === undefined || matches === undefined || toolNames.some(matches),
    );
    const taken: Copy[] = [];
    while (taken.length < limit) {
      let first: { readonly lane: Lane; readonly copy: Copy } | undefined;
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

  /** Marks a copy in this queue as ended. */
  noteEnded(copy: Copy): void {
    this.#lanes.get(laneOf(copy))?.heap.noteObsolete();
  }

  /** All queued copies in order, without removing them. */
  list(): Copy[] {
    return [...this.#lanes.values()]
      .flatMap(({ heap }) => heap.list())
      .sort((a, b) => compareEntries(a.entry, b.entry));
  }
}

/** The queues of all agents; a queue is created with the first item for its agent. */
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

  /** Marks a copy in its queue as ended. Empty queues are removed. */
  noteEnded(copy: Copy): void {
    const queue = this.#queues.get(copy.agentId);
    queue?.noteEnded(copy);
    if (queue?.isEmpty) this.#queues.delete(copy.agentId);
  }
}
