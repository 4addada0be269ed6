/** The public types of the mailbox kit. */
import type { Mailbox } from '../../injection/port.js';
import type { MailboxFeature } from './features.js';

/** The mailbox under test, with optional methods. If one of its calls rejects, the check fails. */
export interface MailboxUnderTest extends Mailbox {
  /** Registers an agent. */
  join?(agentId: string): void | Promise<void>;
  /** Removes an agent that will not return. */
  leave?(agentId: string, reason?: string): void | Promise<void>;
  /** Withdraws an item from all agents that have not received it. */
  withdraw?(id: string, reason?: string): boolean | Promise<boolean>;
}

/** The setup of a check's mailbox. Limits are given only if the mailbox has the feature. */
export interface MailboxSetup {
  /**
   * Identifies the items: new for each check, and the same for mailboxes that share items. Letters, digits and `-`.
   */
  readonly store: string;
  /** Counts the restarts of a check: mailboxes with a lower number belong to a process that has died. */
  readonly life: number;
  /** The time in milliseconds since the epoch; set by the check if the mailbox has `clock`. */
  readonly now: () => number;
  /** Whether the check needs changes made by others. */
  readonly watch: boolean;
  readonly leaseMs?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly maxContentLength?: number | undefined;
  readonly maxRemembered?: number | undefined;
}

/** Options of `mailboxContract`. Only `open` is required. */
export interface MailboxContractOptions {
  /** Opens a mailbox; the check closes it. If it rejects, the check fails. */
  readonly open: (setup: MailboxSetup) => MailboxUnderTest | Promise<MailboxUnderTest>;
  /** The optional features of the mailbox. Default: none. */
  readonly has?: readonly MailboxFeature[] | undefined;
  /** The number of random call sequences that are compared with the in-memory mailbox. Default: 30. */
  readonly walks?: number | undefined;
  /** The seed of the random sequences: the same seed gives the same sequences. Default: 1. */
  readonly seed?: number | undefined;
  /** How long a change may take to be reported. Default: 2,000 ms. */
  readonly settleMs?: number | undefined;
  /** The timeout of a check. Default: 60,000 ms. */
  readonly timeoutMs?: number | undefined;
}

/** One check of the contract. */
export interface MailboxCheck {
  /** The rule of `spec/injection.md` and what is checked: `IJ-12: only the first end of a lease counts`. */
  readonly name: string;
  /** The rule alone: `IJ-12`. */
  readonly rule: string;
  /** The timeout after which `run` rejects, for frameworks that have their own limit. */
  readonly timeoutMs: number;
  /** Rejects with an `AssertionError` that says what was expected and what happened. Does not use `this`. */
  readonly run: () => Promise<void>;
}

/** A check that does not apply. */
export interface LeftOutCheck {
  readonly name: string;
  /** The feature that the mailbox lacks. */
  readonly reason: string;
}

/** The checks that apply, in order, and those that do not. */
export interface MailboxContract extends ReadonlyArray<MailboxCheck> {
  readonly leftOut: readonly LeftOutCheck[];
}
