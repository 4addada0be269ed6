/** The latest fires in full, as lines of a recording, limited in number and size: to look at, repeat and export. */
import type { WatchedRunner } from './observe-fires.js';

export interface ArchivedFire {
  /** A line of a recording, without its line break. */
  readonly line: string;
  /** The runner that fired it; undefined for a fire from an earlier session. */
  readonly runner: WatchedRunner | undefined;
  readonly toolUseID: string | undefined;
}

export interface ArchiveOptions {
  readonly maxFires: number;
  /** In characters. */
  readonly maxSize: number;
}

export class Archive {
  readonly #options: ArchiveOptions;
  readonly #fires = new Map<string, ArchivedFire>();
  #size = 0;

  constructor(options: ArchiveOptions) {
    this.#options = options;
  }

  add(id: string, fire: ArchivedFire): void {
    this.#fires.set(id, fire);
    this.#size += fire.line.length;
    const { maxFires, maxSize } = this.#options;
    for (const [oldest, { line }] of this.#fires) {
      if (this.#fires.size <= maxFires && this.#size <= maxSize) return;
      this.#fires.delete(oldest);
      this.#size -= line.length;
    }
  }

  get(id: string): ArchivedFire | undefined {
    return this.#fires.get(id);
  }

  /** A recording that `hookline replay` reads. */
  recording(): string {
    return [...this.#fires.values()].map(({ line }) => `${line}\n`).join('');
  }
}
