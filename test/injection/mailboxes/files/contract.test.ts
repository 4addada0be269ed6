/** The mailbox in a directory against the contract of all mailboxes; after a restart the one before is a process that is dead. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMailboxAs } from '../../../../src/injection/mailboxes/files/file-mailbox.js';
import { currentOwner, type Owner } from '../../../../src/process/owner.js';
import { mailboxContract } from '../../../../src/testing/mailbox-kit.js';
import { FAST_FOLDER } from '../../../support/fast-folder.js';
import { deadOwner } from './support.js';

const base = mkdtempSync(join(FAST_FOLDER, 'hookline-files-'));
const owners: Owner[] = [];
const problems: string[] = [];
const onProblem = ({ message }: Error): void => void problems.push(message);
beforeAll(async () => {
  for (let i = 0; i < 12; i++) owners.push(await deadOwner());
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const contract = mailboxContract({
  open: ({ store, life, now, watch, leaseMs, maxItems, maxContentLength, maxRemembered }) => {
    const bounds = { leaseMs, maxItems, maxContentLength, maxRemembered };
    const pollMs = watch ? 20 : 3_600_000;
    const options = { directory: join(base, store), now, pollMs, onProblem, ...bounds };
    return openMailboxAs(options, life === 0 ? currentOwner() : (owners[life % owners.length] as Owner));
  },
  has: [
    'clock',
    'leaseMs',
    'maxItems',
    'maxContentLength',
    'maxRemembered',
    'shared',
    'durable',
    'watch',
    'membership',
  ],
  walks: 40,
  timeoutMs: 180_000,
});

describe('in a directory', () => {
  for (const { name, run, timeoutMs } of contract) it(`FI-3: ${name}`, run, timeoutMs);

  it('FI-10: the only problem that came up was that something was acknowledged too late', () => {
    expect(problems.filter((message) => !message.includes('acknowledged too late'))).toEqual([]);
    expect(problems.length).toBeGreaterThan(0);
  });
});
