/** A process dies at each change that it makes to the disk; whoever comes next finds nothing lost and nothing twice. */
import { utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MailboxDiskError } from '../../../../src/injection/mailboxes/files/index.js';
import type { FileMailbox, FileMailboxOptions } from '../../../../src/injection/mailboxes/files/options.js';
import type { NewInjection } from '../../../../src/injection/port.js';
import { watchProcess } from '../../../support/runner.js';
import { dieAt, fillAt, pauseAt } from './dying-disk.js';
import { deadOwner, drain, everythingIn, type FileBench, filesOf, makeFileMailbox } from './support.js';

watchProcess();

const MAX_CHANGES = 200;

interface Scene {
  readonly options?: Partial<FileMailboxOptions>;
  /** What is there before. */
  prepare?(bench: FileBench): Promise<void>;
  /** What the process does that dies. */
  act(victim: FileMailbox): Promise<unknown>;
  /** What whoever comes next finds. */
  check(bench: FileBench, survivor: FileMailbox): Promise<void>;
}

/** At every change in turn, each time in a new directory; returns how many changes there were. */
async function dieEverywhere(scene: Scene): Promise<number> {
  const owner = await deadOwner();
  for (let at = 1; at < MAX_CHANGES; at++) {
    const bench = await makeFileMailbox(scene.options);
    await scene.prepare?.(bench);
    const victim = await bench.open({}, owner);
    const hasDied = await dieAt(at, () => scene.act(victim));
    await scene.check(bench, await bench.open());
    expect(bench.problems, `problems after death ${at}`).toEqual([]);
    expect(
      everythingIn(bench.directory).filter((path) => path.startsWith('staging/')),
      `temporaries after death ${at}`,
    ).toEqual([]);
    await victim.close();
    if (!hasDied) return at - 1;
  }
  throw new Error('it goes on for ever');
}

/** Put again, as a caller does that does not know: then everyone it is for has it once. */
async function everyoneHasItOnce(
  item: NewInjection & { readonly id: string },
  agents: readonly string[],
  survivor: FileMailbox,
): Promise<void> {
  const before = await survivor.status(item.id);
  if (before !== undefined)
    expect(before).toEqual(Object.fromEntries(agents.map((agent) => [agent, 'queued'])));
  await survivor.put(item);
  for (const agent of agents) {
    expect(await drain(survivor, agent), agent).toEqual([item.id]);
    expect(await drain(survivor, agent), agent).toEqual([]);
  }
  expect(await survivor.status(item.id)).toEqual(
    Object.fromEntries(agents.map((agent) => [agent, 'delivered'])),
  );
}

const SLOW = { timeout: 120_000 };

describe('death', () => {
  it('FI-12: in the middle of put: an item for one agent is there whole or not at all', SLOW, async () => {
    const item = { id: 'x', content: 'Hello', to: 'a' };
    const changes = await dieEverywhere({
      act: (victim) => victim.put(item),
      check: (_, survivor) => everyoneHasItOnce(item, ['a'], survivor),
    });
    expect(changes).toBeGreaterThan(10);
  });

  it(
    'FI-12: in the middle of put: an item for several is there for all of them or for none',
    SLOW,
    async () => {
      const item = { id: 'x', content: 'Hello', to: ['a', 'b'] };
      await dieEverywhere({
        act: (victim) => victim.put(item),
        check: (_, survivor) => everyoneHasItOnce(item, ['a', 'b'], survivor),
      });
    },
  );

  it('FI-12: in the middle of put: an item for all reaches each agent once', SLOW, async () => {
    const item = { id: 'x', content: 'Hello' };
    await dieEverywhere({
      prepare: async ({ mailbox }) => {
        for (const agent of ['a', 'b']) await mailbox.join(agent);
      },
      act: (victim) => victim.put(item),
      check: (_, survivor) => everyoneHasItOnce(item, ['a', 'b'], survivor),
    });
  });

  it('FI-12: in the middle of take and acknowledge: delivered once in all', SLOW, async () => {
    let sent = 0;
    const changes = await dieEverywhere({
      prepare: async ({ mailbox }) => {
        sent = 0;
        await mailbox.put({ id: 'x', content: 'Hello', to: 'a' });
        await mailbox.put({ id: 'y', content: 'Hello', to: ['a', 'b'] });
        await mailbox.put({ id: 'z', content: 'Hello' });
      },
      act: async (victim) => {
        const lease = await victim.take({ agentId: 'a' });
        sent = lease.items.length;
        await lease.acknowledge();
      },
      check: async (_, survivor) => {
        const states = await Promise.all(
          ['x', 'y', 'z'].map(async (id) => (await survivor.status(id))?.['a']),
        );
        const delivered = states.filter((state) => state === 'delivered').length;
        if (sent === 0) expect(delivered).toBe(0);
        const again = await drain(survivor, 'a');
        // What was acknowledged is not handed over again, and what was not is.
        expect(again).toHaveLength(3 - delivered);
        for (const id of ['x', 'y', 'z']) expect((await survivor.status(id))?.['a']).toBe('delivered');
        expect(await drain(survivor, 'b')).toEqual(['y', 'z']);
      },
    });
    expect(changes).toBeGreaterThan(10);
  });

  it('FI-12: in the middle of release: it waits again, once', SLOW, async () => {
    await dieEverywhere({
      prepare: async ({ mailbox }) => void (await mailbox.put({ id: 'x', content: 'Hello', to: 'a' })),
      act: async (victim) => (await victim.take({ agentId: 'a' })).release(),
      check: async (_, survivor) => {
        expect(await drain(survivor, 'a')).toEqual(['x']);
        expect(await drain(survivor, 'a')).toEqual([]);
      },
    });
  });

  it('FI-12: in the middle of carryOver: carried, or it still waits', SLOW, async () => {
    await dieEverywhere({
      prepare: async ({ mailbox }) => {
        await mailbox.join('a');
        await mailbox.put({ id: 'x', content: 'Hello', to: 'a' });
        await mailbox.put({ id: 'y', content: 'Hello' });
      },
      act: (victim) => victim.carryOver('a'),
      check: async (_, survivor) => {
        const waiting = await drain(survivor, 'a');
        for (const id of ['x', 'y']) {
          const expected = waiting.includes(id) ? 'delivered' : 'carried';
          expect(await survivor.status(id)).toEqual({ a: expected });
        }
      },
    });
  });

  it('FI-12: in the middle of leave and of expiry: failed or expired, and said', SLOW, async () => {
    await dieEverywhere({
      prepare: async ({ mailbox, clock }) => {
        for (const agent of ['a', 'b']) await mailbox.join(agent);
        await mailbox.put({ id: 'short', content: 'Hello', to: ['a', 'b'], expiresAt: clock() + 10 });
        await mailbox.put({ id: 'long', content: 'Hello', to: 'a' });
        clock.pass(10);
      },
      act: async (victim) => {
        await victim.refresh();
        await victim.leave('a');
      },
      check: async ({ mailbox }, survivor) => {
        await survivor.leave('a');
        expect(await survivor.status('short')).toEqual({ a: 'expired', b: 'expired' });
        expect(await survivor.status('long')).toEqual({ a: 'failed' });
        expect(await drain(mailbox, 'b')).toEqual([]);
      },
    });
  });

  it(
    'FI-12: in the middle of tidying up: what is still needed stays, also for agents that come later',
    SLOW,
    async () => {
      await dieEverywhere({
        prepare: async ({ mailbox }) => {
          for (const id of ['one', 'two', 'three']) await mailbox.put({ id, content: 'Hello' });
          await mailbox.put({ id: 'both', content: 'Hello', to: ['a', 'b'] });
          await drain(mailbox, 'a');
          await drain(mailbox, 'b');
          await mailbox.put({ id: 'new', content: 'Hello' });
        },
        act: (victim) => victim.refresh(),
        check: async (_, survivor) => {
          expect(await drain(survivor, 'a')).toEqual(['new']);
          expect(await drain(survivor, 'c')).toEqual(['one', 'two', 'three', 'new']);
        },
      });
    },
  );
});

describe('a death that cannot be seen from here', () => {
  it(
    'FI-12: in the middle of take: what is unfinished is kept until time tells, then finished, once',
    SLOW,
    async () => {
      const owner = { ...(await deadOwner()), place: '00000000' };
      for (let at = 1; at < MAX_CHANGES; at++) {
        const { mailbox, open, clock, directory } = await makeFileMailbox();
        await mailbox.put({ id: 'x', content: 'Hello', to: ['a', 'b'] });
        const victim = await open({}, owner);
        const hasDied = await dieAt(at, () => victim.take({ agentId: 'a' }));
        await drain(mailbox, 'b');
        // Everybody else has it: tidying up must not take away what the unfinished copy needs.
        await mailbox.refresh();
        const long = new Date(Date.now() - 7_200_000);
        for (const file of filesOf(`${directory}/staging`))
          utimesSync(`${directory}/staging/${file}`, long, long);
        clock.pass(300_000);
        await mailbox.refresh();
        expect(await drain(mailbox, 'a'), `after death ${at}`).toEqual(['x']);
        expect(await mailbox.status('x')).toEqual({ a: 'delivered', b: 'delivered' });
        if (!hasDied) return;
      }
    },
  );
});

describe('a process that stands still at any step', () => {
  it(
    'FI-8: while others take the same, forget it and tidy up after it: it makes no second copy',
    SLOW,
    async () => {
      for (let at = 1; at < MAX_CHANGES; at++) {
        const { mailbox, open, problems } = await makeFileMailbox({ maxRemembered: 0 });
        await mailbox.put({ id: 'x', content: 'Hello', to: ['a', 'b'] });
        await mailbox.put({ id: 'y', content: 'Hello' });
        await mailbox.put({ id: 'z', content: 'Hello', to: 'a' });
        const slow = await open();
        const sent: string[] = [];
        const isPaused = await pauseAt(
          at,
          async () => sent.push(...(await drain(slow, 'a'))),
          async () => {
            sent.push(...(await drain(mailbox, 'a')));
            await drain(mailbox, 'b');
            for (let i = 0; i < 2; i++) await mailbox.refresh();
          },
        );
        await slow.refresh();
        sent.push(...(await drain(mailbox, 'a')), ...(await drain(slow, 'a')));
        expect(sent.sort(), `paused at ${at}`).toEqual(['x', 'y', 'z']);
        expect(problems).toEqual([]);
        if (!isPaused) return;
      }
    },
  );

  it('FI-7: while others put the same, it is no second item', SLOW, async () => {
    for (let at = 1; at < MAX_CHANGES; at++) {
      const { mailbox, open } = await makeFileMailbox();
      const item = { id: 'x', content: 'Hello', to: ['a', 'b'] };
      const slow = await open();
      const sent: string[] = [];
      const isPaused = await pauseAt(
        at,
        () => slow.put(item),
        async () => {
          await mailbox.put(item);
          sent.push(...(await drain(mailbox, 'a')));
        },
      );
      sent.push(...(await drain(slow, 'a')), ...(await drain(mailbox, 'a')));
      expect(sent, `paused at ${at}`).toEqual(['x']);
      if (!isPaused) return;
    }
  });
});

describe('a disk that becomes full at any step', () => {
  const targets: readonly (readonly [string, NewInjection['to'], readonly string[]])[] = [
    ['one agent', 'a', ['a']],
    ['several', ['a', 'b'], ['a', 'b']],
  ];
  it.each(targets)(
    'FI-18: put for %s: it is in, or it is refused and there is no trace of it',
    SLOW,
    async (_, to, agents) => {
      const item = { id: 'x', content: 'Hello', to };
      let refusals = 0;
      for (let at = 1; at < MAX_CHANGES; at++) {
        const { mailbox, directory } = await makeFileMailbox();
        let error: unknown;
        const isFull = await fillAt(at, () => mailbox.put(item).catch((thrown: unknown) => (error = thrown)));
        if (error !== undefined) {
          refusals += 1;
          expect(error).toBeInstanceOf(MailboxDiskError);
          expect(error).toMatchObject({ code: 'ENOSPC' });
          expect(await mailbox.status('x')).toBeUndefined();
          const left = everythingIn(directory).filter((path) => /^(staging|ids|log)\/|\/new\//.test(path));
          expect(left, `left after ${at}`).toEqual([]);
        }
        await mailbox.put(item);
        for (const agent of agents)
          expect(await drain(mailbox, agent), `${agent} after ${at}`).toEqual(['x']);
        if (!isFull) break;
      }
      expect(refusals).toBeGreaterThan(4);
    },
  );

  it(
    'FI-18: take, acknowledge and release: nothing is lost or doubled, and it goes on when there is room',
    SLOW,
    async () => {
      let refusals = 0;
      for (let at = 1; at < MAX_CHANGES; at++) {
        const { mailbox, open, clock } = await makeFileMailbox();
        await mailbox.put({ id: 'own', content: 'x', to: 'a' });
        await mailbox.put({ id: 'all', content: 'x' });
        const victim = await open();
        const isFull = await fillAt(at, async () => {
          try {
            await (await victim.take({ agentId: 'a' })).release();
            await (await victim.take({ agentId: 'a', limit: 1 })).acknowledge();
          } catch (error) {
            expect(error).toBeInstanceOf(MailboxDiskError);
            refusals += 1;
          }
        });
        // What could not be given back comes back with time.
        clock.pass(300_000);
        await drain(victim, 'a');
        expect(await victim.status('own'), `after ${at}`).toEqual({ a: 'delivered' });
        expect(await victim.status('all'), `after ${at}`).toEqual({ a: 'delivered' });
        expect(await drain(mailbox, 'a')).toEqual([]);
        if (!isFull) break;
      }
      expect(refusals).toBeGreaterThan(1);
    },
  );
});
