/** Marks in a request where the service's cache ends, so that the next request reads from it what stays the same. */
import type Anthropic from '@anthropic-ai/sdk';
import type { CacheLifetime } from './service-options.js';

type Mark = { readonly cache_control: Anthropic.CacheControlEphemeral };

export const markOf = (lifetime: CacheLifetime): Mark => ({
  cache_control: { type: 'ephemeral', ...(lifetime === '1h' && { ttl: lifetime }) },
});

/** Marks the last element. */
export function markLast<T extends object>(list: readonly T[], mark: Mark): T[] {
  return list.map((each, i) => (i === list.length - 1 ? { ...each, ...mark } : each));
}

/**
 * Marks the last two messages of the user: where this request ends, and where the last one ended. The API accepts four marks, and
 * looks back only 20 blocks from each, which a turn with many calls exceeds.
 */
export function markMessages(
  messages: readonly Anthropic.MessageParam[],
  mark: Mark,
): Anthropic.MessageParam[] {
  const last = messages.findLastIndex(isUser);
  const before = messages.slice(0, Math.max(0, last)).findLastIndex(isUser);
  return messages.map((message, i) =>
    (i === last || i === before) && typeof message.content === 'object'
      ? ({ ...message, content: markLast(message.content, mark) } as Anthropic.MessageParam)
      : message,
  );
}

const isUser = ({ role }: Anthropic.MessageParam): boolean => role === 'user';
