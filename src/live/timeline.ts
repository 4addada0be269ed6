/** The one place where events are written down: who is who, and when it happened. */

import { Roster } from './agent-registry.js';
import type { NewLiveEvent } from './events.js';
import type { History } from './history.js';

export class Timeline {
  readonly roster = new Roster((event) => this.add(event));
  readonly #history: History;

  constructor(history: History) {
    this.#history = history;
  }

  add(event: NewLiveEvent): void {
    // The parts fit together by construction; TypeScript does not join a union with its missing field.
    this.#history.add({ ...event, at: Date.now() } as Parameters<History['add']>[0]);
  }
}
