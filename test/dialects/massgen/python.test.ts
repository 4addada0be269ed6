/** Python handlers: what can be one, what it is given, and what its answers and accidents mean. */
import { expect } from 'vitest';
import { another, massgenTest, one } from './support.js';

const handler = (name: string, more?: string): string => one('PreToolUse', `handlers.${name}`, more);

const DENIALS: Readonly<Record<string, string>> = {
  deny: 'no',
  deny_async: 'no, later',
  guard: 'no, from an object',
  'guard.check': 'no, from a method',
  deny_with_own_class: 'no, from a class of mine',
  lambda_coroutine: 'no, later',
};

massgenTest('MG-26 functions, coroutines, objects and methods can all deny', async ({ use, fire }) => {
  const entries = Object.keys(DENIALS).map(
    (name) => `    - { matcher: ${name}, handler: handlers.${name} }\n`,
  );
  await use(`hooks:\n  PreToolUse:\n${entries.join('')}`);
  for (const [tool, reason] of Object.entries(DENIALS)) {
    expect(await fire('PreToolUse', {}, { tool }), tool).toMatchObject({
      decision: 'deny',
      reason,
      failures: [],
    });
  }
});

massgenTest('MG-17 MG-26 a result that is changed after it was made denies too', async ({ use, fire }) => {
  await use(handler('mutated'));
  expect((await fire('PreToolUse')).decision).toBe('deny');
});

massgenTest('MG-26 a function inside a file is named by path', async ({ use, fire }) => {
  await use(one('PreToolUse', './path/../handlers.py:guard.check'));
  expect((await fire('PreToolUse')).reason).toBe('no, from a method');
});

massgenTest(
  'MG-14 MG-27 a handler gets a HookEvent with attributes, to_dict and to_json',
  async ({ use, fire }) => {
    await use(one('PostToolUse', 'handlers.echo'));
    const outcome = await fire('PostToolUse', { text: 'ünï\n"quoted" 😀\u2028' }, { agentId: 'a1' });
    expect(outcome.failures).toEqual([]);
    expect(JSON.parse(outcome.injections[0]?.content ?? '')).toMatchObject({
      hook_type: 'PostToolUse',
      session_id: 'session',
      agent_id: 'a1',
      tool_name: 'Write',
      tool_input: { text: 'ünï\n"quoted" 😀\u2028' },
      tool_output: 'the output',
    });
  },
);

massgenTest('MG-18 a return value that is no answer fails, and denies when closed', async ({ use, fire }) => {
  await use(
    `${handler('returns', 'matcher: Open')}    - { handler: handlers.returns, matcher: Closed, fail_closed: true }\n`,
  );
  for (const what of ['false', 'true', 'text', 'number', 'list', 'set', 'class', 'path', 'nan']) {
    const open = await fire('PreToolUse', { what }, { tool: 'Open' });
    expect(open.failures, what).toHaveLength(1);
    expect(open.decision, what).toBeUndefined();
    expect((await fire('PreToolUse', { what }, { tool: 'Closed' })).decision, what).toBe('deny');
  }
});

massgenTest('MG-34 what a handler raises is reported in one line with its place', async ({ use, fire }) => {
  await use(handler('raises'));
  const [failure] = (await fire('PreToolUse')).failures;
  expect(failure).toMatchObject({ kind: 'threw' });
  expect(failure?.message).toMatch(/ValueError: out of order \(handlers\.py, line \d+\)/);
});

massgenTest('MG-34 sys.exit ends the call, not the process', async ({ use, fire }) => {
  await use(handler('exits') + another('PostToolUse', 'handlers.count'));
  expect((await fire('PreToolUse')).failures[0]?.message).toContain('SystemExit: 0');
  expect((await fire('PostToolUse')).injections[0]?.content).toMatch(/^1 in/);
});

massgenTest(
  'MG-28 what a handler prints can never be taken for its answer',
  async ({ use, fire, record }) => {
    await use(handler('chatty'));
    expect(await fire('PreToolUse')).toMatchObject({ decision: 'deny', reason: 'after all that talk' });
    const shown = record.messages.map((message) => ('output' in message ? message.output : '')).join('');
    expect(shown).toContain('to stdout\n');
    expect(shown).toContain('to stderr\n');
  },
);

massgenTest(
  'MG-36 an answer of two million characters is cut off, and the process lives',
  async ({ use, fire }) => {
    await use(`${one('PostToolUse', 'handlers.huge')}    - handler: handlers.nothing\n`);
    const outcome = await fire('PostToolUse');
    expect(outcome.failures).toHaveLength(1);
    expect(outcome.failures[0]?.message).toContain('characters');
    expect(outcome.results[1]?.outcome).toBe('success');
  },
);

massgenTest('MG-29 one process serves every call, and modules remember', async ({ use, fire }) => {
  await use(`${one('PostToolUse', 'handlers.count')}    - handler: handlers.count\n`);
  const contents = [];
  for (let i = 0; i < 3; i++) contents.push(...(await fire('PostToolUse')).injections.map((i) => i.content));
  const pid = contents[0]?.split(' ').at(-1);
  expect(contents).toEqual([1, 2, 3, 4, 5, 6].map((n) => `${n} in ${pid}`));
});

massgenTest('MG-30 calls run at the same time, also of functions that wait', async ({ use, fire }) => {
  await use(one('PostToolUse', 'handlers.meets'));
  const outcomes = await Promise.all([fire('PostToolUse'), fire('PostToolUse')]);
  expect(outcomes.flatMap((outcome) => outcome.injections.map((i) => i.content))).toEqual(['met', 'met']);
});

massgenTest('MG-30 a thousand calls at once all get their own answer', async ({ use, fire }) => {
  await use(one('PostToolUse', 'handlers.echo'));
  const numbers = Array.from({ length: 1000 }, (_, n) => n);
  const outcomes = await Promise.all(numbers.map((n) => fire('PostToolUse', { n })));
  const seen = outcomes.map((outcome) => JSON.parse(outcome.injections[0]?.content ?? '{}').tool_input?.n);
  expect(seen).toEqual(numbers);
});
