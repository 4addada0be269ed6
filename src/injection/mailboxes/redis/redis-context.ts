/** What everything here stands on: the way to the server, the names of the keys, the settings, and those who are told. */
import type { ChangeFeed } from '../../changes.js';
import type { Keys } from './keys.js';
import type { Link } from './link.js';
import type { RedisSettings } from './options.js';

export interface Ground {
  readonly link: Link;
  readonly keys: Keys;
  readonly settings: RedisSettings;
  readonly feed: ChangeFeed;
  /** Who we are, among all who use the mailbox. */
  readonly instance: string;
}

/** Where changes are announced; nowhere: nobody is to hear of them. */
export function channelOf({ keys, settings }: Ground): string {
  return settings.announce ? keys.channel : '';
}
