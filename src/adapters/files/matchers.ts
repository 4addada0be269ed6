/** Which tools may carry an item, by its name: of all files with the same matcher one is read, once. */
import { compileToolMatcher, type MatchesTool } from '../../injection/matcher.js';
import type { AgentBox } from './agent-box.js';
import type { ItemName } from './item-name.js';
import { readRecord } from './record.js';

/** More different ones are not met in earnest. */
const MOST = 10_000;

export class Matchers {
  readonly #known = new Map<string, MatchesTool | undefined>();

  /** True also for a file that cannot be read: whoever takes it finds out and says so. */
  async mayCarry(box: AgentBox, name: ItemName, toolNames: readonly string[] | undefined): Promise<boolean> {
    if (toolNames === undefined || name.matcher === undefined) return true;
    if (!this.#known.has(name.matcher)) {
      const reading = await readRecord(box.waiting(name), name);
      if (reading === undefined) return false;
      if (!reading.ok) return true;
      if (this.#known.size >= MOST) this.#known.clear();
      this.#known.set(name.matcher, compileToolMatcher(reading.record.item.matcher));
    }
    const matches = this.#known.get(name.matcher);
    return matches === undefined || toolNames.some(matches);
  }
}
