/** Decides which tools may carry an item by the matcher hash in its name. One file per matcher is read, once. */
import { compileToolMatcher, type MatchesTool } from '../../matcher.js';
import type { AgentBox } from './agent-box.js';
import type { ItemName } from './item-name.js';
import { readRecord } from './record.js';

/** More distinct matchers are not expected. */
const MAX_MATCHERS = 10_000;

interface Learnt {
  /** Undefined: every tool. */
  readonly matches: MatchesTool | undefined;
}

export class Matchers {
  readonly #known = new Map<string, Promise<Learnt | 'gone' | 'unreadable'>>();

  /** Also true for a file that cannot be read: claiming it reports the problem. */
  async mayCarry(box: AgentBox, name: ItemName, toolNames: readonly string[] | undefined): Promise<boolean> {
    const { matcher } = name;
    if (toolNames === undefined || matcher === undefined) return true;
    for (;;) {
      const known = this.#known.get(matcher);
      const learnt = await (known ?? this.#learn(box, name, matcher));
      if (typeof learnt === 'object') return learnt.matches === undefined || toolNames.some(learnt.matches);
      // Another item's file could not be read; this item's own file may be readable.
      if (known === undefined) return learnt === 'unreadable';
    }
  }

  #learn(box: AgentBox, name: ItemName, matcher: string): Promise<Learnt | 'gone' | 'unreadable'> {
    if (this.#known.size >= MAX_MATCHERS) this.#known.clear();
    const learning = this.#read(box, name, matcher);
    this.#known.set(matcher, learning);
    return learning;
  }

  async #read(box: AgentBox, name: ItemName, matcher: string): Promise<Learnt | 'gone' | 'unreadable'> {
    let learnt: Learnt | 'gone' | 'unreadable' = 'gone';
    try {
      const reading = await readRecord(box.waiting(name), name);
      if (reading?.ok === true) learnt = { matches: compileToolMatcher(reading.record.item.matcher) };
      else if (reading !== undefined) learnt = 'unreadable';
      return learnt;
    } finally {
      // Failures are not cached.
      if (typeof learnt === 'string') this.#known.delete(matcher);
    }
  }
}
