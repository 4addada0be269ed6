import { describe, expect, it } from 'vitest';
import { filesIn, withoutComments } from './sources.js';

const ID = /\b[A-Z]{2}-\d+\b/g;

const written = filesIn('spec', '.md').flatMap(({ path, text }) =>
  [...text.matchAll(/^- \*\*([A-Z]{2}-\d+)\*\*/gm)].map((match) => ({ id: match[1] ?? '', path })),
);
const families = new Set(written.map(({ id }) => id.slice(0, 2)));

/** Titles are strings in tests, and in the checks that the kit for mailboxes gives to tests; vectors name the rule they are for. */
const cited = [
  ...[...filesIn('test', '.test.ts', '.test-d.ts'), ...filesIn('src/testing/mailbox-kit', '.ts')].map(
    ({ path, text }) => ({
      path,
      text: withoutComments(text),
    }),
  ),
  ...filesIn('spec/vectors', '.json'),
].flatMap(({ path, text }) =>
  [...text.matchAll(ID)].filter(([id]) => families.has(id.slice(0, 2))).map(([id]) => ({ id, path })),
);

const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)].sort(byNumber);

describe('the contract', () => {
  it('architecture: every rule is held by a test that names it', () => {
    const held = new Set(cited.map(({ id }) => id));
    expect(unique(written.map(({ id }) => id)).filter((id) => !held.has(id))).toEqual([]);
  });

  it('architecture: every rule that a test names is written down', () => {
    const known = new Set(written.map(({ id }) => id));
    const unknown = cited.filter(({ id }) => !known.has(id)).map(({ id, path }) => `${id} in ${path}`);
    expect(unique(unknown)).toEqual([]);
  });

  it('architecture: no rule is written down twice, and none is skipped in counting', () => {
    const ids = written.map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    for (const family of families) {
      const numbers = ids.filter((id) => id.startsWith(family)).map((id) => Number(id.slice(3)));
      expect(
        numbers.sort((a, b) => a - b),
        family,
      ).toEqual(numbers.map((_, i) => i + 1));
    }
  });

  it('architecture: rules are found in the pages', () => {
    expect(families).toEqual(new Set([...families, 'EV', 'MA', 'OR', 'FA', 'ME', 'MS']));
    expect(written.length).toBeGreaterThan(60);
  });
});
