/** The folder of one agent: its queued, claimed and finished items. */

import { join } from 'node:path';
import { writePrivate } from '../../../base/files/private.js';
import { readJsonObject } from '../../../base/json/read-json.js';
import { Arrivals } from './arrivals.js';
import { checkFolder, list, look, readPrivate, remove } from './disk.js';
import { codeOf } from './disk-error.js';
import { type ClaimName, type EndName, itemFile, readClaimFile, readEndFile } from './file-names.js';
import type { ItemName } from './item-name.js';

export const BOX_FOLDERS = ['new', 'claimed', 'done', 'seen'] as const;
export const AGENT_FILE = 'agent.json';

export interface Listed<T> {
  readonly file: string;
  readonly parsed: T;
}

/** Moves a file that does not belong to the mailbox out of the way. */
export type Quarantine = (agentId: string, path: string, why: string) => Promise<void>;

const STRANGE_NAME = 'its name is not one of the mailbox';

export class AgentBox {
  readonly agentId: string;
  /** Its path, and the last segment of it. */
  readonly path: string;
  readonly folder: string;
  readonly arrivals: Arrivals;
  /** Names of log entries that are done for this agent, as far as this process knows. */
  readonly handled = new Set<string>();
  readonly #quarantine: Quarantine;
  #isHandledRead = false;

  constructor(agents: string, folder: string, agentId: string, quarantine: Quarantine) {
    this.agentId = agentId;
    this.folder = folder;
    this.path = join(agents, folder);
    this.#quarantine = quarantine;
    this.arrivals = new Arrivals(this.inside('new'), join(this.path, 'arrivals'), (file) =>
      quarantine(agentId, this.inside('new', file), STRANGE_NAME),
    );
  }

  inside(folder: (typeof BOX_FOLDERS)[number], file = ''): string {
    return join(this.path, folder, file);
  }

  waiting(name: ItemName): string {
    return this.inside('new', itemFile(name));
  }

  seen(name: ItemName): string {
    return this.inside('seen', itemFile(name));
  }

  async check(): Promise<void> {
    await checkFolder(this.path);
    await Promise.all(BOX_FOLDERS.map((folder) => checkFolder(this.inside(folder))));
  }

  async claims(): Promise<Listed<ClaimName>[]> {
    return this.#list('claimed', readClaimFile);
  }

  /** Oldest first. */
  async ends(): Promise<Listed<EndName>[]> {
    const ends = await this.#list('done', readEndFile);
    return ends.sort((a, b) => (a.file < b.file ? -1 : 1));
  }

  async #list<T>(
    folder: (typeof BOX_FOLDERS)[number],
    parse: (file: string) => T | undefined,
  ): Promise<Listed<T>[]> {
    const listed: Listed<T>[] = [];
    for (const file of await list(this.inside(folder))) {
      const parsed = parse(file);
      if (parsed !== undefined) listed.push({ file, parsed });
      else await this.#quarantine(this.agentId, this.inside(folder, file), STRANGE_NAME);
    }
    return listed;
  }

  /** What earlier processes have done for this agent is not done again. */
  async readHandled(): Promise<void> {
    if (this.#isHandledRead) return;
    for (const file of await list(this.inside('seen'))) this.handled.add(file.replace(/\.json$/, ''));
    this.#isHandledRead = true;
  }

  /**
   * False if it has not joined, or has left. The `left` file is written first, so that a crash between the two writes
   * counts as left.
   */
  async isJoined(): Promise<boolean> {
    const [joined, left] = await Promise.all([look(this.#file('joined')), look(this.#file('left.json'))]);
    return joined !== undefined && left === undefined;
  }

  /** Milliseconds since the epoch. */
  async joinedAt(): Promise<number | undefined> {
    const reading = await readPrivate(this.#file('joined'));
    return reading?.ok === true ? Number(reading.text) : undefined;
  }

  /** Undefined if it has not left. */
  async leftBecause(): Promise<string | undefined> {
    const reading = await readPrivate(this.#file('left.json'));
    if (reading === undefined) return undefined;
    const json = reading.ok ? readJsonObject(reading.text) : undefined;
    const reason = json?.ok === true ? json.value['reason'] : undefined;
    return typeof reason === 'string' ? reason : `the agent ${this.agentId} has left`;
  }

  /** The agent has joined once the `left` file is removed. */
  async join(now: number): Promise<void> {
    if (await this.isJoined()) return;
    // An interrupted `leave` leaves the time of an earlier `join` behind.
    if ((await look(this.#file('left.json'))) !== undefined) await remove(this.#file('joined'));
    await this.#write('joined', `${now}\n`);
    await remove(this.#file('left.json'));
  }

  /** The agent has left once this is written; of several reasons the first one counts. */
  async leave(reason: string): Promise<void> {
    await this.#write('left.json', `${JSON.stringify({ reason })}\n`);
    await remove(this.#file('joined'));
  }

  async #write(file: string, text: string): Promise<void> {
    try {
      await writePrivate(this.#file(file), text);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }

  #file(name: string): string {
    return join(this.path, name);
  }
}
