/** Shares agents' files with their peers: a snapshot for each answer, and a copy of it for each viewer. */

import { existsSync, realpathSync } from 'node:fs';
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { abortable } from '../../base/async/abortable.js';
import { HookError, messageOf, show } from '../../base/errors.js';
import { makePrivateFolder, PRIVATE_FOLDER } from '../../base/files/private.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { PeerUpdate } from '../../injection/answer-board.js';
import type { PeerWorkspaces, SharedAnswer } from '../../injection/hooks/mid-stream.js';
import { PeerLabels } from '../../injection/peer-labels.js';
import { Copies, type SharedCopy } from './copies.js';
import { removeCopy, sweepPartial } from './copy-workspace.js';
import { makeReadable, mentions } from './readable-text.js';
import { readSelection, type SelectionOptions } from './selection.js';
import { Snapshots, type WorkspaceSnapshot } from './snapshots.js';

/** Where copies are kept, and which files are shared. */
export interface WorkspacesOptions extends SelectionOptions {
  /** The directory for snapshots and copies. An absolute path; created if it is missing, and private. */
  readonly directory: string;
  /** The workspace folder of each agent. You can add more later. */
  readonly agents?: Readonly<Record<string, string>> | undefined;
  /** Default: labels for `agents`, with a random seed. */
  readonly labels?: PeerLabels | undefined;
  /** How many copies of one author's files a viewer keeps. Default: 2. */
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

/**
 * Options of a snapshot. Aborting the signal only stops waiting: the snapshot is still completed for the next caller.
 */
export interface SnapshotOptions {
  /** The answer it belongs to. Default: the next one. */
  readonly revision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of a copy. Aborting the signal only stops waiting. */
export interface ShareOptions {
  /** The viewer's label of the answer. Default: taken from `labels`. */
  readonly label?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const SNAPSHOTS = 'snapshots';
const PEERS = 'peers';

/**
 * Opens the directory for snapshots and copies. Rejects with a `HookError` for a directory that is not private, and for
 * invalid options.
 */
export async function openWorkspaces(options: WorkspacesOptions): Promise<Workspaces> {
  refuseUnknownOptions('openWorkspaces', options, OPTIONS);
  readSelection(options);
  const { keep = 2 } = options;
  if (!(Number.isSafeInteger(keep) && keep >= 1))
    throw new HookError(
      'invalid_option',
      `\`keep\` is ${show(keep)}; expected a whole number of at least 1.`,
    );
  const directory = await openPrivateFolder(options.directory);
  await sweepPartial(directory);
  // Each agent has its own subfolder for its copies.
  for (const place of [SNAPSHOTS, PEERS])
    await sweepPartial(await openPrivateFolder(join(directory, place)), 1);
  return new Workspaces(directory, options, keep);
}

/**
 * Shares agents' files with their peers. Methods reject with a `HookError` for an agent whose folder is unknown, and
 * with the system's error when a disk operation fails.
 */
export class Workspaces implements PeerWorkspaces {
  readonly labels: PeerLabels;
  readonly #directory: string;
  /** The spellings of the directory's path. */
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

  /** Sets the workspace folder of an agent, or changes it. */
  add(agentId: string, folder: string): void {
    this.#folders.set(agentId, spellingsOf(folder));
  }

  /** Returns the shared folder of an agent: all copies for it appear there. */
  folderFor(viewer: string): Promise<string> {
    return this.#copies.folderFor(viewer);
  }

  /** Saves the current files of an agent. Only the latest snapshot of each agent is kept. */
  async snapshot(agentId: string, { revision, signal }: SnapshotOptions = {}): Promise<WorkspaceSnapshot> {
    // Aborting only stops waiting; the work continues for other callers.
    return abortable(this.#snapshots.take(agentId, revision), signal);
  }

  /**
   * Registers a snapshot that another process has taken in the same directory, with the same labels, so that it can be
   * shared here. `path` is the `path` of that snapshot.
   */
  adopt({ agentId, revision, path }: Pick<WorkspaceSnapshot, 'agentId' | 'revision' | 'path'>): void {
    const snapshot = { agentId, revision, path, files: 0, bytes: 0, leftOut: [], leftOutCount: 0 };
    this.#snapshots.adopt(snapshot);
    for (const viewer of this.#folders.keys())
      if (viewer !== agentId)
        this.#copies.expect(snapshot, viewer, this.labels.labelOf(viewer, agentId, revision));
  }

  /** Copies the latest snapshot of an agent, or the given one, for a viewer. An existing copy is reused. */
  async share(
    of: string | WorkspaceSnapshot,
    viewer: string,
    { label, signal }: ShareOptions = {},
  ): Promise<SharedCopy> {
    const snapshot = typeof of === 'string' ? this.#snapshots.latest(of) : of;
    if (snapshot === undefined)
      throw new HookError(
        'invalid_option',
        `There are no files of ${show(of)} to share; take a \`snapshot\` first.`,
      );
    const name = label ?? this.labels.labelOf(viewer, snapshot.agentId, snapshot.revision);
    return abortable(this.#copies.share(snapshot, viewer, name), signal);
  }

  /**
   * For `createMidStreamInjection`: shares the files of the answer's author, as they were with this answer, and the
   * latest files of every other agent whose folder the answer names; then rewrites the answer for the viewer. There is
   * no `path` if the author's folder is unknown or not on this machine.
   */
  readonly shareAnswer = async (
    { author, workspace, revision, content }: PeerUpdate,
    viewer: string,
    signal: AbortSignal,
  ): Promise<SharedAnswer> => {
    const known = this.#folders.get(author);
    if (workspace !== undefined && !known?.includes(workspace)) this.add(author, workspace);
    const path = this.#hasFiles(author)
      ? (await this.share(await this.snapshot(author, { revision, signal }), viewer, { signal })).path
      : undefined;
    for (const agentId of this.#mentionedIn(content, author)) {
      const latest = this.#snapshots.latest(agentId);
      if (agentId !== viewer && latest !== undefined) await this.share(latest, viewer, { signal });
    }
    return { content: this.readableFor(content, author, viewer), path };
  };

  /**
   * Converts a text of one agent for another: paths point to the viewer's copies, labels are the viewer's, names are
   * hidden.
   */
  readableFor(text: string, author: string, viewer: string): string {
    return makeReadable(this.labels.translate(text, author, viewer), viewer, {
      folders: this.#folders,
      // The author refers to paths of its own copies.
      copies: [...this.#copies.of(viewer), ...this.#copies.anywhereOf(author)],
      spellings: this.#spellingsOfCopy,
      nameOf: (agentId) => this.labels.nameOf(viewer, agentId),
    });
  }

  /** Removes all copies and snapshots. */
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

  /** The other agents whose workspace, or whose files as the author has them, a text names. */
  #mentionedIn(text: string, author: string): readonly string[] {
    const copies = this.#copies.anywhereOf(author);
    return [...this.#folders.keys()].filter((agentId) => {
      const ofAgent = copies.filter((copy) => copy.author === agentId);
      const paths = [
        ...(this.#folders.get(agentId) ?? []),
        ...ofAgent.flatMap(({ path }) => this.#spellingsOfCopy(path)),
      ];
      return agentId !== author && mentions(text, paths);
    });
  }

  readonly #spellingsOfCopy = (path: string): readonly string[] =>
    this.#roots.map((root) => root + path.slice(this.#directory.length));

  /** The author may work on another machine: then there is nothing to copy here. */
  #hasFiles(agentId: string): boolean {
    const [folder] = this.#folders.get(agentId) ?? [];
    return this.#snapshots.latest(agentId) !== undefined || (folder !== undefined && existsSync(folder));
  }

  #folderOf(agentId: string): string {
    const [folder] = this.#folders.get(agentId) ?? [];
    if (folder !== undefined) return folder;
    throw new HookError('invalid_option', `The folder of ${show(agentId)} is unknown; \`add\` it first.`);
  }
}

function spellingsOf(folder: string): readonly string[] {
  const absolute = resolve(folder);
  const spellings = new Set([absolute, realOf(absolute)]);
  for (const path of [...spellings]) {
    const below = relative(homedir(), path);
    if (below !== '' && !below.startsWith('..') && !isAbsolute(below)) spellings.add(`~/${below}`);
  }
  return [...spellings];
}

/** A missing folder has only the path it was given. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Returns the real path of a private folder. Throws a HookError if it is not private or cannot be created. */
export async function openPrivateFolder(path: string, user = process.getuid?.()): Promise<string> {
  if (typeof path !== 'string' || !isAbsolute(path) || path.includes('\0'))
    throw refuse(path, 'give an absolute path');
  let info: Awaited<ReturnType<typeof lstat>>;
  try {
    await makePrivateFolder(path);
    info = await lstat(path);
  } catch (cause) {
    throw refuse(path, messageOf(cause), cause);
  }
  if (info.isSymbolicLink()) throw refuse(path, 'it is a link; give its target');
  if (user !== undefined && info.uid !== user) throw refuse(path, 'it belongs to another user');
  if (user !== undefined && (info.mode & 0o077) !== 0)
    throw refuse(path, 'other users can access it; run `chmod 700` on it, or give a new one');
  return realpath(path);
}

function refuse(path: unknown, why: string, cause?: unknown): HookError {
  return new HookError(
    'invalid_option',
    `Copies of workspaces cannot be kept in ${show(path)}: ${why}.`,
    cause === undefined ? {} : { cause },
  );
}
