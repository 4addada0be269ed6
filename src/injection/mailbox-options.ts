/** What a mailbox in memory can be told. */
import type { OptionNames } from '../base/text/known-options.js';

/** How much a mailbox may hold, and for how long. */
export interface MailboxOptions {
  /** Agents that are known from the beginning. */
  readonly agents?: readonly string[] | undefined;
  /** How many items may be on their way at once; the next one is refused. Default: 10,000. */
  readonly maxItems?: number | undefined;
  /** Longer content is cut, and says so. Default: 10,000 characters. */
  readonly maxContentLength?: number | undefined;
  /** How long somebody may be about to send items before they wait again. Default: 300,000 ms. */
  readonly leaseMs?: number | undefined;
  /** How many items that have come to their end are remembered, for `status` and for agents that join. Default: 1,000. */
  readonly maxRemembered?: number | undefined;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Their names, for who refuses others. */
export const MAILBOX_OPTIONS: OptionNames<MailboxOptions> = {
  agents: true,
  maxItems: true,
  maxContentLength: true,
  leaseMs: true,
  maxRemembered: true,
  now: true,
};
