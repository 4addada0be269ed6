/** Writes what is derived from the table: the JSON Schemas, and the tables in events.md and in the guide. Run it with `npm run schemas`. */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { fileSchema } from '../src/dialects/hookline/file/schema.js';
import { ALL_EVENTS, rowOf } from '../src/events/registry.js';
import { answerSchema, inputSchema } from '../src/events/schemas.js';
import type { AnyEvent } from '../src/events/types.js';

export const SCHEMA_DIRECTORY: string = fileURLToPath(new URL('schemas/', import.meta.url));
export const EVENTS_PAGE: string = fileURLToPath(new URL('events.md', import.meta.url));
export const EVENTS_GUIDE: string = fileURLToPath(new URL('../docs/reference/events.md', import.meta.url));

const BEGIN = '<!-- events:begin -->';
const END = '<!-- events:end -->';

/** The part of a JSON Schema that is read here. */
interface ObjectSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly $defs?: unknown;
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/** Everything is written out in place: a schema that is read alone needs no definitions from elsewhere. */
function toSchema(schema: z.ZodType): ObjectSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    reused: 'inline',
    cycles: 'throw',
    unrepresentable: 'throw',
  }) as ObjectSchema;
}

/** `$schema` and `title` first, the rest as zod orders it. */
function print(schema: ObjectSchema, title: string): string {
  const { $schema, title: _, ...rest } = schema;
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}

/** Every schema, by the name of its file. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const event of ALL_EVENTS) {
    files.set(`${event}.input.json`, print(toSchema(inputSchema(event)), `${event} input`));
    files.set(`${event}.answer.json`, print(toSchema(answerSchema(event)), `${event} answer`));
  }
  files.set('hookline.config.json', print(toSchema(fileSchema()), 'hookline configuration'));
  return files;
}

const COLUMNS = [
  'event',
  'a matcher sees',
  'a refusal prevents',
  'plain text is',
  'a late answer adds',
  'own input fields',
  'hookSpecificOutput fields',
];

/** The table of events in Markdown, one row each. */
export function eventTable(): string {
  const rows = [COLUMNS, COLUMNS.map(() => '---'), ...ALL_EVENTS.map(rowFor)];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function rowFor(event: AnyEvent): string[] {
  const { matcherField: subject, blocks, plainText, late, input, answer: specific } = rowOf(event);
  const answer = toSchema(answerSchema(event)).properties?.['hookSpecificOutput'];
  return [
    event,
    subject === null ? 'nothing' : `\`${subject}\``,
    blocks,
    plainText,
    late,
    fieldList(Object.keys(input), toSchema(inputSchema(event))),
    fieldList(Object.keys(specific), answer),
  ];
}

/** What a reader of the guide wants to know about the events, one row each. */
export function shortEventTable(): string {
  const columns = ['event', 'a matcher sees', 'a refusal prevents', 'own answers', 'our loop fires it'];
  const rows = ALL_EVENTS.map((event) => {
    const [, subject = '', blocks = '', , , , specific = ''] = rowFor(event);
    const { unfired } = rowOf(event);
    return [event, subject, blocks, specific.replaceAll('?', ''), unfired === '' ? 'yes' : `no: ${unfired}`];
  });
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Names in code style, a question mark behind those that may be left out. */
function fieldList(names: readonly string[], schema: ObjectSchema | undefined): string {
  const required = new Set(schema?.required);
  return names.map((name) => `\`${name}${required.has(name) ? '' : '?'}\``).join(', ') || 'none';
}

/** The page with its table made anew; everything outside the markers stays as it is. */
export function withEventTable(page: string, table: string = eventTable()): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`The page needs the markers ${BEGIN} and ${END}, in this order.`);
  return `${page.slice(0, begin + BEGIN.length)}\n${table}\n${page.slice(end)}`;
}

function writeAll(): void {
  const files = schemaFiles();
  mkdirSync(SCHEMA_DIRECTORY, { recursive: true });
  for (const name of readdirSync(SCHEMA_DIRECTORY)) if (!files.has(name)) rmSync(SCHEMA_DIRECTORY + name);
  for (const [name, text] of files) writeFileSync(SCHEMA_DIRECTORY + name, text);
  writeFileSync(EVENTS_PAGE, withEventTable(readFileSync(EVENTS_PAGE, 'utf8')));
  writeFileSync(EVENTS_GUIDE, withEventTable(readFileSync(EVENTS_GUIDE, 'utf8'), shortEventTable()));
}

const startedBy = process.argv[1];
if (startedBy !== undefined && import.meta.url === pathToFileURL(startedBy).href) writeAll();
