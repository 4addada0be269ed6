import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  EVENTS_GUIDE,
  EVENTS_PAGE,
  eventTable,
  SCHEMA_DIRECTORY,
  schemaFiles,
  shortEventTable,
  withEventTable,
} from '../../spec/generate-schemas.js';
import { ALL_EVENTS } from '../../src/events/registry.js';

describe('what is generated from the table', () => {
  const files = schemaFiles();
  const ofEvents = [...files].filter(([name]) => /\.(input|answer)\.json$/.test(name));

  it('EV-9 the schemas on disk are those of the table; run npm run schemas', () => {
    expect(readdirSync(SCHEMA_DIRECTORY).sort()).toEqual([...files.keys()].sort());
    for (const [name, text] of files) expect(readFileSync(SCHEMA_DIRECTORY + name, 'utf8'), name).toBe(text);
  });

  it('EV-1 the tables in events.md and the guide are those of the code; run npm run schemas', () => {
    const page = readFileSync(EVENTS_PAGE, 'utf8');
    expect(withEventTable(page)).toBe(page);
    const guide = readFileSync(EVENTS_GUIDE, 'utf8');
    expect(withEventTable(guide, shortEventTable())).toBe(guide);
  });

  it('EV-1 the table has a row for every event, each with all its columns', () => {
    const rows = eventTable().split('\n').slice(2);
    expect(rows.map((row) => row.split(' | ')[0])).toEqual(ALL_EVENTS.map((event) => `| ${event}`));
    for (const row of rows) expect(row.split(' | '), row).toHaveLength(7);
  });

  it('EV-1 a page without its markers is refused, so that no table is lost unseen', () => {
    expect(() => withEventTable('# Events\n')).toThrow(/markers/);
    expect(() => withEventTable('<!-- events:end --><!-- events:begin -->')).toThrow(/markers/);
  });

  it('EV-4 inputs and answers may have keys that the schemas do not know', () => {
    for (const [name, text] of ofEvents) {
      const schema = JSON.parse(text);
      expect(schema.additionalProperties, name).toEqual({});
      expect(schema.properties.hookSpecificOutput?.additionalProperties ?? {}, name).toEqual({});
    }
  });

  it('EV-9 every schema stands alone: it has a title and its dialect, and refers to nothing', () => {
    for (const [name, text] of ofEvents) {
      const [, event, kind] = /^(\w+)\.(input|answer)\.json$/.exec(name) ?? [];
      const schema = JSON.parse(text);
      expect(schema, name).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: `${event} ${kind}`,
        type: 'object',
      });
      expect(text, name).not.toMatch(/\$(ref|defs|id)"/);
      expect(text.endsWith('}\n'), name).toBe(true);
    }
  });
});
