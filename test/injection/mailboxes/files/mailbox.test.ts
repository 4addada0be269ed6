import { describe, expect, it } from 'vitest';
import { MailboxError } from '../../../../src/injection/mailbox-error.js';
import { openMailboxAs } from '../../../../src/injection/mailboxes/files/file-mailbox.js';
import { currentOwner } from '../../../../src/process/owner.js';
import { refusalOf, watchProcess } from '../../../support/runner.js';
import { boxOf, deadOwner, drain, filesOf, ids, makeFileMailbox } from './support.js';

watchProcess();

async function problemOf(call: () => unknown): Promise<string> {
  const error = await refusalOf(call);
  return error instanceof MailboxError ? error.problem : error.code;
}

describe('handing over', () => {
  it('FI-3: what cannot be an item or an option is refused as everywhere, and nothing is written', async () => {
    const { mailbox, directory, open } = await makeFileMailbox();
    for (const wrong of [{}, { content: ' ' }, { content: 'x', to: '*' }, { content: 'x', to: [] }])
      expect(await problemOf(() => mailbox.put(wrong as never))).toBe('invalid');
    for (const expiresAt of [Number.NaN, Number.POSITIVE_INFINITY, '5'])
      expect(await problemOf(() => mailbox.put({ content: 'x', expiresAt: expiresAt as number }))).toBe(
        'invalid',
      );
    expect(await problemOf(() => mailbox.put({ content: 'x', matcher: '|' }))).toBe('invalid_matcher');
    expect(await problemOf(() => mailbox.take({ agentId: '' }))).toBe('invalid');
    expect(await problemOf(() => mailbox.take({ agentId: 'a', limit: -1 }))).toBe('invalid_option');
    for (const option of [{ leaseMs: 0 }, { maxItems: 1.5 }, { maxContentLength: 5 }, { pollMs: Number.NaN }])
      expect(await problemOf(() => open(option))).toBe('invalid_option');
    expect([...filesOf(`${directory}/ids`), ...filesOf(`${directory}/log`)]).toEqual([]);
  });

  it('FI-3: ten megabytes are cut like anything else; nothing at all is refused', async () => {
    const { mailbox, directory } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: '☃'.repeat(10 * 1024 * 1024), to: 'a' });
    expect((await mailbox.take({ agentId: 'a' })).items[0]?.content).toHaveLength(10_000);
    expect(await problemOf(() => mailbox.put({ content: '', to: 'a' }))).toBe('invalid');
    const many = Array.from({ length: 12_000 }, (_, i) => `${i}`.padEnd(256, '\u0001'));
    expect(await problemOf(() => mailbox.put({ content: 'x', to: many }))).toBe('invalid');
    expect(filesOf(`${directory}/staging`)).toEqual([]);
  });

  it('FI-4: puts that are under way at the same time keep the order of their calls', async () => {
    const { mailbox } = await makeFileMailbox();
    const puts = Array.from({ length: 40 }, (_, i) => mailbox.put({ id: `i${i}`, content: 'x', to: 'a' }));
    await Promise.all(puts);
    expect(await drain(mailbox, 'a')).toEqual(Array.from({ length: 40 }, (_, i) => `i${i}`));
  });

  it('FI-5: a writer that begins anew comes after all before it, also when the clock has gone back', async () => {
    const { mailbox, clock, open } = await makeFileMailbox();
    await mailbox.put({ id: 'first', content: 'x', to: 'a' });
    clock.pass(-500_000);
    const restarted = await open();
    await restarted.put({ id: 'second', content: 'x', to: 'a' });
    await restarted.refresh();
    const third = await open();
    await third.put({ id: 'third', content: 'x', to: 'a' });
    expect(await drain(await open(), 'a')).toEqual(['first', 'second', 'third']);
  });

  it('FI-5: writers that begin at the same moment get numbers of their own', async () => {
    const { directory, open } = await makeFileMailbox();
    const writers = await Promise.all(Array.from({ length: 8 }, () => open()));
    await Promise.all(writers.map((writer, i) => writer.put({ id: `i${i}`, content: 'x', to: 'a' })));
    const names = filesOf(boxOf(directory, 'a', 'new'));
    expect(new Set(names.map((name) => name.split('.')[1])).size).toBe(8);
    expect(filesOf(`${directory}/epochs`)).toHaveLength(8);
    await writers[0]?.refresh();
    // The highest stays, so that the next one is higher.
    expect(filesOf(`${directory}/epochs`)).toEqual(['0000000008']);
  });
});

describe('items with an id', () => {
  it('FI-7: of many who put the same one at the same moment one does, and all get it back', async () => {
    const { open, directory } = await makeFileMailbox();
    const users = await Promise.all(Array.from({ length: 6 }, () => open()));
    for (let round = 0; round < 5; round++) {
      const id = `round ${round}`;
      const puts = await Promise.all(users.map((user) => user.put({ id, content: 'Hello', to: 'a' })));
      expect(new Set(puts.map((item) => JSON.stringify(item))).size).toBe(1);
    }
    expect(filesOf(boxOf(directory, 'a', 'new'))).toHaveLength(5);
  });
});

describe('items for several agents', () => {
  it('FI-8: of what is for all the latest are remembered for agents to come; nothing goes that somebody is to get', async () => {
    const { mailbox, directory } = await makeFileMailbox({ maxRemembered: 2 });
    await mailbox.join('slow');
    for (let i = 0; i < 5; i++) await mailbox.put({ id: `i${i}`, content: 'x' });
    await drain(mailbox, 'a');
    await mailbox.refresh();
    expect(filesOf(`${directory}/log`)).toHaveLength(5);
    expect(await drain(mailbox, 'slow')).toHaveLength(5);
    await mailbox.refresh();
    expect(await drain(mailbox, 'new')).toEqual(['i3', 'i4']);
    await mailbox.refresh();
    expect(filesOf(boxOf(directory, 'a', 'seen'))).toHaveLength(2);
    expect(await drain(mailbox, 'a')).toEqual([]);
  });
});

describe('leases', () => {
  it('FI-10: after its time an acknowledge changes nothing, and is told: the item waits again', async () => {
    const { mailbox, clock, problems, open } = await makeFileMailbox({ leaseMs: 50 });
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await mailbox.put({ id: 'y', content: 'y', to: 'a' });
    const late = await mailbox.take({ agentId: 'a', limit: 1 });
    const taken = await mailbox.take({ agentId: 'a', limit: 1 });
    clock.pass(50);
    const other = await open();
    // This one was taken over by somebody else in between.
    const again = await other.take({ agentId: 'a', limit: 1 });
    await late.acknowledge();
    await taken.acknowledge();
    expect(problems.map((text) => /item (\w) for a was acknowledged too late/.exec(text)?.[1])).toEqual([
      'x',
      'y',
    ]);
    await again.acknowledge();
    const last = await mailbox.take({ agentId: 'a' });
    expect(ids(last.items)).toEqual(['y']);
    clock.pass(50);
    // Nobody has asked for it in between.
    await last.acknowledge();
    expect(await mailbox.status('y')).toEqual({ a: 'queued' });
    expect(problems).toHaveLength(3);
  });

  it('FI-11: what a process had that is gone waits again at once, in its old place', async () => {
    const { mailbox, open, changes } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: 'x', to: 'a', priority: 1 });
    await mailbox.put({ id: 'y', content: 'y', to: 'a' });
    const dying = await open({}, await deadOwner());
    const lost = await dying.take({ agentId: 'a', limit: 1 });
    expect(ids(lost.items)).toEqual(['x']);
    expect(await drain(mailbox, 'a')).toEqual(['x', 'y']);
    expect(changes.find(({ reason }) => reason !== undefined)).toMatchObject({
      id: 'x',
      state: 'queued',
      reason: 'the process that claimed it has died',
    });
  });

  it('FI-11: a process with the number of one that is gone is another one; of places that cannot be seen nothing is assumed', async () => {
    const { open, clock } = await makeFileMailbox({ leaseMs: 100 });
    const self = currentOwner();
    const before = await open({}, { ...self, start: String(Number(self.start) - 1) });
    const elsewhere = await open({}, { ...(await deadOwner()), place: '00000000' });
    await before.put({ id: 'x', content: 'x', to: 'a' });
    await before.put({ id: 'y', content: 'y', to: 'a' });
    await before.take({ agentId: 'a', limit: 1 });
    await elsewhere.take({ agentId: 'a', limit: 1 });
    const now = await open();
    expect(await drain(now, 'a')).toEqual(['x']);
    clock.pass(100);
    expect(await drain(now, 'a')).toEqual(['y']);
  });
});

describe('time', () => {
  it('FI-14: nobody has to ask: a look finds it, also for agents that never come', async () => {
    const { mailbox, clock, told } = await makeFileMailbox();
    await mailbox.put({ id: 'one', content: 'x', to: 'a', expiresAt: clock() + 10 });
    await mailbox.put({ id: 'both', content: 'x', to: ['a', 'b'], expiresAt: clock() + 10 });
    await mailbox.put({ id: 'nobody', content: 'x', expiresAt: clock() + 10 });
    clock.pass(10);
    await mailbox.refresh();
    expect(told().slice(4).sort()).toEqual([
      '* nobody expired',
      'a both expired',
      'a one expired',
      'b both expired',
    ]);
    expect(await mailbox.status('nobody')).toEqual({ '*': 'expired' });
    expect(await drain(mailbox, 'a')).toEqual([]);
  });
});

describe('the end', () => {
  it('FI-24: what an agent was not sent is taken on, once, and read in order', async () => {
    const { mailbox, open } = await makeFileMailbox();
    await mailbox.join('a');
    await mailbox.put({ id: 'own', content: 'x', to: 'a', matcher: 'Write' });
    await mailbox.put({ id: 'all', content: 'x', priority: 2 });
    await mailbox.put({ id: 'sent', content: 'x', to: 'a', priority: 5 });
    const lease = await mailbox.take({ agentId: 'a', limit: 1 });
    const other = await open();
    const [one, two] = await Promise.all([mailbox.carryOver('a'), other.carryOver('a')]);
    expect([...ids(one), ...ids(two)].sort()).toEqual(['all', 'own']);
    expect(await mailbox.status('own')).toEqual({ a: 'carried' });
    await lease.acknowledge();
    expect(await mailbox.status('sent')).toEqual({ a: 'delivered' });
    expect(await mailbox.carryOver('nobody')).toEqual([]);
  });

  it('FI-23: what waits for an agent that leaves has failed; when it comes back it gets what is put from then on', async () => {
    const { mailbox, open, told, changes } = await makeFileMailbox();
    await mailbox.join('a');
    await mailbox.put({ id: 'own', content: 'x', to: 'a' });
    await mailbox.put({ id: 'all', content: 'x' });
    const other = await open();
    await other.leave('a', 'it has crashed');
    expect(await mailbox.agents()).toEqual([]);
    expect(await mailbox.status('own')).toEqual({ a: 'failed' });
    await mailbox.put({ id: 'late', content: 'x', to: 'a' });
    expect(told().slice(-2)).toEqual(['a late queued', 'a late failed']);
    expect(changes.at(-1)?.reason).toBe('it has crashed');
    await mailbox.put({ id: 'back', content: 'x' });
    expect(await drain(mailbox, 'a')).toEqual(['back']);
    expect(await other.agents()).toEqual(['a']);
  });

  it('FI-22: close ends only this use of the mailbox; what was taken can still be ended', async () => {
    const { mailbox, open } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await mailbox.put({ id: 'y', content: 'y', to: 'a' });
    const [one, two] = [await mailbox.take({ agentId: 'a', limit: 1 }), await mailbox.take({ agentId: 'a' })];
    await mailbox.close();
    await mailbox.close();
    for (const call of [
      () => mailbox.put({ content: 'x' }),
      () => mailbox.take({ agentId: 'a' }),
      () => mailbox.pending('a'),
      () => mailbox.carryOver('a'),
      () => mailbox.status('x'),
      () => mailbox.refresh(),
    ])
      expect(await problemOf(call)).toBe('closed');
    await one.acknowledge();
    await two.release();
    const other = await open();
    expect(await other.status('x')).toEqual({ a: 'delivered' });
    expect(await drain(other, 'a')).toEqual(['y']);
  });

  it('FI-20: at most so many items are on their way; the next one is refused, whoever put the others', async () => {
    const { mailbox, directory, open } = await makeFileMailbox({ maxItems: 3 });
    const other = await open();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await mailbox.put({ id: 'y', content: 'y', to: ['a', 'b'] });
    await mailbox.put({ id: 'z', content: 'z' });
    expect(await problemOf(() => other.put({ content: 'more', to: 'a' }))).toBe('full');
    expect(await mailbox.put({ id: 'x', content: 'x', to: 'a' })).toMatchObject({ id: 'x' });
    await drain(mailbox, 'a');
    await other.put({ content: 'more', to: 'c' });
    expect(
      await problemOf(async () => {
        for (let i = 0; i < 3; i++) await other.put({ content: 'more', to: 'c' });
      }),
    ).toBe('full');
    expect(filesOf(`${directory}/staging`)).toEqual([]);
  });
});

it('FI-2: opening a second time with the same owner shares what is there', async () => {
  const { directory, mailbox } = await makeFileMailbox();
  await mailbox.put({ id: 'x', content: 'x', to: 'a' });
  const again = await openMailboxAs({ directory }, currentOwner());
  expect(await drain(again, 'a')).toEqual(['x']);
  await again.close();
});
