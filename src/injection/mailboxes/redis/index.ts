/** A mailbox in Redis, for agents on several hosts: the public exports. */
export type { EvalOptions, RedisClientLike, RedisSubscriberLike } from './link.js';
export { openRedisMailbox, type RedisMailbox } from './mailbox.js';
export type { RedisMailboxOptions } from './options.js';
export { MailboxUnavailableError, type UnavailableDetails } from './unavailable-error.js';
