/** State that tools keep for a whole session; closed with it. */
import type { SessionPart } from '../tools/host.js';

export class SessionParts {
  readonly #parts = new Map<object, SessionPart>();

  /** The cast is safe because only the owner of the key creates parts for it. */
  keep<Kept extends SessionPart>(key: object, make: () => Kept): Kept {
    const part = (this.#parts.get(key) as Kept | undefined) ?? make();
    this.#parts.set(key, part);
    return part;
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#parts.values()].map(async (part) => part.close()));
    this.#parts.clear();
  }
}
