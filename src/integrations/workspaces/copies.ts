/** Copies of snapshots for those who read them: whole when they appear, and only the newest few are kept. */

import { join } from 'node:path';
import { HookError, show } from '../../base/errors.js';
import { makePrivateFolder } from '../../base/files/private.js';
import { copyWorkspace, removeCopy } from './copy-workspace.js';
import { once } from './dedupe-async.js';
import type { Limits } from './selection.js';
import type { WorkspaceSnapshot } from './snapshots.js';

/** The files of one agent, for another. */
export interface SharedCopy {
  readonly author: string;
  readonly viewer: string;
  /** Such as `agent2.3`; also the name of the folder. */
  readonly label: string;
  readonly revision: number;
  /** Where the viewer can read them. It may change them: nobody else sees that. */
  readonly path: string;
}

export interface CopiesOptions {
  readonly directory: string;
  readonly limits: Partial<Limits> | undefined;
  /** How many of one author's a viewer has. */
  readonly keep: number;
  codeOf(viewer: string): string;
}

const FOLDER_NAME = /^[A-Za-z0-9_][\w.-]{0,99}$/;

export class Copies {
  readonly #options: CopiesOptions;
  /** By viewer and label. */
  readonly #sharing = new Map<string, Promise<SharedCopy>>();
  /** What each label means, from the moment on at which it is first used. */
  readonly #meanings = new Map<string, WorkspaceSnapshot>();
  #all: readonly SharedCopy[] = [];

  constructor(options: CopiesOptions) {
    this.#options = options;
  }

  /** The newest first. */
  of(viewer: string): readonly SharedCopy[] {
    return this.#all.filter((copy) => copy.viewer === viewer).sort((a, b) => b.revision - a.revision);
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
        `The label ${show(label)} cannot name a folder; give letters, digits, _, - and points.`,
      );
    const key = JSON.stringify([viewer, label]);
    const meant = this.#meanings.get(key) ?? snapshot;
    if (meant.path !== snapshot.path)
      throw new HookError(
        'invalid_option',
        `${viewer} knows other files by the label ${show(label)}; every answer needs a label of its own.`,
      );
    this.#meanings.set(key, snapshot);
    return once(this.#sharing, key, () => this.#copy(snapshot, viewer, label));
  }

  /** Resolves when nobody copies from a snapshot, or from any. */
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
  }

  async #copy(snapshot: WorkspaceSnapshot, viewer: string, label: string): Promise<SharedCopy> {
    const path = join(await this.folderFor(viewer), label);
    // An earlier process may have left one there.
    await removeCopy(path);
    // What may be shared was decided when the snapshot was taken.
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
