/**
 * The context that all parts of the mailbox share: the link to the server, the keys, the settings, and the listeners.
 */
import type { ChangeFeed } from '../../changes.js';
import type { Keys } from './keys.js';
import type { Link } from './link.js';
import type { RedisSettings } from './options.js';

export interface RedisContext {
  readonly link: Link;
  readonly keys: Keys;
  readonly settings: RedisSettings;
  readonly feed: ChangeFeed;
  /** Identifies this process among all that use the mailbox. */
  readonly instance: string;
}

/** The channel for changes; empty if they are not published. */
export function channelOf({ keys, settings }: RedisContext): string {
  return settings.announce ? keys.channel : '';
}
