/**
 * Items passed to the host, until an event or message shows that they were sent to a model. The host does not report
 * this, so it is inferred from what happens next. Items that were not sent for certain are released.
 */
import type { Lease } from '../../injection/port.js';
import { HeldLeases } from '../held-leases.js';
import { fieldOf } from '../tool-content.js';

interface Place {
  /** The time, on a clock that advances with every event. */
  readonly at: number;
  /** The tool call whose result carries it; undefined for a prompt or the end of a turn. */
  readonly toolUseID: string | undefined;
}

export class OpenLeases {
  readonly #held: HeldLeases<Place>;
  #clock = 0;
  readonly #began = new Map<string, number>();
  readonly #issuedBy = new Map<string, string>();
  #follows = false;

  constructor(onProblem: (problem: Error) => void) {
    this.#held = new HeldLeases(onProblem);
  }

  add(lease: Lease, toolUseID: string | undefined): void {
    this.#held.add(lease, { at: this.#clock, toolUseID });
  }

  absorb(lease: Lease): boolean {
    return this.#held.absorb(lease);
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
    this.#held.acknowledge((place) => place.toolUseID === undefined || !this.#follows);
  }

  /**
   * Has the same meaning as its start, if that was seen; a call that ran in parallel with the one that carries an item
   * proves nothing.
   */
  toolEnded(toolUseID: string | undefined): void {
    const began = this.#began.get(toolUseID ?? '') ?? Number.POSITIVE_INFINITY;
    this.#held.acknowledge((place) => began > place.at && (place.toolUseID === undefined || !this.#follows));
  }

  /** The model has finished a turn, or starts one with everything sent before. */
  turnPasses(): void {
    this.#clock += 1;
    this.#began.clear();
    this.#issuedBy.clear();
    this.#held.acknowledge(() => true);
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
    this.#held.acknowledge(({ toolUseID }) => {
      const issuer = toolUseID === undefined ? undefined : this.#issuedBy.get(toolUseID);
      return issuer !== undefined && issuer !== id;
    });
  }

  releaseAll(): void {
    this.#held.release(() => true);
  }

  end(lease: Lease, how: 'acknowledge' | 'release'): void {
    this.#held.end(lease, how);
  }

  settled(): Promise<void> {
    return this.#held.settled();
  }
}
