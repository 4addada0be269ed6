/** Commands and JavaScript modules as MassGen handlers. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { massgenTest, one } from './support.js';

massgenTest(
  'MG-24 a script runs by itself when it is executable, else with its interpreter',
  async (bench) => {
    const { dir, use, fire } = bench;
    const answer = (who: string): string => `{"inject": {"content": "${who}"}}`;
    writeFileSync(join(dir, 'own.py'), `#!/bin/sh\necho '${answer('own')}'\n`);
    chmodSync(join(dir, 'own.py'), 0o755);
    writeFileSync(join(dir, 'plain.py'), `print('${answer('python')}')\n`);
    writeFileSync(join(dir, 'plain.sh'), `echo '${answer('sh')}'\n`);
    writeFileSync(join(dir, 'plain.mjs'), `console.log('${answer('node')}')\n`);
    writeFileSync(join(dir, 'two words.sh'), `echo '${answer('spaces')}'\n`);
    const handlers = [
      'own.py',
      './plain.py',
      'plain.sh',
      'plain.mjs',
      'two words.sh',
      'cat plain.sh | sh',
      'true',
    ];
    const entries = handlers.map((name) => `    - { type: command, handler: "${name}" }\n`).join('');
    await use(`hooks:\n  PostToolUse:\n${entries}`, { cwd: dir });
    const outcome = await fire('PostToolUse');
    expect(outcome.failures).toEqual([]);
    expect(outcome.injections.map(({ content }) => content)).toEqual([
      'own',
      'python',
      'sh',
      'node',
      'spaces',
      'sh',
    ]);
  },
);

massgenTest(
  'MG-14 MG-24 a command reads one HookEvent and starts in the folder of the file',
  async (bench) => {
    const { dir, use, fire } = bench;
    await use(one('PostToolUse', `pwd > ${dir}/cwd; cat > ${dir}/stdin`, 'type: command'));
    await fire('PostToolUse', { deep: { list: [1, null] } }, { agentId: 'a1' });
    expect(readFileSync(join(dir, 'cwd'), 'utf8')).toMatch(/test\/fixtures\/massgen\n$/);
    const stdin = readFileSync(join(dir, 'stdin'), 'utf8');
    expect(stdin.endsWith('}\n')).toBe(true);
    expect(Object.keys(JSON.parse(stdin)).sort()).toEqual([
      'agent_id',
      'hook_type',
      'orchestrator_id',
      'session_id',
      'timestamp',
      'tool_input',
      'tool_name',
      'tool_output',
    ]);
    expect(JSON.parse(stdin)).toMatchObject({ agent_id: 'a1', tool_input: { deep: { list: [1, null] } } });
  },
);

massgenTest(
  'MG-25 a command refuses with exit code 2, and invalid JSON fails open',
  async ({ use, fire }) => {
    await use(
      `${one('PreToolUse', 'echo never >&2; exit 2', 'type: command\nmatcher: Two')}` +
        '    - { handler: "echo nonsense", type: command, matcher: Text }\n' +
        '    - { handler: "echo nonsense", type: command, matcher: Text2, fail_closed: true }\n' +
        '    - { handler: "no-such-program --flag", type: command, matcher: Missing }\n' +
        '    - { handler: "sleep 100 ", type: command, matcher: Slow, timeout: 0.3 }\n',
    );
    expect(await fire('PreToolUse', {}, { tool: 'Two' })).toMatchObject({
      decision: 'deny',
      reason: 'never',
    });
    const text = await fire('PreToolUse', {}, { tool: 'Text' });
    expect(text).toMatchObject({ failures: [{ kind: 'invalid-output', blocked: false }] });
    expect(text.decision).toBeUndefined();
    expect((await fire('PreToolUse', {}, { tool: 'Text2' })).decision).toBe('deny');
    expect((await fire('PreToolUse', {}, { tool: 'Missing' })).decision).toBe('deny');
    const slow = await fire('PreToolUse', {}, { tool: 'Slow' });
    expect(slow).toMatchObject({ failures: [{ kind: 'timed-out' }] });
    expect(slow.decision).toBeUndefined();
  },
);

massgenTest('MG-11 commands of a workspace get no secrets', async ({ use, fire, dir }) => {
  process.env['MASSGEN_TEST_TOKEN'] = 'secret';
  try {
    const line = `echo "\${MASSGEN_TEST_TOKEN:-none}" >> ${dir}/seen`.replaceAll('"', '\\"');
    await use(one('PostToolUse', line, 'type: command'), { layer: 'project', trust: 'workspace' });
    await use(one('PostToolUse', line, 'type: command'));
    await fire('PostToolUse');
  } finally {
    delete process.env['MASSGEN_TEST_TOKEN'];
  }
  expect(readFileSync(join(dir, 'seen'), 'utf8')).toBe('none\nsecret\n');
});

massgenTest('MG-37 a module is a default export, or a name after # or :', async ({ use, fire }) => {
  await use(
    `${one('PreToolUse', './guard.mjs', 'type: module\nmatcher: Default')}` +
      '    - { handler: "./guard.mjs#check", type: module, matcher: Hash }\n' +
      '    - { handler: "guard.mjs:check", type: module, matcher: Colon }\n' +
      '    - { handler: "node:path#join", type: module, matcher: Package }\n',
  );
  expect((await fire('PreToolUse', {}, { tool: 'Default' })).reason).toBe('default export, Default');
  for (const tool of ['Hash', 'Colon']) {
    expect((await fire('PreToolUse', { path: '/etc/x' }, { tool })).reason).toBe('not in /etc');
    expect(await fire('PreToolUse', { path: '/tmp/x' }, { tool })).toMatchObject({ failures: [] });
  }
  expect((await fire('PreToolUse', {}, { tool: 'Package' })).failures).toHaveLength(1);
});

massgenTest('MG-37 a module has a deadline and a signal like any callback', async ({ use, fire }) => {
  await use(
    `${one('PostToolUse', './guard.mjs#later', 'type: module')}` +
      '    - { handler: "./guard.mjs#patient", type: module, timeout: 0.2 }\n',
  );
  const outcome = await fire('PostToolUse');
  expect(outcome.injections).toEqual([{ content: 'PostToolUse the output', strategy: 'tool_result' }]);
  expect(outcome.failures).toMatchObject([{ kind: 'timed-out' }]);
});
