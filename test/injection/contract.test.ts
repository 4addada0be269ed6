/** The mailbox in memory against the contract of all mailboxes. */
import { describe, expect, it } from 'vitest';
import { createMailbox } from '../../src/injection/mailboxes/memory/mailbox.js';
import { mailboxContract } from '../../src/testing/mailbox-kit.js';

const contract = mailboxContract({
  open: ({ now, leaseMs, maxItems, maxContentLength, maxRemembered }) =>
    createMailbox({ now, leaseMs, maxItems, maxContentLength, maxRemembered }),
  has: ['clock', 'leaseMs', 'maxItems', 'maxContentLength', 'maxRemembered', 'membership', 'withdraw'],
});

describe('in memory', () => {
  for (const { name, run, timeoutMs } of contract) it(name, run, timeoutMs);

  it('MK-2: what is left out is what needs more than one process', () => {
    expect(new Set(contract.leftOut.map(({ reason }) => reason.split(';')[0]))).toEqual(
      new Set([
        'two mailboxes with the same `store` do not share their items',
        'its items are lost when it is closed',
      ]),
    );
  });
});
