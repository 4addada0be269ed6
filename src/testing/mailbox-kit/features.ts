/** What a mailbox may have beside what every mailbox has: checks that need more than it has are left out, with the reason. */

/** Why a check is left out where the mailbox lacks it. */
export const FEATURES = {
  clock: 'it does not take the time from `now`',
  leaseMs: 'the length of its leases cannot be set',
  maxItems: 'how much it may hold cannot be set',
  maxContentLength: 'where it cuts content cannot be set',
  maxRemembered: 'how much it remembers cannot be set',
  shared: 'two mailboxes with the same `store` do not share their items',
  durable: 'what it holds does not outlive it',
  watch: 'it is not told of what others do',
  membership: 'it has no `join` and `leave`',
  withdraw: 'it has no `withdraw`',
} as const;

/**
 * Something that not every mailbox has.
 *
 * - `clock`: it takes the time from `now` of the setup, for leases and for expiry; else the checks wait.
 * - `leaseMs`, `maxItems`, `maxContentLength`, `maxRemembered`: it obeys that bound of the setup.
 * - `shared`: mailboxes that are opened with the same `store`, at the same time, share their items.
 * - `durable`: what a closed mailbox held is there when its `store` is opened again.
 * - `watch`: with `watch` in the setup, `onChange` tells what others do with the same `store`.
 * - `membership`: it has `join` and `leave`. `withdraw`: it has that.
 */
export type MailboxFeature = keyof typeof FEATURES;

/** All of them. */
export const ALL_FEATURES = Object.keys(FEATURES) as readonly MailboxFeature[];
