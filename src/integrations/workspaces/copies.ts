/** Copies snapshots for viewers. A copy appears complete, and only the newest few are kept. */

import { join } from 'node:path';
import { HookError, show } from '../../base/errors.js';
import { makePrivateFolder } from '../../base/files/private.js';
import { copyWorkspace, removeCopy } from './copy-workspace.js';
import { once } from './dedupe-async.js';
import type { Limits } from './selection.js';
import type { WorkspaceSnapshot } from './snapshots.js';

/** A copy of one agent's files for another agent. */
export interface SharedCopy {
  readonly author: string;
  readonly viewer: string;
  /** For example `agent2.3`; also the name of the folder. */
  readonly label: string;
  readonly revision: number;
  /** Where the viewer can read them. Changes by the viewer do not affect other agents. */
  readonly path: string;
}

export interface CopiesOptions {
  readonly directory: string;
  readonly limits: Partial<Limits> | undefined;
  /** How many copies of each author a viewer keeps. */
  readonly keep: number;
  codeOf(viewer: string): string;
}

const FOLDER_NAME = /^[A-Za-z0-9_][\w.-]{0,99}$/;

export class Copies {
  readonly #options: CopiesOptions;
  /** By viewer and label. */
  readonly #sharing = new Map<string, Promise<SharedCopy>>();
  /** The snapshot each label refers to, fixed when the label is first used. */
  readonly #meanings = new Map<string, WorkspaceSnapshot>();
  #all: readonly SharedCopy[] = [];
  /** Copies that other processes make. */
  #elsewhere: readonly SharedCopy[] = [];

  constructor(options: CopiesOptions) {
    this.#options = options;
  }

  /** Newest first. */
  of(viewer: string): readonly SharedCopy[] {
    return this.#all.filter((copy) => copy.viewer === viewer).sort((a, b) => b.revision - a.revision);
  }

  /** Where another process keeps, or may keep, its copy of a snapshot for a viewer. */
  expect(snapshot: WorkspaceSnapshot, viewer: string, label: string): void {
    const { agentId: author, revision } = snapshot;
    const path = join(this.#options.directory, this.#options.codeOf(viewer), label);
    const isKnown = this.#elsewhere.some((copy) => copy.path === path);
    if (!isKnown) this.#elsewhere = [...this.#elsewhere, { author, viewer, label, revision, path }];
  }

  /** Newest first; those of other processes too. */
  anywhereOf(viewer: string): readonly SharedCopy[] {
    const here = this.of(viewer);
    const elsewhere = this.#elsewhere.filter(
      (copy) => copy.viewer === viewer && !here.some(({ path }) => path === copy.path),
    );
    return [...here, ...elsewhere].sort((a, b) => b.revision - a.revision);
  }

  async folderFor(viewer: string): Promise<string> {
    const folder = join(this.#options.directory, this.#options.codeOf(viewer));
    await makePrivateFolder(folder);
    return folder;
  }

  share(snapshot: WorkspaceSnapshot, viewer: string, label: string): Promise<SharedCopy> {
    if (!FOLDER_NAME.test(label) || label.includes('..'))
      throw new HookError(
        'invalid_option',
        `The label ${show(label)} cannot name a folder; use letters, digits, _, - and dots.`,
      );
    const key = JSON.stringify([viewer, label]);
    const meant = this.#meanings.get(key) ?? snapshot;
    if (meant.path !== snapshot.path)
      throw new HookError(
        'invalid_option',
        `${viewer} already has other files under the label ${show(label)}; every answer needs a unique label.`,
      );
    this.#meanings.set(key, snapshot);
    return once(this.#sharing, key, () => this.#copy(snapshot, viewer, label));
  }

  /** Resolves when no copy of this snapshot, or of any, is in progress. */
  async settled(snapshot?: WorkspaceSnapshot): Promise<void> {
    const using = [...this.#sharing].filter(
      ([key]) => snapshot === undefined || this.#meanings.get(key)?.path === snapshot.path,
    );
    await Promise.allSettled(using.map(([, copying]) => copying));
  }

  forgetAll(): void {
    this.#sharing.clear();
    this.#meanings.clear();
    this.#all = [];
    this.#elsewhere = [];
  }

  async #copy(snapshot: WorkspaceSnapshot, viewer: string, label: string): Promise<SharedCopy> {
    const path = join(await this.folderFor(viewer), label);
    // An earlier process may have left one there.
    await removeCopy(path);
    // The selection was applied when the snapshot was taken.
    await copyWorkspace(snapshot.path, path, { include: ['**'], limits: this.#options.limits });
    const copy = { author: snapshot.agentId, viewer, label, revision: snapshot.revision, path };
    this.#all = [...this.#all, copy];
    const sameAuthor = this.of(viewer).filter(({ author }) => author === copy.author);
    for (const old of sameAuthor.slice(this.#options.keep)) await this.#drop(old);
    return copy;
  }

  async #drop(old: SharedCopy): Promise<void> {
    this.#all = this.#all.filter((copy) => copy !== old);
    const key = JSON.stringify([old.viewer, old.label]);
    this.#sharing.delete(key);
    this.#meanings.delete(key);
    await removeCopy(old.path);
  }
}
