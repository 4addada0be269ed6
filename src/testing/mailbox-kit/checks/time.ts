/** Checks of expiry: an expired item is reported as expired and not delivered. */
import { equal, ids } from '../assert.js';
import { arrive, drain, hasStates } from '../bench.js';
import { type CheckDefinition, check, timedCheck } from '../check.js';

export const timeChecks: readonly CheckDefinition[] = [
  timedCheck('IJ-13: an item expires at its time and is then not delivered', async (bench) => {
    const box = await bench.open();
    await arrive(box, 'a', 'b');
    const expiresAt = bench.now() + 2 * bench.unit;
    await box.mailbox.put({ id: 'named', content: 'x', to: 'a', expiresAt });
    await box.mailbox.put({ id: 'both', content: 'x', to: ['a', 'b'], expiresAt });
    await box.mailbox.put({ id: 'all', content: 'x', expiresAt });
    await box.mailbox.put({ id: 'stays', content: 'x', to: 'a' });
    await bench.pass(1);
    const all = ['named', 'both', 'all', 'stays'];
    equal(ids(await box.mailbox.pending('a')), all, 'what waits before its time');
    await bench.pass(1);
    equal(ids(await box.mailbox.pending('a')), ['stays'], 'what waits from its time on');
    equal(await drain(box, 'a'), ['stays'], 'what a is handed');
    equal(await drain(box, 'b'), [], 'what b is handed');
    await hasStates(box, 'named', { a: 'expired' });
    await hasStates(box, 'both', { a: 'expired', b: 'expired' });
    await hasStates(box, 'all', { a: 'expired', b: 'expired' });
  }),

  timedCheck('IJ-13: expiry is reported once for each agent, with a reason', async (bench) => {
    const box = await bench.open();
    await box.mailbox.put({ id: 'x', content: 'x', to: ['a', 'b'], expiresAt: bench.now() + bench.unit });
    await bench.pass(1);
    for (const agentId of ['a', 'b', 'a', 'b']) await box.mailbox.take({ agentId });
    await hasStates(box, 'x', { a: 'expired', b: 'expired' });
    const expired = (): string[] =>
      box.changes
        .filter(({ state }) => state === 'expired')
        .map(({ agentId, reason }) => `${agentId} ${typeof reason}`)
        .sort();
    await bench.eventually(expired, ['a string', 'b string'], 'the agents and the types of the reasons');
  }),

  check('IJ-13: an item that is put after its expiry is expired', async (bench) => {
    const box = await bench.open();
    await box.mailbox.put({ id: 'one', content: 'x', to: 'a', expiresAt: bench.now() - 1 });
    await box.mailbox.put({ id: 'two', content: 'x', to: ['a', 'b'], expiresAt: -5 });
    equal(await drain(box, 'a'), [], 'what is handed over');
    await hasStates(box, 'one', { a: 'expired' });
    await hasStates(box, 'two', { a: 'expired', b: 'expired' });
    await bench.eventually(
      () =>
        box
          .reported()
          .filter((line) => line.startsWith('a one'))
          .sort(),
      ['a one expired', 'a one queued'],
      'the reported changes of the first item',
    );
  }),

  timedCheck(
    'IJ-13: a leased item can be acknowledged after its expiry; if released, it is expired',
    async (bench) => {
      const box = await bench.open();
      const expiresAt = bench.now() + bench.unit;
      await box.mailbox.put({ id: 'x', content: 'x', to: ['a', 'b'], expiresAt });
      const [sent, kept] = [
        await box.mailbox.take({ agentId: 'a' }),
        await box.mailbox.take({ agentId: 'b' }),
      ];
      equal([ids(sent.items), ids(kept.items)], [['x'], ['x']], 'what is handed over');
      await bench.pass(1);
      await hasStates(box, 'x', { a: 'queued', b: 'queued' });
      await sent.acknowledge();
      await kept.release();
      await hasStates(box, 'x', { a: 'delivered', b: 'expired' });
      equal(await drain(box, 'b'), [], 'what is handed over after it came back');
    },
  ),

  timedCheck(
    'IJ-13: an item whose lease expires is expired if its own time has passed',
    async (bench) => {
      const box = await bench.open({ leaseMs: 2 * bench.unit });
      const expiresAt = bench.now() + bench.unit;
      await box.mailbox.put({ id: 'x', content: 'x', to: 'a', expiresAt });
      equal(ids((await box.mailbox.take({ agentId: 'a' })).items), ['x'], 'what is handed over');
      await bench.pass(2);
      equal(await drain(box, 'a'), [], 'what is handed over after its time');
      await hasStates(box, 'x', { a: 'expired' });
    },
    ['leaseMs'],
  ),

  timedCheck('IJ-13: expired items are not carried over', async (bench) => {
    const box = await bench.open();
    await box.mailbox.put({ id: 'old', content: 'x', to: 'a', expiresAt: bench.now() + bench.unit });
    await box.mailbox.put({ id: 'new', content: 'x', to: 'a' });
    await bench.pass(1);
    equal(ids(await box.mailbox.carryOver('a')), ['new'], 'what is carried over');
    await hasStates(box, 'old', { a: 'expired' });
  }),

  check(
    'IJ-13: a clock that goes back neither restores nor loses items',
    async (bench) => {
      const box = await bench.open();
      await box.mailbox.put({ id: 'x', content: 'x', to: 'a', expiresAt: bench.now() + bench.unit });
      await box.mailbox.put({ id: 'y', content: 'x', to: 'a', expiresAt: bench.now() + 1000 * bench.unit });
      await bench.pass(1);
      await hasStates(box, 'x', { a: 'expired' });
      await bench.pass(-500);
      equal(await drain(box, 'a'), ['y'], 'what is handed over');
      await hasStates(box, 'x', { a: 'expired' });
    },
    ['clock'],
  ),
];
