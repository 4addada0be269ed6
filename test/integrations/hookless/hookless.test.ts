/** What a host without hooks gets between its turns, and how it hears that a turn should begin anew. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FRAMES_PARAGRAPH, parseFrames } from '../../../src/injection/frame.js';
import { openFileMailbox } from '../../../src/injection/mailboxes/files/index.js';
import type { Mailbox, NewInjection } from '../../../src/injection/port.js';
import {
  createHookless,
  type HooklessOptions,
  RestartPending,
} from '../../../src/integrations/hookless/index.js';
import { ids, makeMailbox } from '../../injection/support.js';
import { compileProgram } from '../../support/compile-program.js';
import { gate, refusalOf, soon, turns, watchProcess } from '../../support/runner.js';

watchProcess();

function bench(options: Partial<HooklessOptions> = {}) {
  const { mailbox, clock } = makeMailbox();
  const problems: Error[] = [];
  const hookless = createHookless({
    mailbox,
    agentId: 'ada',
    checkEveryMs: 0,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  onTestFinished(async () => void (await hookless.end().catch(() => {})));
  return {
    hookless,
    mailbox,
    clock,
    problems,
    put: async (id: string, item: Partial<NewInjection> = {}) =>
      void (await mailbox.put({ id, content: `about ${id}`, to: 'ada', ...item })),
    state: async (id: string) => (await mailbox.status(id))?.['ada'],
  };
}

const framed = (text: string | undefined): string[] => parseFrames(text ?? '').map(({ id }) => id);

describe('between turns', () => {
  it('HL-1: everything that waits is handed over as one text, in frames, the urgent first', async () => {
    const { hookless, put } = bench();
    await put('peer', { source: { kind: 'peer', label: 'agent2' } });
    await put('note', { strategy: 'user_message', source: { kind: 'human', label: 'Eva' } });
    await put('for-bash', { matcher: 'Bash' });
    await put('first', { priority: 5 });
    await put('other', { to: 'bob' });
    const { items, text } = await hookless.betweenTurns();
    expect(ids(items)).toEqual(['first', 'peer', 'note', 'for-bash']);
    expect(parseFrames(text ?? '').map(({ id, source, content }) => [id, source.kind, content])).toEqual([
      ['first', 'system', 'about first'],
      ['peer', 'peer', 'about peer'],
      ['note', 'human', 'about note'],
      ['for-bash', 'system', 'about for-bash'],
    ]);
  });

  it('HL-1: nothing waits: no text', async () => {
    const { hookless } = bench();
    expect(await hookless.betweenTurns()).toMatchObject({ items: [], text: undefined });
  });

  it('HL-1: frames are explained until the explanation was sent; own words need none', async () => {
    const { hookless, put } = bench();
    await put('a');
    const unsent = await hookless.betweenTurns();
    expect(unsent.text?.startsWith(FRAMES_PARAGRAPH)).toBe(true);
    const sent = await hookless.betweenTurns();
    expect(sent.text?.startsWith(FRAMES_PARAGRAPH)).toBe(true);
    await sent.acknowledge();
    await put('b');
    expect((await hookless.betweenTurns()).text).not.toContain(FRAMES_PARAGRAPH);
    const own = bench({ render: (items) => items.map(({ content }) => `- ${content}`).join('\n') });
    await own.put('a');
    expect((await own.hookless.betweenTurns()).text).toBe('- about a');
  });

  it('HL-2: messages get the items where they belong, and are not changed themselves', async () => {
    const { hookless, put } = bench();
    await put('behind-bash', { matcher: 'Bash' });
    await put('message', { strategy: 'user_message' });
    const messages = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
    ] as const;
    const before = structuredClone(messages);
    const { messages: placed, acknowledge } = await hookless.beforeTurn(messages);
    await acknowledge();
    expect(messages).toEqual(before);
    expect(placed).toHaveLength(2);
    const [result, text] = placed[1]?.content ?? [];
    expect(result).toMatchObject({ type: 'tool_result', content: [{ text: 'ok' }, { type: 'text' }] });
    expect(JSON.stringify(result)).toContain('about behind-bash');
    expect(text).toMatchObject({ type: 'text', text: expect.stringContaining('about message') });
  });

  it('HL-2: where the model spoke last, the items are a message of their own; without items nothing changes', async () => {
    const { hookless, put } = bench();
    const messages = [{ role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] }] as const;
    expect((await hookless.beforeTurn(messages)).messages).toBe(messages);
    await put('a');
    const { messages: placed } = await hookless.beforeTurn(messages);
    expect(placed[0]).toBe(messages[0]);
    expect(placed[1]).toMatchObject({
      role: 'user',
      content: [{ text: expect.stringContaining('about a') }],
    });
  });

  it('HL-3: what is acknowledged is delivered; what is released, or forgotten, comes again', async () => {
    const { hookless, put, state } = bench();
    await put('a');
    const released = await hookless.betweenTurns();
    await released.release();
    expect(await state('a')).toBe('queued');
    const forgotten = await hookless.betweenTurns();
    expect(ids(forgotten.items)).toEqual(['a']);
    const last = await hookless.betweenTurns();
    expect(ids(last.items)).toEqual(['a']);
    await forgotten.acknowledge();
    expect(await state('a'), 'that turn is over').toBe('queued');
    await last.acknowledge();
    await last.release();
    expect(await state('a')).toBe('delivered');
    expect((await hookless.betweenTurns()).items).toEqual([]);
  });

  it('HL-4: what was sent is not sent again when the host says so after the lease had run out', async () => {
    const { hookless, put, clock, state } = bench();
    await put('a');
    const { acknowledge } = await hookless.betweenTurns();
    clock.pass(300_001);
    await acknowledge();
    expect(await state('a')).toBe('queued');
    expect((await hookless.betweenTurns()).items).toEqual([]);
    expect(await state('a')).toBe('delivered');
  });

  it('HL-5: what does not fit waits; what fits nowhere goes alone', async () => {
    const { hookless, put } = bench({ maxLength: 900 });
    await put('small-1', { content: 'x'.repeat(200) });
    await put('small-2', { content: 'x'.repeat(200) });
    await put('large', { content: 'x'.repeat(5000) });
    const seen: string[][] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const { items, acknowledge } = await hookless.betweenTurns();
      await acknowledge();
      seen.push(ids(items));
    }
    expect(seen).toEqual([['small-1', 'small-2'], ['large'], [], []]);
  });

  it('HL-5: a turn is told of a hundred things at most', async () => {
    const { hookless, put } = bench({ maxLength: 1_000_000 });
    for (let i = 0; i < 101; i += 1) await put(`i${i}`);
    const first = await hookless.betweenTurns();
    await first.acknowledge();
    expect(first.items).toHaveLength(100);
    expect(ids((await hookless.betweenTurns()).items)).toEqual(['i100']);
  });
});

describe('restarts', () => {
  it.each([
    ['what a person says', { source: { kind: 'human' } }, true],
    ['what has a priority', { source: { kind: 'peer' }, priority: 1 }, true],
    ['an answer of a peer', { source: { kind: 'peer' } }, false],
    ['what somebody else is told', { source: { kind: 'human' }, to: 'bob' }, false],
  ] as const)('HL-6: %s, during a turn', async (_, item, restarts) => {
    const { hookless, put } = bench();
    const { signal } = await hookless.betweenTurns();
    await turns();
    expect(hookless.restartPending).toBe(false);
    await put('news', item);
    await turns();
    expect([hookless.restartPending, signal.aborted]).toEqual([restarts, restarts]);
    if (!restarts) return;
    expect(signal.reason).toBeInstanceOf(RestartPending);
    expect(ids((signal.reason as RestartPending).items)).toEqual(['news']);
    const next = await hookless.betweenTurns();
    expect(hookless.restartPending).toBe(false);
    expect(next.signal.aborted).toBe(false);
    expect(ids(next.items)).toEqual(['news']);
  });

  it('HL-6: what counts as important can be said', async () => {
    const { hookless, put } = bench({ isImportant: ({ content }) => content.includes('fire') });
    const { signal } = await hookless.betweenTurns();
    await put('calm', { priority: 9 });
    await turns();
    expect(signal.aborted).toBe(false);
    await put('fire', { content: 'fire!' });
    await turns();
    expect(signal.aborted).toBe(true);
  });

  it('HL-6: what the turn was told, gave back, or had no room for is no reason to restart it', async () => {
    const { hookless, put } = bench({ maxLength: 300 });
    await put('told', { priority: 2, content: 'x'.repeat(200) });
    await put('no-room', { priority: 1, content: 'x'.repeat(200) });
    const { items, signal, release } = await hookless.betweenTurns();
    expect(ids(items)).toEqual(['told']);
    await release();
    await put('unimportant');
    await turns();
    expect(signal.aborted).toBe(false);
  });

  it('HL-7: what another process puts in is found by looking, also where the mailbox does not tell', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hookless-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const [ours, theirs] = await Promise.all([
      openFileMailbox({ directory }),
      openFileMailbox({ directory }),
    ]);
    onTestFinished(async () => void (await Promise.all([ours.close(), theirs.close()])));
    const silent: Mailbox = new Proxy(ours, {
      get: (target, key) => {
        if (key === 'onChange') return () => () => {};
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const hookless = createHookless({ mailbox: silent, agentId: 'ada', checkEveryMs: 5 });
    const { signal } = await hookless.betweenTurns();
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    await theirs.put({ id: 'news', content: 'stop', to: 'ada', source: { kind: 'human' } });
    await soon(aborted, 'the restart');
    expect(ids((await hookless.betweenTurns()).items)).toEqual(['news']);
    expect(ids(await hookless.end())).toEqual(['news']);
  });

  it('HL-7: a turn that is left open keeps no process alive', { timeout: 60_000 }, async () => {
    const program = await compileProgram(new URL('./programs/leave-a-turn-open.ts', import.meta.url));
    const { stdout } = await execa(process.execPath, [program], { timeout: 50_000 });
    expect(stdout).toBe('begun');
  });

  it('HL-8: after so many restarts in a row a turn is left alone, and then all is as before', async () => {
    const { hookless, put } = bench({ maxRestarts: 2 });
    const seen: boolean[] = [];
    for (let i = 0; i < 6; i += 1) {
      const { acknowledge } = await hookless.betweenTurns();
      await acknowledge();
      await put(`news-${i}`, { priority: 1 });
      await turns();
      seen.push(hookless.restartPending);
    }
    expect(seen).toEqual([true, true, false, true, true, false]);
  });

  it('HL-9: a turn is run again with what came in, and acknowledges when it ends well', async () => {
    const { hookless, put, state } = bench();
    await put('a');
    const begun = gate();
    const told: string[][] = [];
    const running = hookless.runTurn(async ({ items, signal }) => {
      told.push(ids(items));
      if (told.length === 1) {
        begun.open();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
      return 'done';
    });
    await begun.passed;
    await put('b', { source: { kind: 'human' } });
    expect(await soon(running)).toBe('done');
    expect(told, 'what the first turn was told went with it').toEqual([['a'], ['a', 'b']]);
    expect([await state('a'), await state('b')]).toEqual(['delivered', 'delivered']);
  });

  it('HL-9: a turn that fails by itself is not run again, and has told nothing; one that said so has', async () => {
    const { hookless, put, state } = bench();
    await put('a');
    await expect(hookless.runTurn(() => Promise.reject(new Error('no network')))).rejects.toThrow(
      'no network',
    );
    expect(await state('a')).toBe('queued');
    const failing = hookless.runTurn(async ({ acknowledge }) => {
      await acknowledge();
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    expect(await state('a')).toBe('delivered');
  });
});

describe('the end of a round', () => {
  it('HL-10: what was not told is carried, and comes first in the next round, from whom it came', async () => {
    const { hookless, put, state, mailbox } = bench();
    await put('told');
    await (await hookless.betweenTurns()).acknowledge();
    await put('open', { source: { kind: 'peer', label: 'agent2' } });
    await hookless.betweenTurns();
    await put('waiting');
    const left = await hookless.end();
    expect(ids(left)).toEqual(['open', 'waiting']);
    expect(await hookless.end()).toBe(left);
    expect([await state('told'), await state('open'), await state('waiting')]).toEqual([
      ...['delivered', 'carried', 'carried'],
    ]);
    expect((await refusalOf(() => hookless.betweenTurns())).code).toBe('disposed');

    const next = createHookless({ mailbox, agentId: 'ada', checkEveryMs: 0, carried: left });
    await put('new');
    await (await next.betweenTurns()).release();
    const { items, text, acknowledge } = await next.betweenTurns();
    expect(ids(items)).toEqual(['open', 'waiting', 'new']);
    expect(parseFrames(text ?? '')[0]?.source).toEqual({ kind: 'peer', label: 'agent2' });
    await acknowledge();
    expect((await next.betweenTurns()).items).toEqual([]);
    expect(await next.end()).toEqual([]);
  });

  it('HL-10: what was carried and again not told is carried on', async () => {
    const { hookless, put, mailbox } = bench();
    await put('a');
    const left = await hookless.end();
    const next = createHookless({ mailbox, agentId: 'ada', checkEveryMs: 0, carried: left });
    await next.betweenTurns();
    expect(ids(await next.end())).toEqual(['a']);
  });

  it('HL-10: nobody listens any more', async () => {
    const { hookless, mailbox } = bench();
    let listeners = 0;
    const listen = mailbox.onChange.bind(mailbox);
    mailbox.onChange = (listener) => {
      listeners += 1;
      const end = listen(listener);
      return () => {
        listeners -= 1;
        end();
      };
    };
    await hookless.betweenTurns();
    expect(listeners).toBe(1);
    await hookless.betweenTurns();
    expect(listeners).toBe(1);
    await hookless.end();
    expect(listeners).toBe(0);
  });
});

describe('what goes wrong', () => {
  const broken = (mailbox: Mailbox, call: 'take' | 'pending' | 'carryOver'): Mailbox =>
    Object.assign(mailbox, { [call]: () => Promise.reject(new Error(`${call} is broken`)) });

  it('HL-11: a mailbox that fails holds no turn up, and is told of', async () => {
    const { mailbox } = makeMailbox();
    const { hookless, problems } = bench({ mailbox: broken(mailbox, 'take') });
    expect(await hookless.betweenTurns()).toMatchObject({ items: [], text: undefined });
    expect(problems.map(({ message }) => message)).toEqual(['take is broken']);
    const other = makeMailbox().mailbox;
    const watched = bench({ mailbox: broken(other, 'pending') });
    const { signal } = await watched.hookless.betweenTurns();
    await turns();
    expect(signal.aborted).toBe(false);
    expect(watched.problems.map(({ message }) => message)).toEqual(['pending is broken']);
  });

  it('HL-11: what cannot be taken on is said, and can be tried again', async () => {
    const { mailbox } = makeMailbox();
    const works = mailbox.carryOver.bind(mailbox);
    const { hookless } = bench({ mailbox: broken(mailbox, 'carryOver') });
    await mailbox.put({ id: 'a', content: 'x', to: 'ada' });
    await expect(hookless.end()).rejects.toThrow('carryOver is broken');
    mailbox.carryOver = works;
    expect(ids(await hookless.end())).toEqual(['a']);
  });

  it('HL-11: an item that cannot be rendered is shown in a frame, so that it blocks nobody', async () => {
    const { hookless, put, problems } = bench({
      render: () => {
        throw new Error('no ink');
      },
    });
    await put('a');
    expect(framed((await hookless.betweenTurns()).text)).toEqual(['a']);
    expect(problems[0]?.message).toBe('no ink');
  });

  it('HL-11: a judgement that throws is no reason to restart', async () => {
    const { hookless, put, problems } = bench({
      isImportant: () => {
        throw new Error('cannot say');
      },
    });
    const { signal } = await hookless.betweenTurns();
    await put('a');
    await turns();
    expect([signal.aborted, problems.map(({ message }) => message)]).toEqual([false, ['cannot say']]);
  });

  it.each([
    { agentId: '' },
    { mailbox: {} as never },
    { maxRestarts: -1 },
    { maxLength: 0 },
    { checkEveryMs: Number.NaN },
    { checkEveryMs: 2 ** 31 },
  ])('HL-12: %j is refused', async (options) => {
    const { mailbox } = makeMailbox();
    const refusal = await refusalOf(() => createHookless({ mailbox, agentId: 'ada', ...options }));
    expect(refusal.code).toBe('invalid_option');
  });
});
