/** The one place where events are written down, in an order that a reader understands. */
import type { NewLiveEvent } from './events.js';
import type { History } from './history.js';
import { Roster } from './roster.js';

interface Waiting {
  readonly work: () => void;
  /** When it happened. */
  readonly at: number;
}

/** More ticks than a message needs from the one who sends it, through the run, to us. */
const TICKS = 24;

export class Timeline {
  readonly roster = new Roster((event) => this.add(event));
  readonly #history: History;
  readonly #waiting: Waiting[] = [];
  /** The time of what is being written down, where that is not now. */
  #at: number | undefined;

  constructor(history: History) {
    this.#history = history;
  }

  add(event: NewLiveEvent): void {
    // The parts fit together by construction; TypeScript does not join a union with its missing field.
    this.#history.add({ ...event, at: this.#at ?? Date.now() } as Parameters<History['add']>[0]);
  }

  /**
   * Fires are seen at once, messages of a run a few ticks after they were sent. What fires have to tell waits as long,
   * so that a text which was said before a fire also stands before it.
   */
  later(work: () => void): void {
    const waiting = { work, at: Date.now() };
    this.#waiting.push(waiting);
    void passTicks().then(() => this.#writeUpTo(waiting));
  }

  /** Writes down all that waits. */
  flush(): void {
    this.#writeUpTo(this.#waiting.at(-1));
  }

  /** In the order in which it happened. Nothing is left to do where it has been written down already. */
  #writeUpTo(last: Waiting | undefined): void {
    const count = last === undefined ? 0 : this.#waiting.indexOf(last) + 1;
    for (const { work, at } of this.#waiting.splice(0, count)) {
      this.#at = at;
      work();
    }
    this.#at = undefined;
  }
}

async function passTicks(): Promise<void> {
  for (let i = 0; i < TICKS; i += 1) await undefined;
}
