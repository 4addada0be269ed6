/** Counts how often in a row an agent was kept from ending: the host itself would go on for ever. */

export class StopCount {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether it may be kept from ending once more; `goesOn` tells that it already was, since its last prompt. */
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
