/** Stores the answers that agents have published, their labels, and which agent has seen which answer. */

/** An answer that an agent shares with its peers. */
export interface Answer {
  readonly content: string;
  /** The folder the author worked in. */
  readonly workspace?: string | undefined;
}

/** An answer that a viewer has not seen yet. */
export interface PeerUpdate extends Answer {
  readonly author: string;
  /** The author's name among its peers. */
  readonly name: string;
  /** For example `agent2.3`: the third answer of the second agent. */
  readonly label: string;
  /** The author's label that the viewer saw last, if any. */
  readonly previousLabel?: string | undefined;
  readonly revision: number;
}

/** How agents are named among their peers. */
export interface AnswerBoardOptions {
  /** Agents are numbered in this order; agents that are not listed follow in the order they appear. */
  readonly agents?: readonly string[] | undefined;
  /** Returns an agent's name among its peers. Default: `agent1`, `agent2`, …, which does not reveal the agent's id. */
  readonly nameOf?: ((agentId: string, index: number) => string) | undefined;
}

interface Author {
  readonly name: string;
  revision: number;
  latest: Answer | undefined;
  /** Position of the latest answer in the order of publication, across all authors. */
  order: number;
}

/**
 * The answers that agents have published, their labels, and which agent has seen which. Kept in memory; only the latest
 * answer of each agent is stored. Never throws, unless the given `nameOf` throws.
 */
export class AnswerBoard {
  readonly #authors = new Map<string, Author>();
  /** By viewer: the last revision of each author that the viewer has seen. */
  readonly #seen = new Map<string, Map<string, number>>();
  readonly #nameOf: (agentId: string, index: number) => string;
  #count = 0;

  constructor({ agents = [], nameOf = (_, index) => `agent${index + 1}` }: AnswerBoardOptions = {}) {
    this.#nameOf = nameOf;
    for (const agentId of agents) this.nameOf(agentId);
  }

  /** Returns an agent's name among its peers. The name is assigned on first use and never changes. */
  nameOf(agentId: string): string {
    return this.#author(agentId).name;
  }

  /** Publishes an agent's newest answer, replacing its previous one. Returns the label, for example `agent2.3`. */
  publish(agentId: string, answer: Answer): string {
    const author = this.#author(agentId);
    author.latest = { ...answer };
    author.revision += 1;
    author.order = this.#count++;
    return labelOf(author.name, author.revision);
  }

  /** Whether an agent has published an answer. */
  hasAnswer(agentId: string): boolean {
    return this.#authors.get(agentId)?.latest !== undefined;
  }

  /** Whether an agent has ever been shown a peer's answer. */
  hasSeenUpdates(viewer: string): boolean {
    return (this.#seen.get(viewer)?.size ?? 0) > 0;
  }

  /** The latest answer of every other agent that the viewer has not seen, newest first. */
  unseenBy(viewer: string): readonly PeerUpdate[] {
    const seen = this.#seen.get(viewer);
    return [...this.#authors]
      .filter(([agentId, { revision }]) => agentId !== viewer && revision > (seen?.get(agentId) ?? 0))
      .sort(([, a], [, b]) => b.order - a.order)
      .flatMap(([agentId, { name, revision, latest }]) => {
        const known = seen?.get(agentId);
        const previousLabel = known === undefined ? undefined : labelOf(name, known);
        const label = labelOf(name, revision);
        return latest === undefined
          ? []
          : [{ ...latest, author: agentId, name, label, previousLabel, revision }];
      });
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

  #author(agentId: string): Author {
    let author = this.#authors.get(agentId);
    if (author === undefined) {
      const name = this.#nameOf(agentId, this.#authors.size);
      author = { name, revision: 0, latest: undefined, order: 0 };
      this.#authors.set(agentId, author);
    }
    return author;
  }
}

const labelOf = (name: string, revision: number): string => `${name}.${revision}`;
