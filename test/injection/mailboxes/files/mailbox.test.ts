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
  it('FI-3: an item put by one user of the directory reaches the agent of another, once', async () => {
    const { mailbox, open } = await makeFileMailbox();
    const other = await open();
    const item = await mailbox.put({ id: 'x', content: 'Hello', to: 'a', source: { kind: 'peer' } });
    const lease = await other.take({ agentId: 'a' });
    expect(lease.items).toEqual([item]);
    expect(Object.isFrozen(lease.items[0])).toBe(true);
    expect(ids((await mailbox.take({ agentId: 'a' })).items)).toEqual([]);
    await lease.acknowledge();
    expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
    expect(await drain(mailbox, 'a')).toEqual([]);
  });

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

  it('FI-3: long content is cut, and the change says so', async () => {
    const { mailbox, changes } = await makeFileMailbox({ maxContentLength: 100 });
    await mailbox.put({ content: 'x'.repeat(500), to: 'a' });
    const [item] = (await mailbox.take({ agentId: 'a' })).items;
    expect(item?.content).toMatch(/^x+\n\[cut: 500 characters in all\]$/);
    expect(changes[0]?.reason).toBe('cut from 500 characters');
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

  it('FI-3: for an agent that nobody knows an item waits until it comes', async () => {
    const { mailbox, open } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: 'x', to: 'nobody yet' });
    expect(await mailbox.agents()).toEqual([]);
    expect(await mailbox.status('x')).toEqual({ 'nobody yet': 'queued' });
    expect(await mailbox.status('y')).toBeUndefined();
    expect(await drain(await open(), 'nobody yet')).toEqual(['x']);
  });

  it('FI-4: higher priority first, then the order in which one writer put them, whatever the numbers are', async () => {
    const { mailbox } = await makeFileMailbox();
    const priorities = [0, -1, 1e300, 0.5, -0, Number.MIN_VALUE, -1e-300, 3, undefined, -1e300];
    for (const [i, priority] of priorities.entries())
      await mailbox.put({ id: `i${i}`, content: 'x', to: 'a', priority });
    const expected = priorities
      .map((priority, i) => ({ id: `i${i}`, priority: priority ?? 0, i }))
      .sort((a, b) => b.priority - a.priority || a.i - b.i)
      .map(({ id }) => id);
    expect(ids(await mailbox.pending('a'))).toEqual(expected);
    expect(await drain(mailbox, 'a')).toEqual(expected);
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

  it('FI-15: an item that has to wait for its tool holds up no other; the tools may be globs with `|`', async () => {
    const { mailbox, open } = await makeFileMailbox();
    await mailbox.put({ id: 'write', content: 'x', to: 'a', matcher: 'Write|Edit', priority: 9 });
    await mailbox.put({ id: 'mcp', content: 'x', to: 'a', matcher: 'mcp__*' });
    await mailbox.put({ id: 'any', content: 'x', to: 'a', matcher: '*' });
    const reader = await open();
    const take = async (...toolNames: string[]): Promise<string[]> => {
      const lease = await reader.take({ agentId: 'a', toolNames });
      await lease.release();
      return ids(lease.items);
    };
    expect(await take('Bash')).toEqual(['any']);
    expect(await take('Edit')).toEqual(['write', 'any']);
    expect(await take('mcp__x__y')).toEqual(['mcp', 'any']);
    expect(await take('Bash', 'Write', 'mcp__q')).toEqual(['write', 'mcp', 'any']);
    expect(ids((await reader.take({ agentId: 'a', limit: 2 })).items)).toEqual(['write', 'mcp']);
  });
});

describe('items with an id', () => {
  it('FI-7: the same item put again is no second one, also by another process and after it was delivered', async () => {
    const { mailbox, open } = await makeFileMailbox();
    const item = { id: 'x', content: 'Hello', to: ['a', 'b'] };
    const first = await mailbox.put(item);
    expect(await (await open()).put(item)).toEqual(first);
    expect(await drain(mailbox, 'a')).toEqual(['x']);
    expect(await (await open()).put(item)).toEqual(first);
    expect(await drain(mailbox, 'a')).toEqual([]);
    expect(await problemOf(() => mailbox.put({ ...item, content: 'Other' }))).toBe('duplicate');
  });

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

  it('FI-7: ids that differ only in broken characters are different', async () => {
    const { mailbox } = await makeFileMailbox();
    await mailbox.put({ id: 'x\ud800', content: 'a \udfff', to: '\ud800' });
    await mailbox.put({ id: 'x\ud801', content: 'b', to: '\ud801' });
    expect((await mailbox.take({ agentId: '\ud800' })).items[0]?.content).toBe('a \udfff');
    expect(await mailbox.status('x\ud801')).toEqual({ '\ud801': 'queued' });
  });
});

describe('items for several agents', () => {
  it('FI-8: each agent gets one for all once: those that are there, and those that come later', async () => {
    const { mailbox, open } = await makeFileMailbox();
    await mailbox.put({ id: 'early', content: 'x' });
    expect(await mailbox.status('early')).toEqual({ '*': 'queued' });
    expect(await drain(mailbox, 'a')).toEqual(['early']);
    await mailbox.put({ id: 'next', content: 'x', priority: 1 });
    expect(await mailbox.status('next')).toEqual({ a: 'queued' });
    const other = await open();
    expect(ids(await other.pending('b'))).toEqual(['next', 'early']);
    expect(await drain(other, 'b')).toEqual(['next', 'early']);
    expect(await drain(mailbox, 'a')).toEqual(['next']);
    for (const user of [mailbox, other, await open()]) {
      expect(await drain(user, 'a')).toEqual([]);
      expect(await drain(user, 'b')).toEqual([]);
    }
    expect(await mailbox.status('early')).toEqual({ a: 'delivered', b: 'delivered' });
  });

  it('FI-8: several processes of one agent that come by at once make one copy', async () => {
    const { mailbox, open } = await makeFileMailbox();
    const readers = await Promise.all(Array.from({ length: 6 }, () => open()));
    for (let round = 0; round < 5; round++) {
      await mailbox.put({ id: `round ${round}`, content: 'x' });
      const taken = await Promise.all(readers.map((reader) => drain(reader, 'a')));
      expect(taken.flat()).toEqual([`round ${round}`]);
    }
  });

  it('FI-8: one agent that is gone keeps the others from nothing', async () => {
    const { mailbox } = await makeFileMailbox();
    await mailbox.leave('gone');
    await mailbox.put({ id: 'x', content: 'x', to: ['a', 'gone', 'b'] });
    expect(await drain(mailbox, 'a')).toEqual(['x']);
    expect(await drain(mailbox, 'b')).toEqual(['x']);
    expect(await mailbox.status('x')).toEqual({ a: 'delivered', gone: 'failed', b: 'delivered' });
  });

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
  it('FI-10: only the first end of a lease counts', async () => {
    const { mailbox, told } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    const lease = await mailbox.take({ agentId: 'a' });
    await lease.release();
    await lease.acknowledge();
    expect(await mailbox.status('x')).toEqual({ a: 'queued' });
    const again = await mailbox.take({ agentId: 'a' });
    await Promise.all([again.acknowledge(), again.acknowledge(), again.release()]);
    await again.release();
    expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
    expect(told()).toEqual(['a x queued', 'a x queued', 'a x delivered']);
  });

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
      reason: 'whoever had it is gone',
    });
  });

  it('FI-11: a process that lives keeps what it has until its time is over', async () => {
    const { mailbox, open, clock } = await makeFileMailbox({ leaseMs: 100 });
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    const lease = await mailbox.take({ agentId: 'a' });
    const other = await open();
    clock.pass(99);
    expect(await drain(other, 'a')).toEqual([]);
    expect(ids(await other.pending('a'))).toEqual([]);
    clock.pass(1);
    expect(ids(await other.pending('a'))).toEqual(['x']);
    await lease.release();
    expect(await drain(other, 'a')).toEqual(['x']);
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
  it('FI-14: from its time on an item is expired, said to be, kept as such, and handed to nobody', async () => {
    const { mailbox, clock, changes, open } = await makeFileMailbox();
    await mailbox.join('a');
    await mailbox.put({ id: 'one', content: 'x', to: 'a', expiresAt: clock() + 10 });
    await mailbox.put({ id: 'both', content: 'x', to: ['a', 'b'], expiresAt: clock() + 10.5 });
    await mailbox.put({ id: 'all', content: 'x', expiresAt: clock() + 10 });
    clock.pass(9);
    expect(ids(await mailbox.pending('a'))).toEqual(['one', 'both', 'all']);
    clock.pass(1);
    expect(ids(await mailbox.pending('a'))).toEqual(['both']);
    expect(await drain(mailbox, 'a')).toEqual(['both']);
    clock.pass(1);
    expect(await mailbox.status('both')).toEqual({ a: 'delivered', b: 'expired' });
    expect(await mailbox.status('all')).toEqual({ a: 'expired' });
    expect(await drain(mailbox, 'b')).toEqual([]);
    const expired = changes.filter(({ state }) => state === 'expired');
    expect(expired.map(({ id, agentId, reason }) => `${id} ${agentId} ${reason}`).sort()).toEqual([
      'all a its time has passed',
      'both b its time has passed',
      'one a its time has passed',
    ]);
    expect(await (await open()).status('one')).toEqual({ a: 'expired' });
  });

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

  it('FI-14: one whose time has passed before it is put is expired at once', async () => {
    const { mailbox, clock, told } = await makeFileMailbox();
    await mailbox.put({ id: 'one', content: 'x', to: 'a', expiresAt: clock() });
    await mailbox.put({ id: 'all', content: 'x', expiresAt: -5 });
    expect(told()).toEqual(['a one queued', 'a one expired', '* all queued', '* all expired']);
  });

  it('FI-14: what is being sent can be acknowledged after its time; what comes back then has expired', async () => {
    const { mailbox, clock, changes } = await makeFileMailbox();
    for (const id of ['x', 'y']) await mailbox.put({ id, content: 'x', to: 'a', expiresAt: clock() + 10 });
    const [sent, kept] = [
      await mailbox.take({ agentId: 'a', limit: 1 }),
      await mailbox.take({ agentId: 'a' }),
    ];
    clock.pass(20);
    await sent.acknowledge();
    await kept.release();
    expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
    expect(await mailbox.status('y')).toEqual({ a: 'expired' });
    expect(changes.at(-1)?.reason).toBe('its time had passed when it came back');
  });

  it('FI-14: a clock that goes back brings nothing back and loses nothing', async () => {
    const { mailbox, clock } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: 'x', to: 'a', expiresAt: clock() + 10 });
    await mailbox.put({ id: 'y', content: 'x', to: 'a', expiresAt: clock() + 10_000 });
    clock.pass(10);
    expect(await mailbox.status('x')).toEqual({ a: 'expired' });
    clock.pass(-5000);
    expect(await drain(mailbox, 'a')).toEqual(['y']);
    expect(await mailbox.status('x')).toEqual({ a: 'expired' });
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
