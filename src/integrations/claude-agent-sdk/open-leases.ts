/**
 * Items passed to the host, until an event or message shows that they were sent to a model. The host does not report
 * this, so it is inferred from what happens next. Items that were not sent for certain are released.
 */
import type { Lease } from '../../injection/port.js';
import { endLease } from '../take-items.js';
import { fieldOf } from '../tool-content.js';

interface OpenLease {
  readonly lease: Lease;
  readonly id: string | undefined;
  /** The time, on a clock that advances with every event. */
  readonly at: number;
  /** The tool call whose result carries it; undefined for a prompt or the end of a turn. */
  readonly toolUseID: string | undefined;
}

/** Number of sent items that are remembered. */
const MAX_REMEMBERED = 1000;

export class OpenLeases {
  readonly #onProblem: (problem: Error) => void;
  #open: OpenLease[] = [];
  #clock = 0;
  readonly #began = new Map<string, number>();
  readonly #issuedBy = new Map<string, string>();
  readonly #ending = new Set<Promise<void>>();
  readonly #sent = new Set<string | undefined>();
  #follows = false;

  constructor(onProblem: (problem: Error) => void) {
    this.#onProblem = onProblem;
  }

  add(lease: Lease, toolUseID: string | undefined): void {
    this.#open.push({ lease, id: lease.items[0]?.id, at: this.#clock, toolUseID });
  }

  /**
   * When a lease expires, its item is queued again although it may have been sent; it must not be delivered twice.
   * Returns true if the lease belongs to such an item; it then replaces the old lease.
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

  /** From now on the host's messages are used too, as the better evidence. */
  follow(): void {
    this.#follows = true;
  }

  /**
   * A tool call starts: the model has responded since the last prompt. It may not have responded since the last tool
   * result, because one message can call several tools in sequence; only the messages show that.
   */
  toolBegins(toolUseID: string | undefined): void {
    this.#clock += 1;
    if (toolUseID !== undefined) this.#began.set(toolUseID, this.#clock);
    this.#prove((handed) => handed.toolUseID === undefined || !this.#follows);
  }

  /**
   * Has the same meaning as its start, if that was seen; a call that ran in parallel with the one that carries an item
   * proves nothing.
   */
  toolEnded(toolUseID: string | undefined): void {
    const began = this.#began.get(toolUseID ?? '') ?? Number.POSITIVE_INFINITY;
    this.#prove((handed) => began > handed.at && (handed.toolUseID === undefined || !this.#follows));
  }

  /** The model has finished a turn, or starts one with everything sent before. */
  turnPasses(): void {
    this.#clock += 1;
    this.#began.clear();
    this.#issuedBy.clear();
    this.#prove(() => true);
  }

  /**
   * One of the host's messages, in order. A message of the model other than the one that called a tool must have been
   * written after that tool's result.
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

  /** Releases the items that were not sent for certain. */
  releaseAll(): void {
    const open = this.#open;
    this.#open = [];
    for (const { lease } of open) this.end(lease, 'release');
  }

  end(lease: Lease, how: 'acknowledge' | 'release'): void {
    const ending = endLease(lease, how, this.#onProblem).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Resolves when the mailbox has processed everything. */
  async settled(): Promise<void> {
    await Promise.all(this.#ending);
  }

  #prove(isShown: (handed: OpenLease) => boolean): void {
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
