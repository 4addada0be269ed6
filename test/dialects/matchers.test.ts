import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../spec/vectors/matchers.json' with { type: 'json' };
import type { HookWarning } from '../../src/config/types.js';
import { hookline } from '../../src/dialects/hookline/index.js';
import { HOOK_EVENTS, rowOf } from '../../src/events/registry.js';
import type { HookEvent } from '../../src/events/types.js';
import { compileGroup } from '../../src/runner/registration/group.js';
import { processorMs } from '../support/processor-time.js';

interface Vector {
  readonly rule: string;
  readonly pattern: string;
  readonly subject?: string;
  readonly matches?: boolean;
  readonly refused?: string;
  readonly doubtful?: boolean;
}

const all = vectors as readonly Vector[];
const short = (text = ''): string => JSON.stringify(text.length > 30 ? `${text.slice(0, 27)}...` : text);

/** As a registration does it: what comes of a matcher on an event, and what is said about it. */
function register(matcher: unknown, event: HookEvent = 'PreToolUse') {
  const warnings: HookWarning[] = [];
  const defaults = {
    timeoutMs: 1000,
    onFailure: 'continue',
    warn: (warning: HookWarning) => warnings.push(warning),
  } as never;
  const group = compileGroup(event, { matcher: matcher as string }, [], hookline, defaults);
  return { warnings, matches: group.matches ?? (() => true) };
}

describe('matchers', () => {
  it.each(
    all
      .filter((vector) => vector.matches !== undefined)
      .map((vector) => {
        const { rule, pattern, subject = '', matches = false } = vector;
        return { rule, pattern, subject, matches, verb: matches ? 'matches' : 'does not match' };
      })
      .map((vector) => [
        `${vector.rule} ${short(vector.pattern)} ${vector.verb} ${short(vector.subject)}`,
        vector,
      ]),
  )('%s', (_, vector) => {
    const { pattern, subject, matches } = vector as { pattern: string; subject: string; matches: boolean };
    expect(register(pattern).matches(subject)).toBe(matches);
  });

  it('MA-1 an absent matcher matches everything', () => {
    expect(register(undefined).matches('anything')).toBe(true);
    expect(register(undefined).warnings).toEqual([]);
  });

  it.each(
    all
      .filter(({ refused }) => refused !== undefined)
      .map((vector) => [short(vector.pattern), vector] as const),
  )('MA-7 %s is refused, with the pattern and the reason', (_, { pattern, refused = '' }) => {
    expect(() => register(pattern)).toThrow(
      expect.objectContaining({ code: 'invalid_matcher', message: expect.stringContaining(refused) }),
    );
    expect(() => register(pattern)).toThrow(pattern.slice(0, 10));
  });

  it.each([[7], [null], [true], [/Bash/], [['Bash']], [{}], [Symbol('s')], [() => true]])(
    'MA-7 %s is not a string and is refused',
    (matcher) => {
      expect(() => register(matcher)).toThrow(expect.objectContaining({ code: 'invalid_matcher' }));
    },
  );

  it.each(
    all
      .filter(({ doubtful }) => doubtful !== undefined)
      .map((vector) => [short(vector.pattern), vector] as const),
  )(
    'MA-8 %s is accepted, with a warning only where it looks like a regular expression',
    (_, { pattern, doubtful }) => {
      const { warnings } = register(pattern);
      expect(warnings.map(({ code }) => code)).toEqual(doubtful ? ['matcher_doubtful'] : []);
      for (const { event, message } of warnings) {
        expect(event).toBe('PreToolUse');
        expect(message).toContain(JSON.stringify(pattern));
      }
    },
  );
});

describe('events without a subject', () => {
  const without = HOOK_EVENTS.filter((event) => rowOf(event).matcherField === null);

  it.each(without)('MA-6 on %s a matcher is ignored, with one warning', (event) => {
    const { warnings, matches } = register('Bash', event);
    expect(warnings).toEqual([
      { code: 'matcher_ignored', event, message: expect.stringContaining('"Bash"') },
    ]);
    expect(matches('anything')).toBe(true);
  });

  it.each(without)('MA-6 on %s not even a bad matcher is looked at, and none needs no warning', (event) => {
    expect(register('[', event).warnings).toHaveLength(1);
    expect(register('', event).warnings).toEqual([]);
    expect(register(undefined, event).warnings).toEqual([]);
  });
});

describe('hostile patterns', () => {
  const BOUND_MS = 1000;
  const ATTEMPTS = 3;

  /** How long it takes, in the best of some attempts: a busy machine is not what is measured. */
  function timed(work: () => unknown): number {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < ATTEMPTS && best > BOUND_MS / 10; i++) {
      const started = processorMs();
      work();
      best = Math.min(best, processorMs() - started);
    }
    return best;
  }

  function compiled(pattern: string): ((subject: string) => boolean) | undefined {
    try {
      return hookline.compileMatcher(pattern);
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_matcher' });
      return undefined;
    }
  }

  const names = [
    'a'.repeat(10_000),
    `${'a'.repeat(5_000)}bc`,
    'ab'.repeat(5_000),
    '/'.repeat(10_000),
    '.'.repeat(10_000),
  ];

  it.each([
    ['twenty stars', '*a'.repeat(20)],
    ['stars and a letter that never comes', `${'*a'.repeat(11)}b`],
    ['stars and a last star', `${'*a'.repeat(11)}*b`],
    ['stars before question marks', `${'*?'.repeat(6)}b`],
    ['question marks before stars', `${'?*'.repeat(6)}b`],
    ['stars and classes', `${'*[ab]'.repeat(6)}c`],
    ['stars and negated classes', `${'*[!b]'.repeat(6)}b`],
    ['globstars', '**/**/**/**/**/**/b'],
    ['four thousand stars in a row', `${'*'.repeat(4_000)}b`],
    ['nested braces', '{a,b}'.repeat(24)],
    ['brace ranges', `${'{1..9}'.repeat(12)}*`],
    ['extended globs', '+(+(a))+(+(a))b*'],
    ['extended globs with alternatives', '+(a|b|+(a|b))*c'],
    ['a regular expression that backtracks', '(a+)+$'],
    ['exclamation marks', '!'.repeat(4_000)],
    ['backslashes', `${'\\'.repeat(4_000)}*`],
    ['a long class', `[${'a'.repeat(4_000)}]*b`],
    ['a class of many ranges', `*[${'a-z'.repeat(1_000)}]*b`],
    ['named classes', '*[[:alpha:]]*[[:alpha:]]*[[:alpha:]]b'],
    ['two thousand alternatives', 'a|'.repeat(2_000)],
    ['opening brackets', '['.repeat(4_000)],
    ['closing brackets', ']'.repeat(4_000)],
    ['a hundred thousand stars', '*'.repeat(100_000)],
  ])('MA-9 %s: compiled or refused, and matched, in milliseconds', (_, pattern) => {
    expect(timed(() => compiled(pattern))).toBeLessThan(BOUND_MS);
    expect(timed(() => hookline.lintMatcher(pattern))).toBeLessThan(BOUND_MS);
    const matches = compiled(pattern);
    for (const name of names) {
      expect(
        timed(() => matches?.(name)),
        `on ${name.slice(0, 5)}...`,
      ).toBeLessThan(BOUND_MS);
    }
  });

  it('MA-9 hundreds of globs on a very long name of slashes: matched in milliseconds', () => {
    const matches = compiled(Array.from({ length: 290 }, (_, i) => `*a*a*a*b${i}`).join('|'));
    expect(timed(() => matches?.('/'.repeat(100_000)))).toBeLessThan(BOUND_MS);
  });
});

describe('for any pattern', () => {
  const part = fc.constantFrom(
    '*',
    '?',
    '[',
    ']',
    '\\',
    '|',
    '!',
    '{',
    '}',
    '(',
    ')',
    '+',
    '@',
    '#',
    '/',
    '.',
    '-',
    '^',
    'a',
    'b',
    ' ',
  );
  const pattern = fc.oneof(
    fc.array(part, { maxLength: 15 }).map((parts) => parts.join('')),
    fc.string(),
  );

  it('MA-7 it is refused as a bad matcher or compiled; no other error comes out, and matching never throws', () => {
    fc.assert(
      fc.property(pattern, fc.string(), (text, subject) => {
        let matches: (subject: string) => boolean;
        try {
          matches = hookline.compileMatcher(text);
        } catch (error) {
          expect(error).toMatchObject({ name: 'HookError', code: 'invalid_matcher' });
          return;
        }
        expect(typeof matches(subject)).toBe('boolean');
        expect(matches(subject)).toBe(matches(subject));
      }),
      { numRuns: 2_000 },
    );
  });

  it('MA-2 a name without wildcards matches itself and nothing else', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !/[*?[\\|]/.test(text) && text.trim() === text);
    fc.assert(
      fc.property(name, fc.string(), (text, other) => {
        const matches = hookline.compileMatcher(text);
        expect(matches(text)).toBe(true);
        expect(matches(other)).toBe(other === text);
      }),
    );
  });

  /** What `*` and `?` mean, in the plainest way: tried out letter by letter. */
  function plainly(glob: string, name: string): boolean {
    let reached = new Set([0]);
    for (const letter of glob) {
      const next = new Set<number>();
      for (const at of reached) {
        if (letter === '*') for (let i = at; i <= name.length; i++) next.add(i);
        else if (at < name.length && (letter === '?' || letter === name[at])) next.add(at + 1);
      }
      reached = next;
    }
    return reached.has(name.length);
  }

  it('MA-3 MA-4 stars and question marks mean what they mean letter by letter, slashes and dots included', () => {
    const letters = (...from: string[]) =>
      fc.array(fc.constantFrom(...from), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    const glob = letters('*', '?', 'a', 'b', '/', '.');
    fc.assert(
      fc.property(glob, letters('a', 'b', '/', '.'), (text, name) => {
        expect(hookline.compileMatcher(text)(name), `${text} on ${name}`).toBe(plainly(text, name));
      }),
      {
        numRuns: 3_000,
        examples: [
          ['?', '.'],
          ['a*', 'a/.'],
        ],
      },
    );
  });
});
