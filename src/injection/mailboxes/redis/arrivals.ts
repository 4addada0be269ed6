/** Brings what the log has for an agent into what the agent has, exactly once, whoever does it and however often. */
import type { AgentMemory, AgentSlot, Stand } from './agent-slot.js';
import { type CommonSlot, LOG_PAGE, type LogEntry, type LogPage } from './common-slot.js';
import { decodeItem } from './record.js';

/** Of more agents than this we forget where they stand, and ask again. */
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
    const agent: AgentMemory = { agentId, stand: undefined, floor: '' };
    this.#agents.set(agentId, agent);
    for (const oldest of this.#agents.keys()) {
      if (this.#agents.size <= MAX_REMEMBERED) break;
      this.#agents.delete(oldest);
    }
    return agent;
  }

  /** The agent is there from now on, if it was not yet. */
  async join(agent: AgentMemory): Promise<void> {
    const { all, hasLeft } = await this.#slot.stand(agent);
    if (all !== '' && !hasLeft) return;
    // What was put for it by name while it was away has failed; that is to be known before it is back.
    if (hasLeft) await this.fetch(agent);
    await this.#slot.enter(agent, await this.#common.join(agent.agentId));
  }

  /** Fetches what has come since the last time. An agent that has not joined, or has left, gets only what names it. */
  async fetch(agent: AgentMemory): Promise<void> {
    for (;;) {
      const stand = await this.#slot.stand(agent);
      const page = await this.#common.read(startOf(stand));
      const last = page.entries.at(-1);
      if (last === undefined) return;
      const next = advance(stand, last.number);
      const entries = page.entries
        .filter((entry) => this.#isNew(agent.agentId, stand, page, entry))
        .map((entry) => [
          entry.isForAll ? 'all' : 'named',
          ...entry.fields,
          String(entry.number),
          String(entry.number),
        ]);
      const isDone = await this.#slot.import(agent, stand, next, entries);
      if (isDone && page.entries.length < LOG_PAGE) return;
    }
  }

  /** What an agent that is not there would get by joining. */
  async withoutJoining(agent: AgentMemory): Promise<readonly LogEntry[]> {
    const { all, hasLeft } = await this.#slot.stand(agent);
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

  #isNew(agentId: string, stand: Stand, { at }: LogPage, { number, isForAll, fields }: LogEntry): boolean {
    if (isForAll) {
      if (!getsAll(stand) || number <= Number(stand.all)) return false;
      // Somebody who comes anew may have been here before, so long ago that nobody knows.
      return stand.all !== '0' || number > (at - this.#retentionMs) * 1000;
    }
    if (number <= Number(stand.named)) return false;
    const [id = '', head = '', rest = ''] = fields;
    const to = decodeItem(id, head, rest)?.to;
    return Array.isArray(to) && to.includes(agentId);
  }
}

function getsAll({ all, hasLeft }: Stand): boolean {
  return all !== '' && !hasLeft;
}

function startOf(stand: Stand): number {
  return getsAll(stand) ? Math.min(Number(stand.named), Number(stand.all)) : Number(stand.named);
}

function advance(stand: Stand, number: number): Stand {
  const further = (cursor: string): string => String(Math.max(Number(cursor), number));
  return {
    named: further(stand.named),
    all: getsAll(stand) ? further(stand.all) : stand.all,
    hasLeft: stand.hasLeft,
  };
}
