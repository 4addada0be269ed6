/** `hookline test`: what hooks are to decide, written down and held to. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { defineHookTests } from '../../src/testing/hook-tests/define.js';
import { answering, denying, type Folder, folder, hooklineFile, settings } from './support.js';
import { readXml } from './xml.js';

const TRUST = '--trust-workspace';

interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly line: number;
  readonly problem?: string;
  readonly differences: readonly { field: string; expected: string; got: string }[];
}

/** A folder whose hooks deny, add context, rewrite, fail and stop, each for another tool. */
function project(): Folder & { run(tests: unknown, ...argv: string[]): Promise<Result[]> } {
  const where = folder();
  const specific = (more: object) =>
    answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } });
  const group = (matcher: string, command: string) => ({ matcher, hooks: [{ type: 'command', command }] });
  where.write('.claude/settings.json', {
    hooks: {
      PreToolUse: [
        group('Bash', denying('not on a Friday')),
        group('Read', specific({ additionalContext: 'Mind the gap.' })),
        group('Write', specific({ updatedInput: { file_path: 'safe.txt' } })),
        group('Edit', 'echo broken >&2; exit 1'),
        group('Glob', answering({ continue: false, stopReason: 'enough', systemMessage: 'Good bye.' })),
      ],
    },
  });
  return {
    ...where,
    run: async (tests, ...argv) => {
      where.write('hookline.test.json', { tests });
      return (await where.call(['test', TRUST, '--json', ...argv])).json<{ results: Result[] }>().results;
    },
  };
}

const tool = (name: string, expect: object) => ({ event: 'PreToolUse', input: { tool_name: name }, expect });

describe('what a test may expect', () => {
  it.each<readonly [tool: string, right: object, wrong: object]>([
    ['Bash', { decision: 'deny' }, { decision: 'allow' }],
    ['Read', { decision: 'none' }, { decision: 'deny' }],
    ['Bash', { reason: 'Friday' }, { reason: 'Monday' }],
    ['Bash', { reason: '/^not .* friday$/i' }, { reason: '/^friday/' }],
    ['Read', { context: 'gap' }, { context: 'nothing of it' }],
    ['Read', { context: ['Mind', 'gap'] }, { context: ['Mind', 'step'] }],
    ['Glob', { message: 'bye' }, { message: 'hello' }],
    ['Glob', { continue: false }, { continue: true }],
    ['Read', { continue: 'none' }, { continue: false }],
    ['Glob', { stopReason: 'enough' }, { stopReason: 'more' }],
    ['Write', { updatedInput: { file_path: 'safe.txt' } }, { updatedInput: { file_path: 'other.txt' } }],
    ['Read', { updatedInput: null }, { updatedInput: {} }],
    ['Bash', { exit: 2 }, { exit: 0 }],
    ['Bash', { hooks: 1 }, { hooks: 2 }],
    ['Edit', { failure: true }, { failure: 'something else' }],
    ['Edit', { failure: 'code 1', exit: 1 }, { failure: false }],
    ['LS', { hooks: 0 }, { failure: true }],
  ])('CL-30 of %s: %j, and not %j', async (name, right, wrong) => {
    const [passes, fails] = await project().run([tool(name, right), tool(name, wrong)]);
    expect(passes).toMatchObject({ passed: true, differences: [] });
    expect(fails).toMatchObject({ passed: false });
    expect(fails?.differences).toHaveLength(1);
  });

  it('CL-30 the input is the sample, with fields replaced and single fields set', async () => {
    const where = folder();
    where.write('.claude/settings.json', settings('PreToolUse', ['cat > input.json']));
    where.write(
      'hookline.test.yaml',
      'tests:\n  - event: PreToolUse\n    input: { tool_name: Write, tool_input: { a: 1 } }\n    set: { tool_input.b.c: 2 }\n    expect: { hooks: 1 }\n',
    );
    expect((await where.call(['test', TRUST])).code).toBe(0);
    const input = JSON.parse(readFileSync(join(where.workspace, 'input.json'), 'utf8'));
    expect(input).toMatchObject({ tool_name: 'Write', tool_use_id: 'call-1' });
    expect(input.tool_input).toEqual({ a: 1, b: { c: 2 } });
  });
});

describe('a test that names a hook', () => {
  const second = 'echo second >&2; exit 2';
  function twoGuards(): Folder {
    const where = folder();
    const group = (command: string) => ({ matcher: 'Bash', hooks: [{ type: 'command', command }] });
    where.write('.claude/settings.json', { hooks: { PreToolUse: [group('true'), group(second)] } });
    return where;
  }
  const results = async (where: Folder) =>
    (await where.call(['test', TRUST, '--json'])).json<{ results: Result[] }>().results;

  it('CL-60 fires at that hook alone; a test without one fires at all', async () => {
    const where = twoGuards();
    where.write('hookline.test.json', {
      tests: [
        { name: 'one', hook: 'true', event: 'PreToolUse', expect: { decision: 'none', hooks: 1 } },
        { name: 'other', hook: second, event: 'PreToolUse', expect: { reason: 'second', hooks: 1 } },
        { name: 'all', event: 'PreToolUse', expect: { decision: 'deny', hooks: 2 } },
      ],
    });
    expect((await results(where)).map(({ passed }) => passed)).toEqual([true, true, true]);
  });

  it('CL-60 the hook of a file is that of all its tests, unless a test names its own', async () => {
    const where = twoGuards();
    where.write('hookline.test.json', {
      hook: 'true',
      tests: [
        { event: 'PreToolUse', expect: { decision: 'none', hooks: 1 } },
        { hook: second, event: 'PreToolUse', expect: { decision: 'deny', hooks: 1 } },
      ],
    });
    expect((await results(where)).map(({ passed }) => passed)).toEqual([true, true]);
  });

  it('CL-60 a hook that is not there fails the test, with the probable name', async () => {
    const where = twoGuards();
    where.write('hookline.test.json', {
      tests: [{ hook: 'tru', event: 'PreToolUse', expect: { decision: 'none' } }],
    });
    const [result] = await results(where);
    expect(result).toMatchObject({
      passed: false,
      problem: expect.stringContaining('There is no hook "tru". Did you mean true?'),
    });
  });

  it('CL-33 CL-60 a hook of a file that is no text is reported', async () => {
    const where = twoGuards();
    where.write('hookline.test.json', { hook: 3, tests: [] });
    expect((await results(where))[0]?.problem).toContain('hook of the file');
  });
});

describe('the report', () => {
  it('CL-31 shows what was expected, what came, and the hooks that ran', async () => {
    const where = project();
    where.write(
      'hookline.test.yaml',
      'tests:\n  - name: Bash is fine\n    event: PreToolUse\n    expect: { decision: allow, reason: of course }\n  - name: LS is not\n    event: PreToolUse\n    input: { tool_name: LS }\n    expect: { decision: deny }\n',
    );
    const { code, out } = await where.call(['test', TRUST]);
    expect(code).toBe(1);
    expect(out.replaceAll(/\d+ ms|\d\.\d s/g, 'T')).toBe(`FAIL  Bash is fine  T  hookline.test.yaml:2
      decision:      expected "allow"
                     got      "deny"
      reason:        expected "…of course…"
                     got      "not on a Friday"
      hook denied: ${denying('not on a Friday').slice(0, 97)}...  .claude/settings.json:7
FAIL  LS is not  T  hookline.test.yaml:5
      decision:      expected "deny"
                     got      "none"
      No hook ran.

0 passed, 2 failed
`);
  });

  it('CL-36 JUnit’s XML holds every test, whatever is in its texts', async () => {
    const where = project();
    const hostile = 'a < b & "c" ]]> \u0000\u001b\ud800';
    const tests = [
      { ...tool('Bash', { decision: 'deny' }), name: 'fine' },
      { ...tool('Bash', { reason: hostile }), name: hostile },
      { event: 'Nonsense', name: 'broken', expect: {} },
    ];
    await where.run(tests, '--junit', 'report.xml');
    const xml = readFileSync(join(where.workspace, 'report.xml'), 'utf8');
    const { problems, elements } = readXml(xml);
    expect(problems).toEqual([]);
    expect(elements.filter((name) => name === 'testcase')).toHaveLength(3);
    expect(xml).toContain('tests="3" failures="1" errors="1"');
    expect(xml).toContain('classname="hookline.test.json"');
  });

  it('CL-36 --only chooses by name; nothing chosen is a mistake', async () => {
    const where = project();
    const tests = [
      { ...tool('Bash', { decision: 'deny' }), name: 'one' },
      { ...tool('Bash', { decision: 'allow' }), name: 'two' },
    ];
    expect(await where.run(tests, '--only', 'one')).toMatchObject([{ name: 'one', passed: true }]);
    const { code, err } = await where.call(['test', TRUST, '--only', 'three']);
    expect(err).toContain('No test has "three" in its name.');
    expect(code).toBe(64);
  });
});

describe('what can be wrong', () => {
  it('CL-32 a hook that fails fails the test, although nothing was decided', async () => {
    const [result] = await project().run([tool('Edit', { decision: 'none' })]);
    expect(result).toMatchObject({
      passed: false,
      differences: [{ field: 'failure', expected: 'no hook that fails' }],
    });
  });

  it('CL-33 a broken test voids only itself, and is named with its line', async () => {
    const where = project();
    where.write(
      'hookline.test.yaml',
      `extra: 1
tests:
  - event: PreTolUse
    expect: {}
  - event: PreToolUse
    expct: {}
  - event: PreToolUse
    expect: { decison: deny }
  - event: PreToolUse
    input: { tool_name: 5 }
    expect: {}
  - event: PreToolUse
    expect: { decision: deny }
`,
    );
    const results = (await where.call(['test', TRUST, '--json'])).json<{ results: Result[] }>().results;
    expect(results.map(({ line, passed, problem }) => [line, passed, problem?.slice(0, 45)])).toEqual([
      [1, false, 'Unknown key "extra" in a test file.'],
      [3, false, expect.stringContaining('This test cannot be read: `event`')],
      [5, false, expect.stringContaining('Unknown key "expct" in a test.')],
      [7, false, expect.stringContaining('Unknown key "decison" in `expect`.')],
      [9, false, expect.stringContaining('The input of PreToolUse does not fit')],
      [12, true, undefined],
    ]);
    expect(results[1]?.problem).toContain('Did you mean PreToolUse?');
  });

  it.each([
    ['hookline.test.yaml', 'tests: [', 'This is not valid YAML'],
    ['hookline.test.yaml', 'a: 1', 'The file has no list `tests`'],
    ['hookline.test.yaml', '', 'The file has no list `tests`'],
    ['hookline.hooktest.mjs', 'export default 5', 'The module has no list of tests'],
    ['hookline.hooktest.mjs', 'throw new Error("oops")', 'oops'],
  ])('CL-33 %s with %j is named as broken', async (name, text, problem) => {
    const where = project();
    where.write(name, text);
    const { code, out } = await where.call(['test', TRUST]);
    expect(out).toContain(problem);
    expect(out).toMatch(/^FAIL {2}hookline\.(test\.yaml|hooktest\.mjs) {2}/);
    expect(out).toContain(`${name}:1`);
    expect(code).toBe(1);
  });

  it('CL-34 while hooks are not trusted nothing is run', async () => {
    const where = project();
    where.write('hookline.test.json', { tests: [tool('LS', { decision: 'none' })] });
    const { code, out, err } = await where.call(['test']);
    expect(err).toContain('No test was run: without these hooks it would prove nothing.');
    expect(err).toContain('hookline trust approve');
    expect([code, out]).toEqual([1, '']);
    const forPrograms = await where.call(['test', '--json']);
    expect(forPrograms.json<{ inactive: unknown[] }>()).toMatchObject({ complete: false, results: [] });
    expect(forPrograms.json<{ inactive: unknown[] }>().inactive).toHaveLength(5);
    expect(forPrograms.code).toBe(1);
  });

  it('CL-33 a file with another ending is no test file', async () => {
    const where = project();
    where.write('tests.txt', '');
    const { code, err } = await where.call(['test', 'tests.txt']);
    expect(err).toContain('"tests.txt" is not a test file; its name must end with one of .yaml');
    expect(code).toBe(64);
  });
});

describe('test files', () => {
  it('CL-30 are found by their name, or named, also by their folder', async () => {
    const where = project();
    const yaml = (name: string) => `tests: [{ name: ${name}, event: Stop, expect: {} }]\n`;
    where.write('hookline.test.yaml', yaml('a'));
    where.write('bash.hookline.test.yml', yaml('b'));
    where.write('other.yaml', yaml('c'));
    where.write('more/hookline.test.yaml', yaml('d'));
    const names = async (...argv: string[]) =>
      (await where.call(['test', TRUST, '--json', ...argv]))
        .json<{ results: Result[] }>()
        .results.map(({ name }) => name);
    expect(await names()).toEqual(['b', 'a']);
    expect(await names('other.yaml', 'more')).toEqual(['c', 'd']);
  });

  it('CL-30 a name that Vitest would take is not a default; the error says how to rename it', async () => {
    const where = project();
    where.write('hookline.test.mjs', MODULE);
    const { code, err } = await where.call(['test', TRUST]);
    expect(code).toBe(64);
    expect(err).toContain('Rename it to hookline.hooktest.mjs');
    expect((await where.call(['test', TRUST, 'hookline.test.mjs'])).out).toContain('pass  by value');
  });

  it('CL-33 an unknown key comes with the one that was probably intended', async () => {
    const where = project();
    where.write(
      'hookline.test.yaml',
      'tests:\n  - { event: Stop, expct: {} }\n  - { event: Stop, expect: { decison: deny } }\n',
    );
    where.write('own.hooktest.mjs', `export default [{ event: 'Stop', expect: { colour: 1 } }];`);
    const { out } = await where.call(['test', TRUST]);
    expect(out).toContain('Unknown key "expct" in a test. Did you mean expect?');
    expect(out).toContain('Unknown key "decison" in `expect`. Did you mean decision?');
    expect(out).toContain('Unknown key "colour" in `expect`. It can have: decision,');
  });

  it('CL-33 tests of a module are reported at the line of their name', async () => {
    const where = project();
    where.write('hookline.hooktest.mjs', MODULE);
    const results = (await where.call(['test', TRUST, '--json'])).json<{ results: Result[] }>().results;
    expect(results.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it('CL-54 findings are annotations of GitHub, from the root of the checkout', async () => {
    const where = project();
    where.write('hookline.test.json', {
      tests: [tool('Bash', { decision: 'allow', reason: 'a, b: 100 %' })],
    });
    vi.stubEnv('GITHUB_WORKSPACE', dirname(where.workspace));
    const { out } = await where.call(['test', TRUST, '--format', 'github']);
    const [command] = out.split('\n').filter((line) => line.startsWith('::'));
    expect(command).toMatch(/^::error file=workspace\/hookline\.test\.json,line=3,title=hookline test%3A /);
    expect(command).toContain(
      '::decision: expected "allow", got "deny"%0Areason: expected "…a, b: 100 %25…"',
    );
    const wrong = await where.call(['test', TRUST, '--format', 'github-actions']);
    expect([wrong.code, wrong.err]).toEqual([64, expect.stringContaining('There is no format')]);
  });

  const MODULE = `export default [
    { name: 'by value', event: 'PreToolUse', expect: { decision: 'deny', reason: /friday/i } },
    { name: 'by function', event: 'PreToolUse', expect: ({ reason }) => { if (!reason.includes('Friday')) throw new Error(reason); } },
    { name: 'fails', event: 'PreToolUse', expect: async () => { throw new Error('as it should'); } },
  ];`;

  it('CL-35 may be JavaScript, with patterns and functions', async () => {
    const where = project();
    where.write('hookline.hooktest.mjs', MODULE);
    const results = (await where.call(['test', TRUST, '--json'])).json<{ results: Result[] }>().results;
    expect(results.map(({ name, passed }) => [name, passed])).toEqual([
      ['by value', true],
      ['by function', true],
      ['fails', false],
    ]);
    expect(results[2]?.differences).toEqual([
      { field: 'expect', expected: 'the function not to throw', got: 'as it should' },
    ]);
  });

  const TYPED = `${MODULE.replace('export default [', 'interface Answer { readonly reason: string }\nconst tests: readonly object[] = [').replace('({ reason })', '({ reason }: Answer)')}\nexport default tests;`;

  it('CL-35 may be TypeScript where the project has tsx', async () => {
    const where = project();
    where.write('hookline.hooktest.ts', TYPED);
    mkdirSync(join(where.workspace, 'node_modules'));
    symlinkSync(
      fileURLToPath(new URL('../../node_modules/tsx', import.meta.url)),
      join(where.workspace, 'node_modules/tsx'),
    );
    const results = (await where.call(['test', TRUST, '--json'])).json<{ results: Result[] }>().results;
    expect(results.map(({ name, passed }) => [name, passed])).toEqual([
      ['by value', true],
      ['by function', true],
      ['fails', false],
    ]);
  });

  it('CL-35 TypeScript is run, or a sentence says what it needs', async () => {
    const where = project();
    where.write('hookline.hooktest.ts', TYPED);
    const { code, out } = await where.call(['test', TRUST]);
    const readsItself = Boolean((process.features as { typescript?: unknown }).typescript);
    expect(out).toContain(readsItself ? 'pass  by value' : 'Run npm install --save-dev tsx in the project');
    expect(code).toBe(1);
  });

  it('CL-35 are typed by defineHookTests', () => {
    const tests = defineHookTests([
      {
        event: 'PreToolUse',
        input: { tool_name: 'Bash' },
        expect: { decision: 'deny', reason: /no/ },
      },
      { event: 'Stop', input: { stop_hook_active: true }, expect: (outcome) => void outcome.results.length },
      // @ts-expect-error There is no such decision.
      { event: 'Stop', expect: { decision: 'maybe' } },
      // @ts-expect-error Another event's field of the wrong type.
      { event: 'Stop', input: { stop_hook_active: 'yes' }, expect: {} },
    ]);
    expect(tests).toHaveLength(4);
  });

  it('CL-30 hooks of hookline’s own file are tested the same way', async () => {
    const where = folder();
    where.write(
      'hookline.yaml',
      hooklineFile('Stop', answering({ decision: 'block', reason: 'run the tests' })),
    );
    where.write(
      'hookline.test.yaml',
      'tests: [{ event: Stop, expect: { decision: deny, reason: run the tests } }]\n',
    );
    const { code, out } = await where.call(['test', TRUST]);
    expect(out).toContain('1 passed');
    expect(code).toBe(0);
  });
});
