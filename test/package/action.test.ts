/** The GitHub Action: its script is run as GitHub would run it, with the inputs as variables. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { makeFolder, ROOT } from './support.js';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly [
      {
        readonly run: string;
        readonly 'working-directory': string;
        readonly env: Readonly<Record<string, string>>;
      },
    ];
  };
}

const action: Action = parse(readFileSync(join(ROOT, '.github/actions/hooks/action.yml'), 'utf8'));
const folder = makeFolder('action');
afterAll(() => rmSync(folder, { recursive: true }));

const HOOKS_FOLDER = 'hooks-folder';

/** A checkout with the hooks of the example in `hooks-folder`, and hookline installed there. */
function checkout(name: string, hooksFolder = HOOKS_FOLDER): string {
  const root = join(folder, name);
  const work = join(root, hooksFolder);
  cpSync(join(ROOT, 'examples/ci-job'), work, { recursive: true });
  mkdirSync(join(work, 'node_modules/.bin'), { recursive: true });
  const program = `#!/bin/sh\nexec node ${JSON.stringify(join(ROOT, 'dist/cli/main.js'))} "$@"\n`;
  writeFileSync(join(work, 'node_modules/.bin/hookline'), program, { mode: 0o755 });
  return root;
}

async function runAction(root: string, given: Readonly<Record<string, string>> = {}) {
  const [{ run, env, 'working-directory': workingDirectory }] = action.runs.steps;
  const inputs: Readonly<Record<string, string>> = { 'working-directory': HOOKS_FOLDER, ...given };
  const inputOf = (name: string): string => inputs[name] ?? action.inputs[name]?.default ?? '';
  const replaced = (value: string): string =>
    value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, name: string) => inputOf(name));
  const variables = Object.entries(env).map(([key, value]) => [key, replaced(value)]);
  const { exitCode, stdout, stderr } = await execa(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run],
    {
      cwd: join(root, replaced(workingDirectory)),
      env: {
        PATH: `${join(root, 'bin')}:${process.env['PATH']}`,
        ...Object.fromEntries(variables),
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: root,
        HOME: join(root, 'home'),
      },
      reject: false,
    },
  );
  const lines = `${stdout}\n${stderr}`.split('\n');
  return { exitCode, commands: lines.filter(isCommand), stdout, stderr };
}

/** As GitHub's runner decides it, on both streams: leading blanks do not matter, and the old form may be anywhere. */
const isCommand = (line: string): boolean => line.trimStart().startsWith('::') || line.includes('##[');

describe('the GitHub Action', () => {
  it('PK-23: passes where the hooks and their tests are right', async () => {
    const root = checkout('right');
    const { exitCode, commands, stdout } = await runAction(root, { junit: 'report.xml' });
    expect({ exitCode, commands }).toEqual({ exitCode: 0, commands: [] });
    expect(stdout).toContain('passed');
    expect(readFileSync(join(root, 'hooks-folder/report.xml'), 'utf8')).toContain('<testsuites');
  });

  it('PK-23: annotates what is wrong at file and line, from the root of the checkout, and fails', async () => {
    const root = checkout('wrong');
    const file = join(root, 'hooks-folder/hookline.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('PreToolUse', 'PreToolUs'));
    const { exitCode, commands, stderr } = await runAction(root);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1 });
    expect(commands[0]).toMatch(
      /^::error file=hooks-folder\/hookline\.yaml,line=\d+,col=\d+,title=hookline%3A /,
    );
    expect(commands[0]).toContain('PreToolUse');
  });

  it('PK-23: what hooks, tests and files say is never a command', async () => {
    const root = checkout('hostile');
    const hostile = '::error::mine\n  ::add-mask::a\n::stop-commands::b\nsee ##[set-env name=c;]d';
    writeFileSync(
      join(root, 'hooks-folder/hookline.yaml'),
      stringify({
        hooks: {
          PreToolUse: [
            { matcher: 'Bash', hooks: [{ type: 'command', command: 'cat hostile.txt >&2; exit 2' }] },
            { matcher: hostile, hooks: [{ type: 'command', command: `true # ${hostile}` }] },
          ],
        },
      }),
    );
    writeFileSync(join(root, 'hooks-folder/hostile.txt'), hostile);
    const expect_ = { decision: 'allow', reason: hostile };
    writeFileSync(
      join(root, 'hooks-folder/hookline.test.yaml'),
      stringify({
        tests: [
          { name: hostile, event: 'PreToolUse', set: { 'tool_input.command': 'ls' }, expect: expect_ },
          { name: 'key', event: 'PreToolUse', '::debug::x': 1 },
        ],
      }),
    );
    const { exitCode, commands, stdout } = await runAction(root);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('  : :add-mask::a\n: :stop-commands::b\n');
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands)
      expect(command).toMatch(/^::(error|warning|notice) file=hooks-folder\/[\w./]+,line=\d+/);
  });

  it('PK-23: names of folders and files, and inputs, are neither commands nor shell', async () => {
    const [{ run }] = action.runs.steps;
    // The runner would put the value into the script.
    expect(run).not.toContain('${{');
    const hooksFolder = 'a,line=1::error::b%0Ac ##[d';
    const root = checkout('named', hooksFolder);
    const work = join(root, hooksFolder);
    const file = join(work, 'hookline.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('PreToolUse', 'PreToolUs'));
    // Without an installed package it is npx that runs the version of the input.
    mkdirSync(join(root, 'bin'));
    const npx = `#!/bin/sh\nprintf '%s\\n' "$1" "$2" >> ../npx.txt\nshift 2\nexec ../hookline "$@"\n`;
    writeFileSync(join(root, 'bin/npx'), npx, { mode: 0o755 });
    cpSync(join(work, 'node_modules/.bin/hookline'), join(root, 'hookline'));
    rmSync(join(work, 'node_modules'), { recursive: true });
    const version = '1 ; echo ::error::x\n::error::y';
    const { exitCode, commands } = await runAction(root, { 'working-directory': hooksFolder, version });
    expect(exitCode).toBe(1);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands)
      expect(command).toMatch(
        /^::(error|warning|notice) file=a%2Cline=1%3A%3Aerror%3A%3Ab%250Ac ## \[d\/hookline[\w.]+,line=\d+/,
      );
    const calls = readFileSync(join(root, 'npx.txt'), 'utf8');
    expect(calls).toBe(`--yes\nhookline@${version}\n`.repeat(2));
  });

  it('PK-23: annotates a failing test at its line', async () => {
    const root = checkout('failing');
    const file = join(root, 'hooks-folder/hookline.test.yaml');
    const tests = readFileSync(file, 'utf8').replace('decision: deny', 'decision: allow');
    writeFileSync(file, tests);
    const { exitCode, commands } = await runAction(root);
    expect(exitCode).toBe(1);
    expect(commands).toEqual([
      expect.stringMatching(
        /^::error file=hooks-folder\/hookline\.test\.yaml,line=\d+,title=hookline test%3A .*::decision: expected "allow", got "deny"/,
      ),
    ]);
  });
});
