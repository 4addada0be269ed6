/** The mailbox's way into an answer: items as text, under leases that are ended by what the run shows. */
import type { HookEvent } from '../../events/types.js';
import { frameItems } from '../../injection/frame.js';
import type { InjectionItem } from '../../injection/port.js';
import { emptyOutcome } from '../../runner/aggregate.js';
import { capTexts } from '../../runner/cap-text.js';
import { SpillStore } from '../../runner/spill-store.js';
import { type TakenItem, takeItems } from '../take-items.js';
import { OpenLeases } from './open-leases.js';
import type { Settings } from './options.js';

/** What stands between two texts of an answer. */
export const BETWEEN = '\n\n';

/** Items for one answer. Exactly one of the two is called. */
export interface Parcel {
  readonly texts: readonly string[];
  /** The answer goes out with them. */
  hand(toolUseID: string | undefined): void;
  /** There will be no answer. */
  putBack(): void;
}

export const NO_ITEMS: Parcel = { texts: [], hand: () => {}, putBack: () => {} };

export class CarriedItems {
  readonly leases: OpenLeases;
  readonly #settings: Settings;
  readonly #spills = new SpillStore();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.leases = new OpenLeases(settings.onProblem);
  }

  /** `used` characters of the answer are taken already. A tool's name leaves out what is not meant for its result. */
  async pack(event: HookEvent, toolName: string | undefined, used: number): Promise<Parcel> {
    const { mailbox, agentId, maxContext, onProblem } = this.#settings;
    if (mailbox === undefined || agentId === undefined) return NO_ITEMS;
    const items = await takeItems({
      mailbox,
      agentId,
      toolName,
      onProblem,
      room: maxContext - used,
      gap: BETWEEN.length,
      show: (shown) => this.#show(event, shown),
      isKnown: (lease) => this.leases.absorb(lease),
    });
    return items.length === 0 ? NO_ITEMS : this.#wrap(items);
  }

  #wrap(items: readonly TakenItem[]): Parcel {
    return {
      texts: items.map(({ text }) => text),
      hand: (toolUseID) => {
        for (const { lease } of items) this.leases.hand(lease, toolUseID);
      },
      putBack: () => {
        for (const { lease } of items) this.leases.end(lease, 'release');
      },
    };
  }

  /**
   * What would fit into no answer at all is told as the runner tells long texts: a preview, and where the whole is. Rejects
   * where not even that fits.
   */
  async #show(event: HookEvent, items: readonly InjectionItem[]): Promise<string> {
    const { maxContext, render = frameItems } = this.#settings;
    const text = render(items);
    if (text.length <= maxContext) return text;
    // A quarter leaves room for the frame, even where every character is a line of its own.
    const contents = items.map(({ content }) => content);
    const whole = { ...emptyOutcome(event), additionalContext: contents };
    const { additionalContext } = await capTexts(whole, Math.floor(maxContext / 4), this.#spills);
    const short = render(
      items.map((item, i) => ({ ...item, content: additionalContext[i] ?? item.content })),
    );
    if (short.length <= maxContext) return short;
    throw new Error(
      `The item ${items[0]?.id} has ${short.length} characters even as a preview, more than \`maxContext\` (${maxContext}): it waits.`,
    );
  }
}
