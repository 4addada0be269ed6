import {
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyOutcome } from '../../../src/runner/aggregate.js';
import { capTexts, DEFAULT_TEXT_LIMIT } from '../../../src/runner/cap-text.js';
import type { WholeOutcome } from '../../../src/runner/outcome.js';
import { SpillStore } from '../../../src/runner/spill-store.js';

type Texts = Partial<
  Pick<WholeOutcome, 'additionalContext' | 'systemMessages' | 'reason' | 'results' | 'injections'>
>;
const outcome = (texts: Texts): WholeOutcome => ({ ...emptyOutcome('Stop'), ...texts });

const PATH = /the whole text is in (.*)\]$/;
const pathIn = (text = ''): string => PATH.exec(text)?.[1] ?? 'no path';
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

let home = '';
let before: string | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cap-text-'));
  before = process.env['TMPDIR'];
  process.env['TMPDIR'] = home;
});

afterEach(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  rmSync(home, { recursive: true, force: true });
});

describe('texts that are short enough', () => {
  it('TX-1 an outcome whose texts all fit is returned as it is, and no file is made', async () => {
    const fits = 'x'.repeat(DEFAULT_TEXT_LIMIT);
    const given = outcome({ additionalContext: [fits], systemMessages: [fits], reason: fits });
    expect(await capTexts(given, DEFAULT_TEXT_LIMIT, new SpillStore())).toBe(given);
    expect(readdirSync(home)).toEqual([]);
    expect(DEFAULT_TEXT_LIMIT).toBe(10_000);
  });
});

describe('texts that are too long', () => {
  const long = 'y'.repeat(DEFAULT_TEXT_LIMIT + 1);

  it('TX-1 the texts of each result and injection are cut too, and a text that stands twice is kept once', async () => {
    const result = { hookId: 'h', name: 'guard', outcome: 'success', durationMs: 1 } as const;
    const said = { reason: long, message: long, stopReason: long, systemMessage: 'short' };
    const capped = await capTexts(
      outcome({
        reason: long,
        results: [{ ...result, ...said }, result],
        injections: [{ content: `${long}!`, strategy: 'tool_result' }],
      }),
      DEFAULT_TEXT_LIMIT,
      new SpillStore(),
    );
    const [first, second] = capped.results;
    const preview = expect.stringContaining(`${long.length} characters in all`);
    expect(first).toEqual({
      ...result,
      reason: preview,
      message: preview,
      stopReason: preview,
      systemMessage: 'short',
    });
    expect(second).toEqual(result);
    expect(first?.reason).toBe(capped.reason);
    expect(capped.injections[0]?.content).toContain(`${long.length + 1} characters in all`);
    expect(readdirSync(dirname(pathIn(capped.reason)))).toHaveLength(2);
  });

  it('TX-1 each kind of text is cut to a preview that says so and names a file with the whole', async () => {
    const texts = [`context ${long}`, `message ${long}`, `reason ${long}`];
    const [context = '', message = '', reason = ''] = texts;
    const capped = await capTexts(
      outcome({ additionalContext: ['short', context], systemMessages: [message], reason }),
      DEFAULT_TEXT_LIMIT,
      new SpillStore(),
    );
    expect(capped.additionalContext[0]).toBe('short');
    const cut = [capped.additionalContext[1], capped.systemMessages[0], capped.reason];
    for (const [i, preview = ''] of cut.entries()) {
      const whole = texts[i] ?? '';
      expect(preview.length).toBeLessThan(3_000);
      expect(preview.startsWith(whole.slice(0, 2_000))).toBe(true);
      expect(preview).toContain(`${whole.length} characters`);
      expect(readFileSync(pathIn(preview), 'utf8')).toBe(whole);
    }
    expect(new Set(cut.map(pathIn)).size).toBe(3);
  });

  it('TX-1 only this user can read the file and its directory, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      const capped = await capTexts(outcome({ reason: long }), DEFAULT_TEXT_LIMIT, new SpillStore());
      const path = pathIn(capped.reason);
      expect(modeOf(path)).toBe('600');
      expect(modeOf(dirname(path))).toBe('700');
    } finally {
      process.umask(umask);
    }
  });

  it('TX-1 one store keeps all its files in one directory, two stores in two', async () => {
    const [one, two] = [new SpillStore(), new SpillStore()];
    const paths = await Promise.all([one.save('a'), one.save('b'), two.save('c')]);
    const [a, b, c] = paths.map((path) => dirname(path ?? ''));
    expect(a).toBe(b);
    expect(a).not.toBe(c);
    expect(paths.map((path) => readFileSync(path ?? '', 'utf8'))).toEqual(['a', 'b', 'c']);
  });

  it('TX-2 what was left for more than a week is swept, and nothing else', async () => {
    const [old, fresh, other] = ['hookline-texts-old', 'hookline-texts-fresh', 'somebody-else'].map((name) =>
      join(home, name),
    ) as [string, string, string];
    for (const directory of [old, fresh, other]) {
      mkdirSync(directory);
      writeFileSync(join(directory, 'text-1.txt'), 'left');
    }
    const target = join(home, 'target');
    mkdirSync(target);
    symlinkSync(target, join(home, 'hookline-texts-link'));
    const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
    for (const directory of [old, other, target]) utimesSync(directory, longAgo, longAgo);
    lutimesSync(join(home, 'hookline-texts-link'), longAgo, longAgo);
    const kept = await new SpillStore().save('mine');
    await expect
      .poll(() => readdirSync(home).toSorted())
      .toEqual([basename(dirname(kept ?? '')), 'hookline-texts-fresh', 'somebody-else', 'target'].toSorted());
    expect(readFileSync(kept ?? '', 'utf8')).toBe('mine');
  });

  it('TX-1 several long texts of one outcome are all kept', async () => {
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(DEFAULT_TEXT_LIMIT + 1));
    const capped = await capTexts(
      outcome({ additionalContext: texts }),
      DEFAULT_TEXT_LIMIT,
      new SpillStore(),
    );
    expect(capped.additionalContext.map((text) => readFileSync(pathIn(text), 'utf8'))).toEqual(texts);
  });

  it('TX-1 the reason to stop is cut as well', async () => {
    const capped = await capTexts({ ...outcome({}), stopReason: long }, DEFAULT_TEXT_LIMIT, new SpillStore());
    expect(capped.stopReason?.length).toBeLessThan(long.length);
    expect(readFileSync(pathIn(capped.stopReason ?? ''), 'utf8')).toBe(long);
  });

  it('TX-1 nothing else in the outcome is touched', async () => {
    const given = { ...outcome({ reason: long }), decision: 'deny', suppressOutput: true } as const;
    const { reason: _, ...rest } = await capTexts(given, DEFAULT_TEXT_LIMIT, new SpillStore());
    const { reason: __, ...expected } = given;
    expect(rest).toEqual(expected);
  });

  it('TX-1 an outcome without a reason gets none', async () => {
    const capped = await capTexts(outcome({ systemMessages: [long] }), DEFAULT_TEXT_LIMIT, new SpillStore());
    expect(capped).not.toHaveProperty('reason');
  });

  it.each([1_999, 2_000, 2_001])('TX-1 a character of two units at %d is never cut in half', async (at) => {
    const text = `${'z'.repeat(at - 1)}${'😀'.repeat(5_000)}`;
    const { reason = '' } = await capTexts(outcome({ reason: text }), 3_000, new SpillStore());
    const preview = reason.slice(0, reason.indexOf('\n[cut'));
    expect(preview).not.toMatch(/\p{Surrogate}/u);
    expect(text.startsWith(preview)).toBe(true);
    expect(preview.length).toBeGreaterThanOrEqual(1_999);
  });

  it('TX-1 a low limit also limits the preview', async () => {
    const { reason = '' } = await capTexts(outcome({ reason: 'abcdefghijkl' }), 5, new SpillStore());
    expect(reason.startsWith('abcde\n[cut')).toBe(true);
    const { reason: emoji = '' } = await capTexts(outcome({ reason: '😀😀' }), 1, new SpillStore());
    expect(emoji.startsWith('\n[cut')).toBe(true);
  });
});

describe('when the file cannot be written', () => {
  const long = 'w'.repeat(20_000);

  it('TX-1 the preview says so, and the fire goes on', async () => {
    process.env['TMPDIR'] = join(home, 'not-there');
    const { reason = '' } = await capTexts(outcome({ reason: long }), DEFAULT_TEXT_LIMIT, new SpillStore());
    expect(reason).toContain('the rest could not be saved');
    expect(reason.startsWith('w'.repeat(2_000))).toBe(true);
  });

  it('TX-1 the same where a file stands in the place of the directory', async () => {
    writeFileSync(join(home, 'file'), '');
    process.env['TMPDIR'] = join(home, 'file');
    expect(await new SpillStore().save(long)).toBeUndefined();
  });

  it('TX-1 a store recovers when its directory vanishes', async () => {
    const store = new SpillStore();
    rmSync(dirname((await store.save('first')) ?? ''), { recursive: true });
    expect(await store.save('lost')).toBeUndefined();
    const path = await store.save('again');
    expect(readFileSync(path ?? '', 'utf8')).toBe('again');
  });
});
