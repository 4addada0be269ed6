/** Leases items, and makes sure that each lease ends once. */
import { compileToolMatcher, type MatchesTool } from '../../matcher.js';
import type { InjectionItem, Lease } from '../../port.js';
import { MailboxUnavailableError } from '../../unavailable-error.js';
import type { AgentMemory, AgentSlot, Taken, TakenEntry } from './agent-slot.js';
import type { Arrivals } from './arrivals.js';
import { decodeItem } from './record.js';

/** Items per call to the server, so that a call does not block it for long. */
const PAGE_SIZE = 200;

type Page = Extract<Taken, { kind: 'taken' }>;
type EndEntries = (lease: string, entries: readonly TakenEntry[]) => Promise<unknown>;

export class Leases {
  readonly #slot: AgentSlot;
  readonly #arrivals: Arrivals;
  readonly #waiting = new Set<() => void>();
  #open = 0;

  constructor(slot: AgentSlot, arrivals: Arrivals) {
    this.#slot = slot;
    this.#arrivals = arrivals;
  }

  /** The number of open leases. */
  get open(): number {
    return this.#open;
  }

  /** Resolves when no lease is open, or after this time. Does not keep the process alive. */
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
    const found = await this.#arrivals.look(agent);
    if (found === 'nothing') return this.#createLease(agent, []);
    if (found === 'log') await this.#arrive(agent);
    const judge = toolNames && makeJudge(toolNames);
    const pages: Page[] = [];
    for (let left = limit; left > 0; ) {
      const page = await this.#takePage(agent, Math.min(left, PAGE_SIZE), judge);
      if (page.entries.length === 0) break;
      pages.push(page);
      left -= page.entries.length;
      if (page.entries.length < PAGE_SIZE) break;
    }
    await this.#failUnreadable(agent, pages);
    return this.#createLease(agent, pages);
  }

  /** Items are marked as carried only after they have been received: if this process dies before, they stay queued. */
  async carryOver(agent: AgentMemory): Promise<readonly InjectionItem[]> {
    await this.#arrivals.fetch(agent);
    const carried: InjectionItem[] = [];
    for (;;) {
      const page = await this.#slot.take(agent, PAGE_SIZE);
      if (page.kind !== 'taken' || page.entries.length === 0) return carried;
      await this.#failUnreadable(agent, [page]);
      const ended = await this.#slot.end(agent, page.lease, page.entries, 'carried');
      const ids = new Set(ended.flatMap(({ id, state }) => (state === 'carried' ? [id] : [])));
      carried.push(...itemsOf(page).filter(({ id }) => ids.has(id)));
    }
  }

  async pending(agent: AgentMemory): Promise<readonly InjectionItem[]> {
    await this.#arrivals.fetch(agent);
    const own = (await this.#slot.list(agent)).map((waiting) => ({ ...waiting, item: undefined }));
    const more = (await this.#arrivals.withoutJoining(agent)).map(({ number, fields }) => {
      const [id = '', head = '', rest = '', rank] = fields;
      return { rank: Number(rank), order: number, id, item: decodeItem(id, head, rest) };
    });
    const all = [...own, ...more].sort((a, b) => a.rank - b.rank || a.order - b.order);
    const items = new Map<string, InjectionItem>();
    for (let i = 0; i < own.length; i += PAGE_SIZE) {
      const ids = own.slice(i, i + PAGE_SIZE).map(({ id }) => id);
      for (const [id, item] of await this.#slot.read(agent, ids)) items.set(id, item);
    }
    return all.flatMap(({ id, item }) => item ?? items.get(id) ?? []);
  }

  /** A server out of memory accepts no new items, but existing ones can still be delivered, which frees memory. */
  async #arrive(agent: AgentMemory): Promise<void> {
    try {
      await this.#arrivals.join(agent);
      await this.#arrivals.fetch(agent);
    } catch (error) {
      if (!(error instanceof MailboxUnavailableError && error.outOfMemory)) throw error;
    }
  }

  async #takePage(agent: AgentMemory, limit: number, judge: Judge | undefined): Promise<Page> {
    const judged = judge && new Map<string, boolean>();
    for (;;) {
      const answer = await this.#slot.take(agent, limit, judged);
      if (answer.kind === 'taken') return answer;
      if (answer.kind === 'judge')
        for (const matcher of answer.matchers) judged?.set(matcher, judge?.(matcher) ?? true);
      if (answer.kind === 'left') {
        // The agent was removed since the last call, but it is active: it joins again.
        agent.position = undefined;
        await this.#arrivals.join(agent);
        await this.#arrivals.fetch(agent);
      }
    }
  }

  /** An item that cannot be decoded would be delivered again and again. */
  async #failUnreadable(agent: AgentMemory, pages: readonly Page[]): Promise<void> {
    for (const { lease, entries } of pages) {
      const broken = entries.filter(({ item }) => item === undefined);
      if (broken.length > 0) await this.#slot.end(agent, lease, broken, 'failed', 'it cannot be read');
    }
  }

  #createLease(agent: AgentMemory, pages: readonly Page[]): Lease {
    const items = Object.freeze(pages.flatMap(itemsOf));
    let ending: Promise<void> | undefined = items.length === 0 ? Promise.resolve() : undefined;
    if (items.length > 0) this.#open += 1;
    const end = (how: EndEntries): Promise<void> => {
      ending ??= this.#endAll(pages, how).catch((error: unknown) => {
        // It is unknown whether the lease has ended: the next call finds out.
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

  async #endAll(pages: readonly Page[], how: EndEntries): Promise<void> {
    for (const { lease, entries } of pages) await how(lease, entries);
    this.#open -= 1;
    if (this.#open > 0) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

function itemsOf({ entries }: Page): readonly InjectionItem[] {
  return entries.flatMap(({ item }) => item ?? []);
}

type Judge = (matcher: string) => boolean;

function makeJudge(toolNames: readonly string[]): Judge {
  return (matcher) => {
    let matches: MatchesTool | undefined;
    try {
      matches = compileToolMatcher(matcher);
    } catch {
      // An invalid matcher cannot come from this library; the item is delivered at the end of a turn.
      return false;
    }
    return matches === undefined || toolNames.some(matches);
  };
}
