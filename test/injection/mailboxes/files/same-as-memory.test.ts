/** Any order of calls, by several users of one directory that die now and then: the same as the mailbox in memory. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileMailbox } from '../../../../src/injection/mailboxes/files/options.js';
import { createMailbox, type MemoryMailbox } from '../../../../src/injection/mailboxes/memory/mailbox.js';
import type { InjectionItem, Lease } from '../../../../src/injection/port.js';
import type { Owner } from '../../../../src/process/owner.js';
import { watchProcess } from '../../../support/runner.js';
import { deadOwner, type FileBench, ids, makeFileMailbox } from './support.js';

watchProcess();

const AGENTS = ['a', 'b', 'c'];
const LEASE_MS = 50;

type Step =
  | { do: 'put'; to: InjectionItem['to']; priority: number; matcher?: string; lasts?: number }
  | { do: 'take'; agent: string; tools?: string[]; limit?: number }
  | { do: 'acknowledge' | 'release'; lease: number }
  | { do: 'pass'; ms: number }
  | { do: 'carryOver' | 'join' | 'leave'; agent: string }
  | { do: 'crash' | 'refresh' | 'other' };

const agent = fc.constantFrom(...AGENTS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      {
        do: fc.constant('put' as const),
        to: fc.oneof(agent, fc.uniqueArray(agent, { minLength: 1 }), fc.constant({ all: true as const })),
        priority: fc.integer({ min: -1, max: 1 }),
        matcher: fc.constantFrom('Bash', 'B*|Read', 'Write'),
        // Who joins in the very moment in which something expired is put may count among those it was for, or not.
        lasts: fc.integer({ min: 1, max: 120 }),
      },
      { requiredKeys: ['do', 'to', 'priority'] },
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
  fc.record({ do: fc.constantFrom('crash' as const, 'refresh' as const, 'other' as const) }),
);

interface World {
  readonly bench: FileBench;
  readonly owners: readonly Owner[];
  memory: MemoryMailbox;
  /** The user whose turn it is, and all that live. */
  file: FileMailbox;
  users: FileMailbox[];
  leases: { readonly memory: Lease; readonly file: Lease }[];
  items: string[];
  deaths: number;
}

function openMemory({ clock }: FileBench): MemoryMailbox {
  return createMailbox({ now: clock, leaseMs: LEASE_MS, maxRemembered: 10_000 });
}

async function openUser(world: Pick<World, 'bench' | 'owners' | 'deaths'>): Promise<FileMailbox> {
  return world.bench.open({}, world.owners[world.deaths % world.owners.length]);
}

/** All users were one process, which dies: nobody can acknowledge what it had. */
async function crash(world: World): Promise<void> {
  const snapshot = JSON.parse(JSON.stringify(world.memory.snapshot()));
  world.memory = openMemory(world.bench);
  world.memory.restore(snapshot);
  world.leases = [];
  world.deaths += 1;
  world.file = await openUser(world);
  world.users = [world.file];
}

async function carryOut(world: World, next: Step): Promise<void> {
  const { memory, file, bench } = world;
  switch (next.do) {
    case 'put': {
      const { to, priority, matcher, lasts } = next;
      const id = `i${world.items.length}`;
      world.items.push(id);
      const expiresAt = lasts === undefined ? undefined : bench.clock() + lasts;
      const item = { id, content: id, to, priority, matcher, expiresAt };
      // Of one writer the order is that of its puts; between writers it is that of their beginning.
      expect(await (world.users[0] ?? file).put(item)).toEqual(await memory.put(item));
      return;
    }
    case 'take': {
      const request = { agentId: next.agent, toolNames: next.tools, limit: next.limit };
      const lease = { memory: await memory.take(request), file: await file.take(request) };
      expect(lease.file.items).toEqual(lease.memory.items);
      world.leases.push(lease);
      return;
    }
    case 'acknowledge':
    case 'release': {
      const lease = world.leases[next.lease % world.leases.length];
      await lease?.memory[next.do]();
      await lease?.file[next.do]();
      return;
    }
    case 'pass':
      return bench.clock.pass(next.ms);
    case 'carryOver':
      expect(ids(await file.carryOver(next.agent))).toEqual(ids(await memory.carryOver(next.agent)));
      return;
    case 'join':
    case 'leave':
      memory[next.do](next.agent);
      return file[next.do](next.agent);
    case 'crash':
      return crash(world);
    case 'refresh':
      return file.refresh();
    case 'other': {
      if (world.users.length < 3) world.users.push(await openUser(world));
      world.file = world.users[(world.users.indexOf(file) + 1) % world.users.length] ?? file;
    }
  }
}

/** Agents to come are an affair of their own: who has no copy yet may or may not be shown. */
async function statesOf(mailbox: FileMailbox | MemoryMailbox, id: string): Promise<Record<string, string>> {
  const { '*': _nobody, ...states } = (await mailbox.status(id)) ?? {};
  return states;
}

it('FI-3: hands over the same items, in the same order, with the same ends', {
  timeout: 180_000,
}, async () => {
  const owners = await Promise.all(Array.from({ length: 8 }, () => deadOwner()));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const bench = await makeFileMailbox({ leaseMs: LEASE_MS, maxRemembered: 10_000 });
      const file = await openUser({ bench, owners, deaths: 0 });
      const memory = openMemory(bench);
      const world: World = { bench, owners, memory, file, users: [file], leases: [], items: [], deaths: 0 };
      for (const next of steps) {
        await carryOut(world, next);
        for (const id of AGENTS)
          expect(ids(await world.file.pending(id))).toEqual(ids(await world.memory.pending(id)));
      }
      for (const id of world.items)
        expect(await statesOf(world.file, id), id).toEqual(await statesOf(world.memory, id));
      expect(bench.problems.filter((text) => !text.includes('acknowledged too late'))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
