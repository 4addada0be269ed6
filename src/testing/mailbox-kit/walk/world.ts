/** Makes the same calls on a mailbox and on the in-memory one, and compares the results. */
import { createMailbox, type MemoryMailbox } from '../../../injection/mailboxes/memory/mailbox.js';
import type { InjectionChange, Lease, NewInjection } from '../../../injection/port.js';
import { equal } from '../assert.js';
import type { Bench, Watched } from '../bench.js';
import { AGENTS, type Step } from './steps.js';

/** The duration of leases, in units. */
const LEASE = 5;
const REMEMBERED = 10_000;

interface World {
  readonly bench: Bench;
  readonly store: string;
  readonly memory: MemoryMailbox;
  readonly expected: InjectionChange[];
  readonly items: NewInjection[];
  /** All open mailboxes. Only the first one puts, because the order of concurrent puts is not specified. */
  users: Watched[];
  current: number;
  leases: { readonly memory: Lease; readonly ours: Lease }[];
}

/** Runs the steps on both; throws an AssertionError if they differ. */
export async function compareWithMemory(
  bench: Bench,
  store: string,
  steps: readonly Step[],
  alone: boolean,
): Promise<void> {
  const expected: InjectionChange[] = [];
  const leaseMs = bench.has('leaseMs') && bench.hasClock ? LEASE * bench.unit : undefined;
  const memory = createMailbox({ now: bench.now, leaseMs, maxRemembered: REMEMBERED });
  memory.onChange((change) => expected.push(change));
  const world: World = { bench, store, memory, expected, items: [], users: [], current: 0, leases: [] };
  world.users.push(await openUser(world));
  for (const step of steps) {
    await carryOut(world, step);
    const { mailbox } = userOf(world);
    for (const agentId of AGENTS)
      equal(await mailbox.pending(agentId), await memory.pending(agentId), `what is pending for ${agentId}`);
  }
  await compareEnds(world);
  const [first] = world.users;
  if (!alone || first === undefined) return;
  const lived = livesOf(expected);
  await bench.eventually(() => livesOf(first.changes), lived, 'the reported changes of each item and agent');
}

async function compareEnds(world: World): Promise<void> {
  const { mailbox } = userOf(world);
  for (const { id = '' } of world.items) {
    const [ours, model] = [await mailbox.status(id), await world.memory.status(id)];
    equal(knownStates(ours), knownStates(model), `the status of ${id}`);
  }
}

function openUser({ bench, store }: World): Promise<Watched> {
  const leaseMs = bench.hasClock ? LEASE * bench.unit : undefined;
  return bench.open({ store, maxRemembered: REMEMBERED, leaseMs });
}

const userOf = ({ users, current }: World): Watched => users[current] as Watched;

/** Leaves out agents yet to arrive, because it is not specified when they are shown. */
function knownStates(status: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const { '*': _toCome, ...states } = status ?? {};
  return states;
}

/** The changes of each item for each agent, in order. */
function livesOf(changes: readonly InjectionChange[]): Record<string, string[]> {
  const lives: Record<string, string[]> = {};
  for (const { agentId, id, state } of changes) {
    if (agentId === '*') continue;
    const life = lives[`${agentId} ${id}`] ?? [];
    lives[`${agentId} ${id}`] = [...life, state];
  }
  return Object.fromEntries(Object.entries(lives).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function carryOut(world: World, step: Step): Promise<void> {
  const { bench, memory, items } = world;
  const { mailbox } = userOf(world);
  switch (step.do) {
    case 'put': {
      const { to, priority, matcher, lasts } = step;
      const expiresAt = lasts === undefined ? undefined : lasts === 0 ? 1 : bench.now() + lasts * bench.unit;
      items.push({
        id: `i${items.length}`,
        content: `item ${items.length}`,
        to,
        priority,
        matcher,
        expiresAt,
      });
      return put(world, items.length - 1);
    }
    case 'put again':
      return put(world, step.item);
    case 'withdraw': {
      const { id = 'none' } = items[step.item % items.length] ?? {};
      equal(await mailbox.withdraw?.(id), memory.withdraw(id), `whether ${id} was withdrawn`);
      return;
    }
    case 'take': {
      const request = { agentId: step.agent, toolNames: step.tools, limit: step.limit };
      const lease = { memory: await memory.take(request), ours: await mailbox.take(request) };
      equal(lease.ours.items, lease.memory.items, `what ${step.agent} is handed`);
      world.leases.push(lease);
      return;
    }
    case 'acknowledge':
    case 'release': {
      const lease = world.leases[step.lease % world.leases.length];
      await lease?.memory[step.do]();
      await lease?.ours[step.do]();
      return;
    }
    case 'carryOver':
      equal(await mailbox.carryOver(step.agent), await memory.carryOver(step.agent), 'what is carried over');
      return;
    case 'join':
    case 'leave':
      memory[step.do](step.agent);
      await mailbox[step.do]?.(step.agent);
      return;
    case 'pass':
      return bench.pass(step.units);
    case 'other user':
      if (world.users.length < 3) world.users.push(await openUser(world));
      world.current = (world.current + 1) % world.users.length;
      return;
    case 'restart':
      return restart(world);
  }
}

async function put({ users, memory, items }: World, index: number): Promise<void> {
  const item = items[index % items.length];
  if (item === undefined) return;
  equal(await users[0]?.mailbox.put(item), await memory.put(item), 'what put returns');
}

/** All users belonged to one process, which has died: its leased items wait again when the leases expire. */
async function restart(world: World): Promise<void> {
  world.bench.restart();
  world.leases = [];
  world.users = [await openUser(world)];
  world.current = 0;
  await world.bench.pass(LEASE);
}
