import { describe, expect, it } from 'vitest';
import { createIdSequence } from '../../src/base/id-sequence.js';

describe('texts that never come twice', () => {
  it('MS-3 ten thousand of them are all different, and few stems are made', () => {
    let stems = 0;
    const next = createIdSequence(() => {
      stems += 1;
      return `stem-${stems}-`;
    });
    const all = Array.from({ length: 10_000 }, next);
    expect(new Set(all).size).toBe(10_000);
    expect(stems).toBe(40);
    expect(all.every((text) => /^stem-\d+-[0-9a-f]{2}$/.test(text))).toBe(true);
  });
});
