/** The numbered event history for pages that connect or reconnect, limited in number and size. */
import { SafeEmitter, warnOnce } from '../base/async/emitter.js';
import type { LiveEvent } from './events.js';

export interface Kept {
  readonly id: number;
  readonly event: LiveEvent;
  readonly json: string;
}

export interface HistoryOptions {
  readonly maxEvents: number;
  /** The total size, in characters of JSON. */
  readonly maxSize: number;
}

/** The share that is dropped at once, so that a full history is not searched for every event. */
const BATCH = 0.25;

export class History {
  readonly #options: HistoryOptions;
  readonly #emitter = new SafeEmitter<{ add: () => void }>(
    warnOnce('A listener of the live view', 'HOOKLINE_LISTENER'),
  );
  #kept: Kept[] = [];
  #size = 0;
  #lastId = 0;
  #lost = 0;

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  add(event: LiveEvent): void {
    this.#lastId += 1;
    const json = JSON.stringify(event);
    this.#kept.push({ id: this.#lastId, event, json });
    this.#size += json.length;
    this.#makeRoom();
    this.#emitter.emit('add');
  }

  get events(): readonly LiveEvent[] {
    return this.#kept.map(({ event }) => event);
  }

  /** The id of the latest event that was dropped, ignoring progress events; 0 if none. */
  get lost(): number {
    return this.#lost;
  }

  get lastId(): number {
    return this.#lastId;
  }

  /** The first event after an id. */
  after(id: number): Kept | undefined {
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#kept[middle] as Kept).id <= id) low = middle + 1;
      else high = middle;
    }
    return this.#kept[low];
  }

  /** Calls the listener when an event is added, until the returned function is called. */
  onAdd(listener: () => void): () => void {
    const stop = this.#emitter.on('add', listener);
    return () => void stop();
  }

  /** Hook output matters less than hook results, so the oldest output is dropped first. */
  #makeRoom(): void {
    const { maxEvents, maxSize } = this.#options;
    let left = this.#kept.length;
    if (left <= maxEvents && this.#size <= maxSize) return;
    const isTooMuch = (): boolean => left > maxEvents * (1 - BATCH) || this.#size > maxSize * (1 - BATCH);
    const drop = ({ json }: Kept): void => {
      left -= 1;
      this.#size -= json.length;
    };
    const rest = this.#kept.filter((kept) => {
      if (kept.event.type !== 'progress' || !isTooMuch()) return true;
      drop(kept);
      return false;
    });
    let gone = 0;
    for (; left > 1 && isTooMuch(); gone += 1) {
      const oldest = rest[gone] as Kept;
      drop(oldest);
      this.#lost = oldest.id;
    }
    this.#kept = rest.slice(gone);
  }
}
