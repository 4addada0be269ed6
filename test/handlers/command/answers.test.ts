/** What the end of a command means: the vectors, and the policies on top of them. */
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { HOOK_EVENTS } from '../../../src/index.js';
import { commandTest, only } from '../../support/command-harness.js';

interface Vector {
  readonly says: string;
  readonly stdout: string;
  readonly stderr?: string;
  readonly exit: number;
  readonly expect: {
    readonly outcome: string;
    readonly decision?: string;
    readonly reason?: string;
    readonly failure?: string;
    readonly message?: string;
  };
}

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../../../spec/vectors/command-answers.json', import.meta.url), 'utf8'),
);

/** Prints exactly what a vector says; `%b` reads its escapes. */
const PRINT = 'printf %b "$OUT"; printf %b "$ERR" >&2; exit "$CODE"';

describe('CO-17 CO-18 CO-19 CO-21 CO-8 the answer of a command', () => {
  for (const vector of vectors) {
    commandTest(vector.says, async ({ fire, line }) => {
      const env = { OUT: vector.stdout, ERR: vector.stderr ?? '', CODE: String(vector.exit) };
      const outcome = await fire(line(PRINT, { env }));
      const result = only(outcome);
      expect(result.outcome).toBe(vector.expect.outcome);
      expect(result.exitCode).toBe(vector.exit);
      expect(outcome.decision).toBe(vector.expect.decision);
      expect(result.reason).toBe(vector.expect.reason);
      expect(outcome.failures[0]?.kind).toBe(vector.expect.failure);
      if (vector.expect.message !== undefined)
        expect(outcome.failures[0]?.message).toContain(vector.expect.message);
    });
  }
});

commandTest('CO-17 100,000 levels of nesting are refused, not a crash', async ({ fire, line }) => {
  const outcome = await fire(line(`node -e 'console.log("{\\"a\\":".repeat(1e5) + "1" + "}".repeat(1e5))'`));
  expect(outcome.failures[0]).toMatchObject({ kind: 'invalid-output' });
  expect(outcome.failures[0]?.message).toContain('deeper than');
});

commandTest('CO-18 exit 2 is an ordinary failure where a refusal has no effect', async ({ fire, line }) => {
  for (const event of ['SessionStart', 'Notification', 'SessionEnd'] as const) {
    const outcome = await fire(line('echo no >&2; exit 2'), event);
    expect(outcome.decision).toBeUndefined();
    expect(outcome.failures[0]?.kind).toBe('exit-code');
  }
});

commandTest('CO-20 onFailure block denies on every kind of failure', async ({ fire, line, fixture, dir }) => {
  const block = { onFailure: 'block' } as const;
  const failing = {
    'timed-out': line('sleep 100', { ...block, timeout: 0.05 }),
    signal: fixture('die-by.sh', ['SEGV'], block),
    'failed-to-start': line(`${dir}/missing`, { ...block, args: [] }),
    'exit-code': line('exit 1', block),
    'invalid-output': line('echo "{"', block),
    'too-much-output': fixture('flood.sh', [], block),
  };
  for (const [kind, hook] of Object.entries(failing)) {
    const outcome = await fire(hook);
    expect(outcome.failures[0], kind).toMatchObject({ kind, blocked: true });
    expect(outcome.decision, kind).toBe('deny');
    expect(outcome.reason).toContain('set to block');
  }
  const wrongType = await fire(line(`echo '{"continue": "no"}'`, block));
  expect(wrongType).toMatchObject({
    decision: 'deny',
    failures: [{ kind: 'invalid-output', blocked: true }],
  });
});

commandTest(
  'FA-3 CO-20 without it the same failures let the call through, and are listed',
  async ({ fire, line }) => {
    const outcome = await fire(line('exit 1'));
    expect(outcome.decision).toBeUndefined();
    expect(outcome.failures).toMatchObject([{ kind: 'exit-code', blocked: false }]);
  },
);

commandTest('EV-1 CO-17 a command answers on all fifteen events', async ({ fire, line }) => {
  for (const event of HOOK_EVENTS) {
    const outcome = await fire(line('cat >/dev/null; echo \'{"systemMessage":"seen"}\''), event);
    expect(outcome.systemMessages, event).toEqual(['seen']);
  }
});

describe('CO-34 the message of a failed command quotes what its error says, not the place before it', () => {
  const place = '  File "/home/eva/a/rather/long/path/to/the/project/hooks/guard.py", line 3, in <module>';
  const first = `Traceback (most recent call last):\n${place}\nKeyError: 'tool_input'\n`;
  const said = {
    'Python: the error': [first, `stderr says "KeyError: 'tool_input'"`],
    'Python: the last of several, whole': [
      `${first}\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n${place}\nguard.Refused: no call\nat all\n`,
      'stderr says "guard.Refused: no call\\nat all"',
    ],
    'Python: an error that breaks off': [
      `Traceback (most recent call last):\n${place}\n`,
      'stderr begins with "Traceback (most recent call last):',
    ],
    'Node: the error': [
      `/home/eva/a/rather/long/path/to/the/project/hooks/guard.js:3\ninput.call;\n      ^\n\nTypeError: no call\n`,
      'stderr says "TypeError: no call"',
    ],
    'Node: an error with a code': [
      `node:internal/modules/esm/resolve:857\n  throw new ERR();\n\nError [ERR_MODULE_NOT_FOUND]: no x\n`,
      'stderr says "Error [ERR_MODULE_NOT_FOUND]: no x"',
    ],
    'anything else: its beginning': [
      'one\ntwo: Error: three\n',
      'stderr begins with "one\\ntwo: Error: three"',
    ],
    'an error at once: its beginning': ['Error: one\n', 'stderr begins with "Error: one"'],
  } as const;
  for (const [name, [stderr, says]] of Object.entries(said)) {
    commandTest(name, async ({ fire, line }) => {
      const outcome = await fire(line('printf %s "$ERR" >&2; exit 1', { env: { ERR: stderr } }));
      expect(outcome.failures[0]?.message).toContain(`it exited with code 1; ${says}`);
    });
  }

  commandTest('of Node as it is installed', async ({ fire, line }) => {
    const failing = line(process.execPath, { args: ['-e', `${'/'.repeat(80)}\nundefined.command`] });
    const outcome = await fire(failing);
    expect(outcome.failures[0]?.message).toContain(
      "stderr says \"TypeError: Cannot read properties of undefined (reading 'command')",
    );
  });
});
