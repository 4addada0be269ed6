/** What the tests of the mailbox in Redis share: a server for a file, mailboxes that are closed, a record of what they say. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import {
  openRedisMailbox,
  type RedisMailbox,
  type RedisMailboxOptions,
} from '../../../../../src/injection/mailboxes/redis/index.js';
import type { InjectionChange } from '../../../../../src/injection/port.js';
import { hasRedis, type RedisOptions, RedisServer } from './server.js';

export interface RedisBench {
  readonly mailbox: RedisMailbox;
  readonly changes: InjectionChange[];
  /** The changes as words: `a x queued`. */
  told(): string[];
}

export interface RedisForTests {
  readonly server: RedisServer;
  /** A mailbox, by default of its own; closed with the test. */
  open(options?: RedisMailboxOptions): Promise<RedisBench>;
  newPrefix(): string;
}

/** One server for all tests of a file. */
export function useRedis(options: RedisOptions = {}): RedisForTests {
  let server: RedisServer | undefined;
  beforeAll(async () => {
    if (hasRedis) server = await RedisServer.start(options);
  });
  afterAll(() => server?.stop());
  const newPrefix = (): string => `test ${randomUUID()}`;
  const running = (): RedisServer => {
    if (server === undefined) throw new Error('there is no server');
    return server;
  };
  return {
    get server() {
      return running();
    },
    newPrefix,
    open: (given = {}) => openFor({ url: running().url, prefix: newPrefix(), ...given }),
  };
}

export async function openFor(options: RedisMailboxOptions): Promise<RedisBench> {
  const mailbox = await openRedisMailbox(options);
  onTestFinished(() => mailbox.close());
  const changes: InjectionChange[] = [];
  mailbox.onChange((change) => changes.push(change));
  return {
    mailbox,
    changes,
    told: () => changes.map(({ agentId, id, state }) => `${agentId} ${id} ${state}`),
  };
}

/** Asks again until it is so. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 60_000,
): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
