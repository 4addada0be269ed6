/** What the kit asks of whoever tests a mailbox, and what it gives: the words of its interface. */
import type { Mailbox } from '../../injection/port.js';
import type { MailboxFeature } from './features.js';

/** The mailbox under test, with the calls that not every mailbox has. Whatever its own calls reject with fails the check. */
export interface MailboxUnderTest extends Mailbox {
  /** Makes an agent known. */
  join?(agentId: string): void | Promise<void>;
  /** An agent will not come back. */
  leave?(agentId: string, reason?: string): void | Promise<void>;
  /** Takes an item back from everybody who has not got it. */
  withdraw?(id: string, reason?: string): boolean | Promise<boolean>;
}

/** How a check wants its mailbox. Bounds are given only where the mailbox is said to obey them. */
export interface MailboxSetup {
  /** Names the items: new for each check, and the same for mailboxes that are to share them. Letters, digits and `-`. */
  readonly store: string;
  /** Counts the restarts of a check: mailboxes of a lower number are as those of a process that has died. */
  readonly life: number;
  /** The time in milliseconds since the epoch; moved by the check where the mailbox has `clock`. */
  readonly now: () => number;
  /** Whether the check wants to be told of what others do. */
  readonly watch: boolean;
  readonly leaseMs?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly maxContentLength?: number | undefined;
  readonly maxRemembered?: number | undefined;
}

/** Which mailbox is tested, and how thoroughly. Only `open` is needed. */
export interface MailboxContractOptions {
  /** Opens a mailbox; the check closes it. What it rejects with fails the check. */
  readonly open: (setup: MailboxSetup) => MailboxUnderTest | Promise<MailboxUnderTest>;
  /** What it has beside what every mailbox has. Default: nothing. */
  readonly has?: readonly MailboxFeature[] | undefined;
  /** How many random orders of calls are compared with the mailbox in memory. Default: 30. */
  readonly walks?: number | undefined;
  /** Where the random orders begin: the same number gives the same orders. Default: 1. */
  readonly seed?: number | undefined;
  /** How long a change may take to be told. Default: 2,000 ms. */
  readonly settleMs?: number | undefined;
  /** How long one check may take. Default: 60,000 ms. */
  readonly timeoutMs?: number | undefined;
}

/** One thing that a mailbox has to do. */
export interface MailboxCheck {
  /** The rule of `spec/injection.md` and what is checked: `IJ-12: only the first end of a lease counts`. */
  readonly name: string;
  /** The rule alone: `IJ-12`. */
  readonly rule: string;
  /** After so long `run` rejects, for frameworks that have a limit of their own. */
  readonly timeoutMs: number;
  /** Rejects with an `AssertionError` that says what was expected and what came. Needs no `this`. */
  readonly run: () => Promise<void>;
}

/** A check that does not apply. */
export interface LeftOutCheck {
  readonly name: string;
  /** What the mailbox lacks for it. */
  readonly reason: string;
}

/** The checks that apply, in order; and those that do not. */
export interface MailboxContract extends ReadonlyArray<MailboxCheck> {
  readonly leftOut: readonly LeftOutCheck[];
}
