import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from '../../src/events/schemas.js';
import { filesIn, withoutComments } from './sources.js';

const files = filesIn('src', '.ts');
const LONGEST = 250;

/** Texts for people and programs of other languages are not this code; a template that is one bare word is. */
const withoutTexts = (code: string): string =>
  withoutComments(code).replace(/`(?:\\.|[^`\\])*`/g, (text) =>
    /^`\w+`$/.test(text) ? text : text.replace(/[^\n]/g, ' '),
  );

describe('the code', () => {
  it(`the house: no file is longer than ${LONGEST} lines`, () => {
    const long = files
      .map(({ path, text }) => `${path}: ${text.trimEnd().split('\n').length}`)
      .filter((entry) => Number(entry.split(': ')[1]) > LONGEST);
    expect(long).toEqual([]);
  });

  it('the house: outside src/events no code knows an event by name', () => {
    const name = new RegExp(
      `(['"\`])(${HOOK_EVENTS.join('|')})\\1|\\bcase\\s+\\W(${HOOK_EVENTS.join('|')})\\W`,
    );
    const knowing = files
      .filter(({ path }) => !path.startsWith('src/events/'))
      .flatMap(({ path, text }) =>
        withoutTexts(text)
          .split('\n')
          .flatMap((line, i) => (name.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
      );
    expect(knowing).toEqual([]);
  });

  it('the house: every file says at its top what it is for', () => {
    const silent = files.filter(({ text }) => !text.replace(/^#!.*\n/, '').startsWith('/**'));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
});
