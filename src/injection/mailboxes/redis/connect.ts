/** Makes and ends connections. The package `redis` is loaded when the first one is made. */
import pTimeout from 'p-timeout';
import { HookError, messageOf } from '../../../base/errors.js';
import type { RedisClientLike } from './link.js';
import { MailboxUnavailableError } from './unavailable-error.js';

interface OwnClient extends RedisClientLike {
  readonly isReady: boolean;
  close(): Promise<void>;
  destroy(): void;
  unref(): void;
}

export interface OwnConnection {
  readonly client: RedisClientLike;
  /** It stays as long as it lasts, and keeps no process alive. */
  letGo(): void;
  /** Never rejects. Waits for what is under way, but for no server that is away. */
  end(): Promise<void>;
}

type RedisPackage = Pick<typeof import('redis'), 'createClient'>;

const MAX_PAUSE_MS = 1000;

/** Rejects when nobody answers. Later the connection comes back by itself, and calls are refused while it is away. */
export async function connectRedis(
  url: string,
  timeoutMs: number,
  load: () => Promise<RedisPackage> = () => import('redis'),
): Promise<OwnConnection> {
  const { createClient } = await loadRedis(load);
  /** Not before it was there once, and not after it is needed no more. */
  let comesBack = false;
  let client: OwnClient & { on(event: 'error', listener: () => void): unknown; connect(): Promise<unknown> };
  try {
    client = createClient({
      url,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: timeoutMs,
        reconnectStrategy: (retries) => comesBack && Math.min(20 * 2 ** Math.min(retries, 10), MAX_PAUSE_MS),
      },
    });
  } catch (error) {
    throw new HookError(
      'invalid_option',
      `url of a mailbox in Redis cannot be used (${messageOf(error)}); give one like redis://localhost:6379.`,
    );
  }
  // Each call that fails says so itself.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (cause) {
    client.destroy();
    throw new MailboxUnavailableError(
      `No Redis answers at ${hideSecrets(url)} (${messageOf(cause)}); start one, or give another \`url\`.`,
      { mayHaveHappened: false, cause },
    );
  }
  comesBack = true;
  return {
    client,
    letGo: () => {
      comesBack = false;
      client.unref();
    },
    end: () => disconnect(client, timeoutMs),
  };
}

async function loadRedis(load: () => Promise<RedisPackage>): Promise<RedisPackage> {
  try {
    return await load();
  } catch (cause) {
    throw new HookError(
      'invalid_option',
      'A mailbox in Redis needs the package redis, which cannot be loaded: npm install redis',
      { cause },
    );
  }
}

function hideSecrets(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}

async function disconnect(client: OwnClient, timeoutMs: number): Promise<void> {
  try {
    if (client.isReady) await pTimeout(client.close(), { milliseconds: timeoutMs, message: false });
  } catch {
    // It was closed already.
  } finally {
    client.destroy();
  }
}
