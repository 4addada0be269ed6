/** Watches a running turn for important items that should not wait until its end. */
import type { InjectionItem } from '../../injection/port.js';
import { reportProblem } from '../ask-hooks.js';
import type { Settings } from './options.js';

/** Why a turn's signal was aborted: these items should reach the agent before it continues. */
export class RestartPending extends Error {
  readonly items: readonly InjectionItem[];

  constructor(items: readonly InjectionItem[]) {
    super(
      `The turn should be restarted: ${items.length === 1 ? 'an important item' : 'several important items'} arrived.`,
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
  /** Items that were already deferred or released: they trigger no restart. */
  readonly #ignored = new Set<string>();
  #unwatch: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
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
      if (state === 'queued') void this.#check();
    });
    // An item may have arrived since the turn's items were taken.
    void this.#check();
    if (checkEveryMs === 0) return;
    this.#timer = setInterval(() => void this.#check(), checkEveryMs);
    // Does not keep the process alive.
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

  /** One check at a time; items that arrive meanwhile are checked afterwards. */
  async #check(): Promise<void> {
    this.#again = true;
    if (this.#isChecking) return;
    this.#isChecking = true;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      const important = (await this.#pending()).filter((item) => this.#isNews(item));
      if (important.length === 0 || this.#stopped) continue;
      this.stop();
      this.#onImportant(important);
    }
    // Reset synchronously: a call before the promise settles would be lost.
    this.#isChecking = false;
  }

  #isNews(item: InjectionItem): boolean {
    if (this.#ignored.has(item.id) || this.#isKnown(item.id)) return false;
    try {
      return this.#settings.isImportant(item);
    } catch (error) {
      reportProblem(this.#settings.onProblem, error);
      return false;
    }
  }

  async #pending(): Promise<readonly InjectionItem[]> {
    const { mailbox, agentId, onProblem } = this.#settings;
    try {
      return await mailbox.pending(agentId);
    } catch (error) {
      reportProblem(onProblem, error);
      return [];
    }
  }
}
