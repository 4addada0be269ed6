/** Adds items of a mailbox to a response, under leases that end depending on what the run reveals. */
import type { AnyEvent } from '../../events/types.js';
import { frameItems } from '../../injection/frame.js';
import type { InjectionItem } from '../../injection/port.js';
import { emptyOutcome } from '../../runner/aggregate.js';
import { capTexts } from '../../runner/cap-text.js';
import { SpillStore } from '../../runner/spill-store.js';
import { type TakenItem, takeItems } from '../take-items.js';
import { OpenLeases } from './open-leases.js';
import type { Settings } from './options.js';

/** The separator between two texts of a response. */
export const SEPARATOR = '\n\n';

/** Items for one response. Exactly one of the two methods is called. */
export interface PreparedItems {
  readonly texts: readonly string[];
  /** The response is sent with them. */
  commit(toolUseID: string | undefined): void;
  /** No response is sent. */
  release(): void;
}

export const NO_ITEMS: PreparedItems = { texts: [], commit: () => {}, release: () => {} };

export class CarriedItems {
  readonly leases: OpenLeases;
  readonly #settings: Settings;
  readonly #spills = new SpillStore();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.leases = new OpenLeases(settings.onProblem);
  }

  /** `used`: characters of the response that are already used. `toolName`: skips items that do not match the tool. */
  async prepare(event: AnyEvent, toolName: string | undefined, used: number): Promise<PreparedItems> {
    const { mailbox, agentId, maxContext, onProblem } = this.#settings;
    if (mailbox === undefined || agentId === undefined) return NO_ITEMS;
    const items = await takeItems({
      mailbox,
      agentId,
      toolName,
      onProblem,
      room: maxContext - used,
      gap: SEPARATOR.length,
      show: (shown) => this.#show(event, shown),
      isKnown: (lease) => this.leases.absorb(lease),
    });
    return items.length === 0 ? NO_ITEMS : this.#wrap(items);
  }

  #wrap(items: readonly TakenItem[]): PreparedItems {
    return {
      texts: items.map(({ text }) => text),
      commit: (toolUseID) => {
        for (const { lease } of items) this.leases.add(lease, toolUseID);
      },
      release: () => {
        for (const { lease } of items) this.leases.end(lease, 'release');
      },
    };
  }

  /**
   * An item that is too long for any response is shortened like other long texts: a preview, and where the whole text
   * is. Rejects if even that does not fit.
   */
  async #show(event: AnyEvent, items: readonly InjectionItem[]): Promise<string> {
    const { maxContext, render = frameItems } = this.#settings;
    const text = render(items);
    if (text.length <= maxContext) return text;
    // A quarter leaves room for the frame, even if every character is on a line of its own.
    const contents = items.map(({ content }) => content);
    const whole = { ...emptyOutcome(event), additionalContext: contents };
    const { additionalContext } = await capTexts(whole, Math.floor(maxContext / 4), this.#spills);
    const short = render(
      items.map((item, i) => ({ ...item, content: additionalContext[i] ?? item.content })),
    );
    if (short.length <= maxContext) return short;
    throw new Error(
      `The item ${items[0]?.id} has ${short.length} characters even as a preview, more than \`maxContext\` (${maxContext}): it stays queued.`,
    );
  }
}
