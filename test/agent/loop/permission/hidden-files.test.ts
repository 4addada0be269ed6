/** What rules keep from being read is not found by a search either. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PermissionOptions } from '../../../../src/permissions/permissions.js';
import { watchProcess } from '../../../support/runner.js';
import { callTools } from '../support/call-tools.js';

watchProcess();

const files = {
  '.env': 'KEY=TOP',
  'a.txt': 'KEY in a',
  'src/.env': 'KEY=DEEP',
  'src/b.txt': 'KEY in b',
  'secrets/one': 'KEY=ONE',
  'secrets/two': 'KEY=TWO',
};

async function search(
  permissions: PermissionOptions,
  uses: readonly (readonly [string, object])[],
  canUseTool?: () => Promise<{ behavior: 'allow' }>,
) {
  return callTools(uses, {
    files,
    options: { permissions, ...(canUseTool && { canUseTool }) },
    prepare: ({ cwd }) => {
      symlinkSync('.env', join(cwd, 'innocent'));
      symlinkSync('a.txt', join(cwd, 'other'));
    },
  });
}

const HIDDEN = (count: number): string =>
  count === 1
    ? '[1 file is not shown: reading it is denied by a permission rule]'
    : `[${count} files are not shown: reading them is denied by a permission rule]`;

describe('a search', () => {
  it('TO-43: Grep does not read what a rule denies, by content, by count, by name and by glob', async () => {
    const { results } = await search({ deny: ['Read(.env)', 'Read(secrets/**)'] }, [
      ['Grep', { pattern: 'KEY', output_mode: 'content' }],
      ['Grep', { pattern: 'KEY', output_mode: 'count' }],
      ['Grep', { pattern: 'KEY' }],
      ['Grep', { pattern: 'KEY', glob: '.env', output_mode: 'content' }],
      ['Grep', { pattern: 'KEY', glob: '{.e*,secrets/*}', output_mode: 'content' }],
      ['Bash', { command: 'cd src' }],
      ['Grep', { pattern: 'KEY', path: '..', glob: '**/.env', output_mode: 'content' }],
      ['Grep', { pattern: 'KEY', glob: '*.txt', output_mode: 'content' }],
    ]);
    expect(results).toEqual([
      ['a.txt:1:KEY in a', 'src/b.txt:1:KEY in b', HIDDEN(4)].join('\n'),
      expect.stringMatching(/^(a\.txt:1|src\/b\.txt:1)\n(a\.txt:1|src\/b\.txt:1)\n\[4 files/),
      expect.stringMatching(/^(a\.txt|src\/b\.txt)\n(a\.txt|src\/b\.txt)\n\[4 files/),
      ['No matches found.', HIDDEN(2)].join('\n'),
      ['No matches found.', HIDDEN(3)].join('\n'),
      expect.any(String),
      ['No matches found.', HIDDEN(2)].join('\n'),
      'b.txt:1:KEY in b',
    ]);
    expect(results.join('\n')).not.toMatch(/TOP|DEEP|ONE|TWO/);
  });

  it('TO-43: Glob does not show them, nor links that lead to them', async () => {
    const { results, of, cwd } = await search({ deny: ['Read(./.env)', 'Read(secrets/**)'] }, [
      ['Glob', { pattern: '**' }],
      ['Glob', { pattern: 'secrets*/one' }],
    ]);
    const [all, none] = results;
    const shown = all?.split('\n') ?? [];
    expect(shown.at(-1)).toBe(HIDDEN(4));
    expect(shown.slice(0, -1).sort()).toEqual(
      ['a.txt', 'other', 'src/.env', 'src/b.txt'].map((name) => join(cwd, name)),
    );
    expect(none).toBe(['No files found.', HIDDEN(1)].join('\n'));
    expect(of('PostToolUse').map((input) => input['tool_response'])).toMatchObject([
      { numFiles: 4, filenames: shown.slice(0, -1) },
      { numFiles: 0, filenames: [] },
    ]);
  });

  it('TO-43: what a rule asks about is shown only to a call that was agreed to', async () => {
    const { results } = await search(
      { ask: ['Read(secrets/**)'] },
      [
        ['Grep', { pattern: 'KEY', glob: 'secrets/*', output_mode: 'content' }],
        ['Grep', { pattern: 'KEY', path: 'secrets', output_mode: 'content' }],
      ],
      async () => ({ behavior: 'allow' }),
    );
    expect(results).toEqual([
      ['No matches found.', HIDDEN(2)].join('\n'),
      ['secrets/one:1:KEY=ONE', 'secrets/two:1:KEY=TWO'].join('\n'),
    ]);
  });

  it('TO-43: without such rules nothing is left out', async () => {
    const { results } = await search({ deny: ['Edit(.env)', 'Bash'] }, [
      ['Grep', { pattern: 'KEY', glob: '.env', output_mode: 'content' }],
    ]);
    expect(results).toEqual(['.env:1:KEY=TOP\nsrc/.env:1:KEY=DEEP']);
  });
});
