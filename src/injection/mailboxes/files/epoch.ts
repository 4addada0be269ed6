/** Numbers the writers without a clock: each new writer gets a higher number than all before. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { syncFolders, writePrivate } from '../../../base/files/private.js';
import { writeOwner } from '../../../process/owner.js';
import { list, remove } from './disk.js';
import { codeOf } from './disk-error.js';
import { toHex, type Writer } from './item-name.js';
import type { MailboxContext } from './mailbox-context.js';

const EPOCH = /^[0-9a-f]{10}$/;

export async function beginEpoch({ place, owner }: MailboxContext): Promise<Writer> {
  for (;;) {
    const epoch = Math.max(0, ...(await epochsIn(place.epochs))) + 1;
    try {
      await writePrivate(join(place.epochs, toHex(epoch, 10)), `${writeOwner(owner)}\n`);
    } catch (error) {
      // Another writer started at the same time and was faster.
      if (codeOf(error) === 'EEXIST') continue;
      throw error;
    }
    await syncFolders(place.epochs);
    return { epoch, id: randomBytes(4).toString('hex') };
  }
}

/** The highest epoch is kept, because the next one is derived from it. */
export async function removeEpochs({ place }: MailboxContext): Promise<void> {
  const epochs = await epochsIn(place.epochs);
  const highest = Math.max(0, ...epochs);
  for (const epoch of epochs) if (epoch < highest) await remove(join(place.epochs, toHex(epoch, 10)));
}

async function epochsIn(folder: string): Promise<number[]> {
  return (await list(folder)).filter((file) => EPOCH.test(file)).map((file) => Number.parseInt(file, 16));
}
