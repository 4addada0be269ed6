/** Checks with hostile input: names that are special to file systems, databases or languages, and very long text. */
import { equal, ids, isTrue } from '../assert.js';
import { drain, hasStates } from '../bench.js';
import { type CheckDefinition, check } from '../check.js';

/** All are valid, and all are different. */
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '0',
  '00',
  '.',
  '..',
  '../../etc/passwd',
  '/',
  'C:\\con',
  'nul',
  '~',
  ' ',
  '  ',
  'a b',
  'a\nb',
  'a\r\nb',
  '\0',
  'a\0b',
  '\u001b[31m',
  '**',
  '*?[a]',
  '{a}',
  '{a}:*',
  'a:b',
  'a.b.>',
  '%00',
  '%2F',
  "'; DROP TABLE items; --",
  '"x"',
  '$(id)',
  'null',
  'undefined',
  'true',
  'A',
  'é',
  'e\u0301',
  'ß',
  'SS',
  '\u202e',
  '\u200b',
  '\ufeff',
  '😀',
  '\ud800',
  '\ud801',
  '\udfff',
  '\ufffd',
  'x'.repeat(256),
  `${'x'.repeat(255)}y`,
  '😀'.repeat(128),
];

const TEXTS = [
  '\0',
  'half \ud800 a character',
  '"}]} </script> ```',
  '\u0000\u0001\u001b[2J',
  'line\r\nline\u2028line',
  '[cut: 5 characters in all]',
  '__proto__',
  '{"__proto__":{"x":1}}',
  '✓'.repeat(9999),
  '\ufeffbom',
  ' leading and trailing ',
];

export const hostileChecks: readonly CheckDefinition[] = [
  check('IJ-1: an id may contain anything, and no two ids are confused', async (bench) => {
    const box = await bench.open();
    for (const [i, id] of NAMES.entries()) await box.mailbox.put({ id, content: `text ${i}`, to: 'a' });
    const lease = await box.mailbox.take({ agentId: 'a' });
    equal(ids(lease.items), NAMES, 'the ids that are handed over');
    await lease.acknowledge();
    for (const id of NAMES) await hasStates(box, id, { a: 'delivered' });
  }),

  check('IJ-6: an agent may have any name but *, and no two are confused', async (bench) => {
    const box = await bench.open();
    for (const [i, to] of NAMES.entries()) await box.mailbox.put({ id: `i${i}`, content: 'x', to });
    for (const [i, agentId] of NAMES.entries()) {
      const what = `for the agent ${JSON.stringify(agentId)}`;
      equal(ids(await box.mailbox.pending(agentId)), [`i${i}`], `what waits ${what}`);
      equal(await drain(box, agentId), [`i${i}`], `what is handed over ${what}`);
      const status = (await box.mailbox.status(`i${i}`)) ?? {};
      equal(Object.entries(status), [[agentId, 'delivered']], `the status ${what}`);
    }
  }),

  check('IJ-6: agents in a list are not confused either, whatever their names', async (bench) => {
    const box = await bench.open();
    await box.mailbox.put({ id: 'x', content: 'x', to: NAMES });
    for (const agentId of NAMES)
      equal(await drain(box, agentId), ['x'], `what ${JSON.stringify(agentId)} is handed`);
    const states = Object.entries((await box.mailbox.status('x')) ?? {});
    equal(
      states.map(([agentId]) => agentId).sort(),
      NAMES.toSorted(),
      'the agents that the status names, sorted',
    );
    isTrue(
      states.every(([, state]) => state === 'delivered'),
      'all of them are delivered',
    );
  }),

  check('IJ-1: content is delivered unchanged, whatever it contains', async (bench) => {
    const { mailbox } = await bench.open();
    for (const content of TEXTS)
      await mailbox.put({ content, to: 'a', source: { kind: 'peer', label: content.slice(0, 500) } });
    const { items } = await mailbox.take({ agentId: 'a' });
    equal(
      items.map(({ content }) => content),
      TEXTS,
      'the texts that are handed over',
    );
    equal(
      items.map(({ source }) => source.label),
      TEXTS.map((text) => text.slice(0, 500)),
      'the labels of their sources',
    );
  }),

  check(
    'IJ-3: ten megabytes of text are cut, and do not keep other items from being delivered',
    async (bench) => {
      const { mailbox } = await bench.open();
      await mailbox.put({ id: 'huge', content: '☃'.repeat(10 * 1024 * 1024), to: 'a' });
      await mailbox.put({ id: 'small', content: 'x', to: 'a' });
      const { items } = await mailbox.take({ agentId: 'a' });
      equal(ids(items), ['huge', 'small'], 'what is handed over');
      equal(items[0]?.content.length, 10_000, 'the length of the content');
    },
  ),
];
