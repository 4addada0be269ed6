/** The options of the in-memory mailbox. */
import type { OptionNames } from '../base/text/known-options.js';

/** How much a mailbox may hold, and for how long. */
export interface MailboxOptions {
  /** Agents that are known from the start. */
  readonly agents?: readonly string[] | undefined;
  /** Maximum number of undelivered items; further ones are rejected. Default: 10,000. */
  readonly maxItems?: number | undefined;
  /** Longer content is truncated and marked as such. Default: 10,000 characters. */
  readonly maxContentLength?: number | undefined;
  /** How long a lease lasts; after that its items are queued again. Default: 300,000 ms. */
  readonly leaseMs?: number | undefined;
  /** How many finished items are kept for `status` and for agents that join later. Default: 1,000. */
  readonly maxRemembered?: number | undefined;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** The names of the options; unknown ones are rejected. */
export const MAILBOX_OPTIONS: OptionNames<MailboxOptions> = {
  agents: true,
  maxItems: true,
  maxContentLength: true,
  leaseMs: true,
  maxRemembered: true,
  now: true,
};
