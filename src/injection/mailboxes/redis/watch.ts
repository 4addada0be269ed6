/** Subscribes to changes by other processes. Changes during a disconnection are missed; `status` includes them. */
import { z } from 'zod';
import { messageOf } from '../../../base/errors.js';
import { MailboxUnavailableError } from '../../unavailable-error.js';
import { destroyClient } from './connect.js';
import { unescapeName } from './keys.js';
import type { RedisClientLike } from './link.js';
import type { RedisContext } from './redis-context.js';
import { readChange, toChange } from './replies.js';

const schema = z.object({
  by: z.string(),
  agents: z.array(z.string()),
  at: z.number(),
  changes: z.array(z.array(z.string())),
});

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
      const heard = readMessage(message);
      if (heard === undefined || heard.by === instance) return;
      const { agents, at, changes } = heard;
      const noted = changes.map(readChange);
      feed.emit(agents.flatMap((agent) => noted.map((change) => toChange(unescapeName(agent), at, change))));
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

function readMessage(message: string): z.output<typeof schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}
