/** The one place where events are written down, in an order that a reader understands. */
import type { NewLiveEvent } from './events.js';
import type { History } from './history.js';
import { Roster } from './roster.js';

export class Timeline {
  readonly roster = new Roster((event) => this.add(event));
  readonly #history: History;
  #later: (() => void)[] = [];
  #timer: NodeJS.Immediate | undefined;

  constructor(history: History) {
    this.#history = history;
  }

  add(event: NewLiveEvent): void {
    // The parts fit together by construction; TypeScript does not join a union with its missing field.
    this.#history.add({ ...event, at: Date.now() } as Parameters<History['add']>[0]);
  }

  /**
   * Fires are seen at once, messages of a run a few ticks after they were sent. What fires have to tell waits for the
   * end of the tick, so that a text which was said before a fire also stands before it.
   */
  later(work: () => void): void {
    this.#later.push(work);
    this.#timer ??= setImmediate(() => this.flush());
  }

  flush(): void {
    clearImmediate(this.#timer);
    this.#timer = undefined;
    const works = this.#later;
    this.#later = [];
    for (const work of works) work();
  }
}
