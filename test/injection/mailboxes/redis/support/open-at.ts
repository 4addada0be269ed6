/** Opens a mailbox for a program of the tests: one address is a server, several are the masters of a cluster. */
import { createCluster } from 'redis';
import {
  openRedisMailbox,
  type RedisMailbox,
  type RedisMailboxOptions,
} from '../../../../../src/injection/mailboxes/redis/index.js';

export interface OpenedMailbox {
  readonly mailbox: RedisMailbox;
  end(): Promise<void>;
}

export async function openAt(address: string, options: RedisMailboxOptions): Promise<OpenedMailbox> {
  const urls = address.split(',');
  if (urls.length === 1) {
    const mailbox = await openRedisMailbox({ ...options, url: address });
    return { mailbox, end: () => mailbox.close() };
  }
  const client = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    topologyRefreshOnReconnectionAttemptStrategy: 300,
    defaults: { socket: { connectTimeout: 1000, reconnectStrategy: () => 50 }, disableOfflineQueue: true },
  });
  client.on('error', () => {});
  await client.connect();
  // A process may be started while the cluster elects a new master: opening is refused until it has one.
  const mailbox = await insist(() => openRedisMailbox({ ...options, client }));
  const end = async (): Promise<void> => {
    await mailbox.close();
    client.destroy();
  };
  return { mailbox, end };
}

/** Repeats a call while the server is not available: that is what `mayHaveHappened` is for. */
export async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as Error).name !== 'MailboxUnavailableError') throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
