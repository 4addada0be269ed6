/** Checks of leases: a taken item belongs to its taker until it is acknowledged or released, or the lease expires. */
import { equal, ids } from '../assert.js';
import { drain, hasStates } from '../bench.js';
import { type CheckDefinition, check, timedCheck } from '../check.js';

const late = (['acknowledge', 'release'] as const).map((end) =>
  timedCheck(
    `IJ-12: an item that is not acknowledged in time waits again; a late ${end} does not affect its new holder`,
    async (bench) => {
      const box = await bench.open({ leaseMs: 2 * bench.unit });
      await box.mailbox.put({ id: 'x', content: 'x', to: 'a' });
      const slow = await box.mailbox.take({ agentId: 'a' });
      await bench.pass(1);
      equal(ids(await box.mailbox.pending('a')), [], 'what waits before its time');
      await bench.pass(1);
      equal(ids(await box.mailbox.pending('a')), ['x'], 'what waits after its time');
      const again = await box.mailbox.take({ agentId: 'a' });
      equal(ids(again.items), ['x'], 'what is handed over after its time');
      await slow[end]();
      await hasStates(box, 'x', { a: 'queued' });
      equal(ids(await box.mailbox.pending('a')), [], 'what waits while another has it');
      await again.acknowledge();
      await hasStates(box, 'x', { a: 'delivered' });
    },
    ['leaseMs'],
  ),
);

export const leaseChecks: readonly CheckDefinition[] = [
  check('IJ-11: a leased item is not handed to another taker', async (bench) => {
    const box = await bench.open();
    const { mailbox } = box;
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    const leases = await Promise.all([mailbox.take({ agentId: 'a' }), mailbox.take({ agentId: 'a' })]);
    const taken = leases.flatMap(({ items }) => ids(items));
    equal(taken, ['x'], 'what two who take at once are handed together');
    equal(await mailbox.pending('a'), [], 'what waits');
    equal((await mailbox.take({ agentId: 'a' })).items, [], 'what the next one is handed');
    await hasStates(box, 'x', { a: 'queued' });
    for (const lease of leases) await lease.acknowledge();
    await hasStates(box, 'x', { a: 'delivered' });
    equal(await drain(box, 'a'), [], 'what is handed over after the acknowledge');
  }),

  check('IJ-11: a released item waits again, and that is reported', async (bench) => {
    const box = await bench.open();
    await box.mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await box.mailbox.put({ id: 'y', content: 'x', to: 'a' });
    const lease = await box.mailbox.take({ agentId: 'a', limit: 1 });
    await lease.release();
    const expected = ['a x queued', 'a y queued', 'a x queued'];
    await bench.eventually(box.reported, expected, 'the reported changes');
    await hasStates(box, 'x', { a: 'queued' });
    equal(await drain(box, 'a'), ['x', 'y'], 'what is handed over then, in its old place');
  }),

  check('IJ-11: ending a lease ends all its items, and no others', async (bench) => {
    const box = await bench.open();
    for (const id of ['1', '2', '3', '4']) await box.mailbox.put({ id, content: 'x', to: 'a' });
    const [sent, kept] = [
      await box.mailbox.take({ agentId: 'a', limit: 2 }),
      await box.mailbox.take({ agentId: 'a', limit: 1 }),
    ];
    await sent.acknowledge();
    for (const [id, state] of Object.entries({
      1: 'delivered',
      2: 'delivered',
      3: 'queued',
      4: 'queued',
    } as const))
      await hasStates(box, id, { a: state });
    await kept.release();
    equal(await drain(box, 'a'), ['3', '4'], 'what is handed over then');
  }),

  check('IJ-12: only the first end of a lease counts', async (bench) => {
    const box = await bench.open();
    await box.mailbox.put({ id: 'x', content: 'x', to: 'a' });
    const returned = await box.mailbox.take({ agentId: 'a' });
    await returned.release();
    await returned.acknowledge();
    await hasStates(box, 'x', { a: 'queued' });
    const lease = await box.mailbox.take({ agentId: 'a' });
    await returned.release();
    equal((await box.mailbox.take({ agentId: 'a' })).items, [], 'what waits while another has it');
    await Promise.all([lease.acknowledge(), lease.release(), lease.acknowledge()]);
    await lease.release();
    await hasStates(box, 'x', { a: 'delivered' });
    const expected = ['a x queued', 'a x queued', 'a x delivered'];
    await bench.eventually(box.reported, expected, 'the reported changes');
  }),

  check('IJ-12: an empty lease can be ended like any other', async (bench) => {
    const box = await bench.open();
    for (const end of ['acknowledge', 'release'] as const) {
      const lease = await box.mailbox.take({ agentId: 'a' });
      equal(lease.items, [], 'what is handed over where nothing waits');
      await lease[end]();
    }
    equal(box.reported(), [], 'the reported changes');
  }),

  ...late,

  timedCheck(
    'IJ-12: an expired lease stays expired, even if no call was made since',
    async (bench) => {
      const box = await bench.open({ leaseMs: bench.unit });
      await box.mailbox.put({ id: 'x', content: 'x', to: 'a' });
      const slow = await box.mailbox.take({ agentId: 'a' });
      equal(ids(slow.items), ['x'], 'what is handed over');
      await bench.pass(1);
      await slow.acknowledge();
      await hasStates(box, 'x', { a: 'queued' });
      equal(ids(await box.mailbox.pending('a')), ['x'], 'what waits');
    },
    ['leaseMs'],
  ),

  timedCheck(
    'IJ-12: the expiry of a lease is reported',
    async (bench) => {
      const box = await bench.open({ leaseMs: bench.unit });
      await box.mailbox.put({ id: 'x', content: 'x', to: 'a' });
      await box.mailbox.take({ agentId: 'a' });
      await bench.pass(1);
      equal(ids(await box.mailbox.pending('a')), ['x'], 'what waits');
      await bench.eventually(box.reported, ['a x queued', 'a x queued'], 'the reported changes');
      await bench.eventually(
        () => typeof box.changes.at(-1)?.reason,
        'string',
        'the type of the reason of that change',
      );
    },
    ['leaseMs'],
  ),

  check('IJ-14: waiting items are carried over; leased items stay with their lease', async (bench) => {
    const box = await bench.open();
    const { mailbox } = box;
    for (const agentId of ['a', 'b']) await (await mailbox.take({ agentId })).release();
    await mailbox.put({ id: 'sent', content: 'x', priority: 1 });
    await mailbox.put({ id: 'x', content: 'x', matcher: 'Bash' });
    await mailbox.put({ id: 'y', content: 'x', priority: 1, to: 'a' });
    const lease = await mailbox.take({ agentId: 'a', toolNames: [], limit: 1 });
    equal(ids(lease.items), ['sent'], 'what is handed over');
    equal(ids(await mailbox.carryOver('a')), ['y', 'x'], 'what is carried over');
    equal(await mailbox.carryOver('a'), [], 'what is carried over a second time');
    await hasStates(box, 'x', { a: 'carried', b: 'queued' });
    await hasStates(box, 'y', { a: 'carried' });
    await lease.release();
    equal(ids(await mailbox.pending('a')), ['sent'], 'what waits then');
    equal(await drain(box, 'b'), ['sent', 'x'], 'what another agent is handed');
  }),

  check('IJ-14: with concurrent calls of carryOver, each item goes to one', async (bench) => {
    const { mailbox } = await bench.open();
    const names = Array.from({ length: 20 }, (_, i) => `i${i}`);
    for (const id of names) await mailbox.put({ id, content: 'x', to: 'a' });
    const parts = await Promise.all([1, 2, 3].map(() => mailbox.carryOver('a')));
    equal(parts.flatMap(ids).sort(), names.toSorted(), 'what all of them have together');
    equal(await mailbox.carryOver('nobody'), [], 'what is carried over for an unknown agent');
  }),
];
