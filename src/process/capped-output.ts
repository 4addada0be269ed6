/** Keeps the first bytes of a stream up to a limit, and emits them as text while they arrive. */

import { TextDecoder } from 'node:util';

export class CappedOutput {
  readonly #limit: number;
  readonly #onText: ((text: string) => void) | undefined;
  readonly #keeps: boolean;
  /** Created for the first chunk that may end within a character. */
  #decoder: TextDecoder | undefined;
  #bytes: Buffer | undefined;
  #length = 0;

  /** If it keeps nothing, there is no limit. */
  constructor(limit: number, onText?: (text: string) => void, keeps = true) {
    this.#limit = keeps ? limit : Number.POSITIVE_INFINITY;
    this.#keeps = keeps;
    this.#onText = onText;
  }

  /** Returns false if the chunk exceeded the limit; the part that fits is kept. */
  append(chunk: Buffer): boolean {
    const kept =
      this.#length + chunk.length > this.#limit ? chunk.subarray(0, this.#limit - this.#length) : chunk;
    if (kept.length > 0) {
      if (this.#keeps) this.#keep(kept);
      if (this.#onText) this.#emit(this.#decode(kept));
    }
    return kept === chunk;
  }

  /** The text so far. Emits a last incomplete character to the listener. */
  finish(): string {
    this.#emit(this.#decoder?.decode());
    return this.#bytes ? this.#bytes.toString('utf8', 0, this.#length) : '';
  }

  /** One growing buffer instead of a list: a million one-byte chunks must not cost a million objects. */
  #keep(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (!this.#bytes) {
      this.#bytes = chunk;
    } else {
      if (length > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(length, this.#bytes.length * 2)));
        this.#bytes.copy(larger, 0, 0, this.#length);
        this.#bytes = larger;
      }
      chunk.copy(this.#bytes, this.#length);
    }
    this.#length = length;
  }

  /** Creating a decoder costs more than everything else here, and a chunk that ends with ASCII needs none. */
  #decode(chunk: Buffer): string {
    const last = chunk.at(-1) ?? 0;
    if (!this.#decoder && last < 0x80) return chunk.toString('utf8');
    this.#decoder ??= newDecoder();
    return this.#decoder.decode(chunk, { stream: true });
  }

  #emit(text: string | undefined): void {
    if (!text || !this.#onText) return;
    try {
      this.#onText(text);
    } catch {
      // An error in the listener must not affect the process.
    }
  }
}

/** Keeps a byte order mark; the reader of the text handles it. */
function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
