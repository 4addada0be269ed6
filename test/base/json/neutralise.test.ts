import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls } from '../../../src/base/json/escape-controls.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('text for people', () => {
  it('CO-21 ordinary text, tabs and line ends stay as they are', () => {
    for (const text of ['', 'plain', 'a\tb\nc', 'ünïcödé 工具 😀']) expect(escapeControls(text)).toBe(text);
  });

  it.each([
    ['\u001b[31mred\u001b[0m', '\u241b[31mred\u241b[0m'],
    ['\u001b]0;title\u0007', '\u241b]0;title\u2407'],
    ['a\u0000b', 'a\u2400b'],
    ['gone\u007f', 'gone\u2421'],
    ['\u009b31m', '31m'],
    ['file\u202etxt.exe', 'filetxt.exe'],
    ['over\rwritten', 'over\u240dwritten'],
    ['\u001b[0m one\r\ntwo', '\u241b[0m one\ntwo'],
  ])('CO-21 %j becomes %j', (text, expected) => {
    expect(escapeControls(text)).toBe(expected);
  });

  it('CO-21 Windows line ends are line ends, with and without other control characters', () => {
    expect(escapeControls('one\r\ntwo')).toBe('one\ntwo');
  });

  it('CO-21 nothing that steers a terminal is left, and doing it twice changes nothing more', () => {
    const unit = fc
      .oneof(fc.nat(0xff), fc.integer({ min: 0x2020, max: 0x2070 }))
      .map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.array(unit), (parts) => {
        const once = escapeControls(parts.join(''));
        expect(once).not.toMatch(STEERING);
        expect(escapeControls(once)).toBe(once);
      }),
    );
  });
});
