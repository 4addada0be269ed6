/** Snapshots of agents' files at the time of an answer. The latest of each agent is kept. */

import { join } from 'node:path';
import { HookError, show } from '../../base/errors.js';
import { makePrivateFolder } from '../../base/files/private.js';
import type { CopyReport } from './copy-tree.js';
import { type CopyOptions, copyWorkspace, removeCopy } from './copy-workspace.js';
import { once } from './dedupe-async.js';

/** The files of an agent at one moment. */
export interface WorkspaceSnapshot extends CopyReport {
  readonly agentId: string;
  readonly revision: number;
  readonly path: string;
}

export interface SnapshotsOptions {
  readonly directory: string;
  readonly copying: CopyOptions;
  folderOf(agentId: string): string;
  codeOf(agentId: string): string;
  /** Resolves when the snapshot is no longer being read. */
  unused(snapshot: WorkspaceSnapshot): Promise<void>;
}

export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #taking = new Map<string, Promise<WorkspaceSnapshot>>();
  readonly #latest = new Map<string, WorkspaceSnapshot>();
  /** The highest requested revision, so that two concurrent requests for the next one get different numbers. */
  readonly #asked = new Map<string, number>();
  /**
   * By agent: settles when its snapshots so far are done. They run one after another, so that a later one is not older.
   */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  latest(agentId: string): WorkspaceSnapshot | undefined {
    return this.#latest.get(agentId);
  }

  /** Registers a snapshot that another process has taken. An older one than the latest changes nothing. */
  adopt(snapshot: WorkspaceSnapshot): void {
    const { agentId, revision } = snapshot;
    if (revision <= (this.#latest.get(agentId)?.revision ?? 0)) return;
    this.#latest.set(agentId, snapshot);
    this.#asked.set(agentId, Math.max(this.#asked.get(agentId) ?? 0, revision));
  }

  /** If a revision older than the latest is requested, the latest is returned, because older ones are deleted. */
  take(agentId: string, wanted: number | undefined): Promise<WorkspaceSnapshot> {
    const latest = this.#latest.get(agentId);
    const asked = this.#asked.get(agentId) ?? 0;
    const revision = wanted ?? asked + 1;
    if (!(Number.isSafeInteger(revision) && revision >= 1))
      throw new HookError(
        'invalid_option',
        `The revision ${show(revision)} is not a whole number of at least 1.`,
      );
    if (latest !== undefined && revision <= latest.revision) return Promise.resolve(latest);
    this.#asked.set(agentId, Math.max(asked, revision));
    return once(this.#taking, keyOf(agentId, revision), () => {
      const taking = (this.#turns.get(agentId) ?? Promise.resolve()).then(() =>
        this.#take(agentId, revision),
      );
      this.#turns.set(
        agentId,
        taking.catch(() => {}),
      );
      return taking;
    });
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#taking.values());
  }

  forgetAll(): void {
    this.#taking.clear();
    this.#latest.clear();
    this.#asked.clear();
    this.#turns.clear();
  }

  async #take(agentId: string, revision: number): Promise<WorkspaceSnapshot> {
    const before = this.#latest.get(agentId);
    if (before !== undefined && before.revision > revision) return before;
    const folder = this.#options.folderOf(agentId);
    const parent = join(this.#options.directory, this.#options.codeOf(agentId));
    await makePrivateFolder(parent);
    const path = join(parent, String(revision));
    // An earlier process may have left one with the same number.
    await removeCopy(path);
    const report = await copyWorkspace(folder, path, this.#options.copying);
    const snapshot = { ...report, agentId, revision, path };
    this.#latest.set(agentId, snapshot);
    if (before !== undefined) await this.#forget(before);
    return snapshot;
  }

  async #forget(old: WorkspaceSnapshot): Promise<void> {
    await this.#options.unused(old);
    this.#taking.delete(keyOf(old.agentId, old.revision));
    await removeCopy(old.path);
  }
}

const keyOf = (agentId: string, revision: number): string => JSON.stringify([agentId, revision]);
