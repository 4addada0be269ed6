/** Shares what agents have made with their peers: a snapshot for each answer, and a copy of it for each who reads it. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { abortable } from '../../base/async/abortable.js';
import { HookError, show } from '../../base/errors.js';
import { PRIVATE_FOLDER } from '../../base/files/private.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { PeerUpdate } from '../../injection/answer-board.js';
import { Copies, type SharedCopy } from './copies.js';
import { removeCopy, sweepPartial } from './copy-workspace.js';
import { PeerLabels } from './labels.js';
import { spellingsOf } from './path-aliases.js';
import { openPrivateFolder } from './private-folder.js';
import { makeReadable } from './readable-text.js';
import { readSelection, type SelectionOptions } from './selection.js';
import { Snapshots, type WorkspaceSnapshot } from './snapshots.js';

/** Where copies are kept, and what of a workspace is shared. */
export interface WorkspacesOptions extends SelectionOptions {
  /** Holds the snapshots and the copies. An absolute path; made if it is not there, and private. */
  readonly directory: string;
  /** The folder in which each agent works. More can be added later. */
  readonly agents?: Readonly<Record<string, string>> | undefined;
  /** Default: labels for `agents`, with a seed drawn at random. */
  readonly labels?: PeerLabels | undefined;
  /** How many copies of one author's files a viewer has, the newest. Default: 2. */
  readonly keep?: number | undefined;
}

const OPTIONS: OptionNames<WorkspacesOptions> = {
  exclude: true,
  include: true,
  only: true,
  limits: true,
  directory: true,
  agents: true,
  labels: true,
  keep: true,
};

/** Whoever aborts does not wait any longer; what was begun is finished, for the next who asks. */
export interface SnapshotOptions {
  /** Which answer it belongs to. Default: the next one. */
  readonly revision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a copy is named. Whoever aborts does not wait any longer. */
export interface ShareOptions {
  /** The label under which the viewer knows the answer. Default: that of `labels`. */
  readonly label?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const SNAPSHOTS = 'snapshots';
const PEERS = 'peers';

/**
 * Opens the directory that holds snapshots and copies. Rejects with a HookError for one that is not private, and for
 * options that make no sense.
 */
export async function openWorkspaces(options: WorkspacesOptions): Promise<Workspaces> {
  refuseUnknownOptions('openWorkspaces', options, OPTIONS);
  readSelection(options);
  const { keep = 2 } = options;
  if (!(Number.isSafeInteger(keep) && keep >= 1))
    throw new HookError(
      'invalid_option',
      `\`keep\` is ${show(keep)}; a whole number from 1 on was expected.`,
    );
  const directory = await openPrivateFolder(options.directory);
  await sweepPartial(directory);
  // Each agent has a folder of its own in there, in which its copies are made.
  for (const place of [SNAPSHOTS, PEERS])
    await sweepPartial(await openPrivateFolder(join(directory, place)), 1);
  return new Workspaces(directory, options, keep);
}

/**
 * What agents have made, shared with their peers. What is asked about an agent whose folder nobody knows rejects with
 * a `HookError`; so does everything when the disk refuses, with its own error.
 */
export class Workspaces {
  readonly labels: PeerLabels;
  readonly #directory: string;
  /** The ways to write the directory. */
  readonly #roots: readonly string[];
  readonly #folders = new Map<string, readonly string[]>();
  readonly #snapshots: Snapshots;
  readonly #copies: Copies;

  /** Use `openWorkspaces`. */
  constructor(directory: string, options: WorkspacesOptions, keep: number) {
    const { agents = {}, exclude, include, only, limits } = options;
    const labels = options.labels ?? new PeerLabels({ agents: Object.keys(agents) });
    this.labels = labels;
    this.#directory = directory;
    this.#roots = [...new Set([directory, ...spellingsOf(options.directory)])];
    const copies = new Copies({
      directory: join(directory, PEERS),
      limits,
      keep,
      codeOf: (viewer) => labels.codeOf('viewer', viewer),
    });
    this.#copies = copies;
    this.#snapshots = new Snapshots({
      directory: join(directory, SNAPSHOTS),
      copying: { exclude, include, only, limits, avoid: directory },
      folderOf: (agentId) => this.#folderOf(agentId),
      codeOf: (agentId) => labels.codeOf('author', agentId),
      unused: (snapshot) => copies.settled(snapshot),
    });
    for (const [agentId, folder] of Object.entries(agents)) this.add(agentId, folder);
  }

  /** Says where an agent works, or that it works elsewhere from now on. */
  add(agentId: string, folder: string): void {
    this.#folders.set(agentId, spellingsOf(folder));
  }

  /** The temp workspace of an agent: every copy that is shared with it appears in there. */
  folderFor(viewer: string): Promise<string> {
    return this.#copies.folderFor(viewer);
  }

  /** Keeps the files of an agent as they are now. Of one agent, the latest snapshot is there; older ones are taken away. */
  async snapshot(agentId: string, { revision, signal }: SnapshotOptions = {}): Promise<WorkspaceSnapshot> {
    // Whoever aborts does not wait any longer; the work goes on for the others, and for the next one who asks.
    return abortable(this.#snapshots.take(agentId, revision), signal);
  }

  /** Copies the latest snapshot of an agent, or the given one, for a viewer; what it has already is not copied again. */
  async share(
    of: string | WorkspaceSnapshot,
    viewer: string,
    { label, signal }: ShareOptions = {},
  ): Promise<SharedCopy> {
    const snapshot = typeof of === 'string' ? this.#snapshots.latest(of) : of;
    if (snapshot === undefined)
      throw new HookError(
        'invalid_option',
        `Nothing of ${show(of)} can be shared; take a \`snapshot\` first.`,
      );
    const name = label ?? this.labels.labelOf(viewer, snapshot.agentId, snapshot.revision);
    return abortable(this.#copies.share(snapshot, viewer, name), signal);
  }

  /**
   * For the hook that tells agents of their peers' answers: keeps the author's files at the answer's revision, where that
   * was not done when it was given, and shares them. Undefined where nobody knows the author's folder.
   */
  readonly shareWorkspace = async (
    { author, workspace, revision, label }: PeerUpdate,
    viewer: string,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const known = this.#folders.get(author);
    if (workspace !== undefined && !known?.includes(workspace)) this.add(author, workspace);
    if (!this.#folders.has(author)) return undefined;
    const snapshot = await this.snapshot(author, { revision, signal });
    return (await this.share(snapshot, viewer, { label, signal })).path;
  };

  /** A text of one agent as another can follow it: paths lead to its own copies, labels are its own, names are hidden. */
  readableFor(text: string, author: string, viewer: string): string {
    return makeReadable(this.labels.translate(text, author, viewer), viewer, {
      folders: this.#folders,
      // An author knows the paths that it was told.
      copies: [...this.#copies.of(viewer), ...this.#copies.of(author)],
      spellings: (path) => this.#roots.map((root) => root + path.slice(this.#directory.length)),
      nameOf: (agentId) => this.labels.nameOf(viewer, agentId),
    });
  }

  /** Takes all copies and snapshots away. */
  async clear(): Promise<void> {
    await this.#snapshots.settled();
    await this.#copies.settled();
    this.#snapshots.forgetAll();
    this.#copies.forgetAll();
    for (const place of [SNAPSHOTS, PEERS]) {
      await removeCopy(join(this.#directory, place));
      await mkdir(join(this.#directory, place), { mode: PRIVATE_FOLDER });
    }
  }

  #folderOf(agentId: string): string {
    const [folder] = this.#folders.get(agentId) ?? [];
    if (folder !== undefined) return folder;
    throw new HookError('invalid_option', `Nobody knows where ${show(agentId)} works; \`add\` it first.`);
  }
}
