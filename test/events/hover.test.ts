/** What an editor shows about inputs and answers, through the declarations of the built package. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { baseFields, commonAnswer } from '../../src/events/fields.js';
import { permissionAnswer } from '../../src/events/permission-fields.js';
import { fieldsOfEvent } from '../../src/events/registry.js';
import { ALL_EVENTS, type AnyEvent } from '../../src/index.js';
import { type Document, LanguageServer } from '../support/language-server.js';

const inputFields = (event: AnyEvent): string[] => [
  ...new Set([...Object.keys(baseFields), 'hook_event_name', ...Object.keys(fieldsOfEvent(event).input)]),
];
const ownFields = (event: AnyEvent): string[] => [
  'hookEventName',
  ...Object.keys(fieldsOfEvent(event).answer),
];
const TOP_FIELDS = [...Object.keys(commonAnswer), 'async', 'asyncTimeout', 'result'];

/** A field in the document, and what it is a field of. */
interface Place {
  readonly event: AnyEvent;
  readonly what: string;
  readonly offset: number;
}

const fields: Place[] = [];
const completions: (Place & { readonly offers: readonly string[] })[] = [];
let text = `import { type HookInput, type HookSpecificOutput, Runner } from 'hookline';
const runner = new Runner();
const some = () => undefined as never;
`;

function write(event: AnyEvent, of: string, names: readonly string[], before: string, after: string): void {
  for (const name of names) {
    text += before;
    fields.push({ event, what: `${of}: ${name}`, offset: text.length + 1 });
    text += name + after;
  }
}

for (const event of ALL_EVENTS) {
  // A hook as people write it.
  text += `\nrunner.on('${event}', (input) => {`;
  write(event, 'input of a hook', inputFields(event), 'input.', ';');
  text += 'return {';
  write(event, 'answer of a hook', TOP_FIELDS, '', ': some(),');
  write(event, 'answer of a hook', ['hookSpecificOutput'], '', ': {');
  write(event, 'own answer of a hook', ownFields(event), '', ': some(),');
  text += '} }; });\n';
  // The types alone.
  text += `const given${event} = some() as HookInput<'${event}'>;`;
  write(event, 'input', inputFields(event), `given${event}.`, ';');
  text += `const said${event} = some() as HookSpecificOutput<'${event}'>;`;
  write(event, 'own answer', ownFields(event), `said${event}.`, ';');
  // Where an editor is asked what could be written.
  text += `\nrunner.on('${event}', () => ({ hookSpecificOutput: { hookEventName: '${event}', `;
  completions.push({ event, what: 'answer', offset: text.length, offers: ownFields(event).slice(1) });
  text += '} }));';
  text += `\nrunner.on('${event}', () => ({ `;
  const offers = [...TOP_FIELDS, 'hookSpecificOutput'];
  completions.push({ event, what: 'answer of its own', offset: text.length, offers });
  text += '}));\n';
}

for (const { shape } of permissionAnswer().options) {
  const { behavior, ...rest } = shape;
  text += `runner.on('PermissionRequest', () => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: {`;
  write('PermissionRequest', 'decision', ['behavior'], '', `: '${behavior.value}',`);
  write('PermissionRequest', 'decision', Object.keys(rest), '', ': some(),');
  text += '} } }));\n';
}

const server = new LanguageServer();
let document: Document;
beforeAll(async () => {
  await server.start();
  document = server.open('hover.mts', text);
  // The first question has the server read everything.
  await document.docAt(text.indexOf('runner'));
}, 120_000);
afterAll(() => server.close());

describe.each(ALL_EVENTS)('%s', (event) => {
  it('EV-16 a hover shows a doc text for every field of the input and of the answer', async () => {
    const places = fields.filter((place) => place.event === event);
    const docs = await Promise.all(places.map(({ offset }) => document.docAt(offset)));
    expect(places.length).toBeGreaterThan(2 * inputFields(event).length);
    expect(places.filter((_, i) => docs[i] === '').map(({ what }) => what)).toEqual([]);
  }, 60_000);

  it('EV-16 completions offer every field of the answer, each with a doc text', async () => {
    for (const { offset, offers } of completions.filter((place) => place.event === event)) {
      const items = await document.completionsAt(offset);
      const names = items.map(({ label, filterText }) => filterText ?? label);
      expect(names).toEqual(expect.arrayContaining([...offers]));
      const told = await Promise.all(
        items.filter((_, i) => offers.includes(names[i] ?? '')).map((item) => server.resolve(item)),
      );
      expect(told.map((item) => (item as { documentation?: unknown }).documentation)).not.toContain(
        undefined,
      );
    }
  }, 60_000);
});

it('EV-16 the document is as long as the table', () => {
  expect(fields.length).toBeGreaterThan(ALL_EVENTS.length * 30);
});
