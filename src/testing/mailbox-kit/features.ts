/** Optional features of a mailbox: checks that need a missing feature are left out, with a reason. */

/** Why a check is left out if the mailbox lacks the feature. */
export const FEATURES = {
  clock: 'it does not take the time from `now`',
  leaseMs: 'the length of its leases cannot be set',
  maxItems: 'its maximum number of items cannot be set',
  maxContentLength: 'where it cuts content cannot be set',
  maxRemembered: 'its number of remembered items cannot be set',
  shared: 'two mailboxes with the same `store` do not share their items',
  durable: 'its items are lost when it is closed',
  watch: 'it does not report changes by others',
  membership: 'it has no `join` and `leave`',
  withdraw: 'it has no `withdraw`',
} as const;

/**
 * An optional feature of a mailbox.
 *
 * - `clock`: it takes the time from `now` of the setup, for leases and expiry; otherwise the checks wait.
 * - `leaseMs`, `maxItems`, `maxContentLength`, `maxRemembered`: it obeys that limit of the setup.
 * - `shared`: mailboxes that are opened with the same `store`, at the same time, share their items.
 * - `durable`: the items of a closed mailbox are still there when its `store` is opened again.
 * - `watch`: with `watch` in the setup, `onChange` also reports changes by others with the same `store`.
 * - `membership`: it has `join` and `leave`. `withdraw`: it has that method.
 */
export type MailboxFeature = keyof typeof FEATURES;

export const ALL_FEATURES = Object.keys(FEATURES) as readonly MailboxFeature[];
