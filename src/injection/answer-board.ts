/** Stores the answers that agents have published, and which agent has seen which answer. */
import { PeerLabels } from './peer-labels.js';

/** An answer that an agent shares with its peers. */
export interface Answer {
  readonly content: string;
  /** The folder the author worked in. */
  readonly workspace?: string | undefined;
}

/** An answer of another agent, named as the viewer knows it. */
export interface PeerUpdate extends Answer {
  readonly author: string;
  /** The viewer's name for the author, for example `agent2`. */
  readonly name: string;
  /** For example `agent2.3`: the third answer of the agent that the viewer knows as `agent2`. */
  readonly label: string;
  /** The author's label that the viewer saw last, if any. */
  readonly previousLabel?: string | undefined;
  readonly revision: number;
}

/** The agents, and how they are named among their peers. */
export interface AnswerBoardOptions {
  /** The agents that are known from the start. Not needed with `labels`. */
  readonly agents?: readonly string[] | undefined;
  /** Give the labels of your `Workspaces` here, so that notices, folders and texts agree. Default: new ones. */
  readonly labels?: PeerLabels | undefined;
}

interface Author {
  revision: number;
  latest: Answer | undefined;
  /** Position of the latest answer in the order of publication, across all authors. */
  order: number;
}

/**
 * The answers that agents have published, and which agent has seen which. Kept in memory; only the latest answer of
 * each agent is stored. Never throws.
 */
export class AnswerBoard {
  readonly labels: PeerLabels;
  readonly #authors = new Map<string, Author>();
  /** By viewer: the last revision of each author that the viewer has seen. */
  readonly #seen = new Map<string, Map<string, number>>();
  #count = 0;

  constructor({ agents = [], labels = new PeerLabels({ agents }) }: AnswerBoardOptions = {}) {
    this.labels = labels;
  }

  /**
   * Publishes an agent's newest answer, replacing its previous one. Returns its revision, from 1; `labels.labelOf`
   * returns its label for a viewer. If another process numbers the answers, give the `revision`: an answer that is not
   * newer than the published one changes nothing.
   */
  publish(agentId: string, answer: Answer, revision?: number): number {
    const author = this.#authors.get(agentId) ?? { revision: 0, latest: undefined, order: 0 };
    if (revision !== undefined && revision <= author.revision) return author.revision;
    this.#authors.set(agentId, author);
    author.latest = { ...answer };
    author.revision = revision ?? author.revision + 1;
    author.order = this.#count++;
    return author.revision;
  }

  /** Whether an agent has published an answer. */
  hasAnswer(agentId: string): boolean {
    return this.#authors.has(agentId);
  }

  /** Whether an agent has ever been shown a peer's answer. */
  hasSeenUpdates(viewer: string): boolean {
    return (this.#seen.get(viewer)?.size ?? 0) > 0;
  }

  /** The latest answer of every other agent that the viewer has not seen, newest first. */
  unseenBy(viewer: string): readonly PeerUpdate[] {
    return this.#answersFor(viewer)
      .filter(({ isSeen }) => !isSeen)
      .map(({ update }) => update);
  }

  /**
   * The latest answer of every other agent that the viewer has seen, newest first: what an agent that restarts with an
   * empty conversation has to be shown again.
   */
  seenBy(viewer: string): readonly PeerUpdate[] {
    return this.#answersFor(viewer)
      .filter(({ isSeen }) => isSeen)
      .map(({ update }) => update);
  }

  /** The workspaces of all authors that have named one, by agent. */
  get workspaces(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#authors].flatMap(([agentId, { latest }]) =>
        latest?.workspace === undefined ? [] : [[agentId, latest.workspace]],
      ),
    );
  }

  /**
   * Marks updates as seen by a viewer. The returned function undoes it, unless the viewer has seen something newer
   * since.
   */
  markSeen(viewer: string, updates: readonly PeerUpdate[]): () => void {
    const seen = this.#seen.get(viewer) ?? new Map<string, number>();
    this.#seen.set(viewer, seen);
    const before = updates.map(({ author }) => seen.get(author));
    for (const { author, revision } of updates) seen.set(author, Math.max(revision, seen.get(author) ?? 0));
    return () => {
      for (const [i, { author, revision }] of updates.entries()) {
        if (seen.get(author) !== revision) continue;
        const known = before[i];
        if (known === undefined) seen.delete(author);
        else seen.set(author, known);
      }
    };
  }

  #answersFor(viewer: string): readonly { readonly update: PeerUpdate; readonly isSeen: boolean }[] {
    const seen = this.#seen.get(viewer);
    const labelOf = (author: string, revision: number): string =>
      this.labels.labelOf(viewer, author, revision);
    return [...this.#authors]
      .filter(([author]) => author !== viewer)
      .sort(([, a], [, b]) => b.order - a.order)
      .flatMap(([author, { revision, latest }]) => {
        if (latest === undefined) return [];
        const known = seen?.get(author);
        const update = {
          ...latest,
          author,
          name: this.labels.nameOf(viewer, author),
          label: labelOf(author, revision),
          previousLabel: known === undefined ? undefined : labelOf(author, known),
          revision,
        };
        return [{ update, isSeen: revision <= (known ?? 0) }];
      });
  }
}
