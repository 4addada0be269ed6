/** Checks whether a server is suitable for a mailbox. */
import { HookError, show } from '../../../base/errors.js';
import { makeScript, nameScript } from './lua/script.js';
import type { RedisContext } from './redis-context.js';

/** Older servers support neither this constant nor the first line of the other scripts. */
const VERSION = nameScript(`return redis.REDIS_VERSION or ''`);
const INFO = makeScript([`return redis.call('INFO', 'memory') .. redis.call('INFO', 'persistence')`], {
  frees: true,
});

const OLDEST = 7;

export async function checkVersion({ link, keys }: RedisContext): Promise<void> {
  const version = await link.run('opening the mailbox', VERSION, keys.common, []);
  if (Number.parseInt(String(version), 10) >= OLDEST) return;
  throw new HookError(
    'invalid_option',
    `A mailbox in Redis needs Redis ${OLDEST} or later; this one is ${show(version === '' ? 'older' : version)}.`,
  );
}

export async function findDoubts({ link, keys }: RedisContext): Promise<readonly string[]> {
  const info = String(await link.run('looking at the server', INFO, keys.common, []));
  const read = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const doubts: string[] = [];
  if (read('aof_enabled') === '0') {
    doubts.push(
      'appendonly is off: a server that stops without saving loses new items and delivers acknowledged ones again.',
    );
  }
  const policy = read('maxmemory_policy');
  if (read('maxmemory') !== '0' && policy !== 'noeviction') {
    doubts.push(
      `maxmemory-policy is ${policy}: a server that runs out of memory deletes items; set noeviction.`,
    );
  }
  return doubts;
}
