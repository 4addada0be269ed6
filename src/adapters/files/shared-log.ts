/** Items for several agents or all. Each agent that comes by makes its own copy of each, once; later ones do too. */
import { join } from 'node:path';
import { ANYONE, targetsOf } from '../../injection/item.js';
import type { AgentBox, MoveAside } from './agent-box.js';
import { Arrivals } from './arrivals.js';
import type { Boxes } from './boxes.js';
import { end } from './claims.js';
import type { Desk } from './desk.js';
import { inBatches, list, look, remove } from './disk.js';
import { endFile, itemFile } from './file-names.js';
import { type ItemName, isExpired } from './item-name.js';
import { aboutItem, type ItemRecord, readRecord } from './record.js';
import type { Staging } from './staging.js';

/** Whom an item of the log is for. */
type Audience = readonly string[] | 'all';

const TOO_LATE = 'its time has passed';

export class SharedLog {
  readonly arrivals: Arrivals;
  readonly #desk: Desk;
  readonly #boxes: Boxes;
  readonly #moveAside: MoveAside;
  readonly #audiences = new Map<string, Audience>();

  constructor(desk: Desk, boxes: Boxes, moveAside: MoveAside) {
    this.#desk = desk;
    this.#boxes = boxes;
    this.#moveAside = moveAside;
    const { log, logJournal } = desk.place;
    this.arrivals = new Arrivals(log, logJournal, (file) =>
      moveAside(ANYONE, join(log, file), 'its name is none that we give'),
    );
  }

  /** Makes the copies that the agent has not had. `isThere`: it gets what is for all, too. */
  async copyFor(box: AgentBox, staging: Staging, isThere: boolean): Promise<void> {
    await box.readHandled();
    const names = await this.arrivals.names();
    const open = names.filter(({ text }) => !box.handled.has(text));
    await inBatches(open, (name) => this.#copy(box, name, staging, isThere));
    if (box.handled.size > 2 * names.length + 1000) {
      const current = new Set(names.map(({ text }) => text));
      for (const text of box.handled) if (!current.has(text)) box.handled.delete(text);
    }
  }

  /** What the agent would get by coming by, as records. */
  async preview(box: AgentBox | undefined, agentId: string): Promise<readonly ItemRecord[]> {
    const names = await this.arrivals.names();
    const records = await inBatches(names, async (name) => {
      if (isExpired(name, this.#desk.now())) return undefined;
      if (box !== undefined && (await allHave([box], name))) return undefined;
      const record = await this.#read(name);
      return record !== undefined && isFor(audienceOf(record), agentId) ? record : undefined;
    });
    return records.filter((record) => record !== undefined);
  }

  async #copy(box: AgentBox, name: ItemName, staging: Staging, isThere: boolean): Promise<void> {
    const known = this.#audiences.get(name.text);
    if (known === 'all' && !isThere) return;
    if (known !== undefined && !isFor(known, box.agentId)) {
      box.handled.add(name.text);
      return;
    }
    const reading = await readRecord(this.#path(name), name);
    if (reading?.ok !== true) {
      if (reading !== undefined) await this.#moveAside(ANYONE, this.#path(name), reading.problem);
      this.arrivals.drop(name);
      return;
    }
    const { record, text } = reading;
    const audience = this.#remember(name, audienceOf(record));
    if (audience === 'all' && !isThere) return;
    const isLate = isExpired(name, this.#desk.now());
    // Who comes after its time has never been among those it was for.
    const isMissed = isLate && audience === 'all' && ((await box.joinedAt()) ?? 0) >= (name.expiresAt ?? 0);
    if (isFor(audience, box.agentId) && !isMissed)
      await this.#publish(box, name, text, staging, isLate, record);
    box.handled.add(name.text);
  }

  async #publish(
    box: AgentBox,
    name: ItemName,
    text: string,
    staging: Staging,
    isLate: boolean,
    { item }: ItemRecord,
  ): Promise<void> {
    const isNew = await staging.publish({
      name,
      text,
      marker: box.seen(name),
      destination: isLate
        ? box.inside('done', endFile(name, 'expired', this.#desk.now()))
        : box.waiting(name),
      arrivals: isLate ? undefined : box.arrivals,
      copyFor: box.folder,
      isWanted: () => staging.isInLog(name),
    });
    if (!isNew) return;
    const what = { agentId: box.agentId, name, about: item };
    this.#desk.report(
      isLate ? { ...what, state: 'expired', reason: TOO_LATE } : { ...what, state: 'queued' },
    );
  }

  /** Undefined: it has left the log, or cannot be read. */
  async audience(name: ItemName): Promise<Audience | undefined> {
    const known = this.#audiences.get(name.text);
    if (known !== undefined) return known;
    const record = await this.#read(name);
    return record === undefined ? undefined : this.#remember(name, audienceOf(record));
  }

  /** Names that somebody is still to copy, and those that nobody is there for. */
  async open(): Promise<ItemName[]> {
    const joined = await this.#boxes.joined();
    const open: ItemName[] = [];
    for (const name of await this.arrivals.names()) {
      if (!(await this.#isCopied(name, joined))) open.push(name);
    }
    return open;
  }

  async #isCopied(name: ItemName, joined: readonly AgentBox[]): Promise<boolean> {
    const audience = await this.audience(name);
    if (audience === undefined) return true;
    if (audience === 'all') return joined.length > 0 && (await allHave(joined, name));
    const boxes = await Promise.all(audience.map((agentId) => this.#boxes.find(agentId)));
    return (
      boxes.every((box) => box !== undefined) &&
      (await allHave(
        boxes.filter((box) => box !== undefined),
        name,
      ))
    );
  }

  /** Expires for everybody it is for; then takes out what nobody needs. The latest for all stay for those to come. */
  async tidy(staging: Staging, maxRemembered: number): Promise<void> {
    const joined = await this.#boxes.joined();
    const done: ItemName[] = [];
    const kept: ItemName[] = [];
    for (const name of await this.arrivals.names()) {
      const isLate = isExpired(name, this.#desk.now());
      if (isLate) await this.expire(name, staging, joined);
      if (!(await this.#isCopied(name, joined))) continue;
      if (isLate || (await this.audience(name)) !== 'all') done.push(name);
      else kept.push(name);
    }
    kept.sort((a, b) => (ageKey(a) < ageKey(b) ? -1 : 1));
    done.push(...kept.slice(0, Math.max(0, kept.length - maxRemembered)));
    // A copy that has its marker and not its place yet needs the item in the log to be finished by others.
    const arriving = new Set((await staging.names()).map(({ text }) => text));
    for (const name of done) if (!arriving.has(name.text)) await this.#takeOut(name);
    await this.#forgetMarkers();
  }

  /** Ends it for everybody who has no copy yet. */
  async expire(name: ItemName, staging: Staging, joined?: readonly AgentBox[]): Promise<void> {
    const audience = await this.audience(name);
    const there = joined ?? (await this.#boxes.joined());
    if (audience === undefined) return;
    if (audience === 'all' && there.length === 0) {
      const nobody = await this.#boxes.ensure(ANYONE);
      const about = await aboutItem(this.#desk.place, name);
      await end(this.#desk, nobody, {
        name,
        path: this.#path(name),
        ending: 'expired',
        reason: TOO_LATE,
        about,
      });
      this.arrivals.drop(name);
      return;
    }
    const boxes =
      audience === 'all' ? there : await Promise.all(audience.map((agentId) => this.#boxes.ensure(agentId)));
    for (const box of boxes) if (!box.handled.has(name.text)) await this.#copy(box, name, staging, true);
  }

  async #takeOut(name: ItemName): Promise<void> {
    await remove(this.#path(name));
    this.arrivals.drop(name);
    this.#audiences.delete(name.text);
  }

  /** Only after the item has left the log: before, a marker is what keeps an agent from a second copy. */
  async #forgetMarkers(): Promise<void> {
    const markers = await inBatches(await this.#boxes.all(), async (box) => ({
      box,
      files: await list(box.inside('seen')),
    }));
    const present = new Set(await list(this.#desk.place.log));
    for (const { box, files } of markers) {
      for (const file of files) if (!present.has(file)) await remove(box.inside('seen', file));
    }
  }

  #remember(name: ItemName, audience: Audience): Audience {
    this.#audiences.set(name.text, audience);
    return audience;
  }

  async #read(name: ItemName): Promise<ItemRecord | undefined> {
    const reading = await readRecord(this.#path(name), name);
    return reading?.ok === true ? reading.record : undefined;
  }

  #path(name: ItemName): string {
    return join(this.#desk.place.log, itemFile(name));
  }
}

const audienceOf = ({ item }: ItemRecord): Audience => targetsOf(item) ?? 'all';
const isFor = (audience: Audience, agentId: string): boolean =>
  audience === 'all' || audience.includes(agentId);

/** Epoch and sequence, without the priority. */
const ageKey = ({ text }: ItemName): string => text.slice(17);

async function allHave(boxes: readonly AgentBox[], name: ItemName): Promise<boolean> {
  for (const box of boxes) {
    if (box.handled.has(name.text)) continue;
    if ((await look(box.seen(name))) === undefined) return false;
    box.handled.add(name.text);
  }
  return true;
}
