/** Delivers what people write while agents work, to one agent, several or all, once each. */

import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { Disposer } from '../../config/types.js';
import type { MemoryMailbox } from '../mailboxes/memory/mailbox.js';
import type { InjectionItem, InjectionStrategy, Mailbox, NewInjection } from '../port.js';
import { type BuiltInHook, collectAtSafePoints, disposeAll, type Registrar } from './built-in.js';
import { Intake } from './intake.js';

/** A message from a person. */
export interface HumanWords {
  readonly content: string;
  /** Default: all agents. */
  readonly to?: InjectionItem['to'] | undefined;
  /** The person's name. Default: the hook's `label`. */
  readonly label?: string | undefined;
  readonly strategy?: InjectionStrategy | undefined;
  readonly priority?: number | undefined;
  readonly expiresAt?: number | undefined;
  /** Set it if the message may be sent again: messages with the same id are put once. */
  readonly id?: string | undefined;
}

/** Where messages come from, and the mailbox they go to. */
export interface HumanInputOptions {
  readonly mailbox: Pick<Mailbox, 'put' | 'pending' | 'onChange'> & Partial<Pick<MemoryMailbox, 'withdraw'>>;
  /** Called at every safe point for new messages, for example from an inbox or a terminal. */
  readonly poll?:
    | ((signal: AbortSignal) => readonly HumanWords[] | Promise<readonly HumanWords[]>)
    | undefined;
  /** The person's name for messages that have no label. */
  readonly label?: string | undefined;
}

const OPTIONS: OptionNames<HumanInputOptions> = { mailbox: true, poll: true, label: true };

/** The hook, and a method to send a message. */
export interface HumanInput extends BuiltInHook {
  /** Sends a message to one agent, several, or all. Rejects when the mailbox's `put` does. */
  say(words: HumanWords | string): Promise<InjectionItem>;
  /** Returns the messages from people that are still queued for an agent. Rejects when the mailbox's `pending` does. */
  pending(agentId: string): Promise<readonly InjectionItem[]>;
  /**
   * Withdraws the latest message that has not been delivered to every agent. Returns undefined if there is none or if
   * the mailbox does not support withdrawal. Throws if the mailbox is closed.
   */
  withdrawLatest(): InjectionItem | undefined;
  /**
   * Returns the messages delivered to an agent since the hook was registered, at most the latest 100, oldest first. Use
   * it to rebuild a prompt. Never throws.
   */
  delivered(agentId: string): readonly InjectionItem[];
}

/** Older messages are dropped. */
const MAX_REMEMBERED = 100;

/**
 * Delivers messages from people while agents work, to one agent, several or all, once each. Throws a `HookError` for an
 * unknown option.
 */
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
    const { mailbox } = this.#options;
    // Without a way to withdraw, the messages stay on their way and must stay known.
    if (mailbox.withdraw === undefined) return undefined;
    for (const item of [...this.#said.values()].reverse()) {
      this.#said.delete(item.id);
      if (mailbox.withdraw(item.id, 'it was taken back')) return item;
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
