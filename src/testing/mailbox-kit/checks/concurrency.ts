/** Checks with many concurrent calls: nothing is lost or duplicated, and everything ends. */
import type { Lease } from '../../../injection/port.js';
import { equal, failed, ids } from '../assert.js';
import { type Bench, drain, type Watched } from '../bench.js';
import { type CheckDefinition, check } from '../check.js';

const ITEMS = 120;
const TAKERS = 6;
const AGENTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Opens several mailboxes if they share their items, otherwise one. */
async function openSome(bench: Bench): Promise<readonly Watched[]> {
  const first = await bench.open();
  return bench.has('shared') ? [first, await bench.open(), await bench.open()] : [first];
}

/** Takes items and ends the leases in the given rotation, until everything has been acknowledged. */
async function serve(
  mailbox: Watched['mailbox'],
  agentId: string,
  acknowledged: string[],
  isDone: () => boolean,
): Promise<void> {
  for (let turn = 0; !isDone(); turn++) {
    const lease: Lease = await mailbox.take({ agentId, limit: 1 + (turn % 7) });
    if (turn % 3 === 2) await lease.release();
    else {
      await lease.acknowledge();
      acknowledged.push(...ids(lease.items));
    }
    // Lets concurrent puts proceed even if all calls resolve immediately.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export const concurrencyChecks: readonly CheckDefinition[] = [
  check(
    'IJ-15: with many concurrent puts and takes for one agent, each item is acknowledged once',
    async (bench) => {
      const boxes = await openSome(bench);
      const acknowledged: string[] = [];
      const names = Array.from({ length: ITEMS }, (_, i) => `i${i}`);
      let before = { count: 0, at: Date.now() };
      /** Everything is done, or nothing has happened for a long time. */
      const isDone = (): boolean => {
        if (acknowledged.length > before.count) before = { count: acknowledged.length, at: Date.now() };
        return acknowledged.length >= ITEMS || Date.now() - before.at > 5 * bench.settleMs;
      };
      const boxOf = (i: number): Watched['mailbox'] => (boxes[i % boxes.length] as Watched).mailbox;
      const putting = Promise.all(
        names.map((id, i) =>
          boxOf(i).put({
            id,
            content: id,
            to: i % 2 === 0 ? 'a' : ['a'],
            priority: i % 3,
            matcher: i % 5 === 0 ? 'Bash' : undefined,
          }),
        ),
      );
      const serving = Array.from({ length: TAKERS }, (_, i) => serve(boxOf(i), 'a', acknowledged, isDone));
      await Promise.all([putting, ...serving]);
      equal(acknowledged.toSorted(), names.toSorted(), 'what was acknowledged, sorted');
      for (const id of names) equal(await boxOf(0).status(id), { a: 'delivered' }, `the status of ${id}`);
      equal(await drain({ mailbox: boxOf(0) }, 'a'), [], 'what is left');
    },
  ),

  check('IJ-7: agents that arrive while items for all are put get each of them once', async (bench) => {
    const boxes = await openSome(bench);
    const boxOf = (i: number): Watched => boxes[i % boxes.length] as Watched;
    const names = Array.from({ length: 40 }, (_, i) => `i${i}`);
    const got = new Map<string, string[]>(AGENTS.map((agentId) => [agentId, []]));
    const work = async (agentId: string, i: number): Promise<void> => {
      for (let round = 0; round < 3; round++)
        got.get(agentId)?.push(...(await drain(boxOf(i + round), agentId)));
    };
    await Promise.all([
      ...names.map((id, i) => boxOf(i).mailbox.put({ id, content: id })),
      ...AGENTS.map(work),
    ]);
    for (const [i, agentId] of AGENTS.entries()) got.get(agentId)?.push(...(await drain(boxOf(i), agentId)));
    for (const [agentId, items] of got)
      equal(items.toSorted(), names.toSorted(), `what ${agentId} was handed, sorted`);
  }),

  check(
    'IJ-15: whatever happens concurrently, every item ends for its agent in exactly one way',
    async (bench) => {
      const boxes = await openSome(bench);
      const mailboxOf = (i: number): Watched['mailbox'] => (boxes[i % boxes.length] as Watched).mailbox;
      const names = Array.from({ length: 60 }, (_, i) => `i${i}`);
      for (const [i, id] of names.entries())
        await mailboxOf(0).put({ id, content: id, to: 'a', expiresAt: i % 6 === 5 ? 1 : undefined });
      const sent: string[] = [];
      const carried: string[] = [];
      await Promise.all(
        Array.from({ length: 12 }, async (_, i) => {
          if (i % 4 === 3) carried.push(...ids(await mailboxOf(i).carryOver('a')));
          else {
            const lease = await mailboxOf(i).take({ agentId: 'a', limit: 4 });
            if (i % 4 === 2) return lease.release();
            await lease.acknowledge();
            sent.push(...ids(lease.items));
          }
        }),
      );
      carried.push(...ids(await mailboxOf(0).carryOver('a')));
      const expected = (id: string, i: number): string =>
        i % 6 === 5 ? 'expired' : sent.includes(id) ? 'delivered' : 'carried';
      for (const [i, id] of names.entries())
        equal(await mailboxOf(0).status(id), { a: expected(id, i) }, `the status of ${id}`);
      const handed = [...sent, ...carried];
      if (new Set(handed).size !== handed.length)
        throw failed('what was handed over', handed, 'each item once');
      equal(handed.length, 50, 'how many items were handed over');
    },
  ),
];
