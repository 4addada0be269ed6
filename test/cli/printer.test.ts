/** The one place through which the command speaks. */
import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';
import { describe, expect, it, vi } from 'vitest';
import { watchHooks } from '../../src/cli/hooks/watch.js';
import { createPrinter } from '../../src/cli/printer.js';
import type { HookMessage } from '../../src/index.js';
import type { ObservableRunner } from '../../src/runner/hook-runner.js';
import type { BegunFire, FireWatcher } from '../../src/runner/observer.js';

const colors = picocolors.createColors(true);
const RED = '\u001b[31m';

function printed(isTTY: boolean, env: Record<string, string> = {}) {
  const texts = { out: '', err: '' };
  const printer = createPrinter(
    { isTTY, write: (text) => (texts.out += text) },
    { isTTY, columns: 40, write: (text) => (texts.err += text) },
    env,
  );
  return { printer, texts };
}

describe('colours', () => {
  it.each([
    ['on a terminal', true, {}, true],
    ['on a pipe', false, {}, false],
    ['on a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['on a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['on a pipe with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['on a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['on a pipe with an empty FORCE_COLOR', false, { FORCE_COLOR: '' }, false],
    ['with both', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    ['on a dumb terminal', true, { TERM: 'dumb' }, false],
    ['on a pipe in CI', false, { CI: 'true' }, false],
  ])('CL-6 %s', (_, isTTY, env, coloured) => {
    const { printer, texts } = printed(isTTY, env);
    printer.line(printer.paint.red('stop'));
    expect(texts.out.includes(RED)).toBe(coloured);
    expect(texts.out).toContain('stop');
  });
});

describe('lines that are wider than the terminal', () => {
  const print = (
    columns: number,
    lines: readonly string[],
    env: Record<string, string> = { NO_COLOR: '1' },
  ) => {
    let out = '';
    const stream = { isTTY: true, columns, write: (text: string) => (out += text) };
    const printer = createPrinter(stream, stream, env);
    for (const line of lines) printer.line(line);
    return out.split('\n').slice(0, -1);
  };

  it('CL-61 are broken between words, below their beginning or the second column', () => {
    expect(print(20, ['  one two three four five'])).toEqual(['  one two three four', '  five']);
    expect(print(30, ['  reason:  it deletes without asking'])).toEqual([
      '  reason:  it deletes without',
      '           asking',
    ]);
    // The column is too far on the right.
    expect(print(30, ['a label as long as this  and its text'])).toEqual([
      'a label as long as this',
      'and its text',
    ]);
  });

  it('CL-61 are broken between columns where a column fits into a line', () => {
    expect(print(40, ['pass  a name of a test  test.yaml:12  20 ms'])).toEqual([
      'pass  a name of a test  test.yaml:12',
      '      20 ms',
    ]);
  });

  it('CL-61 align an entry of a list below its text', () => {
    expect(print(20, ['  - a word or two, and more'])).toEqual(['  - a word or two,', '    and more']);
  });

  it('CL-63 have only the colours that can be read on any ground', () => {
    const on = { FORCE_COLOR: '1' };
    for (const style of ['red', 'green', 'magenta', 'bold', 'dim'] as const)
      expect(print(80, [colors[style]('x')], on)).toEqual([colors[style]('x')]);
    for (const style of ['yellow', 'cyan', 'blue', 'white', 'black', 'bgRed'] as const)
      expect(print(80, [colors[style]('x')], on).join('')).not.toContain(colors[style]('x'));
  });

  it('CL-61 keep long words whole', () => {
    const path = '/a/very/long/path/without/any/blank.ts';
    expect(print(20, [`see ${path} now`])).toEqual(['see', path, 'now']);
  });

  it('CL-61 colours and wide characters do not count as what they are not', () => {
    const painted = print(27, [`  ${colors.magenta('/hooks   ')}  shows all of the hooks`], {
      FORCE_COLOR: '1',
    });
    expect(painted.map(stripVTControlCharacters)).toEqual([
      '  /hooks     shows all of',
      '             the hooks',
    ]);
    expect(print(10, ['日本語 日本語'])).toEqual(['日本語', '日本語']);
    expect(print(13, ['日本語 日本語'])).toEqual(['日本語 日本語']);
  });

  it('CL-61 a tab takes two columns, wherever it stands', () => {
    expect(print(12, ['1\tone two three'])).toEqual(['1  one two', '   three']);
  });

  it('CL-61 stay as they are without a terminal', () => {
    const { printer, texts } = printed(false);
    printer.line('word '.repeat(50));
    printer.note('word '.repeat(50));
    expect([texts.out, texts.err].map((text) => text.split('\n').length)).toEqual([2, 2]);
  });

  it('CL-61 notes are broken too', () => {
    const { printer, texts } = printed(true, { NO_COLOR: '1' });
    printer.note('There is no key for a model, so another one answers.');
    expect(texts.err).toBe('hookline: There is no key for a model,\nso another one answers.\n');
  });
});

describe('in GitHub Actions', () => {
  it('CL-62 no text is a command for the runner', () => {
    const { printer, texts } = printed(false, { GITHUB_ACTIONS: 'true' });
    printer.line('::error::a\n  ::add-mask::b\nx ##[group]c, d::e');
    printer.note('see\n::debug::f');
    printer.progress('\u00a0::notice::g');
    printer.json({ text: '##[error]h' });
    const lines = `${texts.out}${texts.err}`.split('\n');
    expect(lines.filter((line) => line.trimStart().startsWith('::') || line.includes('##['))).toEqual([]);
    expect(texts.out).toContain(': :error::a\n  : :add-mask::b\nx ## [group]c, d::e\n');
    expect(JSON.parse(texts.out.slice(texts.out.indexOf('{')))).toEqual({ text: '##[error]h' });
  });

  it('CL-62 elsewhere texts stay as they are', () => {
    const { printer, texts } = printed(false);
    printer.line('::error::a');
    expect(texts.out).toBe('::error::a\n');
  });
});

describe('texts of strangers', () => {
  const HOSTILE = 'a\u001b[2J\u001b]0;title\u0007b\u009b31m\u202ec\r\u001b[8mhidden';

  it.each([true, false])('CL-7 control characters become visible (terminal: %s)', (isTTY) => {
    const { printer, texts } = printed(isTTY);
    printer.line(`${printer.paint.red('ours')} ${HOSTILE}`);
    printer.note(HOSTILE);
    printer.status(HOSTILE);
    const ours = ['\u001b[1m', '\u001b[22m', RED, '\u001b[39m', '\r\u001b[2K'];
    const rest = ours.reduce((text, each) => text.replaceAll(each, ''), texts.out + texts.err);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    expect(rest).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(rest).toContain('␛[2J');
    expect(texts.out.includes(`${RED}ours`)).toBe(isTTY);
  });

  it('CL-7 in JSON they are escaped, and the value is the same', () => {
    const { printer, texts } = printed(true);
    const value = { text: HOSTILE };
    printer.json(value);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    expect(texts.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(JSON.parse(texts.out)).toEqual(value);
  });
});

describe('the line that comes and goes', () => {
  const message = (subtype: string, more: object = {}): HookMessage =>
    ({ type: 'system', subtype, hook_id: 'h1', hook_name: 'Stop', hook_event: 'Stop', ...more }) as never;

  /** A runner with one hook from a file, which has no name. */
  const observed = () => {
    const watchers: FireWatcher[] = [];
    const runner: ObservableRunner = {
      observe: (observer) => {
        watchers.push(observer({ event: 'Stop' } as BegunFire) as FireWatcher);
        return () => {};
      },
    };
    const origin = { description: 'npm run lint', source: {} as never };
    return {
      runner,
      observers: () => watchers.length,
      start: () => watchers[0]?.within?.({ id: 'h1', name: 'Stop', kind: 'command', origin }, () => {}),
      emit: (message: HookMessage) => watchers[0]?.message?.(message, undefined),
    };
  };

  it('CL-8 shows a hook that takes long, with the time and what it said last, and goes away with it', () => {
    vi.useFakeTimers();
    try {
      const { printer, texts } = printed(true);
      const { runner, start, emit } = observed();
      const stop = watchHooks(runner, printer);
      start();
      vi.advanceTimersByTime(300);
      expect(texts.err).toBe('');
      emit(message('hook_progress', { output: 'first\nhalf way\n' }));
      vi.advanceTimersByTime(1000);
      expect(texts.err).toMatch(/\d\.\d s npm run lint: half way$/);
      emit(message('hook_response'));
      expect(texts.err.endsWith('\r\u001b[2K')).toBe(true);
      const before = texts.err;
      vi.advanceTimersByTime(5000);
      expect(texts.err).toBe(before);
      stop();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('CL-8 gives way to lines of the result, and is cut to the width of the terminal', () => {
    const { printer, texts } = printed(true);
    printer.status('x'.repeat(100));
    expect(texts.err).toBe('x'.repeat(39));
    printer.line('result');
    expect(texts.err.endsWith('\r\u001b[2K')).toBe(true);
  });

  it('CL-8 does not exist on a pipe', () => {
    const { printer, texts } = printed(false);
    const { runner, observers } = observed();
    const stop = watchHooks(runner, printer);
    printer.status('anything');
    expect(observers()).toBe(0);
    expect(texts.err).toBe('');
    stop();
  });
});
