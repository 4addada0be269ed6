/** Adds the time to events and records them in the history. */

import { Roster } from './agent-registry.js';
import type { NewLiveEvent } from './events.js';
import type { History } from './history.js';

export class Timeline {
  readonly registry = new Roster((event) => this.add(event));
  readonly #history: History;

  constructor(history: History) {
    this.#history = history;
  }

  add(event: NewLiveEvent): void {
    // The parts match by construction, but TypeScript cannot join a union with its missing field.
    this.#history.add({ ...event, at: Date.now() } as Parameters<History['add']>[0]);
  }
}
