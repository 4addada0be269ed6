/** The table of keys in the contract: the reader accepts every one of them and no other, and the test of each exists. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadMassgenConfig } from '../../../src/dialects/massgen/load.js';
import { HOOK_EVENTS } from '../../../src/index.js';
import { FIXTURES } from './support.js';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const ROW = /^\| `([^`]+)` \| `([^`]+)` \| .* \| `(test\/[^`]+)`, ([A-Z]{2}-\d+) \|$/gm;
const rows = [...read('spec/massgen.md').matchAll(ROW)].map(
  ([, key = '', example = '', file = '', rule = '']) => ({
    key,
    value: parse(example.replaceAll('\\|', '|')) as unknown,
    file,
    rule,
  }),
);
const steps = new Set(rows.flatMap(({ key }) => key.replaceAll('[]', '').split('.')));
const nameOf = (key: string): string => key.replace('[]', '').split('.').at(-1) ?? key;

/** A file in which only this key is set, and what it cannot do without. */
function fileWith(key: string, value: unknown): string {
  const steps = key.replace('EVENT', 'PreToolUse').split('.');
  const nested = steps.reduceRight<unknown>((inner, step) => {
    const name = step.replace('[]', '');
    const object = { [name]: step === name ? inner : [inner] };
    return name === 'backend' ? { id: 'ada', ...object } : object;
  }, value);
  return stringify(nested, { aliasDuplicateObjects: false });
}

/** All keys of a file, but for the names of events. */
function keysIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(HOOK_EVENTS.includes(key as never) ? [] : [key]),
    ...keysIn(inner),
  ]);
}

/** What the reader does not know of a file. */
async function unknownIn(text: string): Promise<readonly string[]> {
  const config = await loadMassgenConfig({ text, file: join(ROOT, 'x.yaml') }, { preflight: false });
  await config.dispose();
  const codes = ['not_read_here', 'unknown_key', 'misspelt_key', 'invalid_setting', 'invalid_hooks'];
  return config.diagnostics.filter(({ code }) => codes.includes(code)).map(({ message }) => message);
}

describe('the keys of a MassGen file', () => {
  it('MG-41 the table has every key that the reader asks for', () => {
    const asked = /\b(?:section|sections|text|name|flag|seconds|count|limit)\(\s*'([a-z_]+)'/g;
    const settings = [...read('src/dialects/massgen/settings.ts').matchAll(asked)].map(([, key = '']) => key);
    const [, list = ''] = /const KEYS[^=]*= \[([^\]]+)\]/.exec(read('src/dialects/massgen/entry.ts')) ?? [];
    const fields = [...list.matchAll(/'([a-z_]+)'/g)].map(([, key = '']) => key);
    expect(settings.length).toBeGreaterThan(20);
    expect(fields.length).toBeGreaterThan(4);
    expect([...settings, ...fields].filter((key) => !steps.has(key))).toEqual([]);
  });

  it.each(rows)('MG-41 $key is read, and its test exists', async ({ key, value, file, rule }) => {
    expect(await unknownIn(fileWith(key, value))).toEqual([]);
    const test = read(file);
    expect([nameOf(key), rule].filter((word) => !new RegExp(`\\b${word}\\b`).test(test))).toEqual([]);
  });

  it.each(rows.filter(({ key }) => !key.includes('EVENT') && !key.startsWith('hooks')))(
    'MG-41 another name in the place of $key is not',
    async ({ key, value }) => {
      expect(await unknownIn(fileWith(key.replace(/\w+$/, 'elsewhere'), value))).not.toEqual([]);
    },
  );

  it('MG-41 every key that the documents of MassGen show is in the table', () => {
    const documents = readdirSync(FIXTURES).filter((name) => name.endsWith('.yaml'));
    const shown = documents.flatMap((name) => keysIn(parse(readFileSync(join(FIXTURES, name), 'utf8'))));
    expect(new Set(shown).size).toBeGreaterThan(15);
    expect([...new Set(shown)].filter((key) => !steps.has(key))).toEqual([]);
  });
});
