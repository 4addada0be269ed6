/** The items that are sent to a running agent from outside, and the interface of the mailboxes that deliver them. */

/** Where an item is placed: appended to a tool result, or as a separate user message. */
export type InjectionStrategy = 'tool_result' | 'user_message';

/** The sender of an item. The kinds are open: a host may define its own. */
export interface InjectionSource {
  readonly kind: 'peer' | 'subagent' | 'background_tool' | 'human' | 'system' | (string & {});
  /** The sender's display name. */
  readonly label?: string | undefined;
}

/** One message for one or more agents. Each item keeps its own strategy and source; items are never merged. */
export interface InjectionItem {
  /** Unique in its mailbox. Putting the same id and content twice creates one item. */
  readonly id: string;
  readonly content: string;
  readonly strategy: InjectionStrategy;
  readonly source: InjectionSource;
  /** One agent, several, or all. Each agent gets the item once. */
  readonly to: string | readonly string[] | { readonly all: true };
  /** Matches the tools whose results may carry the item; without a matcher, every tool. */
  readonly matcher?: string | undefined;
  /** Milliseconds since the epoch; after that the state is `expired`. */
  readonly expiresAt?: number | undefined;
  /** Items with a higher priority are delivered first. Default: 0. */
  readonly priority?: number | undefined;
}

/** An item to put into a mailbox; missing fields get defaults. */
export type NewInjection = Omit<InjectionItem, 'id' | 'strategy' | 'to' | 'source'> & {
  readonly id?: string | undefined;
  /** Default: 'tool_result'. */
  readonly strategy?: InjectionStrategy | undefined;
  /** Default: all agents. */
  readonly to?: InjectionItem['to'] | undefined;
  /** Default: `{ kind: 'system' }`. */
  readonly source?: InjectionSource | undefined;
};

/**
 * The state of an item for one agent. `queued`: waiting, or in a lease. `delivered`: sent to the model. `carried`: the
 * agent ended without it, and `carryOver` has returned it. `expired` and `failed` are always reported.
 */
export type InjectionState = 'queued' | 'delivered' | 'carried' | 'expired' | 'failed';

/** A state change of an item for one agent. */
export interface InjectionChange {
  readonly id: string;
  readonly agentId: string;
  readonly state: InjectionState;
  readonly source: InjectionSource;
  readonly strategy: InjectionStrategy;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Why it expired or failed. */
  readonly reason?: string | undefined;
}

/** Selects the items to take. */
export interface TakeRequest {
  readonly agentId: string;
  /**
   * The tools whose results are about to be sent. Omit it at the end of a turn: all items are then returned, regardless
   * of matchers.
   */
  readonly toolNames?: readonly string[] | undefined;
  /** Maximum number of items. Default: all queued items. */
  readonly limit?: number | undefined;
}

/**
 * Items that the caller is about to send. Call either `acknowledge` or `release`; further calls, and calls after the
 * lease has expired, have no effect. Items that are not acknowledged are queued again. Rejects only if the mailbox's
 * disk or server is unavailable.
 */
export interface Lease {
  readonly items: readonly InjectionItem[];
  /** Confirms that the items were sent to the model. */
  acknowledge(): Promise<void>;
  /** Returns the items to the queue, because they were not sent. */
  release(): Promise<void>;
}

/**
 * Contract: each item is acknowledged at most once per agent, and every item ends as delivered, carried, expired or
 * failed. Safe for concurrent use. Invalid calls, and calls after `close`, reject with a `MailboxError`; a mailbox on a
 * disk or a server also rejects if that is unavailable.
 */
export interface Mailbox {
  /** Adds an item; putting the same item twice adds it once. Rejects with a `HookError` for an invalid item. */
  put(item: NewInjection): Promise<InjectionItem>;
  /** Leases the queued items of an agent. Returns at once: if there are no items, the lease is empty. */
  take(request: TakeRequest): Promise<Lease>;
  /** Returns the queued items of an agent without taking them. */
  pending(agentId: string): Promise<readonly InjectionItem[]>;
  /** Returns all undelivered items of an agent that has ended and sets their state to `carried`. */
  carryOver(agentId: string): Promise<readonly InjectionItem[]>;
  /** Returns the states of an item by agent; undefined for an unknown id. */
  status(id: string): Promise<Readonly<Record<string, InjectionState>> | undefined>;
  /** Calls the listener for every change; returns a function that removes it. */
  onChange(listener: (change: InjectionChange) => void): () => void;
  /** Closes the mailbox. What happens to queued items depends on the mailbox: in memory they fail. */
  close(): Promise<void>;
}
