/** The answers that agents have given, their labels, and who has seen which: what peers are told is derived from it. */

/** What an agent has come to, for its peers to read. */
export interface Answer {
  readonly content: string;
  /** The folder in which the author has worked. */
  readonly workspace?: string | undefined;
}

/** An answer that somebody has not seen. */
export interface PeerUpdate extends Answer {
  readonly author: string;
  /** What the author is called among its peers. */
  readonly name: string;
  /** Such as `agent2.3`: the third answer of the second agent. */
  readonly label: string;
  /** The label that the viewer knows already, if it knows one. */
  readonly previousLabel?: string | undefined;
  readonly revision: number;
}

/** How agents are called among each other. */
export interface AnswerBoardOptions {
  /** In this order they are numbered; others follow as they come. */
  readonly agents?: readonly string[] | undefined;
  /** What an agent is called among its peers. Default: `agent1`, `agent2`, …, which says nothing about who it is. */
  readonly nameOf?: ((agentId: string, index: number) => string) | undefined;
}

interface Author {
  readonly name: string;
  revision: number;
  latest: Answer | undefined;
  /** When the latest one came, counted over all authors. */
  order: number;
}

/**
 * The answers that agents have given, their labels, and who has seen which. Kept in memory; the last answer of each
 * agent. Nothing here throws, unless the given `nameOf` does.
 */
export class AnswerBoard {
  readonly #authors = new Map<string, Author>();
  /** By viewer: the revision of each author that it has seen. */
  readonly #seen = new Map<string, Map<string, number>>();
  readonly #nameOf: (agentId: string, index: number) => string;
  #count = 0;

  constructor({ agents = [], nameOf = (_, index) => `agent${index + 1}` }: AnswerBoardOptions = {}) {
    this.#nameOf = nameOf;
    for (const agentId of agents) this.nameOf(agentId);
  }

  /** The name that an agent has among its peers; it is given when first asked for, and stays. */
  nameOf(agentId: string): string {
    return this.#author(agentId).name;
  }

  /** Puts up an agent's newest answer, in place of its last one. Returns its label, such as `agent2.3`. */
  publish(agentId: string, answer: Answer): string {
    const author = this.#author(agentId);
    author.latest = { ...answer };
    author.revision += 1;
    author.order = this.#count++;
    return labelOf(author.name, author.revision);
  }

  /** Whether an agent has given any answer. */
  hasAnswer(agentId: string): boolean {
    return this.#authors.get(agentId)?.latest !== undefined;
  }

  /** Whether an agent was ever told of a peer's answer. */
  hasSeenUpdates(viewer: string): boolean {
    return (this.#seen.get(viewer)?.size ?? 0) > 0;
  }

  /** The latest answer of every other agent, where it is news; the newest first. */
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

  /** Notes that somebody sees these. The returned function takes it back, where nothing newer was seen since. */
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
