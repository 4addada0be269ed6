/** Which tools may carry an item, by its name: of all files with the same matcher one is read, once. */
import { compileToolMatcher, type MatchesTool } from '../../matcher.js';
import type { AgentBox } from './agent-box.js';
import type { ItemName } from './item-name.js';
import { readRecord } from './record.js';

/** More different ones are not met in earnest. */
const MAX_MATCHERS = 10_000;

interface Learnt {
  /** Undefined: every tool. */
  readonly matches: MatchesTool | undefined;
}

export class Matchers {
  readonly #known = new Map<string, Promise<Learnt | 'gone' | 'unreadable'>>();

  /** True also for a file that cannot be read: whoever takes it finds out and says so. */
  async mayCarry(box: AgentBox, name: ItemName, toolNames: readonly string[] | undefined): Promise<boolean> {
    const { matcher } = name;
    if (toolNames === undefined || matcher === undefined) return true;
    for (;;) {
      const known = this.#known.get(matcher);
      const learnt = await (known ?? this.#learn(box, name, matcher));
      if (typeof learnt === 'object') return learnt.matches === undefined || toolNames.some(learnt.matches);
      // Another one's file was of no help; this one's own may be.
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
      // Only what was learnt is remembered.
      if (typeof learnt === 'string') this.#known.delete(matcher);
    }
  }
}
