/**
 * Items that were handed to the host, until something shows that a model was sent them. The host never says so: it is
 * told from what happens next. What is never shown is put back.
 */
import type { Lease } from '../../injection/port.js';
import { endLease } from '../take-items.js';
import { fieldOf } from '../tool-content.js';

interface Handed {
  readonly lease: Lease;
  readonly id: string | undefined;
  /** When, on a clock that ticks with every event. */
  readonly at: number;
  /** Whose result carries it; without one it went with a prompt or a turn's feedback. */
  readonly toolUseID: string | undefined;
}

/** So many are remembered to have been sent. */
const MAX_REMEMBERED = 1000;

export class OpenLeases {
  readonly #onProblem: (problem: Error) => void;
  #open: Handed[] = [];
  #clock = 0;
  readonly #began = new Map<string, number>();
  readonly #issuedBy = new Map<string, string>();
  readonly #ending = new Set<Promise<void>>();
  readonly #sent = new Set<string | undefined>();
  #follows = false;

  constructor(onProblem: (problem: Error) => void) {
    this.#onProblem = onProblem;
  }

  hand(lease: Lease, toolUseID: string | undefined): void {
    this.#open.push({ lease, id: lease.items[0]?.id, at: this.#clock, toolUseID });
  }

  /**
   * A lease that ran out gives back what is on its way, or was sent meanwhile; that must not be told twice. True: the
   * lease belongs to such an item, and has taken the old one's place.
   */
  absorb(lease: Lease): boolean {
    const id = lease.items[0]?.id;
    if (this.#sent.has(id)) {
      this.end(lease, 'acknowledge');
      return true;
    }
    const known = this.#open.find((handed) => handed.id === id);
    if (known === undefined) return false;
    this.#open = this.#open.map((handed) => (handed === known ? { ...known, lease } : handed));
    return true;
  }

  /** From now on the host's messages are seen too, and are the better evidence. */
  follow(): void {
    this.#follows = true;
  }

  /**
   * A tool call begins: the model has spoken since the last prompt. Whether it has since the last tool result cannot be
   * told from here: one message may call several tools, one after another. Who wants to know lets us see the messages.
   */
  toolBegins(toolUseID: string | undefined): void {
    this.#clock += 1;
    if (toolUseID !== undefined) this.#began.set(toolUseID, this.#clock);
    this.#prove((handed) => handed.toolUseID === undefined || !this.#follows);
  }

  /** Says the same as its beginning, if that was seen; a call that ran beside the one that carries an item says nothing. */
  toolEnded(toolUseID: string | undefined): void {
    const began = this.#began.get(toolUseID ?? '') ?? Number.POSITIVE_INFINITY;
    this.#prove((handed) => began > handed.at && (handed.toolUseID === undefined || !this.#follows));
  }

  /** The model has finished a turn, or begins one with everything that was said before. */
  turnPasses(): void {
    this.#clock += 1;
    this.#began.clear();
    this.#issuedBy.clear();
    this.#prove(() => true);
  }

  /**
   * One of the host's messages, in its order. A message of the model other than the one that called a tool can only have
   * been written with that tool's result before it.
   */
  see(message: unknown): void {
    if (fieldOf(message, 'type') !== 'assistant' || fieldOf(message, 'parent_tool_use_id') !== null) return;
    if (fieldOf(message, 'error') !== undefined) return;
    const inner = fieldOf(message, 'message');
    const id = String(fieldOf(inner, 'id'));
    const content = fieldOf(inner, 'content');
    for (const block of Array.isArray(content) ? content : [])
      if (fieldOf(block, 'type') === 'tool_use') this.#issuedBy.set(String(fieldOf(block, 'id')), id);
    this.#prove(({ toolUseID }) => {
      const issuer = toolUseID === undefined ? undefined : this.#issuedBy.get(toolUseID);
      return issuer !== undefined && issuer !== id;
    });
  }

  /** Puts back what nothing has shown to be sent. */
  releaseAll(): void {
    const open = this.#open;
    this.#open = [];
    for (const { lease } of open) this.end(lease, 'release');
  }

  end(lease: Lease, how: 'acknowledge' | 'release'): void {
    const ending = endLease(lease, how, this.#onProblem).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Resolves when the mailbox has been told of everything. */
  async settled(): Promise<void> {
    await Promise.all(this.#ending);
  }

  #prove(isShown: (handed: Handed) => boolean): void {
    const shown = this.#open.filter(isShown);
    if (shown.length === 0) return;
    this.#open = this.#open.filter((handed) => !shown.includes(handed));
    for (const { lease, id } of shown) {
      this.#sent.add(id);
      this.end(lease, 'acknowledge');
    }
    for (const id of this.#sent) {
      if (this.#sent.size <= MAX_REMEMBERED) break;
      this.#sent.delete(id);
    }
  }
}
