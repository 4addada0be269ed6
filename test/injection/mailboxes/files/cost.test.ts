import { expect, it } from 'vitest';
import type { FileMailbox } from '../../../../src/injection/mailboxes/files/options.js';
import { watchProcess } from '../../../support/runner.js';
import { countOperations } from './dying-disk.js';
import { makeFileMailbox } from './support.js';

watchProcess();

async function fill(mailbox: FileMailbox, count: number): Promise<void> {
  for (let i = 0; i < count; i += 20)
    await Promise.all(Array.from({ length: 20 }, () => mailbox.put({ content: 'waiting', to: 'a' })));
}

/** What a put, and a take with its acknowledge, ask of the disk while so many wait. */
async function costs(waiting: number): Promise<readonly Readonly<Record<string, number>>[]> {
  const { mailbox } = await makeFileMailbox();
  await fill(mailbox, waiting);
  // The first of each kind finds out what is there.
  const put = (): Promise<unknown> => mailbox.put({ content: 'x', to: 'a' });
  const take = async (): Promise<void> => {
    const lease = await mailbox.take({ agentId: 'a', limit: 1 });
    expect(lease.items).toHaveLength(1);
    await lease.acknowledge();
  };
  await put();
  await take();
  return [await countOperations(put), await countOperations(take)];
}

it('FI-25: put, take and acknowledge ask as much of the disk with 800 waiting as with 20; only what is taken is read', {
  timeout: 60_000,
}, async () => {
  const few = await costs(20);
  const many = await costs(800);
  for (const [i, counts] of many.entries()) {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(total).toBeLessThan(70);
    // Whether a listing was due just then makes a difference of a few.
    expect(Math.abs(total - Object.values(few[i] ?? {}).reduce((sum, count) => sum + count, 0))).toBeLessThan(
      40,
    );
  }
  expect(many[1]?.['readFile'] ?? 0).toBeLessThanOrEqual(3);
});

it('FI-25: of thousands with the same matcher that may not be taken now, one is read, once', async () => {
  const { mailbox, open } = await makeFileMailbox();
  for (let i = 0; i < 60; i++)
    await mailbox.put({ content: 'x', to: 'a', matcher: i % 2 === 0 ? 'Write' : 'mcp__*' });
  const reader = await open();
  const take = async (): Promise<void> => void (await reader.take({ agentId: 'a', toolNames: ['Bash'] }));
  expect((await countOperations(take))['readFile'] ?? 0).toBeLessThanOrEqual(4);
  expect((await countOperations(take))['readFile'] ?? 0).toBeLessThanOrEqual(1);
});
