/** Opens and closes connections. Loads the package `redis` for the first one. */
import pTimeout from 'p-timeout';
import { HookError, messageOf } from '../../../base/errors.js';
import { loadOptional, rethrow } from '../../../base/optional-package.js';
import { MailboxUnavailableError } from '../../unavailable-error.js';
import type { RedisClientLike } from './link.js';

interface OwnClient extends RedisClientLike, Closable {
  readonly isReady: boolean;
  unref(): void;
}

/** `redis` 4 has other names for both, and since 5 they throw when the client is closed. */
export interface Closable {
  close?(): Promise<unknown>;
  quit?(): Promise<unknown>;
  destroy?(): unknown;
  disconnect?(): unknown;
}

/** Closes a client at once. Never throws. */
export function destroyClient(client: Closable): void {
  try {
    const result = client.destroy === undefined ? client.disconnect?.() : client.destroy();
    Promise.resolve(result).catch(() => {});
  } catch {
    // It was already closed.
  }
}

export interface OwnConnection {
  readonly client: RedisClientLike;
  /** Keeps the connection, but does not keep the process alive. */
  unref(): void;
  /** Never rejects. Waits for pending calls, but not for a server that is unavailable. */
  end(): Promise<void>;
}

type RedisPackage = Pick<typeof import('redis'), 'createClient'>;

const MAX_RECONNECT_DELAY_MS = 1000;

/**
 * Rejects if the server does not respond. Later the client reconnects automatically, and calls are rejected in the
 * meantime.
 */
export async function connectRedis(url: string, timeoutMs: number): Promise<OwnConnection> {
  const { createClient } = await loadOptional(
    'redis',
    'A mailbox in Redis needs',
    async (): Promise<RedisPackage> => {
      try {
        return await import('redis');
      } catch (error) {
        return rethrow(error);
      }
    },
    (message, cause) => new HookError('invalid_option', message, { cause }),
  );
  /** Reconnects only after the first connection, and only until it is closed. */
  let reconnects = false;
  let client: OwnClient & { on(event: 'error', listener: () => void): unknown; connect(): Promise<unknown> };
  try {
    client = createClient({
      url,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: timeoutMs,
        reconnectStrategy: (retries) =>
          reconnects && Math.min(20 * 2 ** Math.min(retries, 10), MAX_RECONNECT_DELAY_MS),
      },
    });
  } catch (error) {
    throw new HookError(
      'invalid_option',
      `url of a mailbox in Redis is invalid (${messageOf(error)}); give one like redis://localhost:6379.`,
    );
  }
  // Each failed call reports its own error.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (cause) {
    destroyClient(client);
    throw new MailboxUnavailableError(
      `No Redis answers at ${hideSecrets(url)} (${messageOf(cause)}); start one, or give another \`url\`.`,
      { mayHaveHappened: false, cause },
    );
  }
  reconnects = true;
  return {
    client,
    unref: () => {
      reconnects = false;
      client.unref();
    },
    end: () => disconnect(client, timeoutMs),
  };
}

function hideSecrets(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}

async function disconnect(client: OwnClient, timeoutMs: number): Promise<void> {
  try {
    if (client.isReady) await pTimeout(closing(client), { milliseconds: timeoutMs, message: false });
  } catch {
    // It was already closed.
  } finally {
    destroyClient(client);
  }
}

async function closing(client: Closable): Promise<void> {
  await (client.close === undefined ? client.quit?.() : client.close());
}
