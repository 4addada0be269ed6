/** The mailbox in Redis against the contract of all mailboxes. */
import { describe, it } from 'vitest';
import { openRedisMailbox } from '../../../../src/injection/mailboxes/redis/index.js';
import { mailboxContract } from '../../../../src/testing/mailbox-kit.js';
import { useRedis } from './support/bench.js';
import { hasRedis } from './support/server.js';

const redis = useRedis();

const contract = mailboxContract({
  open: ({ store, watch, leaseMs, maxItems, maxContentLength, maxRemembered }) => {
    const bounds = { leaseMs, maxItems, maxContentLength, maxRemembered };
    return openRedisMailbox({ url: redis.server.url, prefix: store, watch, timeoutMs: 30_000, ...bounds });
  },
  has: [
    'leaseMs',
    'maxItems',
    'maxContentLength',
    'maxRemembered',
    'shared',
    'durable',
    'watch',
    'membership',
  ],
  walks: 150,
  timeoutMs: 180_000,
});

describe.skipIf(!hasRedis)('in Redis', () => {
  for (const { name, run, timeoutMs } of contract) it(`RD-2: ${name}`, run, timeoutMs);
});
