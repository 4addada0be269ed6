/** Counts how many times in a row an agent was kept from ending, because the host itself has no limit. */

export class StopCount {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether it may be kept from ending once more; `goesOn`: it already was since its last prompt. */
  mayGoOn(agent: string, goesOn: boolean): boolean {
    const count = goesOn ? (this.#counts.get(agent) ?? 0) : 0;
    if (count >= this.#most) return false;
    this.#counts.set(agent, count + 1);
    return true;
  }

  get most(): number {
    return this.#most;
  }
}
