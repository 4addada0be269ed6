/** Stable names for agents among their peers that do not reveal who they are. */
import { createHmac, randomBytes } from 'node:crypto';
import { HookError, show } from '../base/errors.js';
import { escapePattern } from './rewrite-paths.js';

/** The agents, and how they are numbered. */
export interface PeerLabelsOptions {
  /** Agents that are known from the start. Others follow in the order they appear. */
  readonly agents?: readonly string[] | undefined;
  /**
   * `per-viewer` (default): each viewer numbers the agents in a different order. `shared`: all number them in the order
   * of `agents`, which makes logs easier to read.
   */
  readonly numbering?: 'per-viewer' | 'shared' | undefined;
  /** The same seed gives the same labels, in other processes too. Default: a random one. */
  readonly seed?: string | undefined;
}

/** The agent and the answer that a label refers to. */
export interface LabelledAnswer {
  readonly agentId: string;
  /** Undefined if the label has no revision. */
  readonly revision: number | undefined;
}

/** Shorter names may be ordinary words: replacing them would do more harm than good. */
const MIN_NAME = 3;
const LABEL = /^agent([1-9]\d{0,5})(?:\.([1-9]\d{0,8}))?$/;
/** A name matches only as a whole word, and not in a path or an address. */
const BEFORE = '(?<![\\p{L}\\p{N}_/\\\\.@~-])';
const AFTER = '(?![\\p{L}\\p{N}_/\\\\@~-]|\\.[\\p{L}\\p{N}_])';

/**
 * Names of agents among their peers. The constructor throws a `HookError` for a seed that is not a string; nothing else
 * throws.
 */
export class PeerLabels {
  readonly #seed: string;
  readonly #isShared: boolean;
  readonly #agents: string[] = [];
  /** By viewer: its peers and itself; the first one is `agent1`. */
  readonly #orders = new Map<string, string[]>();

  constructor({
    agents = [],
    numbering = 'per-viewer',
    seed = randomBytes(16).toString('hex'),
  }: PeerLabelsOptions = {}) {
    if (typeof seed !== 'string' || seed === '')
      throw new HookError('invalid_option', `\`seed\` is ${show(seed)}; expected a string.`);
    this.#seed = seed;
    this.#isShared = numbering === 'shared';
    for (const agentId of agents) if (!this.#agents.includes(agentId)) this.#agents.push(agentId);
  }

  /** Returns a name such as `agent2`. Every viewer has its own numbering, which includes itself. */
  nameOf(viewer: string, agentId: string): string {
    const order = this.#orderOf(viewer);
    const at = order.indexOf(agentId);
    if (at >= 0) return `agent${at + 1}`;
    order.push(agentId);
    const number = order.length;
    if (!this.#agents.includes(agentId)) this.#agents.push(agentId);
    return `agent${number}`;
  }

  /** Returns a label such as `agent2.3`: the third answer of that agent. */
  labelOf(viewer: string, agentId: string, revision: number): string {
    return `${this.nameOf(viewer, agentId)}.${revision}`;
  }

  /** Resolves a viewer's label; undefined if it is invalid or no agent has it. */
  resolve(viewer: string, label: string): LabelledAnswer | undefined {
    const [, number, revision] = LABEL.exec(label) ?? [];
    const agentId = this.#orderOf(viewer)[Number(number) - 1];
    if (agentId === undefined) return undefined;
    return { agentId, revision: revision === undefined ? undefined : Number(revision) };
  }

  /** Converts a text of one agent for another: translates its labels and hides real names. */
  translate(text: string, author: string, viewer: string): string {
    const names = this.#agents.filter((name) => name.length >= MIN_NAME);
    const known = names.sort((a, b) => b.length - a.length).map(escapePattern);
    const pattern = new RegExp(
      `${BEFORE}(?:agent\\d+(?:\\.\\d+)?|${known.join('|') || '(?!)'})${AFTER}`,
      'gu',
    );
    return text.replaceAll(pattern, (word) => {
      const meant = this.resolve(author, word);
      if (meant?.revision !== undefined) return this.labelOf(viewer, meant.agentId, meant.revision);
      const agentId = meant?.agentId ?? (this.#agents.includes(word) ? word : undefined);
      return agentId === undefined ? word : this.nameOf(viewer, agentId);
    });
  }

  /** A name for a folder or a file that does not reveal its owner. */
  codeOf(kind: string, agentId: string): string {
    return this.#hash(kind, agentId).slice(0, 16);
  }

  #orderOf(viewer: string): string[] {
    if (this.#isShared) return this.#agents;
    const known = this.#orders.get(viewer);
    if (known !== undefined) return known;
    const place = new Map(this.#agents.map((agentId) => [agentId, this.#hash('order', viewer, agentId)]));
    const order = [...this.#agents].sort((a, b) => ((place.get(a) ?? '') < (place.get(b) ?? '') ? -1 : 1));
    this.#orders.set(viewer, order);
    return order;
  }

  #hash(...parts: readonly string[]): string {
    return createHmac('sha256', this.#seed).update(JSON.stringify(parts)).digest('hex');
  }
}
