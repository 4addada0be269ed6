/** Where a team keeps messages, answers and votes: in memory, in a directory, or in Redis. */
import { join } from 'node:path';
import { HookError } from '../../base/errors.js';
import { openFileMailbox } from '../../injection/mailboxes/files/index.js';
import { createMailbox } from '../../injection/mailboxes/memory/mailbox.js';
import { openRedisMailbox } from '../../injection/mailboxes/redis/index.js';
import type { Mailbox } from '../../injection/port.js';

export interface TeamStore {
  readonly mailbox: Mailbox;
  readonly log: Mailbox;
  /** Whether other processes can take part. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

/** Room for the longest answer. */
const LENGTH = { maxContentLength: 1_000_000 };
const POLL_MS = 200;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Rejects with an error for a directory that is not private, and for a server that cannot be reached. */
export async function openStore(
  { files, redis }: { readonly files: string | undefined; readonly redis: string | undefined },
  session: string,
  agents: readonly string[],
): Promise<TeamStore> {
  if (files !== undefined && redis !== undefined)
    throw new HookError('invalid_option', '--files and --redis exclude each other; give one of them.');
  const open = (name: string): Promise<Mailbox> => {
    if (files !== undefined)
      return openFileMailbox({ ...LENGTH, directory: join(files, session, name), pollMs: POLL_MS });
    if (redis !== undefined)
      return openRedisMailbox({
        ...LENGTH,
        url: redis,
        prefix: `hookline-team:${session}:${name}`,
        watch: true,
      });
    return Promise.resolve(createMailbox({ ...LENGTH, agents, leaseMs: DAY_MS }));
  };
  const mailbox = await open('messages');
  try {
    const log = await open('log');
    return {
      mailbox,
      log,
      isShared: files !== undefined || redis !== undefined,
      close: async () => {
        await mailbox.close();
        await log.close();
      },
    };
  } catch (error) {
    await mailbox.close();
    throw error;
  }
}
