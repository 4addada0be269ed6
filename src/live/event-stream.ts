/** One page that listens: it is sent what it has not seen, as fast as it reads, and nothing is kept for it. */
import type { ServerResponse } from 'node:http';
import type { History } from './history.js';

export interface StreamOptions {
  readonly history: History;
  /** Numbers of another server mean nothing here. */
  readonly epoch: string;
  /** The first words, before the events. */
  readonly hello: object;
  /** What the page has seen last, as it says. */
  readonly lastEventId: string | undefined;
}

export class EventStream {
  readonly #response: ServerResponse;
  readonly #options: StreamOptions;
  #seen: number;
  /** Since when nothing can be sent, because the page does not read. */
  #blockedSince: number | undefined;

  constructor(response: ServerResponse, options: StreamOptions) {
    this.#response = response;
    this.#options = options;
    this.#seen = readId(options.lastEventId, options.epoch);
    response.on('drain', () => {
      this.#blockedSince = undefined;
      this.pump();
    });
    this.#write(`retry: 1000\nevent: hello\ndata: ${JSON.stringify(options.hello)}\n\n`);
    this.pump();
  }

  /** Sends what there is, until the page has to catch up. */
  pump(): void {
    const { history, epoch } = this.#options;
    while (this.#blockedSince === undefined && !this.#response.destroyed) {
      if (this.#seen < history.lost) {
        this.#seen = history.lost;
        this.#write('event: gap\ndata: {}\n\n');
        continue;
      }
      const next = history.after(this.#seen);
      if (next === undefined) return;
      this.#seen = next.id;
      this.#write(`id: ${epoch}-${next.id}\ndata: ${next.json}\n\n`);
    }
  }

  /** A sign of life, so that neither side takes the other for gone. A page that has stopped reading is let go. */
  keepAlive(stallMs: number): void {
    if (this.#blockedSince === undefined) this.#write(': still here\n\n');
    else if (performance.now() - this.#blockedSince >= stallMs) this.#response.destroy();
  }

  /** The last word: the page need not come back. */
  end(): void {
    this.#response.end('event: end\ndata: {}\n\n');
  }

  #write(text: string): void {
    if (!this.#response.write(text)) this.#blockedSince ??= performance.now();
  }
}

function readId(text: string | undefined, epoch: string): number {
  const [, of, number] = /^(\w+)-(\d{1,15})$/.exec(text ?? '') ?? [];
  return of === epoch ? Number(number) : 0;
}
