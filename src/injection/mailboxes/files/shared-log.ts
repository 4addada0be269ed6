/**
 * The log of items for several agents or all. Each agent makes its own copy of each item, once; agents that join later
 * do too.
 */
import { ANYONE } from '../../item.js';
import type { AgentBox, Quarantine } from './agent-box.js';
import type { Arrivals } from './arrivals.js';
import type { Boxes } from './boxes.js';
import { end } from './claims.js';
import { inBatches, list, look, remove } from './disk.js';
import { endFile } from './file-names.js';
import { type ItemName, isExpired } from './item-name.js';
import { hasMissed, isFor, LogEntries, type LogEntry } from './log-entries.js';
import type { MailboxContext } from './mailbox-context.js';
import { aboutItem, type ItemRecord } from './record.js';
import type { Staging } from './staging.js';

const TOO_LATE = 'it has expired';

export class SharedLog {
  readonly #context: MailboxContext;
  readonly #boxes: Boxes;
  readonly #entries: LogEntries;

  constructor(context: MailboxContext, boxes: Boxes, quarantine: Quarantine) {
    this.#context = context;
    this.#boxes = boxes;
    this.#entries = new LogEntries(context.place, quarantine);
  }

  get arrivals(): Arrivals {
    return this.#entries.arrivals;
  }

  /** Makes the missing copies for the agent. `hasJoined`: also of items for all agents. */
  async copyFor(box: AgentBox, staging: Staging, hasJoined: boolean): Promise<void> {
    await box.readHandled();
    const names = await this.arrivals.names();
    const open = names.filter(({ text }) => !box.handled.has(text));
    await inBatches(open, (name) => this.#copy(box, name, staging, hasJoined));
    if (box.handled.size <= 2 * names.length + 1000) return;
    const current = new Set(names.map(({ text }) => text));
    for (const text of box.handled) if (!current.has(text)) box.handled.delete(text);
  }

  async #copy(box: AgentBox, name: ItemName, staging: Staging, hasJoined: boolean): Promise<void> {
    const entry = await this.#entries.entry(name);
    if (entry === undefined || (entry.audience === 'all' && !hasJoined)) return;
    const isLate = isExpired(name, this.#context.now());
    if (isFor(entry, box.agentId) && !(isLate && (await hasMissed(box, name, entry))))
      await this.#publish(box, name, staging, isLate);
    box.handled.add(name.text);
  }

  async #publish(box: AgentBox, name: ItemName, staging: Staging, isLate: boolean): Promise<void> {
    const read = await this.#entries.read(name);
    if (read === undefined) return;
    const isNew = await staging.publish({
      name,
      text: read.text,
      marker: box.seen(name),
      destination: isLate
        ? box.inside('done', endFile(name, 'expired', this.#context.now()))
        : box.waiting(name),
      arrivals: isLate ? undefined : box.arrivals,
      copyFor: box.folder,
      isWanted: () => staging.isInLog(name),
    });
    if (!isNew) return;
    const what = { agentId: box.agentId, name, about: read.record.item };
    this.#context.report(
      isLate ? { ...what, state: 'expired', reason: TOO_LATE } : { ...what, state: 'queued' },
    );
  }

  /** The records the agent would get now. */
  async preview(box: AgentBox | undefined, agentId: string): Promise<readonly ItemRecord[]> {
    const names = await this.arrivals.names();
    const records = await inBatches(names, async (name) => {
      if (isExpired(name, this.#context.now())) return [];
      if (box !== undefined && (await hasCopy(box, name))) return [];
      const entry = await this.#entries.entry(name);
      if (entry === undefined || !isFor(entry, agentId)) return [];
      const read = await this.#entries.read(name);
      return read === undefined ? [] : [read.record];
    });
    return records.flat();
  }

  /** Names that some agent still has to copy, and those that no agent is there for. */
  async open(): Promise<ItemName[]> {
    const joined = await this.#boxes.joined();
    const open: ItemName[] = [];
    for (const name of await this.arrivals.names()) {
      const entry = await this.#entries.entry(name);
      if (entry !== undefined && !(await this.#isCopied(name, entry, joined))) open.push(name);
    }
    return open;
  }

  async #isCopied(name: ItemName, { audience }: LogEntry, joined: readonly AgentBox[]): Promise<boolean> {
    if (audience === 'all' && joined.length === 0) return false;
    const boxes =
      audience === 'all'
        ? joined
        : await Promise.all(audience.map((agentId) => this.#boxes.tryFind(agentId)));
    for (const box of boxes) if (box === undefined || !(await hasCopy(box, name))) return false;
    return true;
  }

  /**
   * Ends expired items, then removes items that no agent needs. The latest items for all are kept for agents that join
   * later.
   */
  async cleanUp(staging: Staging, maxRemembered: number): Promise<void> {
    const joined = await this.#boxes.joined();
    const done: ItemName[] = [];
    const kept: ItemName[] = [];
    for (const name of await this.arrivals.names()) {
      const isLate = isExpired(name, this.#context.now());
      if (isLate) await this.expire(name, staging);
      const entry = await this.#entries.entry(name);
      if (entry === undefined || !(await this.#isCopied(name, entry, joined))) continue;
      if (isLate || entry.audience !== 'all') done.push(name);
      else kept.push(name);
    }
    // While an agent's folder cannot be read, it is unknown which items it still has to copy.
    if (!this.#boxes.areWhole) return;
    kept.sort((a, b) => (ageKey(a) < ageKey(b) ? -1 : 1));
    done.push(...kept.slice(0, Math.max(0, kept.length - maxRemembered)));
    // A copy that has its marker but is not in place yet needs the item in the log, so that other processes can finish
    // it.
    const arriving = new Set((await staging.names()).map(({ text }) => text));
    for (const name of done) if (!arriving.has(name.text)) await this.#entries.takeOut(name);
    await this.#removeMarkers();
  }

  /** Ends the item for every target agent without a copy; if it has no target agent, its expiry is reported once. */
  async expire(name: ItemName, staging: Staging): Promise<void> {
    const entry = await this.#entries.entry(name);
    if (entry === undefined) return;
    const { audience } = entry;
    if (audience !== 'all') {
      for (const agentId of audience) {
        const box = await this.#boxes.tryEnsure(agentId);
        if (box !== undefined) await this.#expireFor(box, name, staging);
      }
      return;
    }
    let isForSomebody = false;
    await this.#boxes.mapUsable(async (box) => {
      const hasJoined = (await box.isJoined()) && !(await hasMissed(box, name, entry));
      if (hasJoined) await this.#expireFor(box, name, staging);
      isForSomebody ||= hasJoined || (await look(box.seen(name))) !== undefined;
    });
    if (!isForSomebody && this.#boxes.areWhole) await this.#expireWithoutAgents(name);
  }

  async #expireFor(box: AgentBox, name: ItemName, staging: Staging): Promise<void> {
    if (!(await hasCopy(box, name))) await this.#copy(box, name, staging, true);
  }

  async #expireWithoutAgents(name: ItemName): Promise<void> {
    const anyone = await this.#boxes.ensure(ANYONE);
    const about = await aboutItem(this.#context.place, name);
    const path = this.#entries.path(name);
    await end(this.#context, anyone, { name, path, ending: 'expired', reason: TOO_LATE, about });
    this.#entries.forget(name);
  }

  /** Only after the item has left the log: until then, the marker prevents a second copy. */
  async #removeMarkers(): Promise<void> {
    const markers = await this.#boxes.mapUsable(async (box) => ({
      box,
      files: await list(box.inside('seen')),
    }));
    const present = new Set(await list(this.#context.place.log));
    for (const { box, files } of markers) {
      for (const file of files) if (!present.has(file)) await remove(box.inside('seen', file));
    }
  }
}

/** Epoch and sequence, without the priority. */
const ageKey = ({ text }: ItemName): string => text.slice(17);

/** Another process may have made it. */
async function hasCopy(box: AgentBox, name: ItemName): Promise<boolean> {
  if (box.handled.has(name.text)) return true;
  if ((await look(box.seen(name))) === undefined) return false;
  box.handled.add(name.text);
  return true;
}
