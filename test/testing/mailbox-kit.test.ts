import { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { type MailboxCheck, type MailboxContractOptions, mailboxContract } from '../../src/testing/index.js';
import { ALL_FEATURES } from '../../src/testing/mailbox-kit/features.js';
import { refusalOf } from '../support/runner.js';
import type { Broken } from './broken/broken.js';
import { BROKEN_HANDING_OVER } from './broken/handing-over.js';
import { BROKEN_PUTTING } from './broken/putting.js';
import { type FullMailbox, sharedMemory } from './shared-memory.js';

const QUICK = { has: ALL_FEATURES, settleMs: 20, timeoutMs: 10_000, walks: 20 } as const;
const BROKEN = [...BROKEN_PUTTING, ...BROKEN_HANDING_OVER];

function openBroken({
  setup: change = (setup) => setup,
  wrap,
  storeOf,
}: Partial<Broken>): MailboxContractOptions['open'] {
  const open = sharedMemory(storeOf);
  return (setup): FullMailbox => {
    const mailbox = open(change(setup));
    return { ...mailbox, ...wrap?.(mailbox, setup) };
  };
}

/** What each check says that fails. */
async function faultsOf(checks: Iterable<MailboxCheck>): Promise<Map<string, Error>> {
  const faults = new Map<string, Error>();
  for (const { name, run } of checks) await run().catch((error: Error) => faults.set(name, error));
  return faults;
}

describe('the kit for mailboxes', () => {
  const caught = new Set<string>();

  it('MK-1: a mailbox that has everything passes every check, in any order and at once', {
    timeout: 60_000,
  }, async () => {
    const contract = mailboxContract({ ...QUICK, settleMs: 2000, timeoutMs: 60_000, open: openBroken({}) });
    expect(contract.leftOut).toEqual([]);
    expect(await faultsOf(contract.toReversed())).toEqual(new Map());
    const results = await Promise.allSettled(contract.map(({ run }) => run()));
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('MK-1: every check names one rule and is named once', () => {
    const names = mailboxContract({ ...QUICK, open: sharedMemory() });
    for (const { name, rule } of names) expect(name).toMatch(new RegExp(`^${rule}: [a-z]`));
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
  });

  it('MK-2: what a mailbox lacks leaves checks out, each with its reason', () => {
    const everything = mailboxContract({ open: sharedMemory(), has: ALL_FEATURES });
    for (const missing of ALL_FEATURES) {
      const has = ALL_FEATURES.filter((feature) => feature !== missing);
      const { length, leftOut } = mailboxContract({ open: sharedMemory(), has });
      expect(length + leftOut.length).toBe(everything.length);
      expect(new Set(leftOut.map(({ reason }) => reason)).size).toBe(1);
    }
    const bare = mailboxContract({ open: sharedMemory() });
    expect(bare.leftOut).toContainEqual({
      name: expect.stringMatching(/^IJ-16/),
      reason: 'it has no `withdraw`',
    });
  });

  it.each(BROKEN)('MK-3: a mailbox that $what is caught: $caughtBy', { timeout: 120_000 }, async (broken) => {
    const faults = await faultsOf(mailboxContract({ ...QUICK, open: openBroken(broken) }));
    for (const name of faults.keys()) caught.add(name);
    const found = [...faults.keys()].filter((name) => name.includes(broken.caughtBy));
    expect(found.length, `it was caught by:\n${[...faults.keys()].join('\n')}`).toBeGreaterThan(0);
  });

  it('MK-3: every check is failed by one of them', () => {
    const names = mailboxContract({ ...QUICK, open: sharedMemory() }).map(({ name }) => name);
    expect(names.filter((name) => !caught.has(name))).toEqual([]);
  });

  it('MK-4: a failure says what was expected and what came', async () => {
    const open = openBroken({ wrap: () => ({ status: async () => ({ a: 'failed' }) }) });
    const faults = await faultsOf(mailboxContract({ ...QUICK, open }));
    const fault = [...faults].find(([name]) => name.startsWith('IJ-11: a leased item'))?.[1];
    expect(fault).toBeInstanceOf(AssertionError);
    expect(fault).toMatchObject({
      message: 'the status of "x": expected {"a":"queued"}, got {"a":"failed"}',
      actual: { a: 'failed' },
      expected: { a: 'queued' },
    });
  });

  it('MK-4: a call that never resolves fails the check in time, and names it', async () => {
    const open = openBroken({ wrap: () => ({ take: () => new Promise(() => {}) }) });
    const [check] = mailboxContract({ ...QUICK, open, timeoutMs: 30 });
    await expect(check?.run()).rejects.toThrow(/did not end within 30 ms.*IJ-1: omitted fields/);
  });

  it('MK-5: a failing order of calls is made short, and comes again with its seed', async () => {
    const open = openBroken({ wrap: () => ({ leave: async () => {} }) });
    const messageOf = async (seed: number): Promise<string> => {
      const walk = mailboxContract({ ...QUICK, open, seed }).at(-1);
      return String(await walk?.run().catch(({ message }: Error) => message));
    };
    const message = await messageOf(1);
    const found = Number(/\(seed (\d+);/.exec(message)?.[1]);
    expect(message.split('\n').length).toBeLessThanOrEqual(6);
    expect(message).toContain('"do":"leave"');
    expect(await messageOf(found)).toContain(`seed ${found};`);
  });

  it('MK-6: without a clock that can be moved, checks wait, and are tried again with longer times', async () => {
    let opened = 0;
    const pending = async () => [];
    const checkOf = (tooSlow: number): MailboxCheck | undefined => {
      opened = 0;
      const open = openBroken({ wrap: () => (++opened <= tooSlow ? { pending } : {}) });
      const has = ALL_FEATURES.filter((feature) => feature !== 'clock');
      return mailboxContract({ ...QUICK, open, has }).find(({ name }) => name.includes('stays expired'));
    };
    await checkOf(1)?.run();
    expect(opened).toBe(2);
    await expect(checkOf(Number.POSITIVE_INFINITY)?.run()).rejects.toThrow('what waits');
    expect(opened).toBe(3);
  });

  it('MK-2: an option or a feature that does not exist is refused', async () => {
    const open = sharedMemory();
    const unknown = { open, hass: [] } as unknown as MailboxContractOptions;
    expect((await refusalOf(() => mailboxContract(unknown))).code).toBe('invalid_option');
    const wrong = await refusalOf(() => mailboxContract({ open, has: ['clocks' as 'clock'] }));
    expect(wrong.message).toMatch(/contains "clocks"; it may contain only clock, leaseMs/);
  });
});
