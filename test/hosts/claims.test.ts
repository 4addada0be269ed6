/** How the hosts read answers and timeouts that are at the edge of what they accept. */
import { describe, expect, it } from 'vitest';
import { limited } from '../../src/dialects/host/dialect.js';
import type { Answer } from '../../src/dialects/host/host.js';
import { loadHostConfig } from '../../src/dialects/host/load.js';
import type { AnyEvent } from '../../src/index.js';
import { host, makeFolder } from './support.js';

interface Printed {
  readonly stdout?: unknown;
  readonly stderr?: string;
  readonly exit?: number;
  readonly event?: AnyEvent;
  readonly spelling?: number;
}

function read(name: string, printed: Printed): Answer {
  const { stdout = '', stderr = '', exit = 0, event = 'PreToolUse', spelling: at = 0 } = printed;
  const spelling = host(name).spellings[at];
  const own = spelling?.events[event];
  if (spelling === undefined || own === undefined) throw new Error(`${name} has no ${event}`);
  const text = typeof stdout === 'string' ? stdout : JSON.stringify(stdout);
  const run = { kind: 'exited', exitCode: exit, signal: undefined, stdout: text, stderr } as const;
  return limited(spelling.read(run, { event, own, input: { tool_name: 'Bash', tool_input: {} } }), own);
}

const nested = (fields: object, event = 'PreToolUse') => ({
  hookSpecificOutput: { hookEventName: event, ...fields },
});
const DENY = { permissionDecision: 'deny', permissionDecisionReason: 'R' };
const refuses = (name: string, printed: Printed): boolean => read(name, printed).refuse !== undefined;

/** Before a tool: what the hook does, and which hosts refuse then. */
const TABLE: readonly (readonly [what: string, printed: Printed, refusing: readonly string[]])[] = [
  ['exit 2 with stderr', { exit: 2, stderr: 'R' }, ['gemini', 'codex', 'qwen', 'copilot']],
  ['exit 2 without text', { exit: 2 }, ['copilot']],
  ['exit 2 with text on stdout', { exit: 2, stdout: 'R' }, ['gemini', 'copilot']],
  ['exit 2 with {} on stdout', { exit: 2, stdout: {}, stderr: 'R' }, ['codex', 'qwen', 'copilot']],
  ['exit 1 with stderr', { exit: 1, stderr: 'R' }, ['copilot']],
  ['exit 3 with stderr', { exit: 3, stderr: 'R' }, ['gemini', 'copilot']],
  ['exit 127 with stderr', { exit: 127, stderr: 'R' }, ['gemini', 'copilot']],
  ['a nested deny', { stdout: nested(DENY) }, ['codex', 'qwen']],
  ['a nested deny without a reason', { stdout: nested({ permissionDecision: 'deny' }) }, ['qwen']],
  ['a block', { stdout: { decision: 'block', reason: 'R' } }, ['gemini', 'codex', 'qwen']],
  ['a deny as decision', { stdout: { decision: 'deny', reason: 'R' } }, ['gemini', 'qwen']],
  ['a deny at the top level', { stdout: DENY }, ['copilot']],
  ['a JSON deny on stderr', { stderr: '{"decision":"deny","reason":"R"}' }, ['gemini', 'qwen']],
  ['a deny and a field too many', { stdout: { ...nested(DENY), extra: 1 } }, ['qwen']],
  ['a deny and suppressOutput', { stdout: { ...nested(DENY), suppressOutput: true } }, ['qwen']],
  ['a deny and continue: false', { stdout: { ...nested(DENY), continue: false } }, ['qwen']],
  ['a deny beside fields that are null', { stdout: { ...nested(DENY), reason: null } }, ['codex', 'qwen']],
  ['plain text', { stdout: 'no' }, []],
  ['a list', { stdout: [] }, []],
  ['JSON that is cut', { stdout: '{"decision":"deny"' }, []],
];

const TRIED = ['gemini', 'codex', 'qwen', 'copilot'];

describe('a refusal before a tool', () => {
  it.each(TABLE)('HS-1 %s', (_what, printed, refusing) => {
    expect(TRIED.filter((name) => refuses(name, printed))).toEqual(refusing);
  });

  it('HS-1 Copilot in its other spelling reads the nested deny, and no block', () => {
    expect(refuses('copilot', { spelling: 1, stdout: nested(DENY) })).toBe(true);
    expect(refuses('copilot', { spelling: 1, stdout: { decision: 'block', reason: 'R' } })).toBe(false);
  });

  it('HS-1 Codex voids an answer with a value of another type', () => {
    for (const fields of [{ permissionDecisionReason: 5 }, { additionalContext: 5 }])
      expect(read('codex', { stdout: nested({ ...DENY, ...fields }) })).toMatchObject({
        failure: expect.any(String),
      });
    expect(read('codex', { stdout: nested({ permissionDecision: 'ask' }) }).failure).toBeDefined();
    expect(read('codex', { stdout: nested({ updatedInput: {} }) }).failure).toBeDefined();
  });
});

describe('the timeouts of Codex', () => {
  it('HS-19 are at least a second, and at most three at the end of a session', async () => {
    const hook = (timeout: number) => [{ hooks: [{ type: 'command', command: 'true', timeout }] }];
    const folder = makeFolder({
      '.codex/hooks.json': JSON.stringify({
        hooks: { PreToolUse: hook(0), Stop: hook(90), SessionEnd: hook(90) },
      }),
    });
    const codex = host('codex');
    const { groups } = await loadHostConfig(codex, { cwd: folder.project, home: folder.home });
    const timeouts = groups.map(({ event, hooks: [own] }) => [
      event,
      (own?.hook as { readonly timeout?: number } | undefined)?.timeout,
    ]);
    expect(Object.fromEntries(timeouts)).toEqual({ PreToolUse: 1, Stop: 90, SessionEnd: 3 });
    folder.remove();
  });
});
