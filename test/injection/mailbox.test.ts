import { describe, expect, it } from 'vitest';
import { MailboxError } from '../../src/injection/mailbox-error.js';
import type { NewInjection } from '../../src/injection/port.js';
import { refusalOf, watchProcess } from '../support/runner.js';
import { ids, makeMailbox } from './support.js';

const { take: complaints } = watchProcess();

async function problemOf(call: () => unknown): Promise<string> {
  const error = await refusalOf(call);
  return error instanceof MailboxError ? error.problem : error.code;
}

describe('items', () => {
  it('IJ-1: what is left out is filled in, and nobody can change an item', async () => {
    const { mailbox } = makeMailbox();
    const item = await mailbox.put({ content: 'Hello' });
    expect(item).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      content: 'Hello',
      strategy: 'tool_result',
      source: { kind: 'system' },
      to: { all: true },
    });
    const named = await mailbox.put({ content: 'Hello', to: ['b', 'a', 'b'], matcher: 'Bash', priority: 2 });
    expect(named).toMatchObject({ to: ['b', 'a'], matcher: 'Bash', priority: 2 });
    expect(Object.isFrozen(named) && Object.isFrozen(named.to) && Object.isFrozen(named.source)).toBe(true);
  });

  const refused: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['no content', {}, 'invalid'],
    ['content of white space', { content: ' \n\t' }, 'invalid'],
    ['content that is no text', { content: 7 }, 'invalid'],
    ['an unknown strategy', { content: 'x', strategy: 'deny' }, 'invalid'],
    ['nobody to get it', { content: 'x', to: [] }, 'invalid'],
    ['an agent called *', { content: 'x', to: '*' }, 'invalid'],
    ['an agent without a name', { content: 'x', to: [''] }, 'invalid'],
    ['all: false', { content: 'x', to: { all: false } }, 'invalid'],
    ['an expiry that is no time', { content: 'x', expiresAt: Number.NaN }, 'invalid'],
    ['an expiry that never comes', { content: 'x', expiresAt: Number.POSITIVE_INFINITY }, 'invalid'],
    ['an expiry in words', { content: 'x', expiresAt: 'tomorrow' }, 'invalid'],
    ['a priority that is no number', { content: 'x', priority: 'high' }, 'invalid'],
    ['a source without a kind', { content: 'x', source: { label: 'ada' } }, 'invalid'],
    ['an empty id', { content: 'x', id: '' }, 'invalid'],
    ['a matcher that cannot be used', { content: 'x', matcher: 'Write||Edit' }, 'invalid_matcher'],
  ];
  it.each(refused)(
    'IJ-2: an item with %s is refused, and nothing is put in',
    async (_what, fields, problem) => {
      const { mailbox, changes } = makeMailbox({ agents: ['a'] });
      expect(await problemOf(() => mailbox.put(fields as unknown as NewInjection))).toBe(problem);
      expect(mailbox.size).toBe(0);
      expect(changes).toEqual([]);
    },
  );

  it('IJ-3: long content is cut, says so, and the change says from what length', async () => {
    const { mailbox, changes } = makeMailbox({ agents: ['a'], maxContentLength: 100 });
    const { content } = await mailbox.put({ content: 'x'.repeat(10_000_000), to: 'a' });
    expect(content).toHaveLength(100);
    expect(content).toMatch(/^x+\n\[cut: 10000000 characters in all\]$/);
    expect(changes[0]?.reason).toBe('cut from 10000000 characters');
    expect((await mailbox.put({ content: 'x'.repeat(100), to: 'a' })).content).toBe('x'.repeat(100));
  });

  it('IJ-3: a character that takes two units is never cut in the middle', async () => {
    const { mailbox } = makeMailbox({ maxContentLength: 100 });
    for (const before of ['', 'x']) {
      const { content } = await mailbox.put({ content: before + '😀'.repeat(100), to: 'a' });
      expect(content).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('IJ-4: putting the same item again is no second item', async () => {
    const { mailbox, told } = makeMailbox({ agents: ['a'] });
    const first = await mailbox.put({ id: 'x', content: 'Hello', to: 'a' });
    expect(await mailbox.put({ id: 'x', content: 'Hello', to: 'a' })).toBe(first);
    const lease = await mailbox.take({ agentId: 'a' });
    await lease.acknowledge();
    expect(await mailbox.put({ id: 'x', content: 'Hello', to: 'a' })).toBe(first);
    expect(ids((await mailbox.take({ agentId: 'a' })).items)).toEqual([]);
    expect(told()).toEqual(['a x queued', 'a x delivered']);
  });

  it('IJ-4: another item with a known id is refused', async () => {
    const { mailbox } = makeMailbox();
    await mailbox.put({ id: 'x', content: 'Hello', to: 'a' });
    expect(await problemOf(() => mailbox.put({ id: 'x', content: 'Bye', to: 'a' }))).toBe('duplicate');
    expect(await problemOf(() => mailbox.put({ id: 'x', content: 'Hello', to: 'b' }))).toBe('duplicate');
  });

  it('IJ-5: a full mailbox refuses and says so; there is room again when something is done', async () => {
    const { mailbox, told } = makeMailbox({ maxItems: 2 });
    await mailbox.put({ id: 'x', content: '1', to: 'a' });
    await mailbox.put({ id: 'y', content: '2', to: 'a' });
    const error = await refusalOf(() => mailbox.put({ id: 'z', content: '3', to: 'a' }));
    expect(error.message).toContain('2 items are on their way, at most 2 may be');
    const lease = await mailbox.take({ agentId: 'a', limit: 1 });
    expect(await problemOf(() => mailbox.put({ id: 'z', content: '3', to: 'a' }))).toBe('full');
    await lease.acknowledge();
    await mailbox.put({ id: 'z', content: '3', to: 'a' });
    expect(told()).toEqual(['a x queued', 'a y queued', 'a x delivered', 'a z queued']);
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
  it('IJ-6: one agent, several or all get it, each of them once', async () => {
    const { mailbox } = makeMailbox({ agents: ['a', 'b', 'c'] });
    await mailbox.put({ id: 'one', content: 'x', to: 'a' });
    await mailbox.put({ id: 'two', content: 'x', to: ['a', 'b'] });
    await mailbox.put({ id: 'all', content: 'x' });
    for (const [agentId, expected] of Object.entries({
      a: ['one', 'two', 'all'],
      b: ['two', 'all'],
      c: ['all'],
    })) {
      const lease = await mailbox.take({ agentId });
      expect(ids(lease.items)).toEqual(expected);
      await lease.acknowledge();
      expect((await mailbox.take({ agentId })).items).toEqual([]);
    }
    expect(await mailbox.status('all')).toEqual({ a: 'delivered', b: 'delivered', c: 'delivered' });
  });

  it('IJ-6: an agent need not be known to be named', async () => {
    const { mailbox } = makeMailbox();
    await mailbox.put({ id: 'x', content: 'x', to: 'later' });
    expect(await mailbox.status('x')).toEqual({ later: 'queued' });
    expect(ids((await mailbox.take({ agentId: 'later' })).items)).toEqual(['x']);
  });

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

  it('IJ-7: an agent is shown what it would get before it joins, and does not join by that', async () => {
    const { mailbox } = makeMailbox({ agents: ['a'] });
    await mailbox.put({ id: 'all', content: 'x' });
    await mailbox.put({ id: 'urgent', content: 'x', priority: 1 });
    await mailbox.put({ id: 'own', content: 'x', to: 'b' });
    expect(ids(await mailbox.pending('b'))).toEqual(['urgent', 'all', 'own']);
    expect(mailbox.agents).toEqual(['a']);
    expect(await mailbox.status('all')).toEqual({ a: 'queued' });
  });

  it('IJ-8: when an agent leaves, what waits for it has failed, and so has what is put for it by name', async () => {
    const { mailbox, changes } = makeMailbox({ agents: ['a', 'b'] });
    await mailbox.put({ id: 'x', content: 'x', to: ['a', 'b'] });
    const lease = await mailbox.take({ agentId: 'a' });
    mailbox.leave('a');
    mailbox.leave('b');
    expect(await mailbox.status('x')).toEqual({ a: 'queued', b: 'failed' });
    await lease.release();
    expect(await mailbox.status('x')).toEqual({ a: 'failed', b: 'failed' });
    await mailbox.put({ id: 'y', content: 'x', to: ['a', 'c'] });
    expect(await mailbox.status('y')).toEqual({ a: 'failed', c: 'queued' });
    expect(changes.at(-1)?.reason).toBe('the agent a has left');
    await mailbox.put({ id: 'z', content: 'x' });
    expect(await mailbox.status('z')).toEqual({ '*': 'queued' });
  });

  it('IJ-8: an agent that comes back gets what is put from then on, and nothing twice', async () => {
    const { mailbox } = makeMailbox({ agents: ['a'] });
    await mailbox.put({ id: 'x', content: 'x' });
    mailbox.leave('a', 'it crashed');
    mailbox.join('a');
    await mailbox.put({ id: 'y', content: 'x', to: 'a' });
    expect(ids((await mailbox.take({ agentId: 'a' })).items)).toEqual(['y']);
  });

  it('IJ-9: a matcher keeps an item for certain tools, and holds up no other item', async () => {
    const { mailbox } = makeMailbox({ agents: ['a'] });
    await mailbox.put({ id: 'web', content: 'x', matcher: 'mcp__web__*|Fetch', priority: 5 });
    await mailbox.put({ id: 'any', content: 'x' });
    const first = await mailbox.take({ agentId: 'a', toolNames: ['Bash', 'Read'] });
    expect(ids(first.items)).toEqual(['any']);
    await first.acknowledge();
    expect((await mailbox.take({ agentId: 'a', toolNames: [] })).items).toEqual([]);
    const second = await mailbox.take({ agentId: 'a', toolNames: ['Bash', 'mcp__web__get/page'] });
    expect(ids(second.items)).toEqual(['web']);
    await second.release();
    expect(ids((await mailbox.take({ agentId: 'a' })).items)).toEqual(['web']);
  });

  it('IJ-10: the more important first, then in the order they were put, across matchers', async () => {
    const { mailbox } = makeMailbox({ agents: ['a'] });
    for (const [id, priority, matcher] of [
      ['1', undefined, undefined],
      ['2', 1, 'Bash'],
      ['3', -1, undefined],
      ['4', 1, undefined],
      ['5', 0, 'B*'],
    ] as const) {
      await mailbox.put({ id, content: 'x', priority, matcher });
    }
    expect(ids(await mailbox.pending('a'))).toEqual(['2', '4', '1', '5', '3']);
    const two = await mailbox.take({ agentId: 'a', toolNames: ['Bash'], limit: 2 });
    expect(ids(two.items)).toEqual(['2', '4']);
    await two.release();
    expect(ids((await mailbox.take({ agentId: 'a', toolNames: ['Bash'] })).items)).toEqual([
      '2',
      '4',
      '1',
      '5',
      '3',
    ]);
  });

  it('IJ-10: a limit that is no whole number is refused', async () => {
    const { mailbox } = makeMailbox();
    for (const limit of [-1, 0.5, Number.NaN]) {
      expect(await problemOf(() => mailbox.take({ agentId: 'a', limit }))).toBe('invalid_option');
    }
    expect((await mailbox.take({ agentId: 'a', limit: 0 })).items).toEqual([]);
    expect(await problemOf(() => mailbox.take({ agentId: '*' }))).toBe('invalid');
  });
});

describe('leases', () => {
  it('IJ-11: what somebody is about to send is handed to nobody else', async () => {
    const { mailbox } = makeMailbox({ agents: ['a'] });
    await mailbox.put({ id: 'x', content: 'x' });
    const [first, second] = await Promise.all([
      mailbox.take({ agentId: 'a' }),
      mailbox.take({ agentId: 'a' }),
    ]);
    expect(ids(first.items)).toEqual(['x']);
    expect(second.items).toEqual([]);
    expect(await mailbox.pending('a')).toEqual([]);
    expect(await mailbox.status('x')).toEqual({ a: 'queued' });
    await first.acknowledge();
    expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
  });

  it('IJ-11: what was not sent after all waits again, and says so', async () => {
    const { mailbox, changes } = makeMailbox({ agents: ['a'] });
    await mailbox.put({ id: 'x', content: 'x' });
    await (await mailbox.take({ agentId: 'a' })).release();
    expect(changes.at(-1)).toMatchObject({ id: 'x', agentId: 'a', state: 'queued', reason: 'released' });
    expect(ids((await mailbox.take({ agentId: 'a' })).items)).toEqual(['x']);
  });

  it('IJ-12: only the first call counts', async () => {
    const { mailbox, told } = makeMailbox({ agents: ['a'] });
    await mailbox.put({ id: 'x', content: 'x' });
    const lease = await mailbox.take({ agentId: 'a' });
    await Promise.all([lease.acknowledge(), lease.release(), lease.acknowledge()]);
    expect(told()).toEqual(['a x queued', 'a x delivered']);
  });

  it('IJ-12: what is not acknowledged in time waits again; then neither call changes anything', async () => {
    const { mailbox, clock, changes } = makeMailbox({ agents: ['a'], leaseMs: 1000 });
    await mailbox.put({ id: 'x', content: 'x' });
    const late = await mailbox.take({ agentId: 'a' });
    clock.pass(999);
    expect((await mailbox.take({ agentId: 'a' })).items).toEqual([]);
    clock.pass(1);
    const again = await mailbox.take({ agentId: 'a' });
    expect(ids(again.items)).toEqual(['x']);
    expect(changes.at(-1)).toMatchObject({ state: 'queued', reason: 'not acknowledged in time' });
    await late.acknowledge();
    expect(await mailbox.status('x')).toEqual({ a: 'queued' });
    await late.release();
    expect((await mailbox.take({ agentId: 'a' })).items).toEqual([]);
    await again.acknowledge();
    expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
  });

  it('IJ-12: a lease that nobody takes up again does not come to life by a late call', async () => {
    const { mailbox, clock } = makeMailbox({ agents: ['a'], leaseMs: 10 });
    await mailbox.put({ id: 'x', content: 'x' });
    const late = await mailbox.take({ agentId: 'a' });
    clock.pass(10);
    await late.acknowledge();
    expect(await mailbox.status('x')).toEqual({ a: 'queued' });
  });

  it('IJ-13: from its time on an item is expired, is said to be, and is handed to nobody', async () => {
    const { mailbox, clock, changes } = makeMailbox({ agents: ['a', 'b'] });
    await mailbox.put({ id: 'x', content: 'x', expiresAt: clock() + 10 });
    clock.pass(9);
    expect(ids(await mailbox.pending('a'))).toEqual(['x']);
    clock.pass(1);
    expect((await mailbox.take({ agentId: 'a' })).items).toEqual([]);
    expect(await mailbox.status('x')).toEqual({ a: 'expired', b: 'expired' });
    expect(changes.at(-1)).toMatchObject({ state: 'expired', at: clock(), reason: 'its time has passed' });
    expect(mailbox.size).toBe(0);
  });

  it('IJ-13: one that has expired before it is put ends at once', async () => {
    const { mailbox, clock, told } = makeMailbox({ agents: ['a'] });
    await mailbox.put({ id: 'x', content: 'x', expiresAt: clock() });
    expect(told()).toEqual(['a x queued', 'a x expired']);
  });

  it('IJ-13: what is being sent when its time comes can be acknowledged; when it comes back it has expired', async () => {
    const { mailbox, clock } = makeMailbox({ agents: ['a', 'b'] });
    await mailbox.put({ id: 'x', content: 'x', expiresAt: clock() + 10 });
    const [a, b] = [await mailbox.take({ agentId: 'a' }), await mailbox.take({ agentId: 'b' })];
    clock.pass(20);
    expect(await mailbox.status('x')).toEqual({ a: 'queued', b: 'queued' });
    await a.acknowledge();
    await b.release();
    expect(await mailbox.status('x')).toEqual({ a: 'delivered', b: 'expired' });
  });

  it('IJ-14: what an agent was not sent is carried; what is being sent stays with its lease', async () => {
    const { mailbox } = makeMailbox({ agents: ['a', 'b'] });
    await mailbox.put({ id: 'sent', content: 'x', priority: 1 });
    await mailbox.put({ id: 'x', content: 'x', matcher: 'Bash' });
    await mailbox.put({ id: 'y', content: 'x', priority: 1, to: 'a' });
    const lease = await mailbox.take({ agentId: 'a', toolNames: [], limit: 1 });
    expect(ids(await mailbox.carryOver('a'))).toEqual(['y', 'x']);
    expect(await mailbox.carryOver('a')).toEqual([]);
    expect(await mailbox.status('x')).toEqual({ a: 'carried', b: 'queued' });
    await lease.release();
    expect(ids(await mailbox.pending('a'))).toEqual(['sent']);
    expect(ids((await mailbox.take({ agentId: 'b' })).items)).toEqual(['sent', 'x']);
  });
});

describe('the end of things', () => {
  it('IJ-16: an item can be taken back from those who have not got it', async () => {
    const { mailbox, changes } = makeMailbox({ agents: ['a', 'b'] });
    await mailbox.put({ id: 'x', content: 'x' });
    await (await mailbox.take({ agentId: 'a' })).acknowledge();
    expect(mailbox.withdraw('x', 'never mind')).toBe(true);
    expect(await mailbox.status('x')).toEqual({ a: 'delivered', b: 'failed' });
    expect(changes.at(-1)).toMatchObject({ agentId: 'b', state: 'failed', reason: 'never mind' });
    expect(mailbox.withdraw('x')).toBe(false);
    expect(mailbox.withdraw('unknown')).toBe(false);
  });

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
