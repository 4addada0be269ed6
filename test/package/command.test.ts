/** How the command is put together: numbered modules in a few files, each run when it is first used. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder, ROOT } from './support.js';

const MAIN = join(ROOT, 'dist/cli/main.js');
const folder = makeFolder('command');
afterAll(() => rmSync(folder, { recursive: true }));

type Load = (id: number) => unknown;
type Module = { readonly exports: object };
type Run = (module: Module, exports: object, load: Load) => void;

/** The modules by their numbers, as `main.js` finds them. The first one is the program itself. */
function modulesOfCommand(): readonly Run[] {
  const [, files] = /^const files = (.+);$/m.exec(readFileSync(MAIN, 'utf8')) ?? [];
  const require = createRequire(MAIN);
  return (JSON.parse(files ?? '[]') as [string, number][]).flatMap(([file]) => require(file) as Run[]);
}

/** The error of a module that is run before all others. */
function runFirst(id: number, modules: readonly Run[]): unknown {
  const loaded = new Map<number, Module>();
  const load: Load = (wanted) => {
    const known = loaded.get(wanted);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(wanted, module);
    modules[wanted]?.(module, module.exports, load);
    if (modules[wanted] === undefined) throw new Error(`There is no module ${wanted}.`);
    return module.exports;
  };
  try {
    return void load(id);
  } catch (error) {
    return error;
  }
}

/** The files of the command that a call reads, without their endings. */
function filesReadBy(args: readonly string[], cwd: string, input = ''): readonly string[] {
  const list = join(folder, 'files-read.json');
  const program = `
    const { readFileSync, writeFileSync } = require('node:fs');
    const read = [];
    require('node:fs').readFileSync = (path, ...options) => {
      read.push(path);
      return readFileSync(path, ...options);
    };
    process.on('exit', () => writeFileSync(${JSON.stringify(list)}, JSON.stringify(read)));`;
  const recorder = join(folder, 'recorder.cjs');
  writeFileSync(recorder, program);
  const env = { ...process.env, HOME: folder, HOOKLINE_HOME: join(folder, 'own'), XDG_CACHE_HOME: folder };
  const { status, stderr } = spawnSync(process.execPath, ['--require', recorder, MAIN, ...args], {
    ...{ cwd, env, input },
    encoding: 'utf8',
  });
  expect([0, 1], stderr).toContain(status);
  const files = JSON.parse(readFileSync(list, 'utf8')) as readonly string[];
  return files
    .filter((file) => String(file).startsWith(join(ROOT, 'dist')))
    .map((file) => basename(file, '.js'));
}

describe('the files of the command', () => {
  it('PK-24: can be run in any order: no module needs another one that is still running', () => {
    const modules = modulesOfCommand();
    expect(modules.length).toBeGreaterThan(300);
    const failed = [...modules.keys()].slice(1).flatMap((id) => runFirst(id, modules) ?? []);
    expect(failed).toEqual([]);
  });

  const workspace = join(folder, 'workspace');
  mkdirSync(join(workspace, '.claude'), { recursive: true });
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'exit 0' }] }] };
  writeFileSync(join(workspace, '.claude/settings.json'), JSON.stringify({ hooks }));

  it.each([
    [['--version']],
    [['list']],
    [['trust']],
    [['explain', 'PreToolUse', 'Bash']],
    [['check']],
    [['fire', 'PreToolUse', '--trust-workspace']],
  ])('PK-24: %s reads what it uses, and no schemas, YAML or agent', (args) => {
    const read = filesReadBy(args, workspace);
    expect(read).toContain('start');
    expect(read.length).toBeLessThan(14);
    expect(read.filter((file) => ['zod', 'yaml', 'agent', 'live', 'minimatch'].includes(file))).toEqual([]);
  });

  it('PK-24: an answer to another host needs no schemas either, with approved hooks of a hookline.yaml', () => {
    const cwd = join(folder, 'bridged');
    mkdirSync(cwd);
    const guard = 'hooks: { PreToolUse: [{ matcher: Write, hooks: [{ type: command, command: exit 2 }] }] }';
    writeFileSync(join(cwd, 'hookline.yaml'), guard);
    filesReadBy(['trust', 'approve', '--yes'], cwd);
    const event = {
      hook_event_name: 'BeforeTool',
      tool_name: 'run_shell_command',
      tool_input: { command: 'ls' },
    };
    const read = filesReadBy(['hook', '--host', 'gemini'], cwd, JSON.stringify(event));
    expect(read).toContain('yaml');
    expect(read.filter((file) => ['zod', 'agent', 'minimatch'].includes(file))).toEqual([]);
  });
});
