import { describe, expect, it } from 'vitest';
import { MailboxError } from '../../../../src/injection/mailbox-error.js';
import type { RedisMailbox } from '../../../../src/injection/mailboxes/redis/index.js';
import type { Lease, NewInjection } from '../../../../src/injection/port.js';
import { refusalOf } from '../../../support/runner.js';
import { ids } from '../../support.js';
import { until, useRedis } from './support/bench.js';
import { hasRedis } from './support/server.js';

const redis = useRedis();

async function problemOf(call: () => unknown): Promise<string> {
  const error = await refusalOf(call);
  return error instanceof MailboxError ? error.problem : error.code;
}

describe.skipIf(!hasRedis)('items', () => {
  it('RD-2: what is left out is filled in, and nobody can change an item', async () => {
    const { mailbox } = await redis.open();
    const item = await mailbox.put({ content: 'Hello' });
    expect(item).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      content: 'Hello',
      strategy: 'tool_result',
      source: { kind: 'system' },
      to: { all: true },
    });
    const { items } = await mailbox.take({ agentId: 'a' });
    expect(items).toEqual([item]);
    expect(Object.isFrozen(items[0]) && Object.isFrozen(items[0]?.source)).toBe(true);
  });

  it('RD-2: every field comes back as it was put, whatever is in it', async () => {
    const { mailbox } = await redis.open();
    const item = await mailbox.put({
      id: 'a "strange" {id}\n\ud800',
      content: 'null \0, half \ud800, quotes " and \\, 😀, ]]--',
      strategy: 'user_message',
      source: { kind: 'peer', label: 'ada \u2028 %41' },
      to: ['b', 'a {1}:*\udfff'],
      matcher: 'mcp__{x}__*|Bash',
      expiresAt: 4_102_444_800_000.5,
      priority: -1.5e-7,
    });
    const lease = await mailbox.take({ agentId: 'a {1}:*\udfff', toolNames: ['mcp__{x}__get'] });
    expect(lease.items).toEqual([item]);
    await lease.acknowledge();
    expect(await mailbox.status(item.id)).toEqual({ b: 'queued', 'a {1}:*\udfff': 'delivered' });
    expect(await mailbox.agents()).toEqual(['a {1}:*\udfff']);
  });

  it.each([
    ['no content', {}, 'invalid'],
    ['an agent called *', { content: 'x', to: '*' }, 'invalid'],
    ['an expiry that is no time', { content: 'x', expiresAt: Number.NaN }, 'invalid'],
    ['a matcher that cannot be used', { content: 'x', matcher: 'Write||Edit' }, 'invalid_matcher'],
  ])('RD-2: an item with %s is refused, and nothing is put in', async (_what, fields, problem) => {
    const { mailbox, changes } = await redis.open();
    expect(await problemOf(() => mailbox.put(fields as unknown as NewInjection))).toBe(problem);
    expect(await mailbox.pending('a')).toEqual([]);
    expect(changes).toEqual([]);
  });

  it('RD-2: long content is cut, says so, and the change says from what length', async () => {
    const { mailbox, changes } = await redis.open({ maxContentLength: 100 });
    const { content } = await mailbox.put({ content: 'x'.repeat(1_000_000), to: 'a' });
    await mailbox.put({ content: 'x'.repeat(1_000_000) });
    expect(content).toMatch(/^x+\n\[cut: 1000000 characters in all\]$/);
    expect(changes.map(({ reason }) => reason)).toEqual([
      'cut from 1000000 characters',
      'cut from 1000000 characters',
    ]);
  });

  it.each([{ to: 'a' }, { to: ['a', 'b'] }, { to: { all: true } as const }])(
    'RD-5: the same item with the same id is put once, also after it was delivered: %j',
    async ({ to }) => {
      const { mailbox, told } = await redis.open();
      await mailbox.join('a');
      const item = { id: 'x', content: 'Hello', to };
      const first = await mailbox.put(item);
      expect(await mailbox.put(item)).toEqual(first);
      await (await mailbox.take({ agentId: 'a' })).acknowledge();
      await Promise.all([mailbox.put(item), mailbox.put(item), mailbox.put(item)]);
      expect((await mailbox.take({ agentId: 'a' })).items).toEqual([]);
      expect(told().filter((line) => line.startsWith('a'))).toEqual(['a x queued', 'a x delivered']);
      expect(await problemOf(() => mailbox.put({ ...item, content: 'Bye' }))).toBe('duplicate');
      expect(await problemOf(() => mailbox.put({ ...item, to: 'c' }))).toBe('duplicate');
    },
  );

  it('RD-12: an agent that has its fill refuses more, and says so; there is room again when something is done', async () => {
    const { mailbox, told } = await redis.open({ maxItems: 2 });
    await mailbox.put({ id: 'x', content: '1', to: 'a' });
    await mailbox.put({ id: 'y', content: '2', to: 'a' });
    const error = await refusalOf(() => mailbox.put({ id: 'z', content: '3', to: 'a' }));
    expect(error.message).toContain('2 items are on their way to "a", at most 2 may be');
    const lease = await mailbox.take({ agentId: 'a', limit: 1 });
    expect(await problemOf(() => mailbox.put({ id: 'z', content: '3', to: 'a' }))).toBe('full');
    // What was refused does not keep its id.
    expect(await mailbox.status('z')).toBeUndefined();
    await lease.acknowledge();
    await mailbox.put({ id: 'z', content: 'another one', to: 'a' });
    expect(told()).toEqual(['a x queued', 'a y queued', 'a x delivered', 'a z queued']);
  });

  it('RD-12: so does the log; it says who is furthest behind, and whoever leaves makes room', async () => {
    const { mailbox } = await redis.open({ maxItems: 2 });
    for (const agentId of ['fast', 'slow']) await mailbox.join(agentId);
    for (const id of ['x', 'y']) await mailbox.put({ id, content: '1' });
    await (await mailbox.take({ agentId: 'fast' })).acknowledge();
    const error = await refusalOf(() => mailbox.put({ id: 'z', content: '3' }));
    expect(error.message).toContain(
      '2 items for several agents are on their way, at most 2 may be; "slow" is',
    );
    await mailbox.leave('slow');
    await mailbox.put({ id: 'z', content: '3' });
    expect(ids((await mailbox.take({ agentId: 'fast' })).items)).toEqual(['z']);
    // What is being sent still needs its place.
    await mailbox.put({ id: 'w', content: '3' });
    expect(await problemOf(() => mailbox.put({ id: 'v', content: '3' }))).toBe('full');
  });
});

describe.skipIf(!hasRedis)('who gets an item', () => {
  it('RD-4: one agent, several or all get it, each of them once', async () => {
    const { mailbox } = await redis.open();
    for (const agentId of ['a', 'b', 'c']) await mailbox.join(agentId);
    await mailbox.put({ id: 'one', content: 'x', to: 'a' });
    await mailbox.put({ id: 'two', content: 'x', to: ['a', 'b'] });
    await mailbox.put({ id: 'all', content: 'x' });
    expect(await mailbox.status('all')).toEqual({ a: 'queued', b: 'queued', c: 'queued' });
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

  it('RD-4: an item for all waits for somebody, and reaches agents that come later, once, in its old place', async () => {
    const { mailbox, told } = await redis.open();
    await mailbox.put({ id: 'x', content: 'x' });
    expect(await mailbox.status('x')).toEqual({ '*': 'queued' });
    await mailbox.put({ id: 'own', content: 'x', to: 'a' });
    const [first, second] = await Promise.all([
      mailbox.take({ agentId: 'a' }),
      mailbox.take({ agentId: 'a' }),
    ]);
    expect([...ids(first.items), ...ids(second.items)]).toEqual(['x', 'own']);
    await Promise.all([first.acknowledge(), second.acknowledge()]);
    await (await mailbox.take({ agentId: 'b' })).acknowledge();
    expect(await mailbox.status('x')).toEqual({ a: 'delivered', b: 'delivered' });
    expect(told().filter((line) => line.includes(' x '))).toEqual([
      '* x queued',
      'a x queued',
      'a x delivered',
      'b x queued',
      'b x delivered',
    ]);
  });

  it('RD-4: forty agents and a hundred items for all of them, whoever joins when', {
    timeout: 60_000,
  }, async () => {
    const prefix = redis.newPrefix();
    const [one, other] = [await redis.open({ prefix }), await redis.open({ prefix })];
    const agents = Array.from({ length: 40 }, (_, i) => `agent ${i}`);
    const got = new Map<string, string[]>(agents.map((agentId) => [agentId, []]));
    const serve = async (agentId: string, { mailbox }: typeof one): Promise<void> => {
      const lease = await mailbox.take({ agentId });
      got.get(agentId)?.push(...ids(lease.items));
      await lease.acknowledge();
    };
    const put = async (from: number): Promise<void> => {
      for (let i = from; i < from + 50; i++) await other.mailbox.put({ id: `i${i}`, content: 'x' });
    };
    await Promise.all([put(0), put(50), ...agents.map((agentId, i) => serve(agentId, i % 2 ? one : other))]);
    await Promise.all(agents.flatMap((agentId) => [serve(agentId, one), serve(agentId, other)]));
    for (const items of got.values()) {
      expect(items).toHaveLength(100);
      expect(new Set(items).size).toBe(100);
    }
  });

  it('RD-4: several who read for one agent at once take an item in once, even if it is forgotten at once', {
    timeout: 60_000,
  }, async () => {
    const prefix = redis.newPrefix();
    const open = () => redis.open({ prefix, maxRemembered: 0 });
    const boxes = [await open(), await open(), await open(), await open()];
    await boxes[0]?.mailbox.join('a');
    const got: string[] = [];
    let isDone = false;
    const serve = async (mailbox: RedisMailbox): Promise<void> => {
      while (!isDone) {
        const lease = await mailbox.take({ agentId: 'a' });
        got.push(...ids(lease.items));
        await lease.acknowledge();
      }
    };
    const serving = boxes.map(({ mailbox }) => serve(mailbox));
    for (let i = 0; i < 200; i++) await boxes[i % 4]?.mailbox.put({ id: `i${i}`, content: 'x' });
    await until(() => got.length >= 200, 'all are there');
    isDone = true;
    await Promise.all(serving);
    expect(got.toSorted()).toEqual(Array.from({ length: 200 }, (_, i) => `i${i}`).toSorted());
  });

  it('RD-2: when an agent leaves, what waits for it has failed; when it is back, it gets what is put from then on', async () => {
    const { mailbox, changes } = await redis.open();
    for (const agentId of ['a', 'b']) await mailbox.join(agentId);
    await mailbox.put({ id: 'x', content: 'x', to: ['a', 'b'] });
    const lease = await mailbox.take({ agentId: 'a' });
    await mailbox.leave('a');
    await mailbox.leave('b', 'it crashed');
    expect(await mailbox.status('x')).toEqual({ a: 'queued', b: 'failed' });
    expect(changes.at(-1)?.reason).toBe('it crashed');
    await lease.release();
    expect(await mailbox.status('x')).toEqual({ a: 'failed', b: 'failed' });
    await mailbox.put({ id: 'y', content: 'x', to: ['a', 'c'] });
    expect(await mailbox.status('y')).toEqual({ a: 'failed', c: 'queued' });
    await mailbox.put({ id: 'z', content: 'x', to: 'b' });
    expect(await mailbox.status('z')).toEqual({ b: 'failed' });
    expect(ids((await mailbox.take({ agentId: 'a' })).items)).toEqual([]);
    await mailbox.put({ id: 'again', content: 'x', to: 'a' });
    expect(ids((await mailbox.take({ agentId: 'a' })).items)).toEqual(['again']);
  });

  it('RD-2: a matcher keeps an item for certain tools, and holds up no other item', async () => {
    const { mailbox } = await redis.open();
    await mailbox.put({ id: 'web', content: 'x', to: 'a', matcher: 'mcp__web__*|Fetch', priority: 5 });
    await mailbox.put({ id: 'any', content: 'x', to: 'a' });
    const first = await mailbox.take({ agentId: 'a', toolNames: ['Bash', 'Read'] });
    expect(ids(first.items)).toEqual(['any']);
    await first.acknowledge();
    expect((await mailbox.take({ agentId: 'a', toolNames: [] })).items).toEqual([]);
    const second = await mailbox.take({ agentId: 'a', toolNames: ['Bash', 'mcp__web__get/page'] });
    expect(ids(second.items)).toEqual(['web']);
    await second.release();
    expect(ids((await mailbox.take({ agentId: 'a' })).items)).toEqual(['web']);
  });

  it('RD-2: the more important first, then in the order they were put, across matchers', async () => {
    const { mailbox } = await redis.open();
    for (const [id, priority, matcher] of [
      ['1', undefined, undefined],
      ['2', 1, 'Bash'],
      ['3', -1e21, undefined],
      ['4', 1, undefined],
      ['5', 0, 'B*'],
      ['6', 1.25, '*'],
    ] as const) {
      await mailbox.put({ id, content: 'x', to: 'a', priority, matcher });
    }
    const order = ['6', '2', '4', '1', '5', '3'];
    expect(ids(await mailbox.pending('a'))).toEqual(order);
    const two = await mailbox.take({ agentId: 'a', toolNames: ['Bash'], limit: 3 });
    expect(ids(two.items)).toEqual(order.slice(0, 3));
    await two.release();
    expect(ids((await mailbox.take({ agentId: 'a', toolNames: ['Bash'] })).items)).toEqual(order);
  });

  it('RD-2: a limit that is no whole number, or an agent without a name, is refused', async () => {
    const { mailbox } = await redis.open();
    for (const limit of [-1, 0.5, Number.NaN]) {
      expect(await problemOf(() => mailbox.take({ agentId: 'a', limit }))).toBe('invalid_option');
    }
    for (const agentId of ['*', '', 'x'.repeat(257)]) {
      expect(await problemOf(() => mailbox.take({ agentId }))).toBe('invalid');
    }
  });

  it('RD-2: a thousand items are handed over in one lease, in order', { timeout: 60_000 }, async () => {
    const { mailbox } = await redis.open();
    const names = Array.from({ length: 1000 }, (_, i) => `i${i}`);
    for (const id of names) await mailbox.put({ id, content: 'x', to: 'a' });
    expect(ids(await mailbox.pending('a'))).toEqual(names);
    const lease = await mailbox.take({ agentId: 'a' });
    expect(ids(lease.items)).toEqual(names);
    await lease.release();
    expect(ids(await mailbox.carryOver('a'))).toEqual(names);
    expect(await mailbox.status('i999')).toEqual({ a: 'carried' });
  });
});

describe.skipIf(!hasRedis)('leases', () => {
  it('RD-2: what was taken is handed to nobody else; only the first call counts', async () => {
    const { mailbox, told, changes } = await redis.open();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    const [first, second] = await Promise.all([
      mailbox.take({ agentId: 'a' }),
      mailbox.take({ agentId: 'a' }),
    ]);
    expect([...ids(first.items), ...ids(second.items)]).toEqual(['x']);
    expect(await mailbox.pending('a')).toEqual([]);
    expect(await mailbox.status('x')).toEqual({ a: 'queued' });
    const lease = first.items.length > 0 ? first : second;
    await lease.release();
    expect(changes.at(-1)).toMatchObject({ state: 'queued', reason: 'released' });
    const again = await mailbox.take({ agentId: 'a' });
    await Promise.all([lease.acknowledge(), again.acknowledge(), again.release(), again.acknowledge()]);
    expect(told()).toEqual(['a x queued', 'a x queued', 'a x delivered']);
  });

  it.each(['acknowledge', 'release'] as const)(
    'RD-6: what is not acknowledged in time waits again; then %s changes nothing for whoever has it now',
    async (call) => {
      const prefix = redis.newPrefix();
      const { mailbox, changes } = await redis.open({ prefix, leaseMs: 200 });
      const { mailbox: patient } = await redis.open({ prefix });
      await mailbox.put({ id: 'x', content: 'x', to: 'a' });
      const late = await mailbox.take({ agentId: 'a' });
      await until(async () => (await mailbox.pending('a')).length === 1, 'the lease runs out');
      expect(changes.at(-1)).toMatchObject({ state: 'queued', reason: 'not acknowledged in time' });
      const again = await patient.take({ agentId: 'a' });
      await late[call]();
      expect(await mailbox.status('x')).toEqual({ a: 'queued' });
      expect(await mailbox.pending('a')).toEqual([]);
      await again.acknowledge();
      expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
    },
  );

  it('RD-6: a lease that has run out does not come to life, even if nobody has looked since', async () => {
    const { mailbox } = await redis.open({ leaseMs: 50 });
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    const late = await mailbox.take({ agentId: 'a' });
    const begun = Date.now();
    await until(() => Date.now() - begun > 150, 'time passes');
    await late.acknowledge();
    expect(await mailbox.status('x')).toEqual({ a: 'queued' });
  });

  it('RD-6: each lease has the length that its taker wanted, whoever comes by', async () => {
    const prefix = redis.newPrefix();
    const patient = await redis.open({ prefix, leaseMs: 60_000 });
    const hasty = await redis.open({ prefix, leaseMs: 50 });
    for (const id of ['x', 'y']) await patient.mailbox.put({ id, content: 'x', to: 'a' });
    const long = await patient.mailbox.take({ agentId: 'a', limit: 1 });
    await hasty.mailbox.take({ agentId: 'a', limit: 1 });
    await until(async () => (await hasty.mailbox.pending('a')).length === 1, 'the short lease runs out');
    expect(ids(await patient.mailbox.pending('a'))).toEqual(['y']);
    await long.acknowledge();
    expect(await patient.mailbox.status('x')).toEqual({ a: 'delivered' });
  });

  it('RD-7: from its time on an item is expired, is said to be, and is handed to nobody', async () => {
    const { mailbox, changes } = await redis.open();
    for (const agentId of ['a', 'b']) await mailbox.join(agentId);
    await mailbox.put({ id: 'named', content: 'x', to: 'a', expiresAt: Date.now() + 150 });
    await mailbox.put({ id: 'all', content: 'x', expiresAt: Date.now() + 150 });
    await until(async () => (await mailbox.status('named'))?.['a'] === 'expired', 'it expires');
    await until(async () => (await mailbox.status('all'))?.['b'] === 'expired', 'it expires');
    expect((await mailbox.take({ agentId: 'a' })).items).toEqual([]);
    expect(await mailbox.status('all')).toEqual({ a: 'expired', b: 'expired' });
    expect(changes.filter(({ state }) => state === 'expired')).toHaveLength(3);
    expect(changes.at(-1)?.reason).toBe('its time has passed');
    expect((await mailbox.take({ agentId: 'later' })).items).toEqual([]);
    expect(await mailbox.status('all')).toEqual({ a: 'expired', b: 'expired' });
  });

  it('RD-7: what is being sent when its time comes can be acknowledged; when it comes back it has expired', async () => {
    const { mailbox } = await redis.open();
    const takeBoth = async (id: string, expiresAt: number): Promise<readonly Lease[]> => {
      await mailbox.put({ id, content: 'x', to: ['a', 'b'], expiresAt });
      return [await mailbox.take({ agentId: 'a' }), await mailbox.take({ agentId: 'b' })];
    };
    // On a slow machine it may be over before it was taken: then there has to be more time.
    let [id, expiresAt, leases]: [string, number, readonly Lease[]] = ['', 0, []];
    for (let ms = 200; leases.length === 0 || leases.some(({ items }) => items.length === 0); ms *= 2) {
      [id, expiresAt] = [`x${ms}`, Date.now() + ms];
      leases = await takeBoth(id, expiresAt);
    }
    const [a, b] = leases;
    await until(() => Date.now() > expiresAt + 20, 'its time passes');
    expect(await mailbox.status(id)).toEqual({ a: 'queued', b: 'queued' });
    await a?.acknowledge();
    await b?.release();
    expect(await mailbox.status(id)).toEqual({ a: 'delivered', b: 'expired' });
  });

  it('RD-7: a sweep looks after agents that nobody serves', async () => {
    const prefix = redis.newPrefix();
    const { mailbox: writer } = await redis.open({ prefix });
    const { mailbox, told } = await redis.open({ prefix });
    await writer.put({ id: 'one', content: 'x', to: 'nobody', expiresAt: 1 });
    await writer.put({ id: 'two', content: 'x', to: ['nobody', 'somebody'], expiresAt: 1 });
    await mailbox.sweep();
    expect(told().sort()).toEqual(['nobody two expired', 'somebody two expired']);
  });

  it('RD-8: what an agent was not sent is carried; what is being sent stays with its lease', async () => {
    const { mailbox } = await redis.open();
    for (const agentId of ['a', 'b']) await mailbox.join(agentId);
    await mailbox.put({ id: 'sent', content: 'x', priority: 1 });
    await mailbox.put({ id: 'x', content: 'x', matcher: 'Bash' });
    await mailbox.put({ id: 'y', content: 'x', priority: 1, to: 'a' });
    const lease = await mailbox.take({ agentId: 'a', toolNames: [], limit: 1 });
    expect(ids(await mailbox.carryOver('a'))).toEqual(['y', 'x']);
    expect(await mailbox.carryOver('a')).toEqual([]);
    expect(await mailbox.status('x')).toEqual({ a: 'carried', b: 'queued' });
    await lease.release();
    expect(ids(await mailbox.pending('a'))).toEqual(['sent']);
  });
});
