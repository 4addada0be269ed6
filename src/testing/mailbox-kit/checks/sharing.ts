/** Checks for shared and durable mailboxes: all users see the same items, and each item goes to one. */
import { equal, ids, refused } from '../assert.js';
import { drain, hasStates } from '../bench.js';
import { type CheckDefinition, check, timedCheck } from '../check.js';

const sharedChecks: readonly CheckDefinition[] = [
  check(
    'IJ-6: an item put by one user of a mailbox reaches the agent of another, once',
    async (bench) => {
      const [one, other] = [await bench.open(), await bench.open()];
      const item = await one.mailbox.put({ id: 'x', content: 'Hello', to: 'a', source: { kind: 'peer' } });
      const lease = await other.mailbox.take({ agentId: 'a' });
      equal(lease.items, [item], 'what the other is handed');
      equal(await drain(one, 'a'), [], 'what the first is handed meanwhile');
      await lease.acknowledge();
      for (const each of [one, other]) await hasStates(each, 'x', { a: 'delivered' });
      equal(await drain(one, 'a'), [], 'what the first is handed then');
    },
    ['shared'],
  ),

  check(
    'IJ-7: an agent is known to all users from its first take on; a later one gets the items for all, once',
    async (bench) => {
      const [one, other] = [await bench.open(), await bench.open()];
      await one.mailbox.put({ id: 'early', content: 'x' });
      equal(await drain(other, 'a'), ['early'], 'what a is handed by the other');
      await one.mailbox.put({ id: 'next', content: 'x', priority: 1 });
      await hasStates(one, 'next', { a: 'queued' });
      equal(await drain(one, 'b'), ['next', 'early'], 'what b is handed');
      equal(await drain(one, 'a'), ['next'], 'what a is handed by the first');
      for (const each of [one, other]) {
        equal(await drain(each, 'a'), [], 'what is left for a');
        equal(await drain(each, 'b'), [], 'what is left for b');
      }
    },
    ['shared'],
  ),

  check(
    'IJ-4: an id is known to all users: if many put the same item at once, it is put once and all get it',
    async (bench) => {
      const boxes = [await bench.open(), await bench.open(), await bench.open()];
      for (const to of ['a', ['a', 'b'], { all: true } as const]) {
        const id = JSON.stringify(to);
        const puts = boxes.flatMap(({ mailbox }) => [1, 2].map(() => mailbox.put({ id, content: 'x', to })));
        const items = await Promise.all(puts);
        equal(
          new Set(items.map((item) => JSON.stringify(item))).size,
          1,
          'how many different items came back',
        );
        const taken = await Promise.all(boxes.map((box) => drain(box, 'a')));
        equal(taken.flat(), [id], 'what all of them are handed together');
        for (const { mailbox } of boxes)
          await refused(() => mailbox.put({ id, content: 'y', to }), 'duplicate', 'another item with the id');
      }
    },
    ['shared'],
  ),

  check(
    'IJ-11: if several users take for one agent at once, each item goes to one',
    async (bench) => {
      const boxes = [await bench.open(), await bench.open(), await bench.open(), await bench.open()];
      const names: string[] = [];
      const got: string[] = [];
      for (let round = 0; round < 8; round++) {
        for (const [i, to] of ['a', undefined, ['a', 'b']].entries()) {
          names.push(`round ${round} item ${i}`);
          await boxes[round % 4]?.mailbox.put({ id: `round ${round} item ${i}`, content: 'x', to });
        }
        got.push(...(await Promise.all(boxes.map((box) => drain(box, 'a')))).flat());
      }
      equal(got.toSorted(), names.toSorted(), 'what all of them were handed, sorted');
    },
    ['shared'],
  ),

  check(
    'IJ-17: when one user closes, the others continue; its leases can still be ended',
    async (bench) => {
      const [one, other] = [await bench.open(), await bench.open()];
      for (const id of ['x', 'y', 'z']) await one.mailbox.put({ id, content: 'x', to: 'a' });
      const [sent, kept] = [
        await one.mailbox.take({ agentId: 'a', limit: 1 }),
        await one.mailbox.take({ agentId: 'a', limit: 1 }),
      ];
      await one.mailbox.close();
      equal(ids(await other.mailbox.pending('a')), ['z'], 'what waits');
      await sent.acknowledge();
      await kept.release();
      await hasStates(other, 'x', { a: 'delivered' });
      equal(await drain(other, 'a'), ['y', 'z'], 'what the other is handed');
    },
    ['shared'],
  ),

  check(
    'IJ-18: a watcher gets the changes of others, each once',
    async (bench) => {
      const writer = await bench.open();
      const watcher = await bench.open({ watch: true });
      await writer.mailbox.put({ id: 'x', content: 'x', to: 'a', source: { kind: 'peer', label: 'ada' } });
      await bench.eventually(watcher.reported, ['a x queued'], 'the reported changes');
      const { source, strategy } = watcher.changes[0] ?? {};
      equal(
        { source, strategy },
        { source: { kind: 'peer', label: 'ada' }, strategy: 'tool_result' },
        'the change',
      );
      await drain(writer, 'a');
      await bench.eventually(watcher.reported, ['a x queued', 'a x delivered'], 'the reported changes then');
      await watcher.mailbox.put({ id: 'own', content: 'x', to: 'a' });
      await drain(writer, 'a');
      const expected = ['a x queued', 'a x delivered', 'a own queued', 'a own delivered'];
      await bench.eventually(watcher.reported, expected, 'the reported changes in the end');
      equal(
        writer.reported().includes('a own queued'),
        false,
        'whether a mailbox that does not watch reported it',
      );
    },
    ['shared', 'watch'],
  ),
];

const durableChecks: readonly CheckDefinition[] = [
  check(
    'IJ-15: waiting and ended items are the same after a restart',
    async (bench) => {
      const before = await bench.open();
      await before.mailbox.put({ id: 'done', content: 'x', to: 'a' });
      await drain(before, 'a');
      await before.mailbox.put({ id: 'low', content: 'x', priority: -1 });
      await before.mailbox.put({ id: 'web', content: 'x', matcher: 'Fetch', to: ['a', 'b'] });
      await before.mailbox.close();
      bench.restart();
      const after = await bench.open();
      await hasStates(after, 'done', { a: 'delivered' });
      await hasStates(after, 'web', { a: 'queued', b: 'queued' });
      equal(ids(await after.mailbox.pending('a')), ['web', 'low'], 'what waits for a');
      equal((await after.mailbox.put({ id: 'done', content: 'x', to: 'a' })).id, 'done', 'an item put again');
      const other = { id: 'done', content: 'y', to: 'a' };
      await refused(() => after.mailbox.put(other), 'duplicate', 'another item with the id');
      const lease = await after.mailbox.take({ agentId: 'a', toolNames: ['Bash'] });
      equal(ids(lease.items), ['low'], 'what goes with Bash');
      await after.mailbox.put({ id: 'new', content: 'x', to: 'a' });
      await lease.release();
      equal(await drain(after, 'a'), ['web', 'new', 'low'], 'what is handed over');
      equal(await drain(after, 'c'), ['low'], 'what an agent that comes later is handed');
    },
    ['durable'],
  ),

  timedCheck(
    'IJ-15: items leased by a dead process wait again when the lease has expired, and end once',
    async (bench) => {
      const before = await bench.open({ leaseMs: bench.unit });
      await before.mailbox.put({ id: 'x', content: 'x', to: 'a', priority: 1 });
      await before.mailbox.put({ id: 'y', content: 'x', to: 'a' });
      const lost = await before.mailbox.take({ agentId: 'a', limit: 1 });
      equal(ids(lost.items), ['x'], 'what is handed over');
      bench.restart();
      const after = await bench.open({ leaseMs: bench.unit });
      await bench.pass(1);
      equal(ids(await after.mailbox.pending('a')), ['x', 'y'], 'what waits after the restart');
      await lost.acknowledge();
      await hasStates(after, 'x', { a: 'queued' });
      equal(await drain(after, 'a'), ['x', 'y'], 'what is handed over after the restart');
      await hasStates(after, 'x', { a: 'delivered' });
    },
    ['durable', 'shared', 'leaseMs'],
  ),

  check(
    'IJ-8: the departure of an agent is known after a restart, and to all users',
    async (bench) => {
      const before = await bench.open();
      await before.mailbox.join?.('a');
      await before.mailbox.leave?.('a');
      await before.mailbox.close();
      bench.restart();
      const after = await bench.open();
      await after.mailbox.put({ id: 'x', content: 'x', to: 'a' });
      await hasStates(after, 'x', { a: 'failed' });
    },
    ['durable', 'membership'],
  ),
];

export const sharingChecks: readonly CheckDefinition[] = [...sharedChecks, ...durableChecks];
