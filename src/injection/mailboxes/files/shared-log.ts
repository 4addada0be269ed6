/** Items for several agents or all. Each agent that comes by makes its own copy of each, once; later ones do too. */
import { ANYONE } from '../../item.js';
import type { AgentBox, MoveAside } from './agent-box.js';
import type { Arrivals } from './arrivals.js';
import type { Boxes } from './boxes.js';
import { end } from './claims.js';
import { inBatches, list, look, remove } from './disk.js';
import { endFile } from './file-names.js';
import { type ItemName, isExpired } from './item-name.js';
import { hasMissed, isFor, LogEntries, type LogEntry } from './log-entries.js';
import type { Desk } from './mailbox-context.js';
import { aboutItem, type ItemRecord } from './record.js';
import type { Staging } from './staging.js';

const TOO_LATE = 'its time has passed';

export class SharedLog {
  readonly #desk: Desk;
  readonly #boxes: Boxes;
  readonly #entries: LogEntries;

  constructor(desk: Desk, boxes: Boxes, moveAside: MoveAside) {
    this.#desk = desk;
    this.#boxes = boxes;
    this.#entries = new LogEntries(desk.place, moveAside);
  }

  get arrivals(): Arrivals {
    return this.#entries.arrivals;
  }

  /** Makes the copies that the agent has not had. `isThere`: it gets what is for all, too. */
  async copyFor(box: AgentBox, staging: Staging, isThere: boolean): Promise<void> {
    await box.readHandled();
    const names = await this.arrivals.names();
    const open = names.filter(({ text }) => !box.handled.has(text));
    await inBatches(open, (name) => this.#copy(box, name, staging, isThere));
    if (box.handled.size <= 2 * names.length + 1000) return;
    const current = new Set(names.map(({ text }) => text));
    for (const text of box.handled) if (!current.has(text)) box.handled.delete(text);
  }

  async #copy(box: AgentBox, name: ItemName, staging: Staging, isThere: boolean): Promise<void> {
    const entry = await this.#entries.entry(name);
    if (entry === undefined || (entry.audience === 'all' && !isThere)) return;
    const isLate = isExpired(name, this.#desk.now());
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
        ? box.inside('done', endFile(name, 'expired', this.#desk.now()))
        : box.waiting(name),
      arrivals: isLate ? undefined : box.arrivals,
      copyFor: box.folder,
      isWanted: () => staging.isInLog(name),
    });
    if (!isNew) return;
    const what = { agentId: box.agentId, name, about: read.record.item };
    this.#desk.report(
      isLate ? { ...what, state: 'expired', reason: TOO_LATE } : { ...what, state: 'queued' },
    );
  }

  /** What the agent would get by coming by, as records. */
  async preview(box: AgentBox | undefined, agentId: string): Promise<readonly ItemRecord[]> {
    const names = await this.arrivals.names();
    const records = await inBatches(names, async (name) => {
      if (isExpired(name, this.#desk.now())) return [];
      if (box !== undefined && (await hasCopy(box, name))) return [];
      const entry = await this.#entries.entry(name);
      if (entry === undefined || !isFor(entry, agentId)) return [];
      const read = await this.#entries.read(name);
      return read === undefined ? [] : [read.record];
    });
    return records.flat();
  }

  /** Names that somebody is still to copy, and those that nobody is there for. */
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

  /** Ends what time has ended; then takes out what nobody needs. The latest for all stay for those to come. */
  async tidy(staging: Staging, maxRemembered: number): Promise<void> {
    const joined = await this.#boxes.joined();
    const done: ItemName[] = [];
    const kept: ItemName[] = [];
    for (const name of await this.arrivals.names()) {
      const isLate = isExpired(name, this.#desk.now());
      if (isLate) await this.expire(name, staging);
      const entry = await this.#entries.entry(name);
      if (entry === undefined || !(await this.#isCopied(name, entry, joined))) continue;
      if (isLate || entry.audience !== 'all') done.push(name);
      else kept.push(name);
    }
    // Whoever is still to copy an item cannot be told while an agent's folder cannot be looked into.
    if (!this.#boxes.areWhole) return;
    kept.sort((a, b) => (ageKey(a) < ageKey(b) ? -1 : 1));
    done.push(...kept.slice(0, Math.max(0, kept.length - maxRemembered)));
    // A copy that has its marker and not its place yet needs the item in the log to be finished by others.
    const arriving = new Set((await staging.names()).map(({ text }) => text));
    for (const name of done) if (!arriving.has(name.text)) await this.#entries.takeOut(name);
    await this.#forgetMarkers();
  }

  /** Ends it for everybody it was for who has no copy yet; where it was for nobody, that is said too. */
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
      const isThere = (await box.isJoined()) && !(await hasMissed(box, name, entry));
      if (isThere) await this.#expireFor(box, name, staging);
      isForSomebody ||= isThere || (await look(box.seen(name))) !== undefined;
    });
    if (!isForSomebody && this.#boxes.areWhole) await this.#expireForNobody(name);
  }

  async #expireFor(box: AgentBox, name: ItemName, staging: Staging): Promise<void> {
    if (!(await hasCopy(box, name))) await this.#copy(box, name, staging, true);
  }

  async #expireForNobody(name: ItemName): Promise<void> {
    const nobody = await this.#boxes.ensure(ANYONE);
    const about = await aboutItem(this.#desk.place, name);
    const path = this.#entries.path(name);
    await end(this.#desk, nobody, { name, path, ending: 'expired', reason: TOO_LATE, about });
    this.#entries.forget(name);
  }

  /** Only after the item has left the log: before, a marker is what keeps an agent from a second copy. */
  async #forgetMarkers(): Promise<void> {
    const markers = await this.#boxes.mapUsable(async (box) => ({
      box,
      files: await list(box.inside('seen')),
    }));
    const present = new Set(await list(this.#desk.place.log));
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
