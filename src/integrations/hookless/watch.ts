/** Watches over a running turn: does something wait that should not wait until its end? */
import type { InjectionItem } from '../../injection/port.js';
import { tell } from '../ask-hooks.js';
import type { Settings } from './options.js';

/** Why a turn's signal was aborted: these items should reach the agent before it goes on. */
export class RestartPending extends Error {
  readonly items: readonly InjectionItem[];

  constructor(items: readonly InjectionItem[]) {
    super(
      `The turn should be restarted: ${items.length === 1 ? 'something' : 'several things'} important came in.`,
    );
    this.items = items;
  }
}

Object.defineProperty(RestartPending.prototype, 'name', {
  value: 'RestartPending',
  configurable: true,
  writable: true,
});

export class TurnWatch {
  readonly #settings: Settings;
  readonly #isKnown: (id: string) => boolean;
  readonly #onImportant: (items: readonly InjectionItem[]) => void;
  /** What had to wait already, or was given back: no news. */
  readonly #ignored = new Set<string>();
  #unwatch: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #again = false;
  #stopped = false;

  constructor(
    settings: Settings,
    isKnown: (id: string) => boolean,
    onImportant: (items: readonly InjectionItem[]) => void,
  ) {
    this.#settings = settings;
    this.#isKnown = isKnown;
    this.#onImportant = onImportant;
  }

  start(): void {
    const { mailbox, checkEveryMs } = this.#settings;
    this.#unwatch = mailbox.onChange(({ state }) => {
      if (state === 'queued') void this.#look();
    });
    // Something may have come in since the turn's items were taken.
    void this.#look();
    if (checkEveryMs === 0) return;
    this.#timer = setInterval(() => void this.#look(), checkEveryMs);
    // A host that has nothing else to do may end.
    this.#timer.unref();
  }

  ignore(items: readonly InjectionItem[]): void {
    for (const { id } of items) this.#ignored.add(id);
  }

  stop(): void {
    this.#stopped = true;
    this.#unwatch?.();
    clearInterval(this.#timer);
  }

  /** One look at a time; what comes in meanwhile is looked at afterwards. */
  async #look(): Promise<void> {
    this.#again = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      const important = (await this.#pending()).filter((item) => this.#isNews(item));
      if (important.length === 0 || this.#stopped) continue;
      this.stop();
      this.#onImportant(important);
    }
    // At once, not when the promise settles: a call in between would be lost.
    this.#isLooking = false;
  }

  #isNews(item: InjectionItem): boolean {
    if (this.#ignored.has(item.id) || this.#isKnown(item.id)) return false;
    try {
      return this.#settings.isImportant(item);
    } catch (error) {
      tell(this.#settings.onProblem, error);
      return false;
    }
  }

  async #pending(): Promise<readonly InjectionItem[]> {
    const { mailbox, agentId, onProblem } = this.#settings;
    try {
      return await mailbox.pending(agentId);
    } catch (error) {
      tell(onProblem, error);
      return [];
    }
  }
}
