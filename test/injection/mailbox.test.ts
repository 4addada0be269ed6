import { describe, expect, it } from 'vitest';
import { MailboxError } from '../../src/injection/mailbox-error.js';
import { refusalOf, watchProcess } from '../support/runner.js';
import { ids, makeMailbox } from './support.js';

const { take: complaints } = watchProcess();

async function problemOf(call: () => unknown): Promise<string> {
  const error = await refusalOf(call);
  return error instanceof MailboxError ? error.problem : error.code;
}

describe('items', () => {
  it('IJ-5: a full mailbox says how many undelivered items it holds', async () => {
    const { mailbox } = makeMailbox({ maxItems: 2 });
    await mailbox.put({ content: '1', to: 'a' });
    await mailbox.put({ content: '2', to: 'b' });
    const error = await refusalOf(() => mailbox.put({ content: '3', to: 'c' }));
    expect(error.message).toContain('it holds 2 undelivered items, and the limit is 2');
  });

  it.each([
    { maxItems: 0 },
    { maxItems: 1.5 },
    { leaseMs: -1 },
    { maxContentLength: 10 },
    { maxRemembered: Number.NaN },
  ])('IJ-2: a mailbox with %j is refused', async (options) => {
    expect(await problemOf(() => makeMailbox(options))).toBe('invalid_option');
  });
});

describe('who gets an item', () => {
  it('IJ-7: an item for all waits for somebody, and reaches agents that come later', async () => {
    const { mailbox, told } = makeMailbox();
    await mailbox.put({ id: 'x', content: 'x' });
    expect(await mailbox.status('x')).toEqual({ '*': 'queued' });
    mailbox.join('a');
    expect(await mailbox.status('x')).toEqual({ a: 'queued' });
    await (await mailbox.take({ agentId: 'a' })).acknowledge();
    expect(mailbox.size).toBe(0);
    const lease = await mailbox.take({ agentId: 'b' });
    expect(ids(lease.items)).toEqual(['x']);
    await lease.acknowledge();
    expect(await mailbox.status('x')).toEqual({ a: 'delivered', b: 'delivered' });
    expect(told()).toEqual(['* x queued', 'a x queued', 'a x delivered', 'b x queued', 'b x delivered']);
  });

  it('IJ-7: one that has expired, or was withdrawn, reaches nobody who comes later', async () => {
    const { mailbox, clock, told } = makeMailbox();
    await mailbox.put({ id: 'old', content: 'x', expiresAt: clock() + 10 });
    await mailbox.put({ id: 'gone', content: 'x' });
    mailbox.withdraw('gone');
    clock.pass(10);
    expect((await mailbox.take({ agentId: 'a' })).items).toEqual([]);
    expect(told()).toEqual(['* old queued', '* gone queued', '* gone failed', '* old expired']);
  });
});

describe('leases', () => {
  it('IJ-18: every change that is not by request says why', async () => {
    const { mailbox, changes, clock } = makeMailbox({ agents: ['a', 'b'], leaseMs: 10 });
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await (await mailbox.take({ agentId: 'a' })).release();
    await mailbox.take({ agentId: 'a' });
    clock.pass(10);
    await mailbox.put({ id: 'y', content: 'x', to: 'a', expiresAt: clock() + 5 });
    await mailbox.put({ id: 'z', content: 'x', to: 'b', expiresAt: clock() + 5 });
    const lease = await mailbox.take({ agentId: 'b' });
    clock.pass(5);
    await lease.release();
    mailbox.leave('a');
    expect(changes.flatMap(({ id, reason }) => (reason === undefined ? [] : [`${id}: ${reason}`]))).toEqual([
      'x: released',
      'x: not acknowledged in time',
      'y: it has expired',
      'z: it expired before it was released',
      'x: the agent a has left',
    ]);
    expect(mailbox.size).toBe(0);
  });
});

describe('the end of things', () => {
  it('IJ-17: closing ends what waits; what is being sent can still be acknowledged or given back', async () => {
    const { mailbox, told } = makeMailbox({ agents: ['a', 'b', 'c'] });
    await mailbox.put({ id: 'x', content: 'x' });
    const [a, b] = [await mailbox.take({ agentId: 'a' }), await mailbox.take({ agentId: 'b' })];
    await mailbox.close();
    await mailbox.close();
    await a.acknowledge();
    await b.release();
    expect(await mailbox.status('x')).toEqual({ a: 'delivered', b: 'failed', c: 'failed' });
    expect(told().slice(3)).toEqual(['c x failed', 'a x delivered', 'b x failed']);
    expect(await problemOf(() => mailbox.put({ content: 'x' }))).toBe('closed');
    expect(await problemOf(() => mailbox.take({ agentId: 'a' }))).toBe('closed');
    expect((await refusalOf(() => mailbox.join('d'))).code).toBe('disposed');
  });

  it('IJ-18: a listener that throws or rejects changes nothing, and is complained of once', async () => {
    const { mailbox, told } = makeMailbox({ agents: ['a'] });
    const stop = mailbox.onChange(() => {
      throw new Error('a bad listener');
    });
    mailbox.onChange(async () => {
      throw new Error('a worse one');
    });
    await mailbox.put({ id: 'x', content: 'x' });
    stop();
    stop();
    await mailbox.put({ id: 'y', content: 'x' });
    expect(told()).toEqual(['a x queued', 'a y queued']);
    expect(await complaints()).toMatchObject([{ code: 'HOOKLINE_LISTENER' }]);
  });

  it('IJ-18: a listener may use the mailbox; it finds the change whole, and all hear of changes in one order', async () => {
    const { mailbox } = makeMailbox({ agents: ['a'] });
    const seen: unknown[] = [];
    mailbox.onChange(({ id, state }) => {
      if (id === 'x' && state === 'queued') void mailbox.put({ id: 'answer', content: 'x' });
      seen.push([id, state, mailbox.size]);
    });
    await mailbox.put({ id: 'x', content: 'x' });
    await (await mailbox.take({ agentId: 'a' })).acknowledge();
    expect(seen).toEqual([
      ['x', 'queued', 2],
      ['answer', 'queued', 2],
      ['x', 'delivered', 0],
      ['answer', 'delivered', 0],
    ]);
  });

  it('IJ-19: items that are done are remembered for a while, then they are not known any more', async () => {
    const { mailbox } = makeMailbox({ agents: ['a'], maxRemembered: 2 });
    for (const id of ['1', '2', '3']) {
      await mailbox.put({ id, content: 'x' });
      await (await mailbox.take({ agentId: 'a' })).acknowledge();
    }
    expect(await mailbox.status('1')).toBeUndefined();
    expect(await mailbox.status('2')).toEqual({ a: 'delivered' });
    expect(ids((await mailbox.take({ agentId: 'late' })).items)).toEqual(['2', '3']);
    expect(await mailbox.status('never')).toBeUndefined();
  });
});

describe('what is remembered', () => {
  it('IJ-19: an item that waits again for somebody who came later is not forgotten', async () => {
    const { mailbox } = makeMailbox({ agents: ['a'], maxRemembered: 1 });
    await mailbox.put({ id: 'all', content: 'x' });
    await (await mailbox.take({ agentId: 'a' })).acknowledge();
    expect(mailbox.size).toBe(0);
    mailbox.join('late');
    expect(mailbox.size).toBe(1);
    for (const id of ['1', '2', '3']) {
      await mailbox.put({ id, content: 'x', to: 'a' });
      await (await mailbox.take({ agentId: 'a' })).acknowledge();
    }
    expect(await mailbox.status('all')).toEqual({ a: 'delivered', late: 'queued' });
    expect(ids((await mailbox.take({ agentId: 'late' })).items)).toEqual(['all']);
  });
});

describe('snapshots', () => {
  it('IJ-20: a snapshot is JSON, and a mailbox that restores it goes on where the other one was', async () => {
    const before = makeMailbox({ agents: ['a', 'b'] });
    await before.mailbox.put({ id: 'done', content: 'x', to: 'a' });
    await (await before.mailbox.take({ agentId: 'a' })).acknowledge();
    await before.mailbox.put({ id: 'low', content: 'x', priority: -1 });
    await before.mailbox.put({ id: 'web', content: 'x', matcher: 'Fetch', expiresAt: before.clock() + 50 });
    const open = await before.mailbox.take({ agentId: 'b', limit: 1 });
    before.mailbox.leave('c');
    const data: unknown = JSON.parse(JSON.stringify(before.mailbox.snapshot()));

    const after = makeMailbox();
    after.mailbox.restore(data as never);
    expect(after.mailbox.agents).toEqual(['a', 'b']);
    expect(await after.mailbox.status('done')).toEqual({ a: 'delivered' });
    expect(ids(await after.mailbox.pending('a'))).toEqual(['web', 'low']);
    expect(ids((await after.mailbox.take({ agentId: 'a', toolNames: ['Bash'] })).items)).toEqual(['low']);
    // Nobody can know whether what was being sent has arrived, so it is sent again.
    expect(ids(open.items)).toEqual(['web']);
    expect(ids(await after.mailbox.pending('b'))).toEqual(['web', 'low']);
    after.clock.pass(50);
    expect(await after.mailbox.status('web')).toEqual({ a: 'expired', b: 'expired' });
    await after.mailbox.put({ id: 'c', content: 'x', to: 'c' });
    expect(await after.mailbox.status('c')).toEqual({ c: 'failed' });
    expect(await problemOf(() => after.mailbox.put({ id: 'done', content: 'y', to: 'a' }))).toBe('duplicate');
  });

  it('IJ-20: an item for all that nobody was there for reaches the first agent after a restore', async () => {
    const before = makeMailbox();
    await before.mailbox.put({ id: 'x', content: 'x' });
    const after = makeMailbox();
    after.mailbox.restore(JSON.parse(JSON.stringify(before.mailbox.snapshot())));
    expect(ids((await after.mailbox.take({ agentId: 'a' })).items)).toEqual(['x']);
    expect(await after.mailbox.status('x')).toEqual({ a: 'queued' });
  });

  it('IJ-20: what was withdrawn stays so', async () => {
    const before = makeMailbox();
    await before.mailbox.put({ id: 'x', content: 'x' });
    before.mailbox.withdraw('x');
    const after = makeMailbox();
    after.mailbox.restore(JSON.parse(JSON.stringify(before.mailbox.snapshot())));
    expect((await after.mailbox.take({ agentId: 'a' })).items).toEqual([]);
  });

  it('IJ-20: what is no snapshot is refused and changes nothing', async () => {
    const { mailbox } = makeMailbox({ agents: ['a'] });
    const item = { id: 'x', content: 'x', strategy: 'tool_result', source: { kind: 'peer' }, to: 'a' };
    const entry = { item, states: [['a', 'queued']] };
    const snapshot = { version: 1, agents: [], left: [], items: [entry] };
    for (const wrong of [
      undefined,
      {},
      { ...snapshot, version: 2 },
      { ...snapshot, agents: ['*'] },
      { ...snapshot, items: [entry, entry] },
      { ...snapshot, items: [{ item, states: [['a', 'lost']] }] },
    ]) {
      expect(await problemOf(() => mailbox.restore(wrong as never))).toBe('invalid');
    }
    const matcher = { ...snapshot, items: [entry, { ...entry, item: { ...item, id: 'y', matcher: '|' } }] };
    expect(await problemOf(() => mailbox.restore(matcher as never))).toBe('invalid_matcher');
    expect(mailbox.size).toBe(0);
    await mailbox.put({ content: 'x' });
    expect(await problemOf(() => mailbox.restore(snapshot as never))).toBe('not-empty');
  });
});
