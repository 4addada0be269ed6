import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from '../../src/events/schemas.js';
import { filesIn, stringsOf } from './sources.js';

const files = filesIn('src', '.ts');
const LONGEST = 250;
/** `fire('Stop', …)`, `on('Stop', …)`, `HookOutcome<'Stop'>`: the line breaks stay, so that lines are counted right. */
const FIRED_OR_HOOKED = /\b((?:fire|on)\(|[A-Z]\w*<)(\s*)'\w+'/g;

describe('the code', () => {
  it(`the house: no file is longer than ${LONGEST} lines`, () => {
    const long = files
      .map(({ path, text }) => `${path}: ${text.trimEnd().split('\n').length}`)
      .filter((entry) => Number(entry.split(': ')[1]) > LONGEST);
    expect(long).toEqual([]);
  });

  it('the house: outside src/events an event is named only where it is fired or a hook is put on it', () => {
    const names: ReadonlySet<string> = new Set(HOOK_EVENTS);
    const knowing = files
      .filter(({ path }) => !path.startsWith('src/events/'))
      .flatMap(({ path, text }) =>
        stringsOf(text.replace(FIRED_OR_HOOKED, '$1$2'))
          .filter((literal) => names.has(literal.text))
          .map((literal) => `${path}:${literal.line}: ${literal.text}`),
      );
    expect(knowing).toEqual([]);
  });

  it('the house: a name counts where it is a whole literal, in code, not in a comment or within a text', () => {
    const code =
      "// 'Stop'\nconst a = 'Stop';\n/* 'Stop' */ say('no `hooks` in \"Stop\"', \"Setup\", `on Stop`, `Stop`);";
    expect(stringsOf(code).filter(({ text }) => text === 'Stop' || text === 'Setup')).toEqual([
      { text: 'Stop', line: 2 },
      { text: 'Setup', line: 3 },
      { text: 'Stop', line: 3 },
    ]);
  });

  it('the house: every file says at its top what it is for', () => {
    const silent = files.filter(({ text }) => !text.replace(/^#!.*\n/, '').startsWith('/**'));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
});
