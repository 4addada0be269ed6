/** Checks of who gets an item and in which order: named agents, all agents, later agents, matchers and priorities. */
import { equal, ids, refused } from '../assert.js';
import { arrive, drain, hasStates } from '../bench.js';
import { type CheckDefinition, check, timedCheck } from '../check.js';

const MANY = 250;

const agentChecks: readonly CheckDefinition[] = [
  check('IJ-6: one agent, several or all get an item, each of them once', async (bench) => {
    const box = await bench.open();
    await arrive(box, 'a', 'b', 'c');
    await box.mailbox.put({ id: 'one', content: 'x', to: 'a' });
    await box.mailbox.put({ id: 'two', content: 'x', to: ['a', 'b'] });
    await box.mailbox.put({ id: 'all', content: 'x' });
    await hasStates(box, 'all', { a: 'queued', b: 'queued', c: 'queued' });
    const expected = { a: ['one', 'two', 'all'], b: ['two', 'all'], c: ['all'] };
    for (const [agentId, items] of Object.entries(expected)) {
      equal(await drain(box, agentId), items, `what ${agentId} is handed`);
      equal(await drain(box, agentId), [], `what ${agentId} is handed a second time`);
    }
    await hasStates(box, 'all', { a: 'delivered', b: 'delivered', c: 'delivered' });
  }),

  check('IJ-6: an item can name an unknown agent; items for other agents are not affected', async (bench) => {
    const box = await bench.open();
    await box.mailbox.put({ id: 'x', content: 'x', to: 'later' });
    await box.mailbox.put({ id: 'y', content: 'y', to: ['later', 'never'] });
    await hasStates(box, 'x', { later: 'queued' });
    equal(await drain(box, 'another'), [], 'what another agent is handed');
    equal(await box.mailbox.carryOver('another'), [], 'what is carried over for another agent');
    equal(await drain(box, 'later'), ['x', 'y'], 'what the agent is handed');
    await hasStates(box, 'y', { later: 'delivered', never: 'queued' });
  }),

  check('IJ-7: an item for all waits for an agent, and reaches later agents, once', async (bench) => {
    const box = await bench.open();
    await box.mailbox.put({ id: 'x', content: 'x' });
    await hasStates(box, 'x', { '*': 'queued' });
    await box.mailbox.put({ id: 'own', content: 'x', to: 'a' });
    equal(await drain(box, 'a'), ['x', 'own'], 'what the first agent is handed');
    await box.mailbox.put({ id: 'urgent', content: 'x', priority: 1 });
    await hasStates(box, 'urgent', { a: 'queued' });
    equal(await drain(box, 'b'), ['urgent', 'x'], 'what a later agent is handed');
    equal(await drain(box, 'a'), ['urgent'], 'what the first agent is handed then');
    for (const agentId of ['a', 'b']) equal(await drain(box, agentId), [], `what is left for ${agentId}`);
    await hasStates(box, 'x', { a: 'delivered', b: 'delivered' });
  }),

  check('IJ-7: pending lists what an agent would get, and does not make it known', async (bench) => {
    const box = await bench.open();
    await arrive(box, 'a');
    await box.mailbox.put({ id: 'all', content: 'x' });
    await box.mailbox.put({ id: 'urgent', content: 'x', priority: 1 });
    await box.mailbox.put({ id: 'own', content: 'x', to: 'b' });
    equal(ids(await box.mailbox.pending('b')), ['urgent', 'all', 'own'], 'what is pending for b');
    await hasStates(box, 'all', { a: 'queued' });
  }),

  timedCheck('IJ-7: an expired item for all does not reach later agents', async (bench) => {
    const box = await bench.open();
    await box.mailbox.put({ id: 'old', content: 'x', expiresAt: bench.now() + bench.unit });
    await box.mailbox.put({ id: 'new', content: 'x' });
    await bench.pass(1);
    equal(ids(await box.mailbox.pending('a')), ['new'], 'what is pending for an agent that comes later');
    equal(await drain(box, 'a'), ['new'], 'what it is handed');
    await hasStates(box, 'old', { '*': 'expired' });
  }),

  check(
    'IJ-8: when an agent leaves, items waiting for it fail, and so do later items for it by name',
    async (bench) => {
      const box = await bench.open();
      const { mailbox } = box;
      for (const agentId of ['a', 'b']) await mailbox.join?.(agentId);
      await mailbox.put({ id: 'x', content: 'x', to: ['a', 'b'] });
      const lease = await mailbox.take({ agentId: 'a' });
      await mailbox.leave?.('a');
      await mailbox.leave?.('b', 'it crashed');
      await hasStates(box, 'x', { a: 'queued', b: 'failed' });
      await bench.eventually(() => box.changes.at(-1)?.reason, 'it crashed', 'the reason of the last change');
      await lease.release();
      await hasStates(box, 'x', { a: 'failed', b: 'failed' });
      await mailbox.put({ id: 'y', content: 'x', to: ['a', 'c'] });
      await hasStates(box, 'y', { a: 'failed', c: 'queued' });
      await mailbox.put({ id: 'z', content: 'x', to: 'b' });
      await hasStates(box, 'z', { b: 'failed' });
      await mailbox.put({ id: 'all', content: 'x' });
      await hasStates(box, 'all', { '*': 'queued' });
    },
    ['membership'],
  ),

  check(
    'IJ-8: an agent that returns gets items put from then on, and nothing twice',
    async (bench) => {
      const box = await bench.open();
      await box.mailbox.join?.('a');
      await box.mailbox.put({ id: 'own', content: 'x', to: 'a' });
      await box.mailbox.put({ id: 'all', content: 'x' });
      await box.mailbox.leave?.('a');
      await box.mailbox.join?.('a');
      await box.mailbox.put({ id: 'new', content: 'x', to: 'a' });
      equal(await drain(box, 'a'), ['new'], 'what the agent is handed');
      await hasStates(box, 'all', { a: 'failed' });
    },
    ['membership'],
  ),
];

const orderChecks: readonly CheckDefinition[] = [
  check('IJ-9: a matcher limits an item to certain tools, and does not delay other items', async (bench) => {
    const { mailbox } = await bench.open();
    await mailbox.put({ id: 'web', content: 'x', to: 'a', matcher: 'mcp__web__*|Fetch', priority: 5 });
    await mailbox.put({ id: 'any', content: 'x', to: 'a' });
    const first = await mailbox.take({ agentId: 'a', toolNames: ['Bash', 'Read'] });
    equal(ids(first.items), ['any'], 'what goes with Bash and Read');
    await first.acknowledge();
    equal((await mailbox.take({ agentId: 'a', toolNames: [] })).items, [], 'what goes with no tool');
    const second = await mailbox.take({ agentId: 'a', toolNames: ['Bash', 'mcp__web__get/page'] });
    equal(ids(second.items), ['web'], 'what goes with mcp__web__get/page');
    await second.release();
    equal(await drain({ mailbox }, 'a'), ['web'], 'what is handed over at a turn’s boundary');
  }),

  check('IJ-9: matchers are names and globs with | between them; * is every tool', async (bench) => {
    const { mailbox } = await bench.open();
    const matchers = { write: 'Write|Edit', mcp: 'mcp__*', any: '*', none: '', listed: 'Never|*' };
    for (const [id, matcher] of Object.entries(matchers))
      await mailbox.put({ id, content: 'x', matcher, to: 'a' });
    const take = async (...toolNames: string[]): Promise<string[]> => {
      const lease = await mailbox.take({ agentId: 'a', toolNames });
      await lease.release();
      return ids(lease.items);
    };
    const always = ['any', 'none', 'listed'];
    equal(await take('Bash'), always, 'what goes with Bash');
    equal(await take('Edit'), ['write', ...always], 'what goes with Edit');
    equal(await take('edit', 'Writer'), always, 'what goes with edit and Writer');
    equal(await take('mcp__x__y'), ['mcp', ...always], 'what goes with mcp__x__y');
    equal(await take('Bash', 'Write', 'mcp__q'), ['write', 'mcp', ...always], 'what goes with three tools');
  }),

  check('IJ-10: items are ordered by priority, then by put order, across matchers', async (bench) => {
    const { mailbox } = await bench.open();
    const items = [
      ['1', undefined, undefined],
      ['2', 1, 'Bash'],
      ['3', -1e21, undefined],
      ['4', 1, undefined],
      ['5', 0, 'B*'],
      ['6', 1.25, '*'],
    ] as const;
    for (const [id, priority, matcher] of items)
      await mailbox.put({ id, content: 'x', to: 'a', priority, matcher });
    const order = ['6', '2', '4', '1', '5', '3'];
    equal(ids(await mailbox.pending('a')), order, 'what is pending');
    const three = await mailbox.take({ agentId: 'a', toolNames: ['Bash'], limit: 3 });
    equal(ids(three.items), order.slice(0, 3), 'the first three');
    await three.release();
    const all = await mailbox.take({ agentId: 'a', toolNames: ['Bash'] });
    equal(ids(all.items), order, 'all, after the first three came back');
  }),

  check('IJ-10: priorities can be any finite number', async (bench) => {
    const { mailbox } = await bench.open();
    const priorities = [0, -1, 1e300, 0.5, -0, Number.MIN_VALUE, -1e-300, 3, undefined, -1e300];
    for (const [i, priority] of priorities.entries())
      await mailbox.put({ id: `i${i}`, content: 'x', to: 'a', priority });
    const order = priorities
      .map((priority, i) => ({ id: `i${i}`, priority: priority ?? 0 }))
      .sort((a, b) => b.priority - a.priority)
      .map(({ id }) => id);
    equal(ids(await mailbox.pending('a')), order, 'what is pending');
    equal(await drain({ mailbox }, 'a'), order, 'what is handed over');
  }),

  check('IJ-10: items for all and items by name share one order', async (bench) => {
    const box = await bench.open();
    await arrive(box, 'a');
    for (const [i, to] of ['a', undefined, ['a', 'b'], 'a', undefined].entries())
      await box.mailbox.put({ id: `i${i}`, content: 'x', to });
    const lease = await box.mailbox.take({ agentId: 'a', limit: 3 });
    equal(ids(lease.items), ['i0', 'i1', 'i2'], 'the first three');
    await lease.release();
    equal(await drain(box, 'a'), ['i0', 'i1', 'i2', 'i3', 'i4'], 'all of them');
  }),

  check('IJ-10: many items are handed over in one lease, in order', async (bench) => {
    const { mailbox } = await bench.open();
    const names = Array.from({ length: MANY }, (_, i) => `i${i}`);
    for (const id of names) await mailbox.put({ id, content: 'x', to: 'a' });
    equal(ids(await mailbox.pending('a')), names, 'what is pending');
    const lease = await mailbox.take({ agentId: 'a' });
    equal(ids(lease.items), names, 'what is handed over');
    await lease.release();
    equal(ids(await mailbox.carryOver('a')), names, 'what is carried over');
  }),

  check('IJ-10: an invalid limit or agent is refused', async (bench) => {
    const { mailbox } = await bench.open();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    for (const limit of [-1, 0.5, Number.NaN])
      await refused(() => mailbox.take({ agentId: 'a', limit }), 'invalid_option', `the limit ${limit}`);
    for (const agentId of ['*', '', 'x'.repeat(257)])
      await refused(() => mailbox.take({ agentId }), 'invalid', `the agent ${JSON.stringify(agentId)}`);
    equal((await mailbox.take({ agentId: 'a', limit: 0 })).items, [], 'what is handed over with the limit 0');
    equal(await drain({ mailbox }, 'a'), ['x'], 'what is handed over then');
  }),
];

export const targetChecks: readonly CheckDefinition[] = [...agentChecks, ...orderChecks];
