import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ALL_EVENTS } from '../../src/events/registry.js';
import { filesIn, importsOf, stringsOf, typeImportsOf, withoutComments } from './sources.js';

const files = filesIn('src', '.ts');
const MAX_LINES = 400;
const MAX_MEDIAN = 100;
/** `fire('Stop', …)`, `on('Stop', …)`, `HookOutcome<'Stop'>`: the line breaks stay, so that lines are counted right. */
const FIRED_OR_HOOKED = /\b((?:fire|on|hasHooks)\(|[A-Z]\w*<)(\s*)'\w+'/g;

describe('the code', () => {
  it(`architecture: no file is longer than ${MAX_LINES} lines, the median at most ${MAX_MEDIAN}`, () => {
    const lengths = files.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }));
    expect(lengths.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
    const sorted = lengths.map(({ lines }) => lines).sort((one, other) => one - other);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(MAX_MEDIAN);
  });

  it('architecture: outside src/events a built-in event is named only where it is fired or a hook is put on it', () => {
    const names: ReadonlySet<string> = new Set(ALL_EVENTS);
    const knowing = files
      .filter(({ path }) => !path.startsWith('src/events/'))
      .flatMap(({ path, text }) =>
        stringsOf(text.replace(FIRED_OR_HOOKED, '$1$2'))
          .filter((literal) => names.has(literal.text))
          .map((literal) => `${path}:${literal.line}: ${literal.text}`),
      );
    expect(knowing).toEqual([]);
  });

  it('architecture: a name counts where it is a whole literal, in code, not in a comment or within a text', () => {
    const code =
      "// 'Stop'\nconst a = 'Stop';\n/* 'Stop' */ say('no `hooks` in \"Stop\"', \"Setup\", `on Stop`, `Stop`);";
    expect(stringsOf(code).filter(({ text }) => text === 'Stop' || text === 'Setup')).toEqual([
      { text: 'Stop', line: 2 },
      { text: 'Setup', line: 3 },
      { text: 'Stop', line: 3 },
    ]);
  });

  it('architecture: every file says at its top what it is for', () => {
    const silent = files.filter(({ text }) => !text.replace(/^#!.*\n/, '').startsWith('/**'));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('architecture: only the entries of the package re-export other files', () => {
    const entries = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'string' ? [] : [entry.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, 'src/$1.ts')],
    );
    const barrels = files.filter(
      ({ text }) =>
        withoutComments(text)
          .replace(/^(?:import|export)\s[^;]*?\sfrom\s+'[^']+';$/gm, '')
          .trim() === '',
    );
    expect(barrels.map(({ path }) => path).filter((path) => !entries.includes(path))).toEqual([]);
  });

  it('architecture: fields that are only declared, for speed, stay on the hot path', () => {
    const declaring = files.filter(({ text }) => /^ {2}declare /m.test(text)).map(({ path }) => path);
    const elsewhere = declaring.filter((path) => !path.startsWith('src/runner/fast/'));
    expect(elsewhere).toEqual(['src/base/json/private-view.ts', 'src/handlers/cancellation.ts']);
  });

  it('architecture: the hot path has three public files', () => {
    const used = files
      .filter(({ path }) => !path.startsWith('src/runner/fast/'))
      .flatMap(({ text }) => {
        const types = typeImportsOf(text);
        return importsOf(text).filter((path) => !types.includes(path));
      })
      .flatMap((path) => /(?:^|\/)fast\/([\w-]+)\.js$/.exec(path)?.[1] ?? []);
    expect([...new Set(used)].sort()).toEqual(['call-hooks', 'fire', 'input-shapes']);
  });
});
