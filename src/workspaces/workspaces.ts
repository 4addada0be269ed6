/** Shares what agents have made with their peers: a snapshot for each answer, and a copy of it for each who reads it. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HookError, show } from '../errors.js';
import type { PeerUpdate } from '../injection/answer-board.js';
import type { CopyReport } from './copy-tree.js';
import { type CopyOptions, copyWorkspace, removeCopy, sweepPartial } from './copy-workspace.js';
import { PeerLabels } from './labels.js';
import { openPrivateFolder } from './private-folder.js';
import { makeReadable } from './readable-text.js';
import { readSelection, type SelectionOptions } from './selection.js';
import { spellingsOf } from './spellings.js';

export interface WorkspacesOptions extends SelectionOptions {
  /** Holds the snapshots and the copies. An absolute path; made if it is not there, and private. */
  readonly directory: string;
  /** The folder in which each agent works. More can be added later. */
  readonly agents?: Readonly<Record<string, string>> | undefined;
  /** Default: labels for `agents`, with a seed drawn at random. */
  readonly labels?: PeerLabels | undefined;
  /** How many copies of one author's files a viewer keeps, the newest. Default: 2. */
  readonly keep?: number | undefined;
}

/** The files of an agent as they were at one moment. */
export interface WorkspaceSnapshot extends CopyReport {
  readonly agentId: string;
  readonly revision: number;
  readonly path: string;
}

/** The same files, for somebody else. */
export interface SharedCopy {
  readonly author: string;
  readonly viewer: string;
  /** Such as `agent2.3`; also the name of the folder. */
  readonly label: string;
  readonly revision: number;
  /** Where the viewer can read them. It may change them: nobody else sees that. */
  readonly path: string;
}

export interface ShareOptions {
  /** The label under which the viewer knows the answer. Default: that of `labels`. */
  readonly label?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const FOLDER_NAME = /^[A-Za-z0-9_][\w.-]{0,99}$/;
const PLACES = ['snapshots', 'peers'] as const;

/** Rejects with a HookError for a directory that is not private, and for options that make no sense. */
export async function openWorkspaces(options: WorkspacesOptions): Promise<Workspaces> {
  readSelection(options);
  const { keep = 2 } = options;
  if (!(Number.isSafeInteger(keep) && keep >= 1))
    throw new HookError(
      'invalid_option',
      `\`keep\` is ${show(keep)}; a whole number from 1 on was expected.`,
    );
  const directory = await openPrivateFolder(options.directory);
  for (const place of PLACES) await sweepPartial(await openPrivateFolder(join(directory, place)));
  return new Workspaces(directory, options, keep);
}

export class Workspaces {
  readonly labels: PeerLabels;
  readonly #directory: string;
  readonly #options: CopyOptions;
  readonly #keep: number;
  readonly #folders = new Map<string, readonly string[]>();
  /** By agent and revision; the promise, so that two who ask at once get the same one. */
  readonly #snapshots = new Map<string, Promise<WorkspaceSnapshot>>();
  readonly #latest = new Map<string, WorkspaceSnapshot>();
  readonly #sharing = new Map<string, Promise<SharedCopy>>();
  #copies: readonly SharedCopy[] = [];

  /** Use `openWorkspaces`. */
  constructor(directory: string, options: WorkspacesOptions, keep: number) {
    this.#directory = directory;
    const { exclude, include, only, limits } = options;
    this.#options = { exclude, include, only, limits, avoid: directory };
    this.#keep = keep;
    this.labels = options.labels ?? new PeerLabels({ agents: Object.keys(options.agents ?? {}) });
    for (const [agentId, folder] of Object.entries(options.agents ?? {})) this.add(agentId, folder);
  }

  /** Says where an agent works, or that it works elsewhere from now on. */
  add(agentId: string, folder: string): void {
    this.#folders.set(agentId, spellingsOf(folder));
  }

  /** The temp workspace of an agent: every copy that is shared with it appears in there. */
  async folderFor(viewer: string): Promise<string> {
    const folder = join(this.#directory, 'peers', this.labels.codeOf('viewer', viewer));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /**
   * Keeps the files of an agent as they are now: for the answer that it has just given. Without a revision it is the
   * next one; one that was kept already is not kept again.
   */
  async snapshot(
    agentId: string,
    options: { readonly revision?: number | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<WorkspaceSnapshot> {
    const revision = options.revision ?? (this.#latest.get(agentId)?.revision ?? 0) + 1;
    if (!(Number.isSafeInteger(revision) && revision >= 1))
      throw new HookError('invalid_option', `The revision ${show(revision)} is no whole number from 1 on.`);
    const key = JSON.stringify([agentId, revision]);
    return once(this.#snapshots, key, () => this.#take(agentId, revision, options.signal));
  }

  /** Copies the latest snapshot of an author, or the given one, for a viewer; what it has already is not copied again. */
  async share(
    of: string | WorkspaceSnapshot,
    viewer: string,
    { label, signal }: ShareOptions = {},
  ): Promise<SharedCopy> {
    const snapshot = typeof of === 'string' ? this.#latest.get(of) : of;
    if (snapshot === undefined)
      throw new HookError(
        'invalid_option',
        `Nothing of ${show(of)} can be shared; take a \`snapshot\` first.`,
      );
    const { agentId, revision } = snapshot;
    const name = label ?? this.labels.labelOf(viewer, agentId, revision);
    if (!FOLDER_NAME.test(name) || name.includes('..'))
      throw new HookError(
        'invalid_option',
        `The label ${show(name)} cannot name a folder; give letters, digits, _, - and points.`,
      );
    const key = JSON.stringify([agentId, revision, viewer, name]);
    return once(this.#sharing, key, () => this.#copy(snapshot, viewer, name, signal));
  }

  /**
   * For the hook that tells agents of their peers' answers: keeps the author's files at the answer's revision, where that
   * was not done when it was given, and shares them. Undefined where nobody knows the author's folder.
   */
  readonly shareWorkspace = async (
    update: PeerUpdate,
    viewer: string,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const { author, workspace, revision, label } = update;
    if (workspace !== undefined && !this.#folders.get(author)?.includes(workspace)) this.add(author, workspace);
    if (!this.#folders.has(author)) return undefined;
    const snapshot = await this.snapshot(author, { revision, signal });
    return (await this.share(snapshot, viewer, { label, signal })).path;
  };

  /** A text of one agent as another can follow it: paths, labels and names. */
  readableFor(text: string, author: string, viewer: string): string {
    const translated = this.labels.translate(text, author, viewer);
    return makeReadable(translated, viewer, {
      folders: this.#folders,
      copies: this.#copies,
      snapshots: [...this.#latest.values()],
      nameOf: (agentId) => this.labels.nameOf(viewer, agentId),
    });
  }

  /** Takes all copies and snapshots away. */
  async clear(): Promise<void> {
    await Promise.allSettled([...this.#snapshots.values(), ...this.#sharing.values()]);
    this.#snapshots.clear();
    this.#sharing.clear();
    this.#latest.clear();
    this.#copies = [];
    for (const place of PLACES) {
      await removeCopy(join(this.#directory, place));
      await mkdir(join(this.#directory, place), { mode: 0o700 });
    }
  }

  async #take(agentId: string, revision: number, signal?: AbortSignal): Promise<WorkspaceSnapshot> {
    const [folder] = this.#folders.get(agentId) ?? [];
    if (folder === undefined)
      throw new HookError('invalid_option', `Nobody knows where ${show(agentId)} works; \`add\` it first.`);
    const parent = join(this.#directory, 'snapshots', this.labels.codeOf('author', agentId));
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const path = join(parent, String(revision));
    // An earlier process may have kept one under the same number; this one is newer.
    await removeCopy(path);
    const report = await copyWorkspace(folder, path, { ...this.#options, signal });
    const snapshot = { ...report, agentId, revision, path };
    const before = this.#latest.get(agentId);
    if (before === undefined || before.revision < revision) this.#latest.set(agentId, snapshot);
    if (before !== undefined && before.revision < revision) await this.#forget(before);
    return snapshot;
  }

  /** Whoever is still copying it finishes first. */
  async #forget({ agentId, revision, path }: WorkspaceSnapshot): Promise<void> {
    const using = [...this.#sharing].filter(([key]) => key.startsWith(JSON.stringify([agentId, revision]).slice(0, -1)));
    await Promise.allSettled(using.map(([, copying]) => copying));
    this.#snapshots.delete(JSON.stringify([agentId, revision]));
    await removeCopy(path);
  }

  async #copy(
    snapshot: WorkspaceSnapshot,
    viewer: string,
    label: string,
    signal?: AbortSignal,
  ): Promise<SharedCopy> {
    const path = join(await this.folderFor(viewer), label);
    await removeCopy(path);
    // It was chosen when the snapshot was taken.
    await copyWorkspace(snapshot.path, path, { include: ['**'], limits: this.#options.limits, signal });
    const copy = { author: snapshot.agentId, viewer, label, revision: snapshot.revision, path };
    this.#copies = [...this.#copies, copy];
    await this.#dropOld(copy);
    return copy;
  }

  async #dropOld({ author, viewer }: SharedCopy): Promise<void> {
    const all = this.#copies
      .filter((copy) => copy.author === author && copy.viewer === viewer)
      .sort((a, b) => b.revision - a.revision);
    for (const old of all.slice(this.#keep)) {
      this.#copies = this.#copies.filter((copy) => copy !== old);
      this.#sharing.delete(JSON.stringify([author, old.revision, viewer, old.label]));
      await removeCopy(old.path);
    }
  }
}

/** What has failed can be tried again. */
function once<T>(running: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = running.get(key);
  if (known !== undefined) return known;
  const promise = work();
  running.set(key, promise);
  promise.catch(() => running.delete(key));
  return promise;
}
