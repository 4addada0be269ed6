/** Hands items over under a lease, and sees to it that each lease ends once. */
import { compileToolMatcher, type MatchesTool } from '../../matcher.js';
import type { InjectionItem, Lease } from '../../port.js';
import type { AgentMemory, AgentSlot, Taken } from './agent-slot.js';
import type { Arrivals } from './arrivals.js';
import { decodeItem } from './record.js';
import { MailboxUnavailableError } from './unavailable-error.js';

/** So many items are handed over in one call to the server, so that it does not keep others waiting for long. */
const PORTION = 200;

type Portion = Extract<Taken, { kind: 'taken' }>;

export class HandingOver {
  readonly #slot: AgentSlot;
  readonly #arrivals: Arrivals;
  readonly #waiting = new Set<() => void>();
  #open = 0;

  constructor(slot: AgentSlot, arrivals: Arrivals) {
    this.#slot = slot;
    this.#arrivals = arrivals;
  }

  /** How many leases have not ended. */
  get open(): number {
    return this.#open;
  }

  /** Resolves when no lease is open any more, or after this time. Keeps no process alive. */
  whenDone(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      this.#waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async take(agent: AgentMemory, toolNames: readonly string[] | undefined, limit: number): Promise<Lease> {
    await this.#arrive(agent);
    const judge = toolNames && makeJudge(toolNames);
    const portions: Portion[] = [];
    for (let left = limit; left > 0; ) {
      const portion = await this.#takePortion(agent, Math.min(left, PORTION), judge);
      if (portion.entries.length === 0) break;
      portions.push(portion);
      left -= portion.entries.length;
      if (portion.entries.length < PORTION) break;
    }
    await this.#refuseUnreadable(agent, portions);
    return this.#lend(agent, portions);
  }

  /** Items are taken on only when they have arrived here: whoever dies before leaves them where they were. */
  async carryOver(agent: AgentMemory): Promise<readonly InjectionItem[]> {
    await this.#arrivals.fetch(agent);
    const carried: InjectionItem[] = [];
    for (;;) {
      const portion = await this.#slot.take(agent, PORTION);
      if (portion.kind !== 'taken' || portion.entries.length === 0) return carried;
      await this.#refuseUnreadable(agent, [portion]);
      const entries = portion.entries.map(({ entry }) => entry);
      const ended = await this.#slot.end(agent, portion.lease, entries, 'carried');
      const ids = new Set(ended.flatMap(({ id, state }) => (state === 'carried' ? [id] : [])));
      carried.push(...itemsOf(portion).filter(({ id }) => ids.has(id)));
    }
  }

  async pending(agent: AgentMemory): Promise<readonly InjectionItem[]> {
    await this.#arrivals.fetch(agent);
    const own = (await this.#slot.list(agent)).map((waiting) => ({ ...waiting, item: undefined }));
    const more = (await this.#arrivals.withoutJoining(agent)).map(({ number, fields }) => {
      const [id = '', head = '', rest = '', rank] = fields;
      return { rank: Number(rank), order: number, entry: '', item: decodeItem(id, head, rest) };
    });
    const all = [...own, ...more].sort((a, b) => a.rank - b.rank || a.order - b.order);
    const items = new Map<string, InjectionItem>();
    for (let i = 0; i < own.length; i += PORTION) {
      const entries = own.slice(i, i + PORTION).map(({ entry }) => entry);
      for (const [entry, item] of await this.#slot.read(agent, entries)) items.set(entry, item);
    }
    return all.flatMap(({ entry, item }) => item ?? items.get(entry) ?? []);
  }

  /** Without memory the server takes nothing in, but what is there can be handed over, and that makes room. */
  async #arrive(agent: AgentMemory): Promise<void> {
    try {
      await this.#arrivals.join(agent);
      await this.#arrivals.fetch(agent);
    } catch (error) {
      if (!(error instanceof MailboxUnavailableError && error.outOfMemory)) throw error;
    }
  }

  async #takePortion(agent: AgentMemory, limit: number, judge: Judge | undefined): Promise<Portion> {
    const judged = judge && new Map<string, boolean>();
    for (;;) {
      const answer = await this.#slot.take(agent, limit, judged);
      if (answer.kind === 'taken') return answer;
      if (answer.kind === 'judge')
        for (const matcher of answer.matchers) judged?.set(matcher, judge?.(matcher) ?? true);
      if (answer.kind === 'left') {
        // Somebody has sent it away since we last looked; it is here.
        agent.stand = undefined;
        await this.#arrivals.join(agent);
        await this.#arrivals.fetch(agent);
      }
    }
  }

  /** An item that cannot be read would be handed over again and again. */
  async #refuseUnreadable(agent: AgentMemory, portions: readonly Portion[]): Promise<void> {
    for (const { lease, entries } of portions) {
      const broken = entries.flatMap(({ entry, item }) => (item === undefined ? [entry] : []));
      if (broken.length > 0) await this.#slot.end(agent, lease, broken, 'failed', 'it cannot be read');
    }
  }

  #lend(agent: AgentMemory, portions: readonly Portion[]): Lease {
    const items = Object.freeze(portions.flatMap(itemsOf));
    let ending: Promise<void> | undefined = items.length === 0 ? Promise.resolve() : undefined;
    if (items.length > 0) this.#open += 1;
    const end = (how: (lease: string, entries: readonly string[]) => Promise<unknown>): Promise<void> => {
      ending ??= this.#endAll(portions, how).catch((error: unknown) => {
        // It is not known whether it has ended: the next call finds out.
        ending = undefined;
        throw error;
      });
      return ending;
    };
    return Object.freeze({
      items,
      acknowledge: () => end((lease, entries) => this.#slot.end(agent, lease, entries, 'delivered')),
      release: () => end((lease, entries) => this.#slot.release(agent, lease, entries)),
    });
  }

  async #endAll(
    portions: readonly Portion[],
    how: (lease: string, entries: readonly string[]) => Promise<unknown>,
  ): Promise<void> {
    for (const { lease, entries } of portions)
      await how(
        lease,
        entries.map(({ entry }) => entry),
      );
    this.#open -= 1;
    if (this.#open > 0) return;
    for (const tell of this.#waiting) tell();
    this.#waiting.clear();
  }
}

function itemsOf({ entries }: Portion): readonly InjectionItem[] {
  return entries.flatMap(({ item }) => item ?? []);
}

type Judge = (matcher: string) => boolean;

function makeJudge(toolNames: readonly string[]): Judge {
  return (matcher) => {
    let matches: MatchesTool | undefined;
    try {
      matches = compileToolMatcher(matcher);
    } catch {
      // Nobody could have put it in here; it waits for the end of a turn.
      return false;
    }
    return matches === undefined || toolNames.some(matches);
  };
}
