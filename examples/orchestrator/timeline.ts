/** What happened, in logical order: whatever has a cause comes after it, and how fast anybody was does not show. */

interface Line {
  readonly at: number;
  readonly who: string;
  readonly what: string;
}

export class Timeline {
  readonly #lines: Line[] = [];
  readonly #clocks = new Map<string, number>();

  /** Notes what somebody does next, after all that has happened to it, and after the causes. Returns when that is. */
  note(who: string, what: string, ...causes: readonly number[]): number {
    const at = Math.max(this.#clocks.get(who) ?? 0, ...causes) + 1;
    this.#clocks.set(who, at);
    this.#lines.push({ at, who, what });
    return at;
  }

  print(): string {
    return this.#lines
      .toSorted((a, b) => a.at - b.at || (a.who < b.who ? -1 : 1))
      .map(({ at, who, what }) => `${String(at).padStart(2)}  ${who}  ${what}`)
      .join('\n');
  }
}
