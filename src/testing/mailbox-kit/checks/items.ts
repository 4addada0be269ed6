/** Checks of `put`: defaults, immutability, refused and cut items, duplicate ids, and limits. */
import type { InjectionItem, NewInjection } from '../../../injection/port.js';
import { equal, failed, ids, isTrue, refused } from '../assert.js';
import { arrive, drain, hasStates } from '../bench.js';
import { type CheckDefinition, check } from '../check.js';

const FAULTS: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  ['no content', {}, 'invalid'],
  ['content of white space', { content: ' \n\t' }, 'invalid'],
  ['content that is not text', { content: 7 }, 'invalid'],
  ['an unknown strategy', { content: 'x', strategy: 'deny' }, 'invalid'],
  ['no recipients', { content: 'x', to: [] }, 'invalid'],
  ['an agent named *', { content: 'x', to: '*' }, 'invalid'],
  ['an agent without a name', { content: 'x', to: [''] }, 'invalid'],
  ['an agent whose name has 257 characters', { content: 'x', to: 'x'.repeat(257) }, 'invalid'],
  ['all: false', { content: 'x', to: { all: false } }, 'invalid'],
  ['an invalid expiry', { content: 'x', expiresAt: Number.NaN }, 'invalid'],
  ['an expiry that never comes', { content: 'x', expiresAt: Number.POSITIVE_INFINITY }, 'invalid'],
  ['an expiry as text', { content: 'x', expiresAt: 'tomorrow' }, 'invalid'],
  ['a priority that is not a number', { content: 'x', priority: 'high' }, 'invalid'],
  ['a source without a kind', { content: 'x', source: { label: 'ada' } }, 'invalid'],
  ['an empty id', { content: 'x', id: '' }, 'invalid'],
  ['an id of 257 characters', { content: 'x', id: 'x'.repeat(257) }, 'invalid'],
  ['an invalid matcher', { content: 'x', matcher: 'Write||Edit' }, 'invalid_matcher'],
];

const refusals = FAULTS.map(([what, fields, problem]) =>
  check(`IJ-2: an item with ${what} is refused, and nothing is put in`, async (bench) => {
    const box = await bench.open();
    await arrive(box, 'a');
    const given = { to: 'a', ...fields } as unknown as NewInjection;
    await refused(() => box.mailbox.put(given), problem, `an item with ${what}`);
    equal(await box.mailbox.pending('a'), [], 'what waits');
    equal(box.changes, [], 'the reported changes');
  }),
);

function mustBeFrozen(item: InjectionItem | undefined, what: string): void {
  isTrue(item !== undefined && Object.isFrozen(item), `${what} is frozen`);
  isTrue(Object.isFrozen(item?.source) && Object.isFrozen(item?.to), `source and to of ${what} are frozen`);
}

const TARGETS: readonly (readonly [string, InjectionItem['to']])[] = [
  ['one agent', 'a'],
  ['several agents', ['a', 'b']],
  ['all agents', { all: true }],
];

const retries = TARGETS.map(([who, to]) =>
  check(`IJ-4: the same item for ${who} is put once, also after it was delivered`, async (bench) => {
    const box = await bench.open();
    await arrive(box, 'a');
    const item = { id: 'x', content: 'Hello', to, priority: 1, source: { kind: 'peer', label: 'ada' } };
    const first = await box.mailbox.put(item);
    equal(await box.mailbox.put(item), first, 'what the second put returns');
    equal(await drain(box, 'a'), ['x'], 'what is handed over');
    const again = await Promise.all([box.mailbox.put(item), box.mailbox.put(item), box.mailbox.put(item)]);
    equal(again, [first, first, first], 'what puts after the delivery return');
    equal(await drain(box, 'a'), [], 'what is handed over after the delivery');
    await bench.eventually(
      () => box.reported().filter((line) => line.startsWith('a ')),
      ['a x queued', 'a x delivered'],
      'the reported changes for a',
    );
  }),
);

const SIZE = 100;

export const itemChecks: readonly CheckDefinition[] = [
  check('IJ-1: omitted fields are filled in', async (bench) => {
    const { mailbox } = await bench.open();
    const [one, other] = [await mailbox.put({ content: 'Hello' }), await mailbox.put({ content: 'Hello' })];
    const { id, ...rest } = one;
    isTrue(typeof id === 'string' && id !== '' && id !== other.id, 'every item gets an id of its own');
    const expected = {
      content: 'Hello',
      strategy: 'tool_result',
      source: { kind: 'system' },
      to: { all: true },
    };
    equal(rest, expected, 'what put returns');
    equal((await mailbox.take({ agentId: 'a' })).items, [one, other], 'what take hands over');
  }),

  check('IJ-1: every field is delivered unchanged, and each agent is listed once', async (bench) => {
    const { mailbox } = await bench.open();
    const fields = {
      id: 'x',
      content: 'null \0, quotes " and \\, two lines\r\n, 😀, ]]--, {{x}}, ${x}, \u2028',
      strategy: 'user_message',
      source: { kind: 'a kind of the host', label: 'ada %41' },
      matcher: 'mcp__{x}__*|Bash',
      expiresAt: bench.now() + 4_000_000_000.5,
      priority: -1.5e-7,
    } as const;
    const item = await mailbox.put({ ...fields, to: ['b', 'a', 'b'] });
    equal(item, { ...fields, to: ['b', 'a'] }, 'what put returns');
    equal((await mailbox.take({ agentId: 'a' })).items, [item], 'what take hands over');
    equal(await mailbox.pending('b'), [item], 'what is pending');
    equal(await mailbox.carryOver('b'), [item], 'what is carried over');
  }),

  check('IJ-1: items are immutable', async (bench) => {
    const { mailbox } = await bench.open();
    mustBeFrozen(await mailbox.put({ content: 'x', to: ['a', 'b'] }), 'what put returns');
    mustBeFrozen((await mailbox.pending('a'))[0], 'what is pending');
    mustBeFrozen((await mailbox.take({ agentId: 'a' })).items[0], 'what take hands over');
    mustBeFrozen((await mailbox.carryOver('b'))[0], 'what is carried over');
  }),

  ...refusals,

  check(
    'IJ-3: long content is cut with a note, and the change reports the original length',
    async (bench) => {
      const box = await bench.open({ maxContentLength: SIZE });
      const put = await box.mailbox.put({ id: 'x', content: 'x'.repeat(10_000_000), to: 'a' });
      const [item] = (await box.mailbox.take({ agentId: 'a' })).items;
      equal(item, put, 'what take hands over');
      equal(put.content.length, SIZE, 'the length of the content');
      if (!/^x+\n\[cut: 10000000 characters in all\]$/.test(put.content))
        throw failed('the content', put.content, 'some x, and a line: [cut: 10000000 characters in all]');
      await bench.eventually(() => box.changes[0]?.reason, 'cut from 10000000 characters', 'the reason');
      const whole = 'y'.repeat(SIZE);
      equal((await box.mailbox.put({ content: whole, to: 'a' })).content, whole, 'content that just fits');
    },
    ['maxContentLength'],
  ),

  check(
    'IJ-3: a character that takes two units is never cut in the middle',
    async (bench) => {
      const { mailbox } = await bench.open({ maxContentLength: SIZE });
      for (const before of ['', 'x']) {
        const { content } = await mailbox.put({ content: before + '😀'.repeat(SIZE), to: 'a' });
        isTrue(!/\p{Surrogate}/u.test(content), 'the content has whole characters only');
      }
    },
    ['maxContentLength'],
  ),

  ...retries,

  check('IJ-4: a different item with a known id is refused, and the first one stays', async (bench) => {
    const box = await bench.open();
    const item = { id: 'x', content: 'Hello', to: 'a' };
    await box.mailbox.put(item);
    for (const other of [{ content: 'Bye' }, { to: 'b' }, { to: ['a', 'b'] }, { priority: 1 }])
      await refused(() => box.mailbox.put({ ...item, ...other }), 'duplicate', 'another item with the id');
    equal(ids(await box.mailbox.pending('b')), [], 'what waits for b');
    await hasStates(box, 'x', { a: 'queued' });
    const lease = await box.mailbox.take({ agentId: 'a' });
    equal(
      lease.items.map(({ content }) => content),
      ['Hello'],
      'what is handed over',
    );
    await lease.acknowledge();
    await refused(() => box.mailbox.put({ ...item, content: 'Bye' }), 'duplicate', 'after the delivery it');
  }),

  check(
    'IJ-5: a full mailbox refuses items, leased items count, and ended items make room',
    async (bench) => {
      const box = await bench.open({ maxItems: 2 });
      const put = (id: string) => box.mailbox.put({ id, content: 'x', to: 'a' });
      await put('x');
      await put('y');
      await refused(() => put('z'), 'full', 'one item more than may be there');
      equal((await put('x')).id, 'x', 'an item that is there already');
      const lease = await box.mailbox.take({ agentId: 'a', limit: 1 });
      await refused(() => put('z'), 'full', 'one more while another is being sent');
      await hasStates(box, 'z', undefined);
      await lease.acknowledge();
      // A refused item does not reserve its id.
      await box.mailbox.put({ id: 'z', content: 'another one', to: 'a' });
      const expected = ['a x queued', 'a y queued', 'a x delivered', 'a z queued'];
      await bench.eventually(box.reported, expected, 'the reported changes');
      equal(await drain(box, 'a'), ['y', 'z'], 'what is handed over');
    },
    ['maxItems'],
  ),
];
