import { describe, expect, it } from 'vitest';
import { cutAt, cutText, oneLine, shorten } from '../../../src/base/text/cut-text.js';

describe('cutting texts', () => {
  it('leaves what fits, and never exceeds the bound', () => {
    expect(shorten('12345', 5)).toBe('12345');
    expect(shorten('123456', 5)).toBe('12...');
    expect(shorten('123456', 5, '…')).toBe('1234…');
    expect(oneLine('  a\n\t b  ', 10)).toBe('a b');
    const text = 'x'.repeat(500);
    expect(cutText(text, 100)).toHaveLength(100);
    expect(cutText(cutText(text, 100), 100)).toBe(cutText(text, 100));
  });

  it('never leaves half of a character', () => {
    expect(cutAt('a😀b', 2)).toBe('a');
    expect(cutAt('a😀b', 3)).toBe('a😀');
    expect(shorten('😀😀😀', 5, '…')).toBe('😀😀…');
  });
});
