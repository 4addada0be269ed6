/** Those who listen are told of every change once: of this process's own at once, of others' when they are found. */
import { ChangeFeed, type ChangeListener } from '../../changes.js';
import type { InjectionChange, InjectionState } from '../../port.js';
import type { AgentBox } from './agent-box.js';
import { stateOf } from './claims.js';
import type { Ending } from './file-names.js';
import { agentFolder } from './file-names.js';
import type { ItemName } from './item-name.js';
import type { Report } from './mailbox-context.js';

export interface ChangeSource {
  /** Looks at the box of each agent, and at the one of nobody in particular. */
  mapUsable<T>(work: (box: AgentBox) => Promise<T>): Promise<readonly T[]>;
  about(name: ItemName): Promise<Report['about']>;
  now(): number;
}

const REASONS: Readonly<Partial<Record<Ending, string>>> = {
  expired: 'its time has passed',
  'failed-corrupt': 'its file cannot be used',
  'failed-left': 'the agent has left',
};

export class Changes {
  readonly #feed = new ChangeFeed();
  readonly #source: ChangeSource;
  readonly #look: () => Promise<void>;
  readonly #pollMs: number;
  /** The state that was told last, by agent and name; only while somebody listens. */
  #told = new Map<string, InjectionState>();
  /** Those that the last look has met. */
  #found: ReadonlySet<string> = new Set();
  #listeners = 0;
  #timer: NodeJS.Timeout | undefined;
  /** What was there before anybody listened is no news. */
  #beginning: Promise<void> | undefined;

  /** `look` is what is done every `pollMs` while somebody listens. */
  constructor(source: ChangeSource, look: () => Promise<void>, pollMs: number) {
    this.#source = source;
    this.#look = look;
    this.#pollMs = pollMs;
  }

  listen(listener: ChangeListener): () => void {
    const end = this.#feed.add(listener);
    this.#listeners += 1;
    if (this.#listeners === 1) this.#begin();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      end();
      this.#listeners -= 1;
      if (this.#listeners === 0) this.stop();
    };
  }

  /** A change that this process has made. */
  tell({ agentId, name, about, state, reason }: Report): void {
    if (this.#listeners === 0) return;
    const key = keyOf(agentFolder(agentId), name);
    // Others' eyes may have been quicker than our own word.
    if (this.#told.get(key) === state && (state !== 'queued' || reason === undefined)) return;
    this.#told.set(key, state);
    const { id, source, strategy } = about;
    const change = { id, agentId, state, source, strategy, at: this.#source.now() };
    this.#feed.tell([Object.freeze(reason === undefined ? change : { ...change, reason })]);
  }

  /** A change that is no item's. */
  tellPlainly(change: InjectionChange): void {
    this.#feed.tell([change]);
  }

  /** Finds what others have changed. */
  async find(): Promise<void> {
    if (this.#listeners === 0) return;
    await this.#beginning;
    await this.#compare(false);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#beginning = undefined;
    this.#told = new Map();
    this.#found = new Set();
  }

  #begin(): void {
    this.#beginning = this.#compare(true).catch(() => undefined);
    this.#timer = setInterval(() => void this.#look(), this.#pollMs);
    this.#timer.unref();
  }

  async #compare(isBeginning: boolean): Promise<void> {
    const told = this.#told;
    const present = new Set<string>();
    const folders = await this.#source.mapUsable(async (box) => {
      const waiting = [
        ...(await box.arrivals.names()),
        ...(await box.claims()).map(({ parsed }) => parsed.name),
      ];
      const ends = await box.ends();
      for (const name of waiting) present.add(keyOf(box.folder, name));
      for (const { parsed } of ends) present.add(keyOf(box.folder, parsed.name));
      if (isBeginning) {
        for (const { parsed } of ends) note(told, keyOf(box.folder, parsed.name), stateOf(parsed.ending));
        for (const name of waiting) note(told, keyOf(box.folder, name), 'queued');
        return box.folder;
      }
      for (const name of waiting) await this.#compareOne(box, name, 'queued', this.#source.now());
      for (const { parsed } of ends)
        await this.#compareOne(box, parsed.name, stateOf(parsed.ending), parsed.at, REASONS[parsed.ending]);
      return box.folder;
    });
    // Of an agent whose folder cannot be looked into now nothing is known anew.
    for (const key of this.#found) if (!folders.includes(folderOf(key))) present.add(key);
    // What was found once and is gone was forgotten; what was told and not found yet is still to come.
    for (const key of this.#found) if (!present.has(key)) told.delete(key);
    this.#found = present;
  }

  async #compareOne(
    box: AgentBox,
    name: ItemName,
    state: InjectionState,
    at: number,
    reason?: string,
  ): Promise<void> {
    const key = keyOf(box.folder, name);
    const before = this.#told.get(key);
    if (before === state || (before !== undefined && state === 'queued')) return;
    const { id, source, strategy } = await this.#source.about(name);
    const now = this.#told.get(key);
    if (now !== before) return;
    this.#told.set(key, state);
    const change = { id, agentId: box.agentId, source, strategy, at };
    const changes: InjectionChange[] = [];
    if (before === undefined && state !== 'queued')
      changes.push(Object.freeze({ ...change, state: 'queued' as const }));
    changes.push(Object.freeze(reason === undefined ? { ...change, state } : { ...change, state, reason }));
    this.#feed.tell(changes);
  }
}

/** What was told meanwhile is newer. */
function note(told: Map<string, InjectionState>, key: string, state: InjectionState): void {
  if (!told.has(key)) told.set(key, state);
}

const folderOf = (key: string): string => key.slice(0, key.indexOf('/'));

function keyOf(folder: string, { text }: ItemName): string {
  return `${folder}/${text}`;
}
