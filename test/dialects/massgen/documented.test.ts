/** The YAML that MassGen's own documents show loads and runs, unchanged, with real handlers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { massgenTest } from './support.js';

massgenTest(
  'MG-3 the list form: an entry names its event as type and its function as callable',
  async (bench) => {
    const config = await bench.loadFile('list-form.yaml');
    expect(config.diagnostics).toEqual([]);
    bench.runner.use(config);
    const outcome = await bench.fire('PostToolUse', {}, { tool: 'Edit' });
    expect(outcome.injections).toEqual([{ content: 'reviewed Edit: the output', strategy: 'tool_result' }]);
    expect((await bench.fire('PostToolUse', {}, { tool: 'Read' })).results).toEqual([]);
    expect((await bench.fire('PreToolUse', {}, { tool: 'Edit' })).results).toEqual([]);
  },
);

massgenTest(
  'MG-1 MG-2 the design document: hooks for all, commands of one agent, an override',
  async (bench) => {
    const config = await bench.loadFile('design.yaml');
    expect(config.diagnostics).toEqual([]);
    bench.runner.use(config);
    const log = join(bench.dir, 'log');

    const everybody = await bench.fire('PreToolUse', { log, path: 'a/../b' });
    expect(everybody.results.map(({ name }) => name)).toEqual(['massgen.hooks.audit_all_tools']);
    const mine = await bench.fire('PreToolUse', { log, path: 'a/../b' }, { agentId: 'agent1' });
    expect(mine.results.map(({ name }) => name)).toEqual([
      'massgen.hooks.audit_all_tools',
      'custom_write_hook.py',
    ]);
    expect(mine.updatedInput).toMatchObject({ path: 'b', log });
    const denied = await bench.fire('PreToolUse', { path: 'x.lock' }, { agentId: 'agent1' });
    expect(denied).toMatchObject({ decision: 'deny', reason: 'x.lock belongs to agent1' });
    const after = await bench.fire('PostToolUse', {}, { agentId: 'agent1' });
    expect(after.injections).toEqual([{ content: 'agent1 saw the output', strategy: 'user_message' }]);
    expect(readFileSync(log, 'utf8')).toBe('audit PreToolUse Write None\naudit PreToolUse Write agent1\n');
  },
);

massgenTest('MG-1 MG-2 MG-4 the user guide: sync and async functions, fail_closed', async (bench) => {
  const config = await bench.loadFile('guide.yaml');
  expect(config.diagnostics).toEqual([]);
  bench.runner.use(config);
  const log = join(bench.dir, 'log');
  const denied = await bench.fire('PreToolUse', { log, path: '/etc/passwd' }, { agentId: 'agent1' });
  expect(denied).toMatchObject({ decision: 'deny', reason: 'writes to /etc are not allowed' });
  const other = await bench.fire('PreToolUse', { log, path: '/etc/passwd' }, { agentId: 'agent2' });
  expect(other.decision).toBeUndefined();
  const elsewhere = await bench.fire(
    'PreToolUse',
    { log, path: '/etc/x' },
    { agentId: 'agent1', tool: 'Read' },
  );
  expect(elsewhere.decision).toBeUndefined();
  const after = await bench.fire('PostToolUse', {}, { agentId: 'agent1' });
  expect(after.injections).toEqual([{ content: 'logged the output', strategy: 'tool_result' }]);
  expect(readFileSync(log, 'utf8').split('\n').filter(Boolean)).toEqual([
    'audit PreToolUse Write agent1',
    'validate PreToolUse Write agent1',
    'audit PreToolUse Write agent2',
    'audit PreToolUse Read agent1',
  ]);
  // An event or a path that is wrong for `validate_writes` raises in it, and then `fail_closed` decides.
  const wrong = await bench.fire('PreToolUse', { path: 5 }, { agentId: 'agent1' });
  expect(wrong).toMatchObject({ decision: 'deny', failures: [{ kind: 'threw', blocked: true }] });
});

massgenTest('MG-4 the error handling of the guide: a check that crashes denies', async (bench) => {
  const config = await bench.loadFile('fail-closed.yaml');
  expect(config.diagnostics).toEqual([]);
  bench.runner.use(config);
  expect((await bench.fire('PreToolUse', {}, { tool: 'Delete' })).decision).toBeUndefined();
  const crashed = await bench.fire('PreToolUse', { crash: true }, { tool: 'Delete' });
  expect(crashed.decision).toBe('deny');
  expect(crashed.reason).toContain('RuntimeError: the checker is out of order');
  expect((await bench.fire('PreToolUse', { crash: true }, { tool: 'Read' })).decision).toBeUndefined();
});

massgenTest('MG-1 MG-16 the specification: a function and a command for all agents', async (bench) => {
  const config = await bench.loadFile('spec.yaml');
  expect(config.diagnostics).toEqual([]);
  bench.runner.use(config);
  for (const agentId of ['a', 'b']) {
    const denied = await bench.fire('PreToolUse', {}, { tool: 'Forbidden', agentId });
    expect(denied).toMatchObject({ decision: 'deny', reason: 'module.function was here' });
    const after = await bench.fire('PostToolUse', {}, { tool: 'Grep', agentId });
    expect(after.injections.map(({ content }) => content)).toEqual([
      `MASSGEN_AGENT_ID=${agentId} MASSGEN_HOOK_TYPE=PostToolUse MASSGEN_ORCHESTRATOR_ID= MASSGEN_SESSION_ID=session MASSGEN_TOOL_NAME=Grep`,
    ]);
  }
});

massgenTest('MG-27 a file that also registers its hook by hand is imported as it is', async (bench) => {
  const config = await bench.load('hooks: { PreToolUse: [{ handler: guide_snippet.my_audit_hook }] }');
  expect(config.diagnostics).toEqual([]);
  bench.runner.use(config);
  const outcome = await bench.fire('PreToolUse');
  expect(outcome.results.map((result) => result.outcome)).toEqual(['success']);
});
