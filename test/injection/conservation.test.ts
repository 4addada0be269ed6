/** Any order of calls, against a model that is too simple to be wrong: nothing is lost, nothing is doubled. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMailbox, type MemoryMailbox } from '../../src/injection/mailboxes/memory/mailbox.js';
import type { InjectionChange, InjectionItem, InjectionState, Lease } from '../../src/injection/port.js';

const AGENTS = ['a', 'b', 'c'];
const LEASE_MS = 50;

type Step =
  | { do: 'put'; to: InjectionItem['to']; source: string; priority: number; matcher?: string; lasts?: number }
  | { do: 'take'; agent: string; tools?: string[]; limit?: number }
  | { do: 'acknowledge' | 'release'; lease: number }
  | { do: 'pass'; ms: number }
  | { do: 'carryOver' | 'join' | 'leave'; agent: string }
  | { do: 'withdraw'; item: number }
  | { do: 'crash' };

const agent = fc.constantFrom(...AGENTS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      {
        do: fc.constant('put' as const),
        to: fc.oneof(agent, fc.uniqueArray(agent, { minLength: 1 }), fc.constant({ all: true as const })),
        source: fc.constantFrom('peer', 'human'),
        priority: fc.integer({ min: -1, max: 1 }),
        matcher: fc.constantFrom('Bash', 'B*|Read', 'Write'),
        lasts: fc.integer({ min: 0, max: 120 }),
      },
      { requiredKeys: ['do', 'to', 'source', 'priority'] },
    ),
  },
  {
    weight: 5,
    arbitrary: fc.record(
      {
        do: fc.constant('take' as const),
        agent,
        tools: fc.subarray(['Bash', 'Read', 'Write']),
        limit: fc.integer({ min: 0, max: 3 }),
      },
      { requiredKeys: ['do', 'agent'] },
    ),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('acknowledge' as const), lease: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), lease: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 60 }) }),
  },
  fc.record({ do: fc.constantFrom('carryOver' as const, 'join' as const, 'leave' as const), agent }),
  fc.record({ do: fc.constant('withdraw' as const), item: fc.nat(20) }),
  fc.record({ do: fc.constant('crash' as const) }),
);

interface ModelCopy {
  readonly item: InjectionItem;
  readonly order: number;
  state: InjectionState;
  lease: ModelLease | undefined;
}

interface ModelLease {
  readonly lease: Lease;
  readonly endsAt: number;
  readonly agent: string;
  readonly copies: readonly ModelCopy[];
}

const CARRIES: Readonly<Record<string, readonly string[]>> = {
  Bash: ['Bash'],
  'B*|Read': ['Bash', 'Read'],
  Write: ['Write'],
};

/** Every rule of the contract, written down the slow way. */
class Model {
  readonly copies = new Map<string, Map<string, ModelCopy>>();
  readonly forAll: { item: InjectionItem; order: number }[] = [];
  joined = new Set<string>();
  left = new Set<string>();
  leases: ModelLease[] = [];
  now = 0;
  order = 0;

  of(agentId: string): Map<string, ModelCopy> {
    const copies = this.copies.get(agentId) ?? new Map<string, ModelCopy>();
    this.copies.set(agentId, copies);
    return copies;
  }

  expired = ({ expiresAt = Number.POSITIVE_INFINITY }: InjectionItem): boolean => expiresAt <= this.now;

  settleTime(): void {
    for (const lease of this.leases.filter(({ endsAt }) => endsAt <= this.now)) this.end(lease, undefined);
    for (const copies of this.copies.values()) {
      for (const copy of copies.values()) {
        if (copy.state === 'queued' && copy.lease === undefined && this.expired(copy.item))
          copy.state = 'expired';
      }
    }
  }

  put(item: InjectionItem): void {
    const order = this.order++;
    const { to } = item;
    if (typeof to !== 'string' && 'all' in to) this.forAll.push({ item, order });
    const targets = typeof to === 'string' ? [to] : 'all' in to ? [...this.joined] : to;
    for (const target of targets) {
      const state = this.left.has(target) ? 'failed' : 'queued';
      this.of(target).set(item.id, { item, order, state, lease: undefined });
    }
    this.settleTime();
  }

  join(agentId: string): void {
    if (this.joined.has(agentId)) return;
    this.joined.add(agentId);
    this.left.delete(agentId);
    for (const { item, order } of this.forAll) {
      if (this.expired(item) || this.of(agentId).has(item.id)) continue;
      this.of(agentId).set(item.id, { item, order, state: 'queued', lease: undefined });
    }
  }

  waiting(agentId: string, tools: readonly string[] | undefined): ModelCopy[] {
    return [...this.of(agentId).values()]
      .filter((copy) => copy.state === 'queued' && copy.lease === undefined)
      .filter(
        ({ item: { matcher } }) =>
          !tools || !matcher || CARRIES[matcher]?.some((tool) => tools.includes(tool)),
      )
      .sort((x, y) => (y.item.priority ?? 0) - (x.item.priority ?? 0) || x.order - y.order);
  }

  end(lease: ModelLease, state: InjectionState | undefined): void {
    if (!this.leases.includes(lease)) return;
    this.leases = this.leases.filter((other) => other !== lease);
    for (const copy of lease.copies) {
      copy.lease = undefined;
      copy.state =
        state ?? (this.expired(copy.item) ? 'expired' : this.left.has(lease.agent) ? 'failed' : 'queued');
    }
  }
}

const FINAL: ReadonlySet<string> = new Set(['delivered', 'carried', 'expired', 'failed']);

interface World {
  readonly model: Model;
  readonly items: InjectionItem[];
  readonly changes: InjectionChange[];
  readonly acknowledged: Map<string, number>;
  mailbox: MemoryMailbox;
  open: ModelLease[];
}

function openMailbox(world: Pick<World, 'model' | 'changes'>): MemoryMailbox {
  const mailbox = createMailbox({ now: () => world.model.now, leaseMs: LEASE_MS, maxRemembered: 10_000 });
  mailbox.onChange((change) => world.changes.push(change));
  return mailbox;
}

async function take(
  world: World,
  { agent: agentId, tools, limit }: Extract<Step, { do: 'take' }>,
): Promise<void> {
  const { model } = world;
  model.join(agentId);
  const expected = model.waiting(agentId, tools).slice(0, limit);
  const lease = await world.mailbox.take({ agentId, toolNames: tools, limit });
  expect(lease.items).toEqual(expected.map(({ item }) => item));
  const taken: ModelLease = { lease, endsAt: model.now + LEASE_MS, agent: agentId, copies: expected };
  for (const copy of expected) copy.lease = taken;
  if (expected.length > 0) model.leases.push(taken);
  world.open.push(taken);
}

async function acknowledge(world: World, lease: number): Promise<void> {
  const chosen = world.open[lease % world.open.length];
  if (chosen === undefined) return;
  if (world.model.leases.includes(chosen)) {
    for (const { item } of chosen.copies) {
      const key = `${chosen.agent} ${item.id}`;
      world.acknowledged.set(key, (world.acknowledged.get(key) ?? 0) + 1);
    }
  }
  world.model.end(chosen, 'delivered');
  await chosen.lease.acknowledge();
}

/** The process dies: nobody can acknowledge what was being sent, and the next process begins with the snapshot. */
function crash(world: World): void {
  const snapshot = JSON.parse(JSON.stringify(world.mailbox.snapshot()));
  for (const lease of world.model.leases) for (const copy of lease.copies) copy.lease = undefined;
  world.model.leases = [];
  world.open = [];
  world.mailbox = openMailbox(world);
  world.mailbox.restore(snapshot);
  world.model.settleTime();
}

async function carryOver(world: World, agentId: string): Promise<void> {
  const expected = world.model.waiting(agentId, undefined);
  for (const copy of expected) copy.state = 'carried';
  expect(await world.mailbox.carryOver(agentId)).toEqual(expected.map(({ item }) => item));
}

function leave({ model, mailbox }: World, agentId: string): void {
  for (const copy of model.waiting(agentId, undefined)) copy.state = 'failed';
  model.joined.delete(agentId);
  model.left.add(agentId);
  mailbox.leave(agentId);
}

function withdraw({ model, mailbox, items }: World, index: number): void {
  const item = items[index % items.length];
  if (item === undefined) return;
  const at = model.forAll.findIndex((entry) => entry.item.id === item.id);
  if (at >= 0) model.forAll.splice(at, 1);
  for (const copies of model.copies.values()) {
    const copy = copies.get(item.id);
    if (copy?.state === 'queued' && copy.lease === undefined) copy.state = 'failed';
  }
  mailbox.withdraw(item.id);
}

async function carryOut(world: World, next: Step): Promise<void> {
  const { model } = world;
  model.settleTime();
  if (next.do === 'put') {
    const { to, source, priority, matcher, lasts } = next;
    const expiresAt = lasts === undefined ? undefined : model.now + lasts;
    const id = `i${world.items.length}`;
    const fields = { id, content: id, to, source: { kind: source }, priority, matcher, expiresAt };
    const item = await world.mailbox.put(fields);
    world.items.push(item);
    model.put(item);
  } else if (next.do === 'take') await take(world, next);
  else if (next.do === 'acknowledge') await acknowledge(world, next.lease);
  else if (next.do === 'release') {
    const chosen = world.open[next.lease % world.open.length];
    if (chosen !== undefined) model.end(chosen, undefined);
    await chosen?.lease.release();
  } else if (next.do === 'pass') {
    model.now += next.ms;
    model.settleTime();
    // Both look at the time now: it makes a difference what has passed first.
    await world.mailbox.status('nobody');
  } else if (next.do === 'carryOver') await carryOver(world, next.agent);
  else if (next.do === 'join') {
    model.join(next.agent);
    world.mailbox.join(next.agent);
  } else if (next.do === 'leave') leave(world, next.agent);
  else if (next.do === 'withdraw') withdraw(world, next.item);
  else crash(world);
}

async function compare({ model, mailbox, items }: World): Promise<void> {
  model.settleTime();
  for (const { id } of items) {
    const { '*': _nobody, ...states } = (await mailbox.status(id)) ?? {};
    const expected = AGENTS.flatMap((agentId) => {
      const copy = model.of(agentId).get(id);
      return copy === undefined ? [] : [[agentId, copy.state] as const];
    });
    expect(states).toEqual(Object.fromEntries(expected));
  }
}

describe('conservation', () => {
  it('IJ-15: in any order of calls, every item ends for every agent in exactly one way, and none is acknowledged twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
        const model = new Model();
        const changes: InjectionChange[] = [];
        const mailbox = openMailbox({ model, changes });
        const world: World = { model, items: [], changes, acknowledged: new Map(), mailbox, open: [] };
        for (const next of steps) await carryOut(world, next);
        await compare(world);
        for (const { lease } of world.open) await lease.release();
        await world.mailbox.close();

        for (const count of world.acknowledged.values()) expect(count).toBe(1);
        const ends = new Map<string, string[]>();
        for (const { agentId, id, state } of changes) {
          const key = `${agentId} ${id}`;
          const sofar = ends.get(key) ?? [];
          // Nothing happens to a copy after its end.
          expect(sofar).toEqual([]);
          ends.set(key, FINAL.has(state) ? [state] : []);
        }
        for (const { id } of world.items) {
          const states = Object.entries((await world.mailbox.status(id)) ?? {});
          expect(states.length).toBeGreaterThan(0);
          for (const [agentId, state] of states) {
            expect(FINAL.has(state)).toBe(true);
            expect(ends.get(`${agentId} ${id}`)).toEqual([state]);
            expect(state === 'delivered').toBe(world.acknowledged.has(`${agentId} ${id}`));
          }
        }
      }),
      { numRuns: 400 },
    );
  });
});
