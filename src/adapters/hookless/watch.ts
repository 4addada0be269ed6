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
  readonly #onImportant: (items: readonly InjectionItem[]) => void;
  /** What waited already, or was given back: no news. */
  readonly #known = new Set<string>();
  #unwatch: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(settings: Settings, onImportant: (items: readonly InjectionItem[]) => void) {
    this.#settings = settings;
    this.#onImportant = onImportant;
  }

  /** Resolves when it is known what waits now; from then on, what comes in is news. Never rejects. */
  async start(): Promise<void> {
    this.ignore(await this.#pending());
    if (this.#stopped) return;
    const { mailbox, checkEveryMs } = this.#settings;
    this.#unwatch = mailbox.onChange(({ state }) => {
      if (state === 'queued') this.#look();
    });
    if (checkEveryMs === 0) return;
    this.#timer = setInterval(() => this.#look(), checkEveryMs);
    // A host that has nothing else to do may end.
    this.#timer.unref();
  }

  ignore(items: readonly InjectionItem[]): void {
    for (const { id } of items) this.#known.add(id);
  }

  stop(): void {
    this.#stopped = true;
    this.#unwatch?.();
    clearInterval(this.#timer);
  }

  /** One look at a time; what comes in meanwhile is looked at afterwards. */
  #look(): void {
    this.#again = true;
    this.#looking ??= this.#lookUntilQuiet().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookUntilQuiet(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      const important = (await this.#pending()).filter(
        (item) => !this.#known.has(item.id) && this.#judge(item),
      );
      if (important.length === 0 || this.#stopped) continue;
      this.stop();
      this.#onImportant(important);
    }
  }

  #judge(item: InjectionItem): boolean {
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
