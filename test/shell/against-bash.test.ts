import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { tracingBash } from './bash.js';
import { overlooked } from './overlooked.js';
import { anyProgram } from './programs.js';

const bash = tracingBash();
afterAll(() => bash?.dispose());

describe.skipIf(bash === undefined)('held against bash itself', () => {
  it('IF-10 SH-4 no command that bash runs is overlooked in a line that counts as read', () => {
    let checked = 0;
    fc.assert(
      fc.property(anyProgram, (program) => {
        const found = overlooked(program, bash?.ran ?? (() => new Set()));
        if (found === undefined) return;
        checked += 1;
        expect(found, JSON.stringify(program)).toEqual([]);
      }),
      { numRuns: 400 },
    );
    expect(checked).toBeGreaterThan(60);
  }, 120_000);

  it('SH-4 the check itself sees what bash runs', () => {
    expect(bash?.ran('ma; if mb; then :; fi; echo mc')).toEqual(new Set(['ma', 'mb']));
    expect(overlooked('env ma', () => new Set(['mb']))).toEqual(['mb']);
  });
});
