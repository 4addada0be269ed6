import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginning, readJsonObject } from '../../../src/base/json/read-json.js';
import { processorMs } from '../../support/processor-time.js';

interface Vector {
  readonly name: string;
  readonly text: string;
  readonly value?: unknown;
  readonly dropped?: readonly string[];
  readonly problem?: string;
}

/** Read by hand: some of it, such as half a character, is more than bundlers can take. */
const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../../../spec/vectors/json.json', import.meta.url), 'utf8'),
);

describe('text that must be one JSON object', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('FA-1 FA-8 %s', (_, vector) => {
    const { text, value, dropped, problem } = vector;
    const read = readJsonObject(text);
    if (problem !== undefined) {
      expect(read.ok ? 'accepted' : read.problem).toContain(problem);
      return;
    }
    expect(read).toEqual({ ok: true, value, ...(dropped !== undefined && { dropped }) });
  });

  it('FA-1 a problem shows how the text begins, on one line and with control characters made visible', () => {
    const read = readJsonObject('warning: \u001b[31mold\u001b[0m\nversion');
    expect(read).toEqual({
      ok: false,
      problem: expect.stringContaining('begins with "warning: \\u001b[31mold\\u001b[0m\\nversion"'),
    });
  });

  it('FA-1 a problem stays short, however long the text is', () => {
    const read = readJsonObject('x'.repeat(1_000_000));
    expect(read.ok ? '' : read.problem.length).toBeLessThan(300);
    expect(beginning('x'.repeat(61))).toBe(`"${'x'.repeat(60)}"...`);
    expect(beginning('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
  });

  it('FA-8 nothing that is read pollutes a prototype', () => {
    readJsonObject('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('FA-1 1e999 is never Infinity: it is refused', () => {
    expect(readJsonObject('{"n":1e999}')).toEqual({
      ok: false,
      problem: expect.stringContaining('Infinity'),
    });
  });
});

describe('limits', () => {
  it.each([
    ['objects', '{"a":', '1', '}'],
    ['lists', '[', '', ']'],
    ['objects in lists', '{"a":[', '', ']}'],
  ])('FA-9 100,000 levels of %s are refused in less than a second', (_, open, inner, close) => {
    const text = `{"x":${open.repeat(100_000)}${inner}${close.repeat(100_000)}}`;
    const started = processorMs();
    const read = readJsonObject(text);
    expect(processorMs() - started).toBeLessThan(1_000);
    expect(read).toEqual({ ok: false, problem: expect.stringContaining('deeper than 100') });
  });

  it('FA-9 100,000 levels that are never closed are refused in less than a second', () => {
    const started = processorMs();
    expect(readJsonObject('{"a":'.repeat(100_000)).ok).toBe(false);
    expect(readJsonObject('['.repeat(100_000)).ok).toBe(false);
    expect(readJsonObject(`{"a":"${'\\"'.repeat(100_000)}`).ok).toBe(false);
    expect(processorMs() - started).toBeLessThan(1_000);
  });

  it('FA-9 a megabyte of braces and quotes is refused in less than a second', () => {
    const started = processorMs();
    for (const text of ['{}', '{"', '"{', '[{', '}{', '{}\n']) {
      expect(readJsonObject(text.repeat(350_000)).ok).toBe(false);
    }
    expect(processorMs() - started).toBeLessThan(1_000);
  });

  it('FA-9 a hundred levels are read', () => {
    expect(readJsonObject(`${'{"a":'.repeat(99)}{}${'}'.repeat(99)}`).ok).toBe(true);
    expect(readJsonObject(`${'{"a":'.repeat(100)}{}${'}'.repeat(100)}`).ok).toBe(false);
  });
});

describe('for any text', () => {
  const brackets = fc
    .array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', 'a', ' ', '\n', '\u0000', '\ufeff'))
    .map((parts) => parts.join(''));
  const text = fc.oneof(fc.string({ unit: 'binary' }), brackets, fc.json());

  it('FA-1 FA-6 reading never throws: it is an object, or a problem in words', () => {
    fc.assert(
      fc.property(text, (input) => {
        const read = readJsonObject(input);
        if (read.ok) expect(typeof read.value).toBe('object');
        else expect(read.problem).toMatch(/^the output/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('FA-1 whatever is written as JSON is read back the same, with white space around it', () => {
    const space = fc.array(fc.constantFrom(' ', '\n', '\r\n', '\t')).map((parts) => parts.join(''));
    const record = fc.dictionary(
      fc.string().filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key)),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    );
    fc.assert(
      fc.property(record, space, space, (value, before, after) => {
        const written = JSON.stringify(value);
        expect(readJsonObject(before + written + after)).toEqual({ ok: true, value: JSON.parse(written) });
      }),
    );
  });

  it('FA-1 a document is never half accepted: anything but white space behind it is refused', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (after) => {
        fc.pre(after.trim() !== '');
        expect(readJsonObject(`{"decision":"allow"}${after}`).ok).toBe(false);
      }),
    );
  });
});
