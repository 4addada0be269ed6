/** Hears what others do with the mailbox. What happens while the connection is away is not heard of: `status` knows it. */
import { z } from 'zod';
import { messageOf } from '../../../base/errors.js';
import { unescapeName } from './keys.js';
import type { RedisClientLike } from './link.js';
import type { Ground } from './redis-context.js';
import { readChange, toChange } from './replies.js';
import { MailboxUnavailableError } from './unavailable-error.js';

const schema = z.object({
  by: z.string(),
  agents: z.array(z.string()),
  at: z.number(),
  changes: z.array(z.array(z.string())),
});

/** Returns the function that ends it. */
export async function watchOthers(
  client: RedisClientLike,
  { keys, feed, instance }: Ground,
): Promise<() => void> {
  const subscriber = client.duplicate();
  // The connection comes back by itself.
  subscriber.on('error', () => {});
  try {
    await subscriber.connect();
    await subscriber.subscribe(keys.channel, (message) => {
      const heard = readMessage(message);
      if (heard === undefined || heard.by === instance) return;
      const { agents, at, changes } = heard;
      const noted = changes.map(readChange);
      feed.tell(agents.flatMap((agent) => noted.map((change) => toChange(unescapeName(agent), at, change))));
    });
  } catch (cause) {
    subscriber.destroy();
    throw new MailboxUnavailableError(`Redis lets nobody watch (${messageOf(cause)}).`, {
      mayHaveHappened: false,
      cause,
    });
  }
  return () => {
    subscriber.destroy();
  };
}

function readMessage(message: string): z.output<typeof schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}
