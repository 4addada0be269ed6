/** Matchers that match nothing there is. */
import { describe, expect, it } from 'vitest';
import { preflightMatcher } from '../../../src/config/preflight/preflight-matcher.js';

const only =
  (...names: string[]) =>
  (subject: string): boolean =>
    names.includes(subject);
const TOOLS = ['Bash', 'Read', 'Write'];

describe('a matcher', () => {
  it('PF-13 that matches a tool gives no finding', () => {
    expect(preflightMatcher(only('Read', 'Gone'), TOOLS, 'Read|Gone')).toBeUndefined();
    expect(preflightMatcher(undefined, TOOLS)).toBeUndefined();
  });

  it('PF-13 that matches none is named, with the tools there are', () => {
    expect(preflightMatcher(only('Shell'), TOOLS, 'Shell')).toEqual({
      severity: 'warning',
      code: 'matcher_matches_nothing',
      message:
        'The matcher "Shell" matches none of the known tools (Bash, Read, Write). Correct it, or leave it out to match everything.',
    });
  });

  it('PF-13 the names may be others than those of tools', () => {
    expect(preflightMatcher(only('begin'), ['startup'], 'begin', 'values of `source`')?.message).toMatch(
      /^The matcher "begin" matches none of the values of `source` \(startup\)\./,
    );
  });

  it('PF-13 in the wrong case gets the right one suggested', () => {
    expect(preflightMatcher(only('bash'), TOOLS, 'bash')?.message).toContain(
      'Write Bash: matchers are case-sensitive',
    );
  });

  it('PF-13 is not judged when no tools are known', () => {
    expect(preflightMatcher(only('Shell'), [], 'Shell')).toBeUndefined();
  });

  it('PF-13 is judged without its text, and with many tools', () => {
    const many = Array.from({ length: 30 }, (_, i) => `Tool${i}`);
    expect(preflightMatcher(only(), many)?.message).toMatch(/^The matcher matches none .*Tool7, and 22 more/);
  });
});
