/** What travels to a running agent from outside, and the mailbox that hands it over: the port every delivery speaks. */

/** Where an item is put: behind the result of a tool, or as a message of its own. */
export type InjectionStrategy = 'tool_result' | 'user_message';

/** Who an item comes from. The kinds are open: a host may name its own. */
export interface InjectionSource {
  readonly kind: 'peer' | 'subagent' | 'background_tool' | 'human' | 'system' | (string & {});
  /** How the sender is called, for those who read it. */
  readonly label?: string | undefined;
}

/** One thing to be told. Strategy and source stay with each item; they are never merged into one. */
export interface InjectionItem {
  /** Unique in its mailbox; the same id and content twice is one item. */
  readonly id: string;
  readonly content: string;
  readonly strategy: InjectionStrategy;
  readonly source: InjectionSource;
  /** One agent, several, or all of them. Each of them gets it once. */
  readonly to: string | readonly string[] | { readonly all: true };
  /** The tools whose result may carry it, as a matcher; without one, every tool's. */
  readonly matcher?: string | undefined;
  /** Milliseconds since the epoch; after that it is expired, and said to be. */
  readonly expiresAt?: number | undefined;
  /** Higher ones are handed over first; 0 when absent. */
  readonly priority?: number | undefined;
}

/** An item that is being put in: what is left out is filled in. */
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
 * The life of an item for one agent. `queued`: waits, or is being handed over. `delivered`: a model has been sent it.
 * `carried`: the agent ended without it, and somebody has taken it on. `expired` and `failed` are said, never silent.
 */
export type InjectionState = 'queued' | 'delivered' | 'carried' | 'expired' | 'failed';

/** One change of an item's life for one agent. */
export interface InjectionChange {
  readonly id: string;
  readonly agentId: string;
  readonly state: InjectionState;
  readonly source: InjectionSource;
  readonly strategy: InjectionStrategy;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Why, for what expired or failed. */
  readonly reason?: string | undefined;
}

/** Whose items are wanted, and for which results. */
export interface TakeRequest {
  readonly agentId: string;
  /** The tools whose results are about to be sent; absent at a turn's boundary, where matchers do not count. */
  readonly toolNames?: readonly string[] | undefined;
  /** At most so many items. Default: all that wait. */
  readonly limit?: number | undefined;
}

/**
 * Items that somebody is about to send. Exactly one of the two ends it; the second call, and either after the lease has
 * run out, changes nothing. What is never acknowledged goes back to where it was. Rejects only where the mailbox is out of
 * reach: on a disk or a server.
 */
export interface Lease {
  readonly items: readonly InjectionItem[];
  /** The model has really been sent them. */
  acknowledge(): Promise<void>;
  /** They were not sent after all. */
  release(): Promise<void>;
}

/**
 * Contract: each item is acknowledged at most once per agent; what is put is delivered, carried, expired or failed, and
 * nothing else. Safe to use from several places at once. What it refuses, and what is asked of it after `close`, rejects
 * with a `MailboxError`; one on a disk or a server also rejects when that is out of reach.
 */
export interface Mailbox {
  /** Puts an item in; the same item twice is one. Rejects with a `HookError` for an item that no mailbox could hold. */
  put(item: NewInjection): Promise<InjectionItem>;
  /** Hands over what waits for an agent, for a while. Never waits for items: a lease without items is an answer. */
  take(request: TakeRequest): Promise<Lease>;
  /** What still waits for an agent, without taking it. */
  pending(agentId: string): Promise<readonly InjectionItem[]>;
  /** Takes on everything that an agent, whose work has ended, was not sent: state `carried`. */
  carryOver(agentId: string): Promise<readonly InjectionItem[]>;
  /** The states of an item by agent; undefined for an id that is not known. */
  status(id: string): Promise<Readonly<Record<string, InjectionState>> | undefined>;
  /** Told of every change; returns the function that ends it. */
  onChange(listener: (change: InjectionChange) => void): () => void;
  /** Ends its use. What happens to items that still wait is the mailbox's own: in memory they have failed. */
  close(): Promise<void>;
}
