/** The options of a mailbox in Redis, with their defaults. */
import { MAX_TIMER_MS } from '../../../base/async/timeout.js';
import { HookError, show } from '../../../base/errors.js';
import { MIN_BOUND } from '../../../base/text/cut-text.js';
import { type OptionNames, refuseUnknownOptions } from '../../../base/text/known-options.js';
import type { RedisClientLike } from './link.js';
import { MAX_LEASE_MS } from './lua/agent.js';

/** Where the server is, how much the mailbox may hold, and for how long. Either `url` or `client` is required. */
export interface RedisMailboxOptions {
  /**
   * The server's address: `redis://host:6379`, `rediss://user:password@host`. The mailbox opens and closes the
   * connection.
   */
  readonly url?: string | undefined;
  /** Instead, a connected client of the package `redis`, for one server or a cluster. The mailbox does not close it. */
  readonly client?: RedisClientLike | undefined;
  /** The mailbox's name: mailboxes with the same prefix are shared. Default: `hookline`. */
  readonly prefix?: string | undefined;
  /** How long a lease lasts; after that its items are queued again. Default: 300,000 ms, at most a day. */
  readonly leaseMs?: number | undefined;
  /**
   * Maximum number of undelivered items per agent, and in the log for several agents; further ones are rejected.
   * Default: 10,000.
   */
  readonly maxItems?: number | undefined;
  /** Longer content is truncated and marked as such. Default: 10,000 characters. */
  readonly maxContentLength?: number | undefined;
  /** How many finished items are kept per agent and in the log. Default: 1,000. */
  readonly maxRemembered?: number | undefined;
  /** How long finished items are kept at most. Default: an hour. */
  readonly rememberMs?: number | undefined;
  /** Data that is not used for this time is deleted from the server. Default: seven days. */
  readonly retentionMs?: number | undefined;
  /** Timeout of a call to the server. Default: 5,000 ms. */
  readonly timeoutMs?: number | undefined;
  /**
   * How many replicas must have confirmed a change before a call resolves; otherwise it rejects. Closes the window in
   * which a replica takes over that has not received everything. Default: 0, do not wait.
   */
  readonly waitReplicas?: number | undefined;
  /** Whether `onChange` also reports changes by other processes. Needs a second connection. Default: false. */
  readonly watch?: boolean | undefined;
  /** Whether other processes can watch changes by this one. Default: true. */
  readonly announce?: boolean | undefined;
}

const OPTIONS: OptionNames<RedisMailboxOptions> = {
  url: true,
  client: true,
  prefix: true,
  leaseMs: true,
  maxItems: true,
  maxContentLength: true,
  maxRemembered: true,
  rememberMs: true,
  retentionMs: true,
  timeoutMs: true,
  waitReplicas: true,
  watch: true,
  announce: true,
};

export type RedisSettings = Readonly<
  Required<{
    [K in Exclude<keyof RedisMailboxOptions, 'url' | 'client'>]: NonNullable<RedisMailboxOptions[K]>;
  }>
>;

const NUMBERS = {
  leaseMs: { default: 300_000, least: 1, most: MAX_LEASE_MS },
  maxItems: { default: 10_000, least: 1, most: 10_000_000 },
  maxContentLength: { default: 10_000, least: MIN_BOUND, most: 10_000_000 },
  maxRemembered: { default: 1000, least: 0, most: 10_000_000 },
  rememberMs: { default: 3_600_000, least: 1, most: 31_536_000_000 },
  retentionMs: { default: 604_800_000, least: 1, most: 31_536_000_000 },
  timeoutMs: { default: 5000, least: 1, most: MAX_TIMER_MS },
  waitReplicas: { default: 0, least: 0, most: 100 },
} as const;

export function readOptions(options: RedisMailboxOptions): RedisSettings {
  refuseUnknownOptions('openRedisMailbox', options, OPTIONS);
  if ((options.url === undefined) === (options.client === undefined)) {
    throw refuse('A mailbox in Redis needs either `url` or `client`, not both.');
  }
  const { prefix = 'hookline', watch = false, announce = true } = options;
  if (typeof prefix !== 'string' || prefix === '' || prefix.length > 256) {
    throw refuse(`prefix of a mailbox in Redis is ${show(prefix)}; give a name of 1 to 256 characters.`);
  }
  const settings = { ...readNumbers(options), prefix, watch, announce };
  const { retentionMs, leaseMs, rememberMs } = settings;
  if (retentionMs < Math.max(leaseMs, rememberMs)) {
    throw refuse(
      `retentionMs of a mailbox in Redis is ${retentionMs}; give at least leaseMs (${leaseMs}) and rememberMs (${rememberMs}).`,
    );
  }
  return settings;
}

function readNumbers(options: RedisMailboxOptions): Record<keyof typeof NUMBERS, number> {
  const entries = Object.entries(NUMBERS).map(([name, { default: otherwise, least, most }]) => {
    const value: unknown = options[name as keyof typeof NUMBERS] ?? otherwise;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) {
      return [name, value] as const;
    }
    throw refuse(
      `${name} of a mailbox in Redis is ${show(value)}; give a whole number from ${least} to ${most}.`,
    );
  });
  // The names are those of the table.
  return Object.fromEntries(entries) as Record<keyof typeof NUMBERS, number>;
}

function refuse(message: string): HookError {
  return new HookError('invalid_option', message);
}
