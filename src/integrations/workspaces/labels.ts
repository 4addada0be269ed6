/** What agents are called among their peers: names that say nothing about who they are, and that stay. */
import { createHmac, randomBytes } from 'node:crypto';
import { HookError, show } from '../../base/errors.js';

/** Who there is, and how labels are drawn. */
export interface PeerLabelsOptions {
  /** Agents that are known from the beginning; each viewer has them in an order of its own. Others follow as they come. */
  readonly agents?: readonly string[] | undefined;
  /** The same seed gives the same labels, also in another process. Default: a new one, drawn at random. */
  readonly seed?: string | undefined;
}

/** Who and which answer a label means. */
export interface LabelledAnswer {
  readonly agentId: string;
  /** Undefined: the label has no number behind its point. */
  readonly revision: number | undefined;
}

/** Shorter names are words of any language: replacing them would destroy more than it hides. */
const MIN_NAME = 3;
const LABEL = /^agent([1-9]\d{0,5})(?:\.([1-9]\d{0,8}))?$/;
/** A name counts where it stands alone: not in a longer word, and not in a path or an address. */
const BEFORE = '(?<![\\p{L}\\p{N}_/\\\\.@~-])';
const AFTER = '(?![\\p{L}\\p{N}_/\\\\@~-]|\\.[\\p{L}\\p{N}_])';

/**
 * What agents are called among their peers. Making it throws a `HookError` for a seed that is no text; nothing else
 * throws.
 */
export class PeerLabels {
  readonly #seed: string;
  readonly #agents: string[] = [];
  /** By viewer: its peers and itself, the first one is `agent1`. */
  readonly #orders = new Map<string, string[]>();

  constructor({ agents = [], seed = randomBytes(16).toString('hex') }: PeerLabelsOptions = {}) {
    if (typeof seed !== 'string' || seed === '')
      throw new HookError('invalid_option', `\`seed\` is ${show(seed)}; a text was expected.`);
    this.#seed = seed;
    for (const agentId of agents) if (!this.#agents.includes(agentId)) this.#agents.push(agentId);
  }

  /** Such as `agent2`. Every viewer has numbers of its own, for itself too. */
  nameOf(viewer: string, agentId: string): string {
    const order = this.#orderOf(viewer);
    const at = order.indexOf(agentId);
    if (at >= 0) return `agent${at + 1}`;
    order.push(agentId);
    if (!this.#agents.includes(agentId)) this.#agents.push(agentId);
    return `agent${order.length}`;
  }

  /** Such as `agent2.3`: the third answer of that agent. */
  labelOf(viewer: string, agentId: string, revision: number): string {
    return `${this.nameOf(viewer, agentId)}.${revision}`;
  }

  /** Whom a viewer means; undefined for what is no label, or nobody's. */
  resolve(viewer: string, label: string): LabelledAnswer | undefined {
    const [, number, revision] = LABEL.exec(label) ?? [];
    const agentId = this.#orderOf(viewer)[Number(number) - 1];
    if (agentId === undefined) return undefined;
    return { agentId, revision: revision === undefined ? undefined : Number(revision) };
  }

  /** A text of one agent in the words of another: its labels are translated, and real names are hidden. */
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

  /** A name for a folder or a file that tells nobody whose it is. */
  codeOf(kind: string, agentId: string): string {
    return this.#hash(kind, agentId).slice(0, 16);
  }

  #orderOf(viewer: string): string[] {
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

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
