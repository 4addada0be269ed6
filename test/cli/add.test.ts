/** `hookline add`: ready guards in a folder. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { READY_GUARDS } from '../../src/cli/add/catalogue.js';
import { register } from '../../src/cli/add/register.js';
import { isWholeForm } from '../support/matrix.js';
import { type Folder, folder } from './support.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const NAMES = READY_GUARDS.map(({ name }) => name);

/** A folder in which hookline is installed. */
function project(): Folder {
  const made = folder();
  mkdirSync(join(made.workspace, 'node_modules'));
  symlinkSync(root, join(made.workspace, 'node_modules/hookline'));
  return made;
}

const read = ({ workspace }: Folder, path: string): string => readFileSync(join(workspace, path), 'utf8');

/** Each test of a guard starts processes. The quick form tries the first of each guard, and every fourth after it. */
function keepTried(made: Folder, name: string): void {
  const path = `hooks/${name}.hookline.test.yaml`;
  const { tests, ...rest } = parse(read(made, path)) as { tests: unknown[] };
  const tried = tests.filter((_, index) => isWholeForm || index % 4 === 0);
  made.write(path, stringify({ ...rest, tests: tried }));
}

describe('add', () => {
  it('GU-1 lists all guards with one line each', async () => {
    const { call } = folder();
    const { out, code } = await call(['add']);
    expect(code).toBe(0);
    for (const { name, summary } of READY_GUARDS)
      expect(out.split('\n').some((line) => line.startsWith(name) && line.endsWith(summary))).toBe(true);
    expect((await call(['add', '--json'])).json<{ name: string }[]>().map(({ name }) => name)).toEqual(NAMES);
  });

  it('GU-1 refuses an unknown name with the probable one, and writes nothing', async () => {
    const { call, workspace } = folder();
    const { err, code } = await call(['add', 'git', 'secretes']);
    expect(err).toContain('Did you mean secrets?');
    expect(code).toBe(64);
    expect(existsSync(join(workspace, 'hooks'))).toBe(false);
  });

  it('GU-4 all guards in one folder: the tests of each pass, check finds nothing, fire works', {
    timeout: 240_000,
  }, async () => {
    const made = project();
    await made.call(['init']);
    const added = await made.call(['add', ...NAMES, '--json']);
    expect(added.json()).toMatchObject({ guards: NAMES, approved: NAMES, installed: true });
    for (const name of NAMES) keepTried(made, name);
    const tested = await made.call(['test', '--json']);
    const { results } = tested.json<{ results: { name: string; passed: boolean }[] }>();
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    for (const name of NAMES) expect(results.some((each) => each.name.startsWith(`${name}:`))).toBe(true);
    const checked = await made.call(['check', '--strict']);
    expect([checked.code, checked.err]).toEqual([0, '']);
    const fired = await made.call(['fire', 'PreToolUse', '--set', 'tool_input.command=cat .env']);
    expect(fired.code).toBe(2);
    expect(fired.out).toContain('node hooks/secrets.mjs');
  });

  it('GU-2 GU-4 a second call changes nothing', async () => {
    const made = project();
    await made.call(['add', 'secrets', 'git']);
    const before = read(made, 'hookline.yaml');
    const again = await made.call(['add', 'git', 'secrets', 'git', '--json']);
    expect(again.json<{ files: { state: string }[] }>().files.map(({ state }) => state)).toEqual(
      Array(5).fill('unchanged'),
    );
    expect(read(made, 'hookline.yaml')).toBe(before);
  });

  it('GU-3 keeps what the user has changed; --force shows the difference and replaces it', async () => {
    const made = project();
    await made.call(['add', 'git']);
    const delivered = read(made, 'hooks/git.mjs');
    made.write('hooks/git.mjs', delivered.replace('ALLOW_LEASE = true', 'ALLOW_LEASE = false'));
    const kept = await made.call(['add', 'git']);
    expect(kept.out).toContain('kept  hooks/git.mjs: you have changed it; --force replaces it');
    expect(read(made, 'hooks/git.mjs')).toContain('ALLOW_LEASE = false');
    const hooks = (await made.call(['list', '--json'])).json<{ active: boolean }[]>();
    expect(hooks.map(({ active }) => active)).toEqual([false]);
    const forced = await made.call(['add', 'git', '--force']);
    expect(forced.out).toMatch(
      /changed {2}hooks\/git\.mjs\n[\s\S]*-const ALLOW_LEASE = false;\n.*\+const ALLOW_LEASE = true;/,
    );
    expect(read(made, 'hooks/git.mjs')).toBe(delivered);
  });

  it('GU-3 --dry-run writes nothing', async () => {
    const { call, workspace } = project();
    const { out, code } = await call(['add', 'secrets', '--dry-run']);
    expect(code).toBe(0);
    expect(out).toContain('would write  hookline.yaml');
    expect(existsSync(join(workspace, 'hookline.yaml'))).toBe(false);
  });

  it('GU-4 approves only its own hooks, and says when hookline is not installed', async () => {
    const { call, write } = folder();
    write(
      'hookline.yaml',
      'hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: "true"\n',
    );
    const { err } = await call(['add', 'cost-cap']);
    expect(err).toContain('npm install --save-dev hookline');
    expect((await call(['check'])).out).toContain('imports hookline, which is not installed there');
    const hooks = (await call(['list', '--json'])).json<{ event: string; active: boolean }[]>();
    expect(hooks.filter(({ active }) => !active).map(({ event }) => event)).toEqual(['Stop']);
  });

  it('GU-7 a guard that fails refuses', async () => {
    const made = project();
    await made.call(['add', 'git']);
    made.write(
      'hooks/git.mjs',
      "import { guard } from 'hookline/guard';\nawait guard(() => { throw new Error('no'); });\n",
    );
    await made.call(['trust', 'approve', '--yes']);
    const { code, out } = await made.call(['fire', 'PreToolUse', '--set', 'tool_input.command=ls']);
    expect(code).toBe(2);
    expect(out).toContain('This guard failed: no');
  });

  it('GU-5 GU-6 fire shows the refusal of a hostile call and lets a harmless one through', async () => {
    const made = project();
    await made.call(['add', 'destructive-shell', 'secrets']);
    const hostile = await made.call(['fire', 'PreToolUse', '--set', 'tool_input.command=sudo rm -rf ..']);
    expect([hostile.code, hostile.out.includes('deletes too much')]).toEqual([2, true]);
    const harmless = await made.call(['fire', 'PreToolUse', '--set', 'tool_input.command=ls src']);
    expect(harmless.code).toBe(0);
  });
});

describe('GU-2 registering keeps what is written', () => {
  const [, shell] = READY_GUARDS;
  const guard = READY_GUARDS.find(({ name }) => name === 'git') ?? shell;
  const added = (text: string): string => {
    if (guard === undefined) throw new Error('there is no guard');
    const result = register(text, guard);
    expect(register(result, guard)).toBe(result);
    return result;
  };

  it.each([
    ['another event', '# top\nhooks: # all\n  Stop: # at the end\n    - hooks: []   # none\n# bottom\n'],
    [
      'the same event',
      'hooks:\n  PreToolUse:\n  # first\n  - matcher: "Bash" # the shell\n    hooks:\n    - {type: command, command: "true"}\n\n  Stop: []\n',
    ],
    ['no line end', 'hooks:\n  Stop:\n    - hooks: []'],
    ['no hooks', '# nothing yet\n$schema: x\n'],
    ['other keys after it', 'hooks:\n  Stop:\n    - hooks: []\n\n# more\n$schema: x\n'],
  ])('%s', (_, text) => {
    const result = added(text);
    const lines = result.split('\n');
    let at = -1;
    for (const line of text.split('\n').filter((each) => each !== '')) {
      at = lines.indexOf(line, at + 1);
      expect(at, `${line} in\n${result}`).toBeGreaterThanOrEqual(0);
    }
    expect(result).toContain('command: node hooks/git.mjs');
  });

  it.each([
    ['hooks: {} # none\n', '# none'],
    ['hooks: # none\n', '# none'],
    ['hooks: { Stop: [{ hooks: [] }] } # flow\n', '# flow'],
    ['{ "hooks": { "PreToolUse": [] } }', 'hooks'],
    ['hooks:\n  PreToolUse: # nothing yet\n', '# nothing yet'],
  ])('a file that is not written as blocks: %j', (text, kept) => {
    const result = added(text);
    expect(result).toContain(kept);
    expect(result).toContain('node hooks/git.mjs');
  });

  it.each(['hooks: [', '- a list', 'hooks: text', 'hooks: { Stop: 3 }'])(
    'a broken file stays: %j',
    async (text) => {
      const { call, write, workspace } = folder();
      write('hookline.yaml', text);
      const { code, err } = await call(['add', 'git']);
      expect([code, err.includes('nothing was added')]).toEqual([78, true]);
      expect(readFileSync(join(workspace, 'hookline.yaml'), 'utf8')).toBe(text);
      expect(existsSync(join(workspace, 'hooks'))).toBe(false);
    },
  );
});
