/**
 * Reports every change to listeners once: changes by this process at once, those by other processes when they are
 * detected.
 */
import { ChangeFeed, type ChangeListener } from '../../changes.js';
import type { InjectionChange, InjectionState } from '../../port.js';
import type { AgentBox } from './agent-box.js';
import { stateOf } from './claims.js';
import type { Ending } from './file-names.js';
import { agentFolder } from './file-names.js';
import type { ItemName } from './item-name.js';
import type { Report } from './mailbox-context.js';

export interface ChangeSource {
  /** Visits the box of each agent, including the one for agents that have not joined. */
  mapUsable<T>(work: (box: AgentBox) => Promise<T>): Promise<readonly T[]>;
  about(name: ItemName): Promise<Report['about']>;
  now(): number;
}

const REASONS: Readonly<Partial<Record<Ending, string>>> = {
  expired: 'it has expired',
  'failed-corrupt': 'its file cannot be used',
  'failed-left': 'the agent has left',
};

export class Changes {
  readonly #feed = new ChangeFeed();
  readonly #source: ChangeSource;
  readonly #look: () => Promise<void>;
  readonly #pollMs: number;
  /** The last reported state, by agent and name; only while there are listeners. */
  #reported = new Map<string, InjectionState>();
  /** The keys that the last comparison found. */
  #found: ReadonlySet<string> = new Set();
  #listeners = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The state before the first listener is not reported. */
  #beginning: Promise<void> | undefined;

  /** `look` is called every `pollMs` while there are listeners. */
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

  /** Reports a change made by this process. */
  report({ agentId, name, about, state, reason }: Report): void {
    if (this.#listeners === 0) return;
    const key = keyOf(agentFolder(agentId), name);
    // The change may have been detected and reported already.
    if (this.#reported.get(key) === state && (state !== 'queued' || reason === undefined)) return;
    this.#reported.set(key, state);
    const { id, source, strategy } = about;
    const change = { id, agentId, state, source, strategy, at: this.#source.now() };
    this.#feed.emit([Object.freeze(reason === undefined ? change : { ...change, reason })]);
  }

  /** Reports a change that has no item file. */
  emit(change: InjectionChange): void {
    this.#feed.emit([change]);
  }

  /** Detects changes by other processes. */
  async find(): Promise<void> {
    if (this.#listeners === 0) return;
    await this.#beginning;
    await this.#compare(false);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#beginning = undefined;
    this.#reported = new Map();
    this.#found = new Set();
  }

  #begin(): void {
    this.#beginning = this.#compare(true).catch(() => undefined);
    this.#timer = setInterval(() => void this.#look(), this.#pollMs);
    this.#timer.unref();
  }

  async #compare(isBeginning: boolean): Promise<void> {
    const reported = this.#reported;
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
        for (const { parsed } of ends) note(reported, keyOf(box.folder, parsed.name), stateOf(parsed.ending));
        for (const name of waiting) note(reported, keyOf(box.folder, name), 'queued');
        return box.folder;
      }
      for (const name of waiting) await this.#compareOne(box, name, 'queued', this.#source.now());
      for (const { parsed } of ends)
        await this.#compareOne(box, parsed.name, stateOf(parsed.ending), parsed.at, REASONS[parsed.ending]);
      return box.folder;
    });
    // For an agent whose folder cannot be read now, the previous state is kept.
    for (const key of this.#found) if (!folders.includes(folderOf(key))) present.add(key);
    // A key that was found before and is missing now was removed; one that was reported but never found is still to
    // appear.
    for (const key of this.#found) if (!present.has(key)) reported.delete(key);
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
    const before = this.#reported.get(key);
    if (before === state || (before !== undefined && state === 'queued')) return;
    const { id, source, strategy } = await this.#source.about(name);
    const now = this.#reported.get(key);
    if (now !== before) return;
    this.#reported.set(key, state);
    const change = { id, agentId: box.agentId, source, strategy, at };
    const changes: InjectionChange[] = [];
    if (before === undefined && state !== 'queued')
      changes.push(Object.freeze({ ...change, state: 'queued' as const }));
    changes.push(Object.freeze(reason === undefined ? { ...change, state } : { ...change, state, reason }));
    this.#feed.emit(changes);
  }
}

/** A state reported in the meantime is newer. */
function note(reported: Map<string, InjectionState>, key: string, state: InjectionState): void {
  if (!reported.has(key)) reported.set(key, state);
}

const folderOf = (key: string): string => key.slice(0, key.indexOf('/'));

function keyOf(folder: string, { text }: ItemName): string {
  return `${folder}/${text}`;
}
