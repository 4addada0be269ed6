/** What people say while agents work: to one, to several or to all of them, once each. */

import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { Disposer } from '../../config/types.js';
import type { MemoryMailbox } from '../mailboxes/memory/mailbox.js';
import type { InjectionItem, InjectionStrategy, Mailbox, NewInjection } from '../port.js';
import { type BuiltInHook, collectAtSafePoints, disposeAll, type Registrar } from './built-in.js';
import { Intake } from './intake.js';

/** Something a person says. */
export interface HumanWords {
  readonly content: string;
  /** Default: all agents. */
  readonly to?: InjectionItem['to'] | undefined;
  /** Who says it. Default: the label of the hook. */
  readonly label?: string | undefined;
  readonly strategy?: InjectionStrategy | undefined;
  readonly priority?: number | undefined;
  readonly expiresAt?: number | undefined;
  /** Where it may be said again, the same id makes it one. */
  readonly id?: string | undefined;
}

/** Where words come from, and where they go. */
export interface HumanInputOptions {
  readonly mailbox: Pick<Mailbox, 'put' | 'pending' | 'onChange'> & Partial<Pick<MemoryMailbox, 'withdraw'>>;
  /** Asked at every safe point whether somebody has said something: an inbox, a terminal. */
  readonly poll?:
    | ((signal: AbortSignal) => readonly HumanWords[] | Promise<readonly HumanWords[]>)
    | undefined;
  /** Who says it, where the words do not tell. */
  readonly label?: string | undefined;
}

const OPTIONS: OptionNames<HumanInputOptions> = { mailbox: true, poll: true, label: true };

/** The hook, and the way to say something through it. */
export interface HumanInput extends BuiltInHook {
  /** Says something to one agent, to several, or to all. Rejects as the mailbox's `put` does. */
  say(words: HumanWords | string): Promise<InjectionItem>;
  /** What people have said that an agent has not been told yet. Rejects as the mailbox's `pending` does. */
  pending(agentId: string): Promise<readonly InjectionItem[]>;
  /**
   * Takes back the latest that was said and not yet delivered to everybody. Undefined: there is nothing left, or the mailbox
   * cannot take anything back. Throws when the mailbox is closed.
   */
  withdrawLatest(): InjectionItem | undefined;
  /**
   * What an agent has been told since the hook was registered, the latest last, at most 100: for a prompt that begins anew.
   * Never throws.
   */
  delivered(agentId: string): readonly InjectionItem[];
}

/** Of more than these the oldest are forgotten. */
const MAX_REMEMBERED = 100;

/** What people say while agents work: to one, to several or to all of them, once each. Throws a `HookError` for an option that does not exist. */
export function createHumanInput(options: HumanInputOptions): HumanInput {
  refuseUnknownOptions('createHumanInput', options, OPTIONS);
  return new Human(options);
}

class Human implements HumanInput {
  readonly name = 'human-input';
  readonly #options: HumanInputOptions;
  readonly #intake = new Intake({ put: (words) => this.#put(words) });
  /** What was said and may be on its way, the latest last. */
  readonly #said = new Map<string, InjectionItem>();
  readonly #delivered = new Map<string, InjectionItem[]>();

  constructor(options: HumanInputOptions) {
    this.#options = options;
  }

  say(words: HumanWords | string): Promise<InjectionItem> {
    return this.#put(this.#toItem(typeof words === 'string' ? { content: words } : words));
  }

  async pending(agentId: string): Promise<readonly InjectionItem[]> {
    return (await this.#options.mailbox.pending(agentId)).filter(({ source }) => source.kind === 'human');
  }

  withdrawLatest(): InjectionItem | undefined {
    for (const item of [...this.#said.values()].reverse()) {
      this.#said.delete(item.id);
      if (this.#options.mailbox.withdraw?.(item.id, 'it was taken back')) return item;
    }
    return undefined;
  }

  delivered(agentId: string): readonly InjectionItem[] {
    return [...(this.#delivered.get(agentId) ?? [])];
  }

  register(registrar: Registrar): Disposer {
    const unwatch = this.#options.mailbox.onChange(({ id, agentId, state }) => {
      const item = this.#said.get(id);
      if (item !== undefined && state === 'delivered') this.#remember(agentId, item);
    });
    const { poll } = this.#options;
    if (poll === undefined) return unwatch;
    const stop = collectAtSafePoints(registrar, this.name, async (_agentId, _moment, signal) => {
      const said = await poll(signal);
      await this.#intake.add(said.map((words) => this.#toItem(words)));
    });
    return disposeAll([unwatch, stop]);
  }

  #toItem({ label = this.#options.label, ...words }: HumanWords): NewInjection {
    return { ...words, source: { kind: 'human', ...(label !== undefined && { label }) } };
  }

  async #put(words: NewInjection): Promise<InjectionItem> {
    const item = await this.#options.mailbox.put(words);
    this.#said.set(item.id, item);
    for (const oldest of this.#said.keys()) {
      if (this.#said.size <= MAX_REMEMBERED) break;
      this.#said.delete(oldest);
    }
    return item;
  }

  #remember(agentId: string, item: InjectionItem): void {
    const list = this.#delivered.get(agentId) ?? [];
    this.#delivered.set(agentId, [...list, item].slice(-MAX_REMEMBERED));
  }
}
