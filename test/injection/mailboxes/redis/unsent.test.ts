import { ClientClosedError, ClientOfflineError } from 'redis';
import { describe, expect, it } from 'vitest';
import { MailboxUnavailableError } from '../../../../src/injection/mailboxes/redis/index.js';
import { Link, type RedisClientLike } from '../../../../src/injection/mailboxes/redis/link.js';

describe('a call that the client did not send', () => {
  /** Bundlers that minify give the classes of the package `redis` other names. */
  const kinds = [ClientClosedError, ClientOfflineError];
  it.each([...kinds, ...kinds.map((kind) => class Minified extends kind {})])(
    'RD-9: is known not to have happened, also where a bundler shortened the names of classes: %o',
    async (kind) => {
      const client = { get: () => Promise.reject(new kind()) } as Partial<RedisClientLike> as RedisClientLike;
      const call = new Link(client, 1000).call('take', (on) => on.get('key'));
      const error = await call.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(MailboxUnavailableError);
      expect(error).toMatchObject({
        mayHaveHappened: false,
        message: expect.stringContaining('take was not executed'),
      });
    },
  );
});
