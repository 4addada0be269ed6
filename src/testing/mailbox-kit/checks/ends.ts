/** Checks of withdrawing, closing, what is remembered, and the changes reported along the way. */
import { equal, ids, refused } from '../assert.js';
import { arrive, drain, hasStates } from '../bench.js';
import { type CheckDefinition, check } from '../check.js';

const endChecks: readonly CheckDefinition[] = [
  check(
    'IJ-16: an item can be withdrawn from agents that have not received it, and from those yet to arrive',
    async (bench) => {
      const box = await bench.open();
      await arrive(box, 'a', 'b');
      await box.mailbox.put({ id: 'x', content: 'x' });
      await drain(box, 'a');
      equal(await box.mailbox.withdraw?.('x', 'never mind'), true, 'whether it was withdrawn');
      await hasStates(box, 'x', { a: 'delivered', b: 'failed' });
      await bench.eventually(() => box.changes.at(-1)?.reason, 'never mind', 'the reported reason');
      equal(await box.mailbox.withdraw?.('x'), false, 'whether it was withdrawn again');
      equal(await box.mailbox.withdraw?.('unknown'), false, 'whether an unknown item was withdrawn');
      for (const agentId of ['b', 'later']) equal(await drain(box, agentId), [], `what ${agentId} is handed`);
    },
    ['withdraw'],
  ),

  check('IJ-17: a closed mailbox refuses calls, and can be closed again', async (bench) => {
    const { mailbox } = await bench.open();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await Promise.all([mailbox.close(), mailbox.close()]);
    await mailbox.close();
    await refused(() => mailbox.put({ content: 'x', to: 'a' }), 'closed', 'put after close');
    await refused(() => mailbox.take({ agentId: 'a' }), 'closed', 'take after close');
    await refused(() => mailbox.carryOver('a'), 'closed', 'carryOver after close');
  }),

  check('IJ-17: a lease that is open at close can still be ended, and that is reported', async (bench) => {
    const box = await bench.open();
    for (const id of ['x', 'y']) await box.mailbox.put({ id, content: 'x', to: 'a' });
    const [sent, kept] = [
      await box.mailbox.take({ agentId: 'a', limit: 1 }),
      await box.mailbox.take({ agentId: 'a' }),
    ];
    await box.mailbox.close();
    await sent.acknowledge();
    await kept.release();
    await bench.eventually(
      () => box.reported().filter((line) => line.startsWith('a x')),
      ['a x queued', 'a x delivered'],
      'the reported changes of the leased item',
    );
    await bench.eventually(
      () => box.reported().filter((line) => line.startsWith('a y')).length,
      2,
      'the number of reported changes of the released item',
    );
  }),

  check('IJ-19: an unknown id has no status', async (bench) => {
    const box = await bench.open();
    await hasStates(box, 'never', undefined);
    await box.mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await hasStates(box, 'X', undefined);
    equal(await box.mailbox.pending('never'), [], 'what waits for an unknown agent');
  }),

  check(
    'IJ-19: the latest ended items are remembered, and all that are still waiting',
    async (bench) => {
      const box = await bench.open({ maxRemembered: 2 });
      await box.mailbox.put({ id: 'waits', content: 'x', to: ['a', 'slow'] });
      for (const id of ['1', '2', '3', '4', '5']) {
        await box.mailbox.put({ id, content: 'x', to: 'a' });
        await drain(box, 'a');
      }
      for (const id of ['4', '5']) await hasStates(box, id, { a: 'delivered' });
      equal(ids(await box.mailbox.pending('slow')), ['waits'], 'what waits for an agent that is slow');
      equal((await box.mailbox.status('waits'))?.['slow'], 'queued', 'the state of what waits');
      equal(await drain(box, 'slow'), ['waits'], 'what it is handed');
    },
    ['maxRemembered'],
  ),
];

const changeChecks: readonly CheckDefinition[] = [
  check('IJ-18: a change names the agent, item and time, with the source and the strategy', async (bench) => {
    const box = await bench.open();
    const source = { kind: 'peer', label: 'Bob' };
    const [before, item] = [
      Date.now(),
      await box.mailbox.put({ id: 'x', content: 'x', to: 'a', source, strategy: 'user_message' }),
    ];
    await drain(box, 'a');
    await bench.eventually(box.reported, ['a x queued', 'a x delivered'], 'the reported changes');
    for (const [i, state] of ['queued', 'delivered'].entries()) {
      const { at, ...rest } = box.changes[i] ?? { at: Number.NaN };
      const { id, strategy } = item;
      equal(rest, { id, agentId: 'a', state, source, strategy }, 'the change');
      if (bench.hasClock) equal(at, bench.now(), 'its time');
      else equal(Math.abs(at - before) < 60_000, true, 'its time is that of now');
    }
  }),

  check('IJ-18: every change is reported once, whatever happens to an item', async (bench) => {
    const box = await bench.open();
    for (const [i, id] of ['sent', 'back', 'carried', 'late'].entries())
      await box.mailbox.put({
        id,
        content: 'x',
        to: 'a',
        priority: -i,
        ...(id === 'late' && { expiresAt: 1 }),
      });
    await (await box.mailbox.take({ agentId: 'a', limit: 1 })).acknowledge();
    await (await box.mailbox.take({ agentId: 'a', limit: 1 })).release();
    await box.mailbox.carryOver('a');
    for (const id of ['sent', 'back', 'carried', 'late']) await box.mailbox.status(id);
    const expected = [
      'a back carried',
      'a back queued',
      'a back queued',
      'a carried carried',
      'a carried queued',
      'a late expired',
      'a late queued',
      'a sent delivered',
      'a sent queued',
    ];
    await bench.eventually(() => box.reported().sort(), expected, 'the reported changes, sorted');
  }),

  check('IJ-18: a listener that throws or rejects changes nothing', async (bench) => {
    const box = await bench.open();
    box.mailbox.onChange(() => {
      throw new Error('This listener of the check fails on purpose.');
    });
    box.mailbox.onChange(async () => {
      throw new Error('So does this one.');
    });
    const after: string[] = [];
    box.mailbox.onChange(({ id, state }) => after.push(`${id} ${state}`));
    await box.mailbox.put({ id: 'x', content: 'x', to: 'a' });
    equal(await drain(box, 'a'), ['x'], 'what is handed over');
    await bench.eventually(() => after, ['x queued', 'x delivered'], 'what the listener after them received');
  }),

  check(
    'IJ-18: a listener may use the mailbox; all listeners get the changes in the same order',
    async (bench) => {
      const { mailbox } = await bench.open();
      const received: string[][] = [[], []];
      let answer: Promise<unknown> = Promise.resolve();
      mailbox.onChange(({ id, state }) => {
        if (id === 'x' && state === 'queued') answer = mailbox.put({ id: 'answer', content: 'x', to: 'a' });
        received[0]?.push(`${id} ${state}`);
      });
      mailbox.onChange(({ id, state }) => received[1]?.push(`${id} ${state}`));
      await mailbox.put({ id: 'x', content: 'x', to: 'a' });
      await answer;
      equal(await drain({ mailbox }, 'a'), ['x', 'answer'], 'what is handed over');
      // The items of one lease end together, in any order.
      const expected = ['answer delivered', 'answer queued', 'x delivered', 'x queued'];
      const sorted = (): string[][] => received.map((changes) => changes.toSorted());
      await bench.eventually(sorted, [expected, expected], 'what both listeners received');
      equal(received[0], received[1], 'the order in which the second listener received it');
    },
  ),

  check('IJ-18: a removed listener is not called again, and does not affect others', async (bench) => {
    const { mailbox } = await bench.open();
    const received: string[] = [];
    const listener = ({ id }: { readonly id: string }): void => void received.push(id);
    const ends = [mailbox.onChange(listener), mailbox.onChange(listener)];
    await mailbox.put({ id: '1', content: 'x', to: 'a' });
    await bench.eventually(() => received, ['1', '1'], 'what a listener that was added twice received');
    ends[0]?.();
    ends[0]?.();
    await mailbox.put({ id: '2', content: 'x', to: 'a' });
    await bench.eventually(() => received, ['1', '1', '2'], 'what it received when it was added once');
    ends[1]?.();
    await mailbox.put({ id: '3', content: 'x', to: 'a' });
    equal(await drain({ mailbox }, 'a'), ['1', '2', '3'], 'what is handed over');
    equal(received, ['1', '1', '2'], 'what it received in the end');
  }),
];

export const lifeChecks: readonly CheckDefinition[] = [...endChecks, ...changeChecks];
