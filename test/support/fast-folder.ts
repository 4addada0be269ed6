/**
 * Where tests write that wait for the disk all the time: in memory, where the system has a folder for that. Nothing is
 * executed there. What must survive an end of the machine no test can see; some tests of mailboxes use a real disk.
 */
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 512 * 1024 * 1024;

function isUsable(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}

export const FAST_FOLDER: string = isUsable() ? IN_MEMORY : tmpdir();
