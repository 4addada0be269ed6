/** Loading: what is read, what is told about it and where, and what a mistake does. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { HookEvent } from '../../../src/events/types.js';
import { massgenTest, one, place } from './support.js';

massgenTest('MG-4 defaults and every field, as options of the group', async ({ load }) => {
  const { groups, diagnostics } = await load(
    one('PreToolUse', 'handlers.deny') +
      '    - { handler: handlers.deny, matcher: "Write|Edit", timeout: 60, fail_closed: true }\n' +
      '    - { handler: handlers.deny, matcher: "", timeout: 0.5, fail_closed: false }\n',
  );
  expect(diagnostics).toEqual([]);
  const options = groups.map(({ options: { dialect: _, ...rest } }) => rest);
  expect(options).toEqual([
    { timeout: 30 },
    { matcher: 'Write|Edit', timeout: 60, onFailure: 'block' },
    { timeout: 0.5, onFailure: 'continue' },
  ]);
  expect(groups.map((group) => group.hooks[0]?.description)).toEqual(Array(3).fill('handlers.deny'));
  expect(groups.map(place)).toEqual(['3:7', '4:7', '5:7']);
  expect(groups[0]?.source.layer).toBe('file');
});

massgenTest(
  'MG-5 YAML is read as MassGen reads it: yes and on are true, anchors and merges work',
  async ({ load }) => {
    const { groups, diagnostics } = await load(`
defaults: &strict { fail_closed: yes, timeout: 5 }
orchestrator: { coordination: { anything: [goes, here] } }
hooks:
  PreToolUse: &shared
    - <<: *strict
      handler: handlers.deny
      timeout: 7
agent:
  id: 7
  backend:
    type: gemini
    hooks:
      PreToolUse: { override: on, hooks: *shared }
`);
    expect(diagnostics.map(({ code }) => code)).toEqual(['not_read_here']);
    expect(groups).toMatchObject([
      { event: 'PreToolUse', options: { timeout: 7, onFailure: 'block' } },
      { event: 'PreToolUse', agentId: '7', override: true, options: { timeout: 7, onFailure: 'block' } },
    ]);
  },
);

massgenTest(
  'MG-6 a broken file has no hooks and says where it is broken',
  async ({ load, loadFile, dir }) => {
    const config = await load('hooks:\n  PreToolUse:\n    - handler: "x\n  - y: [\n');
    expect(config.groups).toEqual([]);
    expect(config.diagnostics[0]).toMatchObject({ severity: 'error', code: 'invalid_yaml' });
    expect(config.diagnostics[0]?.source.line).toBeGreaterThan(2);
    const twice = await load('hooks: {}\nhooks: {}\n');
    expect(twice).toMatchObject({
      groups: [],
      diagnostics: [{ code: 'invalid_yaml', source: { line: 2, column: 1 } }],
    });
    const missing = await loadFile('no-such-file.yaml');
    expect(missing).toMatchObject({
      groups: [],
      diagnostics: [{ severity: 'error', code: 'unreadable_file' }],
    });
    writeFileSync(join(dir, 'list.yaml'), '- a\n');
    expect((await load('- a\n')).diagnostics).toMatchObject([{ code: 'invalid_config' }]);
  },
);

massgenTest('MG-6 a file without hooks, or without anything, is fine', async ({ load }) => {
  for (const text of ['', '# nothing\n', 'agents: [{ id: a, backend: { type: gemini } }]\n', 'hooks:\n']) {
    expect(await load(text)).toMatchObject({ groups: [], diagnostics: [] });
  }
});

massgenTest('MG-7 MG-9 every mistake is reported at its place, with what to do', async ({ load }) => {
  const { diagnostics, groups } = await load(`hooks:
  PreToolUse:
    - handler: handlers.deny
      timeout: -1
      failClosed: true
      colour: red
    - handler: handlers.deny
      fail_closed: "no"
  PreToolUsed:
    - handler: handlers.deny
  PostToolUse:
    override: true
    hooks: []
    extra: 1
  override: true
agents:
  - id: a
    hooks: { PreToolUse: [] }
    backend:
      hooks:
        Stop: [{ handler: handlers.deny }]
        PreToolUse: { override: maybe, hooks: { handler: x } }
  - backend: { hooks: { PreToolUse: [] } }
`);
  expect(diagnostics.map((each) => `${place(each)} ${each.severity} ${each.code}`)).toEqual([
    '5:7 error unknown_key',
    '6:7 warning unknown_key',
    '4:16 error invalid_timeout',
    '8:20 error invalid_fail_closed',
    '9:3 error unknown_event',
    '12:15 warning misplaced_override',
    '14:5 error unknown_key',
    '15:3 error misplaced_override',
    '18:12 error misplaced_hooks',
    '21:9 warning event_beyond_massgen',
    '22:33 error invalid_override',
    '22:47 error invalid_hooks',
    '23:5 error missing_agent_id',
  ]);
  const said = diagnostics.map(({ message }) => message).join('\n');
  expect(said).toContain('Write `fail_closed`');
  expect(said).toContain('There is no event "PreToolUsed". Did you mean PreToolUse? Its hooks never run.');
  expect(groups.map(({ event, options }) => [event, options.timeout, options.onFailure])).toEqual([
    ['PreToolUse', 30, undefined],
    ['PreToolUse', 30, 'block'],
    ['Stop', 30, undefined],
  ]);
});

const BROKEN = [
  ['- matcher: Write', 'missing_handler'],
  ['- handler: 5', 'missing_handler'],
  ['- handlers.deny', 'invalid_hook'],
  ['- { handler: handlers.deny, type: shell }', 'unknown_type'],
  ['- { handler: handlers.deny, matcher: "|" }', 'invalid_matcher'],
  ['- { handler: handlers.deny, matcher: [Write] }', 'invalid_matcher'],
  ['- handler: no_such_module.check', 'handler_not_found'],
  ['- handler: handlers.no_such_function', 'handler_not_found'],
  ['- handler: handlers.not_a_function', 'handler_not_found'],
  ['- handler: handlers.Guard', 'handler_not_found'],
  ['- handler: broken_syntax.check', 'handler_not_found'],
  ['- handler: broken_import.check', 'handler_not_found'],
  ['- handler: ./no_such_file.py:check', 'handler_not_found'],
  ['- handler: handlers.py', 'handler_not_found'],
  ['- handler: just_a_word', 'handler_not_found'],
  ['- { handler: no_such_script.py, type: command }', 'handler_not_found'],
  ['- { handler: no-such-program-at-all, type: command }', 'handler_not_found'],
  ['- { handler: path/to, type: command }', 'handler_not_found'],
  ['- { handler: ./no-such.mjs, type: module }', 'handler_not_found'],
  ['- { handler: "./guard.mjs#nothing", type: module }', 'handler_not_found'],
  ['- { handler: "./guard.mjs#answer", type: module }', 'handler_not_found'],
  ['- { handler: ./fails.mjs, type: module }', 'handler_not_found'],
] as const;

massgenTest(
  'MG-8 what can never run is found at load and denies, whatever fail_closed says',
  async (bench) => {
    const { runner, load, fire } = bench;
    const before = BROKEN.map(([entry]) => `    ${entry}\n`).join('');
    const config = await load(`hooks:\n  PreToolUse:\n${before}  PostToolUse:\n${before}`);
    expect(config.diagnostics.map(({ code }) => code)).toEqual(
      expect.arrayContaining(BROKEN.map(([, code]) => code)),
    );
    expect(config.diagnostics).toHaveLength(2 * BROKEN.length);
    for (const [index, group] of config.groups.entries()) {
      const entry = BROKEN[index % BROKEN.length]?.[0] ?? '';
      expect(group.hooks[0]?.inactive?.reason, entry).toBe('broken');
      expect(group.source.line, entry).toBeGreaterThan(2);
      const stop = runner.use({ ...config, groups: [group] });
      const outcome = await fire(group.event as HookEvent);
      const name = group.hooks[0]?.description;
      expect(outcome.failures, entry).toMatchObject([{ kind: 'failed-to-start', name }]);
      if (group.event === 'PreToolUse') expect(outcome.decision, entry).toBe('deny');
      else expect(outcome.decision, entry).toBeUndefined();
      stop();
    }
  },
);

massgenTest('MG-34 an import error tells the last line of the traceback', async ({ load }) => {
  const messageOf = async (handler: string): Promise<string | undefined> =>
    (await load(one('PreToolUse', handler))).diagnostics[0]?.message;
  expect(await messageOf('broken_import.check')).toContain(
    "ModuleNotFoundError: No module named 'a_module_that_is_not_there' (broken_import.py, line 2)",
  );
  expect(await messageOf('broken_syntax.check')).toMatch(
    /SyntaxError: expected ':' \(broken_syntax\.py, line 2\)/,
  );
  expect(await messageOf('no_such_module.check')).toContain("No module named 'no_such_module'");
});

massgenTest(
  'MG-8 an import that never ends is given up, and the others are found',
  async ({ load, fire, runner }) => {
    const text = `${one('PreToolUse', 'hangs_on_import.check', 'matcher: Hang')}    - { handler: handlers.deny, matcher: Ok }\n`;
    const config = await load(text, { importTimeout: 5 });
    expect(config.diagnostics).toMatchObject([{ code: 'handler_not_found' }]);
    expect(config.diagnostics[0]?.message).toContain('longer than 5 s');
    expect(config.groups.map(({ hooks }) => hooks[0]?.inactive?.reason)).toEqual(['broken', undefined]);
    runner.use({ ...config, groups: config.groups.slice(0, 1) });
    expect((await fire('PreToolUse', {}, { tool: 'Hang' })).decision).toBe('deny');
  },
);

massgenTest('MG-8 without Python every Python handler is broken, and says so', async ({ load }) => {
  const config = await load(one('PreToolUse', 'handlers.deny'), { python: 'no-such-python' });
  expect(config.diagnostics[0]?.message).toContain("The program 'no-such-python' was not found");
  const old = await load(one('PreToolUse', 'handlers.deny'), { python: 'false' });
  expect(old.diagnostics[0]?.message).toContain('ended with exit code 1');
});

massgenTest(
  'MG-11 nothing of a workspace is imported before it is called',
  async ({ load, dir, fire, runner }) => {
    const marker = join(dir, 'imported');
    writeFileSync(join(dir, 'eager.py'), `open(${JSON.stringify(marker)}, "w").close()\n`);
    writeFileSync(join(dir, 'eager.mjs'), `throw new Error("imported");\n`);
    const text = 'hooks: { PreToolUse: [{ handler: eager.check }, { handler: ./eager.mjs, type: module }] }';
    const untrusted = await load(text, { layer: 'project', cwd: dir });
    const stopUntrusted = runner.use(untrusted);
    expect((await fire('PreToolUse')).decision).toBeUndefined();
    expect(runner.warnings.map(({ code }) => code)).toEqual(['hook_inactive', 'hook_inactive']);
    stopUntrusted();
    const config = await load(text, { layer: 'project', trust: 'workspace', cwd: dir });
    expect(config.diagnostics).toEqual([]);
    expect(config.groups[0]?.source.layer).toBe('project');
    expect(existsSync(marker)).toBe(false);
    for (const group of config.groups) {
      const stop = runner.use({ ...config, groups: [group] });
      const outcome = await fire('PreToolUse');
      expect(outcome).toMatchObject({ decision: 'deny', failures: [{ kind: 'failed-to-start' }] });
      stop();
    }
    expect(existsSync(marker)).toBe(true);
  },
);
