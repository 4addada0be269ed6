/**
 * A server-sent event stream to one page: sends what the page has not seen, as fast as it reads, without a buffer.
 */
import type { ServerResponse } from 'node:http';
import type { History } from './history.js';

export interface StreamOptions {
  readonly history: History;
  /** Identifies the server: event ids of another server are ignored. */
  readonly epoch: string;
  /** Sent first, before the events. */
  readonly hello: object;
  /** The last event the page has seen, as it reports. */
  readonly lastEventId: string | undefined;
}

/** Many small writes take longer than a large one. In characters. */
const MAX_WRITE = 16 * 1024;

export class EventStream {
  readonly #response: ServerResponse;
  readonly #options: StreamOptions;
  #seen: number;
  /** When the page stopped reading. */
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

  /** Sends events until the page has to catch up. */
  pump(): void {
    const { history, epoch } = this.#options;
    while (this.#blockedSince === undefined && !this.#response.destroyed) {
      if (this.#seen < history.lost) {
        this.#seen = history.lost;
        this.#write('event: gap\ndata: {}\n\n');
        continue;
      }
      let text = '';
      while (text.length < MAX_WRITE && this.#seen >= history.lost) {
        const next = history.after(this.#seen);
        if (next === undefined) break;
        this.#seen = next.id;
        text += `id: ${epoch}-${next.id}\ndata: ${next.json}\n\n`;
      }
      if (text === '') return;
      this.#write(text);
    }
  }

  /** Sends a keep-alive. Closes the stream of a page that has stopped reading. */
  keepAlive(stallMs: number): void {
    if (this.#blockedSince === undefined) this.#write(': still here\n\n');
    else if (performance.now() - this.#blockedSince >= stallMs) this.#response.destroy();
  }

  /** Tells the page not to reconnect. */
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
