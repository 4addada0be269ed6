/** Several hooks together: order, chains, the first deny, injections, overrides. */
import { expect } from 'vitest';
import { massgenTest, one } from './support.js';

const pre = (...names: string[]): string =>
  `hooks:\n  PreToolUse:\n${names.map((name) => `    - handler: handlers.${name}\n`).join('')}`;
const post = (...names: string[]): string => pre(...names).replace('PreToolUse', 'PostToolUse');

massgenTest('MG-19 each hook sees the input as the one before left it', async ({ use, fire }) => {
  await use(pre('append', 'append_again', 'append'));
  const outcome = await fire('PreToolUse', { seen: '-' });
  expect(outcome.updatedInput).toMatchObject({ seen: '-aba' });
});

massgenTest('MG-22 the first deny ends the fire, and what ran before is kept', async ({ use, fire }) => {
  await use(pre('append', 'inject_result', 'deny', 'raises'));
  const outcome = await fire('PreToolUse');
  expect(outcome).toMatchObject({ decision: 'deny', reason: 'no', failures: [] });
  expect(outcome.results.map(({ name }) => name)).toEqual([
    'handlers.append',
    'handlers.inject_result',
    'handlers.deny',
  ]);
  expect(outcome.notes.map(({ message }) => message)).toEqual(['it reports: half of it failed']);
});

massgenTest('MG-22 after the tool a deny ends nothing and loses nothing', async ({ use, fire }) => {
  await use(post('inject_both', 'deny_late', 'inject_result'));
  const outcome = await fire('PostToolUse');
  expect(outcome.injections.map(({ content }) => content)).toEqual(['one', 'two', 'four', 'three']);
  expect(outcome).toMatchObject({ decision: 'deny', reason: 'too late' });
});

massgenTest(
  'MG-20 injections of several hooks are never joined and keep their strategies',
  async ({ use, fire }) => {
    await use(post('inject_both', 'inject_result'));
    expect((await fire('PostToolUse')).injections).toEqual([
      { content: 'one', strategy: 'tool_result' },
      { content: 'two', strategy: 'user_message' },
      { content: 'three', strategy: 'tool_result' },
    ]);
  },
);

massgenTest('MG-23 an ask is an ask, also beside hooks that allow', async ({ use, fire }) => {
  await use(pre('allow', 'ask', 'allow'));
  expect(await fire('PreToolUse')).toMatchObject({ decision: 'ask', reason: 'may I?' });
});

massgenTest('MG-17 no hook objects: there is no decision', async ({ use, fire }) => {
  await use(pre('allow', 'nothing'));
  expect((await fire('PreToolUse')).decision).toBeUndefined();
});

massgenTest(
  'MG-4 a failure is reported, and denies with fail_closed, wherever it stands',
  async ({ use, fire }) => {
    await use(pre('raises', 'append'));
    const open = await fire('PreToolUse');
    expect(open.decision).toBeUndefined();
    expect(open.failures).toMatchObject([{ kind: 'threw', blocked: false }]);
    expect(open.updatedInput).toMatchObject({ seen: 'a' });
  },
);

massgenTest(
  'MG-2 an override with an empty list leaves the agent without hooks for that event',
  async (bench) => {
    await bench.use(
      `${pre('deny')}agents:\n  - id: free\n    backend: { hooks: { PreToolUse: { override: true, hooks: [] } } }\n`,
    );
    expect((await bench.fire('PreToolUse')).decision).toBe('deny');
    expect((await bench.fire('PreToolUse', {}, { agentId: 'other' })).decision).toBe('deny');
    expect((await bench.fire('PreToolUse', {}, { agentId: 'free' })).results).toEqual([]);
  },
);

massgenTest('MG-2 an override never switches off a guard that is protected', async (bench) => {
  bench.runner.on('PreToolUse', { protected: true, name: 'guard' }, () => ({
    decision: 'block',
    reason: 'mine',
  }));
  await bench.use(`agents:\n  - id: free\n    backend: { hooks: { PreToolUse: { override: yes } } }\n`);
  expect(await bench.fire('PreToolUse', {}, { agentId: 'free' })).toMatchObject({
    decision: 'deny',
    reason: 'mine',
  });
});

massgenTest('MG-10 events that MassGen does not have run here', async ({ load, runner }) => {
  const config = await load(one('UserPromptSubmit', 'guard.mjs:later', 'type: module'));
  expect(config.diagnostics).toMatchObject([{ severity: 'warning', code: 'event_beyond_massgen' }]);
  runner.use(config);
  const outcome = await runner.fire('UserPromptSubmit', { prompt: 'hello' });
  expect(outcome.injections).toEqual([{ content: 'UserPromptSubmit null', strategy: 'tool_result' }]);
});
