/** Lines in awkward workspaces, and lines made of awkward pieces. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines for a shell.

import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { processorMs } from '../../support/processor-time.js';
import { furnish, preflightFixture, preflightTest } from './support.js';

describe('a workspace with a blank in its name', () => {
  const lines: readonly (readonly [string, string[]])[] = [
    ['$CLAUDE_PROJECT_DIR/ok.sh', ['error unquoted_path']],
    ['${CLAUDE_PROJECT_DIR}/ok.sh', ['error unquoted_path']],
    ['bash $CLAUDE_PROJECT_DIR/ok.sh', ['error unquoted_path']],
    ['cat $CLAUDE_PROJECT_DIR/ok.sh', ['warning unquoted_path']],
    ['./ok.sh && cat $CLAUDE_PROJECT_DIR/ok.sh', ['warning unquoted_path']],
    ['$CLAUDE_PROJECT_DIR/ok.sh || true', ['warning unquoted_path']],
    ['"$CLAUDE_PROJECT_DIR"/ok.sh', []],
    ['"$CLAUDE_PROJECT_DIR/ok.sh" x', []],
    ['X=$CLAUDE_PROJECT_DIR/ok.sh ./ok.sh', []],
    ['[[ -f $CLAUDE_PROJECT_DIR/ok.sh ]]', []],
    ['echo $CLAUDE_PROJECT_DIR', []],
    ["echo '$CLAUDE_PROJECT_DIR/ok.sh'", []],
    ['D=/x; cat $CLAUDE_PROJECT_DIR/ok.sh', []],
  ];
  for (const [line, expected] of lines) {
    preflightTest(`PF-10 ${line}: ${expected.join() || 'nothing'}`, async () => {
      const preflight = preflightFixture('my workspace');
      furnish(preflight);
      expect(await preflight.find(line)).toEqual(expected);
      preflight.dispose();
    });
  }

  preflightTest('PF-10 the advice is the line that works', async () => {
    const preflight = preflightFixture('my workspace');
    furnish(preflight);
    const [found] = await preflight.check('$CLAUDE_PROJECT_DIR/ok.sh');
    const advice = /Write (\S+)\.$/.exec(found?.message ?? '')?.[1] ?? '';
    expect(advice).toBe('"$CLAUDE_PROJECT_DIR"/ok.sh');
    expect(await preflight.find(advice)).toEqual([]);
    preflight.dispose();
  });

  preflightTest('PF-10 elsewhere the same lines give no finding', async ({ preflight }) => {
    furnish(preflight);
    for (const [line] of lines) expect(await preflight.find(line), line).toEqual([]);
  });
});

/** Pieces that lines are made of, the awkward ones more often than in life. */
const pieces = fc.constantFrom(
  ...["'", '"', '`', '$(', ')', '${', '}', '\\', ' ', ' ', '\n', '#', ';', '|', '&&', '(', '<', '>', '<<'],
  ...['echo', 'a', '$x', "$'", 'case', 'esac', 'in', '\r', '\t', '\0', 'é', '$', '=', '[[', '{', '2>&1', '*'],
);
const anyLine = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''));

describe('whatever the line is', () => {
  preflightTest('PF-1 preflight answers, and quickly', async ({ preflight }) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyLine, fc.string({ unit: 'binary' })), async (line) => {
        const started = processorMs();
        expect(Array.isArray(await preflight.check(line))).toBe(true);
        expect(Array.isArray(await preflight.check(line, { args: [line] }))).toBe(true);
        expect(processorMs() - started).toBeLessThan(2000);
      }),
      { numRuns: 500 },
    );
    for (const part of ["'", '"', '`', '$(', '${', '\\', '(', ' ', 'a ', "''", '\r']) {
      expect(Array.isArray(await preflight.check(part.repeat(60_000 / part.length)))).toBe(true);
    }
  });

  preflightTest('PF-11 what is called unbalanced is refused by sh and bash', async ({ preflight }) => {
    let reported = 0;
    await fc.assert(
      fc.asyncProperty(anyLine, async (line) => {
        if (line.includes('\0')) return;
        const found = await preflight.find(line);
        if (!found.includes('error unbalanced_quotes')) return;
        reported += 1;
        for (const shell of ['/bin/sh', '/bin/bash']) {
          // bash reports some errors inside [[ ]] and exits with 0 all the same.
          const { status, stderr } = spawnSync(shell, ['-n', '-c', line], { encoding: 'utf8' });
          expect(status !== 0 || stderr !== '', `${shell} accepts ${JSON.stringify(line)}`).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
    expect(reported).toBeGreaterThan(20);
  });
});
