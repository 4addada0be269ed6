/** A mailbox in Redis, for agents on several hosts: the public exports. */

export { MailboxUnavailableError, type UnavailableDetails } from '../../unavailable-error.js';
export type { EvalOptions, RedisClientLike, RedisSubscriberLike } from './link.js';
export { openRedisMailbox, type RedisMailbox } from './mailbox.js';
export type { RedisMailboxOptions } from './options.js';
