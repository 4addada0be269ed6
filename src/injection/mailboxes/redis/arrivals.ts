/** Copies the log entries for an agent into its own data, exactly once, even with several concurrent callers. */
import type { AgentMemory, AgentSlot, LogPosition } from './agent-slot.js';
import { type CommonSlot, LOG_PAGE, type LogEntry, type LogPage } from './common-slot.js';
import { decodeItem } from './record.js';

/** Positions of more agents than this are dropped and read again. */
const MAX_REMEMBERED = 10_000;

export class Arrivals {
  readonly #slot: AgentSlot;
  readonly #common: CommonSlot;
  readonly #retentionMs: number;
  readonly #agents = new Map<string, AgentMemory>();

  constructor(slot: AgentSlot, common: CommonSlot, retentionMs: number) {
    this.#slot = slot;
    this.#common = common;
    this.#retentionMs = retentionMs;
  }

  memoryOf(agentId: string): AgentMemory {
    const known = this.#agents.get(agentId);
    if (known !== undefined) return known;
    const agent: AgentMemory = {
      agentId,
      position: undefined,
      floor: '',
      renewedAt: Number.NEGATIVE_INFINITY,
      hadItems: false,
    };
    this.#agents.set(agentId, agent);
    for (const oldest of this.#agents.keys()) {
      if (this.#agents.size <= MAX_REMEMBERED) break;
      this.#agents.delete(oldest);
    }
    return agent;
  }

  /** Registers the agent if it has not joined yet. */
  async join(agent: AgentMemory): Promise<void> {
    const { all, hasLeft } = await this.#slot.position(agent);
    if (all !== '' && !hasLeft) return;
    // Items that named it while it was away have failed; that must be recorded before it joins again.
    if (hasLeft) await this.fetch(agent);
    await this.#slot.enter(agent, await this.#common.join(agent.agentId));
  }

  /**
   * Whether a take may find anything: own items, or news in the log. Two plain reads. Now and then it says yes without
   * looking: what is used must not be deleted from the server.
   */
  async look(agent: AgentMemory): Promise<'nothing' | 'own' | 'log'> {
    const { position } = agent;
    const isDue = performance.now() - agent.renewedAt > this.#retentionMs / 8;
    if (position === undefined || !getsAll(position) || isDue) {
      agent.renewedAt = performance.now();
      return 'log';
    }
    const [hasOwn, last] = await Promise.all([this.#slot.hasItems(agent), this.#common.last()]);
    if (last > startOf(position)) return 'log';
    return hasOwn ? 'own' : 'nothing';
  }

  /** Imports new log entries. An agent that has not joined, or has left, gets only items that name it. */
  async fetch(agent: AgentMemory): Promise<void> {
    for (;;) {
      const position = await this.#slot.position(agent);
      const page = await this.#common.read(startOf(position));
      const last = page.entries.at(-1);
      if (last === undefined) return;
      const next = advance(position, last.number);
      const entries = page.entries
        .filter((entry) => this.#isNew(agent.agentId, position, page, entry))
        .map((entry) => [
          entry.isForAll ? 'all' : 'named',
          ...entry.fields,
          String(entry.number),
          String(entry.number),
        ]);
      const isDone = await this.#slot.importEntries(agent, position, next, entries);
      if (isDone && page.entries.length < LOG_PAGE) return;
    }
  }

  /** What an agent that has not joined would get by joining. */
  async withoutJoining(agent: AgentMemory): Promise<readonly LogEntry[]> {
    const { all, hasLeft } = await this.#slot.position(agent);
    if (all !== '' && !hasLeft) return [];
    const found: LogEntry[] = [];
    for (let after = Number(all); ; ) {
      const { at, entries } = await this.#common.read(after);
      const isAlive = ({ fields: [, , , , , expiry = ''] }: LogEntry): boolean =>
        expiry === '' || Number(expiry) > at;
      found.push(...entries.filter((entry) => entry.isForAll && isAlive(entry)));
      const last = entries.at(-1);
      if (last === undefined || entries.length < LOG_PAGE) return found;
      after = last.number;
    }
  }

  #isNew(
    agentId: string,
    position: LogPosition,
    { at }: LogPage,
    { number, isForAll, fields }: LogEntry,
  ): boolean {
    if (isForAll) {
      if (!getsAll(position) || number <= Number(position.all)) return false;
      // An agent without a position may have been here before, so long ago that its data has expired.
      return position.all !== '0' || number > (at - this.#retentionMs) * 1000;
    }
    if (number <= Number(position.named)) return false;
    const [id = '', head = '', rest = ''] = fields;
    const to = decodeItem(id, head, rest)?.to;
    return Array.isArray(to) && to.includes(agentId);
  }
}

function getsAll({ all, hasLeft }: LogPosition): boolean {
  return all !== '' && !hasLeft;
}

function startOf(position: LogPosition): number {
  return getsAll(position) ? Math.min(Number(position.named), Number(position.all)) : Number(position.named);
}

function advance(position: LogPosition, number: number): LogPosition {
  const further = (cursor: string): string => String(Math.max(Number(cursor), number));
  return {
    named: further(position.named),
    all: getsAll(position) ? further(position.all) : position.all,
    hasLeft: position.hasLeft,
  };
}
