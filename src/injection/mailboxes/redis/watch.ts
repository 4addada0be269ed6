/** Subscribes to changes by other processes. Changes during a disconnection are missed; `status` includes them. */
import { messageOf } from '../../../base/errors.js';
import { MailboxUnavailableError } from '../../unavailable-error.js';
import { destroyClient } from './connect.js';
import { unescapeName } from './keys.js';
import type { RedisClientLike } from './link.js';
import type { RedisContext } from './redis-context.js';
import { readChanges, toChange } from './replies.js';

/** Returns a function that ends the subscription. */
export async function watchOthers(
  client: RedisClientLike,
  { keys, feed, instance }: RedisContext,
): Promise<() => void> {
  const subscriber = client.duplicate();
  // The client reconnects automatically.
  subscriber.on('error', () => {});
  try {
    await subscriber.connect();
    await subscriber.subscribe(keys.channel, (message) => {
      const end = message.indexOf('\n');
      const [by, agents = '', seconds, micros] = message.slice(0, end).split(' ');
      const at = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
      // Other programs can publish here too.
      if (end < 0 || by === instance || !Number.isFinite(at)) return;
      const changes = readChanges(message.slice(end + 1));
      const names = agents.split(',').map(unescapeName);
      feed.emit(names.flatMap((agent) => changes.map((change) => toChange(agent, at, change))));
    });
  } catch (cause) {
    destroyClient(subscriber);
    throw new MailboxUnavailableError(`Redis rejected the subscription (${messageOf(cause)}).`, {
      mayHaveHappened: false,
      cause,
    });
  }
  return () => destroyClient(subscriber);
}
