/** Numbers those who put items in. No clock is asked: whoever begins later has a higher number than all before. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { syncFolders, writePrivate } from '../../../base/files/private.js';
import { writeOwner } from '../../../process/owner.js';
import { list, remove } from './disk.js';
import { codeOf } from './disk-error.js';
import { toHex, type Writer } from './item-name.js';
import type { Desk } from './mailbox-context.js';

const EPOCH = /^[0-9a-f]{10}$/;

export async function beginEpoch({ place, owner }: Desk): Promise<Writer> {
  for (;;) {
    const epoch = Math.max(0, ...(await epochsIn(place.epochs))) + 1;
    try {
      await writePrivate(join(place.epochs, toHex(epoch, 10)), `${writeOwner(owner)}\n`);
    } catch (error) {
      // Another writer begins at the same moment and was quicker.
      if (codeOf(error) === 'EEXIST') continue;
      throw error;
    }
    await syncFolders(place.epochs);
    return { epoch, id: randomBytes(4).toString('hex') };
  }
}

/** The highest one is what the next one is measured by. */
export async function forgetEpochs({ place }: Desk): Promise<void> {
  const epochs = await epochsIn(place.epochs);
  const highest = Math.max(0, ...epochs);
  for (const epoch of epochs) if (epoch < highest) await remove(join(place.epochs, toHex(epoch, 10)));
}

async function epochsIn(folder: string): Promise<number[]> {
  return (await list(folder)).filter((file) => EPOCH.test(file)).map((file) => Number.parseInt(file, 16));
}
