/** Reads the items of the log, and which agents each is for. */
import { join } from 'node:path';
import { ANYONE, targetsOf } from '../../item.js';
import type { AgentBox, Quarantine } from './agent-box.js';
import { Arrivals } from './arrivals.js';
import type { Place } from './directory.js';
import { remove } from './disk.js';
import { itemFile } from './file-names.js';
import type { ItemName } from './item-name.js';
import { type ItemRecord, readRecord } from './record.js';

/** The part of an item that is kept in memory. */
export interface LogEntry {
  readonly audience: readonly string[] | 'all';
  readonly putAt: number;
}

export class LogEntries {
  readonly arrivals: Arrivals;
  readonly #place: Place;
  readonly #quarantine: Quarantine;
  readonly #known = new Map<string, LogEntry>();

  constructor(place: Place, quarantine: Quarantine) {
    this.#place = place;
    this.#quarantine = quarantine;
    this.arrivals = new Arrivals(place.log, place.logJournal, (file) =>
      quarantine(ANYONE, join(place.log, file), 'its name is not one of the mailbox'),
    );
  }

  path(name: ItemName): string {
    return join(this.#place.log, itemFile(name));
  }

  /** Undefined if it has left the log, or cannot be read; the latter is reported. */
  async read(name: ItemName): Promise<{ readonly record: ItemRecord; readonly text: string } | undefined> {
    const reading = await readRecord(this.path(name), name);
    if (reading?.ok === true) {
      const { item, putAt } = reading.record;
      this.#known.set(name.text, { audience: targetsOf(item) ?? 'all', putAt });
      return reading;
    }
    if (reading !== undefined) await this.#quarantine(ANYONE, this.path(name), reading.problem);
    this.arrivals.drop(name);
    return undefined;
  }

  async entry(name: ItemName): Promise<LogEntry | undefined> {
    const known = this.#known.get(name.text);
    if (known !== undefined) return known;
    await this.read(name);
    return this.#known.get(name.text);
  }

  async takeOut(name: ItemName): Promise<void> {
    await remove(this.path(name));
    this.forget(name);
  }

  /** Removes an entry that no longer exists. */
  forget(name: ItemName): void {
    this.arrivals.drop(name);
    this.#known.delete(name.text);
  }
}

export function isFor({ audience }: LogEntry, agentId: string): boolean {
  return audience === 'all' || audience.includes(agentId);
}

/** An agent that joins after an item for all has expired was never a target of it. */
export async function hasMissed(box: AgentBox, { expiresAt }: ItemName, entry: LogEntry): Promise<boolean> {
  if (expiresAt === undefined || entry.audience !== 'all') return false;
  const since = await box.joinedAt();
  return since === undefined || (since >= expiresAt && since > entry.putAt);
}
