import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { onlyReads, pathArguments } from '../../src/injection/hooks/path-arguments.js';
import { createPathGuard, type PathGuardOptions } from '../../src/injection/hooks/path-guard.js';
import { bash, makeRunner, refusalOf } from '../support/runner.js';

/** A workspace that may be written, a library that may be read, and a secret outside of both. */
function makePlaces(options: Partial<PathGuardOptions> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-guard-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [workspace, library, outside] = ['workspace', 'library', 'outside'].map((name) =>
    join(root, name),
  ) as [string, string, string];
  for (const folder of [workspace, library, outside]) mkdirSync(folder);
  writeFileSync(join(outside, 'secret'), '');
  writeFileSync(join(workspace, 'a.ts'), '');
  const { runner } = makeRunner({ cwd: workspace });
  createPathGuard({ places: [{ path: workspace, write: true }, { path: library }], ...options }).register(
    runner,
  );
  return {
    root,
    workspace,
    library,
    outside,
    runner,
    call: (tool_name: string, tool_input: unknown) =>
      runner.fire('PreToolUse', { ...bash(), tool_name, tool_input }),
    async decide(tool_name: string, tool_input: unknown) {
      return (await runner.fire('PreToolUse', { ...bash(), tool_name, tool_input })).decision;
    },
  };
}

describe('the path guard', () => {
  it('IJ-56: reading is allowed in every place, writing only where it is said', async () => {
    const { workspace, library, outside, decide, call } = makePlaces();
    expect(await decide('Read', { file_path: join(workspace, 'a.ts') })).toBeUndefined();
    expect(await decide('Read', { file_path: join(library, 'b.ts') })).toBeUndefined();
    expect(await decide('Write', { file_path: join(workspace, 'new/deep/c.ts') })).toBeUndefined();
    expect(await decide('Write', { file_path: workspace })).toBeUndefined();
    expect(await call('Write', { file_path: join(library, 'b.ts') })).toMatchObject({
      decision: 'deny',
      reason: `Write is refused: file_path is "${join(library, 'b.ts')}", which is read-only; for writing, allowed: ${workspace}.`,
    });
    expect(await call('Read', { file_path: join(outside, 'secret') })).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining(
        `which is outside the allowed places; allowed: ${workspace}, ${library}`,
      ),
    });
  });

  it('IJ-56: relative paths begin at the agent’s folder, and cannot climb out of it', async () => {
    const { decide } = makePlaces();
    expect(await decide('Write', { file_path: 'src/x.ts' })).toBeUndefined();
    expect(await decide('Write', { file_path: 'src/../../workspace/x.ts' })).toBeUndefined();
    expect(await decide('Write', { file_path: '../outside/x.ts' })).toBe('deny');
    expect(await decide('Read', { file_path: '../workspace2/x.ts' })).toBe('deny');
  });

  const arguments_: readonly (readonly [string, string, (path: string) => unknown])[] = [
    ['an absolute path of an MCP tool', 'mcp__fs__read_file', (path) => ({ absolutePath: path })],
    ['a list of paths', 'read_many_files', (path) => ({ paths: ['a.ts', path] })],
    ['a folder', 'list_directory', (path) => ({ directory: path })],
    ['the folder of a shell', 'run_shell_command', (path) => ({ command: 'ls', dir_path: path })],
    ['a path within a list of edits', 'MultiEdit', (path) => ({ edits: [{ file_path: path }] })],
    ['where something is moved to', 'move_file', (path) => ({ source: 'a.ts', destination: path })],
    ['a pattern of Glob', 'Glob', (path) => ({ pattern: `${path}/*` })],
    ['a notebook', 'NotebookEdit', (path) => ({ notebook_path: path })],
    ['an address of a file', 'Read', (path) => ({ file_path: pathToFileURL(path).href })],
  ];
  it.each(arguments_)('IJ-56: %s is looked at', async (_what, tool, input) => {
    const { outside, workspace, decide } = makePlaces();
    expect(await decide(tool, input(join(outside, 'secret')))).toBe('deny');
    expect(await decide(tool, input(join(workspace, 'a.ts')))).toBeUndefined();
  });

  it('IJ-56: what is no path is left alone', async () => {
    const { decide } = makePlaces();
    for (const input of [
      { url: 'https://example.com/etc' },
      { target: 'https://example.com' },
      { command: 'cat /etc/passwd' },
      { pattern: '/api/v1' },
      { content: '/etc/passwd' },
      { file_path: 7 },
      {},
      null,
      'text',
    ]) {
      expect(await decide('Fetch', input), JSON.stringify(input)).toBeUndefined();
    }
  });

  it('IJ-56: a tool only reads when its name says so and nothing else', () => {
    for (const tool of [
      'Read',
      'mcp__fs__read_text_file',
      'listDirectory',
      'Grep',
      'mcp__write__get_info',
      'Glob',
    ]) {
      expect(onlyReads(tool), tool).toBe(true);
    }
    for (const tool of [
      'Write',
      'read_and_update',
      'mcp__read__delete_file',
      'Frobnicate',
      'Bash',
      'createFile',
      '',
    ]) {
      expect(onlyReads(tool), tool).toBe(false);
    }
  });

  it('IJ-56: which arguments are paths, and which tools only read, can be said', async () => {
    const { library, outside, decide } = makePlaces({
      pathsOf: (_tool, input) => [{ key: 'where', path: (input as { where: string }).where }],
      onlyReads: (tool) => tool === 'Peek',
    });
    expect(await decide('Peek', { where: library, file_path: outside })).toBeUndefined();
    expect(await decide('Read', { where: library })).toBe('deny');
  });

  it('IJ-57: links are followed, also those that lead to nothing yet', async () => {
    const { workspace, outside, decide } = makePlaces();
    symlinkSync(outside, join(workspace, 'folder'));
    symlinkSync(join(outside, 'secret'), join(workspace, 'file'));
    symlinkSync(join(outside, 'not-there'), join(workspace, 'dangling'));
    symlinkSync('dangling', join(workspace, 'twice'));
    symlinkSync('loop', join(workspace, 'loop'));
    symlinkSync('a.ts', join(workspace, 'fine'));
    symlinkSync('later.ts', join(workspace, 'fine-later'));
    for (const name of [
      'folder/secret',
      'folder/new',
      'file',
      'dangling',
      'twice',
      'loop',
      'folder/../../outside/secret',
    ]) {
      expect(await decide('Write', { file_path: name }), name).toBe('deny');
    }
    for (const name of ['fine', 'fine-later'])
      expect(await decide('Write', { file_path: name }), name).toBeUndefined();
  });

  it('IJ-57: a place that is a link means where it leads', async () => {
    const { root, workspace, decide } = makePlaces();
    const alias = join(root, 'alias');
    symlinkSync(workspace, alias);
    const { runner } = makeRunner();
    createPathGuard({ places: [{ path: alias, write: true }] }).register(runner);
    const fire = (file_path: string) =>
      runner.fire('PreToolUse', { ...bash(), tool_name: 'Write', tool_input: { file_path } });
    expect((await fire(join(workspace, 'x'))).decision).toBeUndefined();
    expect((await fire(join(alias, 'x'))).decision).toBeUndefined();
    expect(await decide('Write', { file_path: join(alias, 'x') })).toBeUndefined();
  });

  it('IJ-57: paths that hide where they lead are refused', async () => {
    const { decide } = makePlaces();
    for (const path of [
      'a.ts\0/etc',
      '~',
      '~/x',
      `${homedir()}/x`,
      'file:///etc/passwd',
      'file://host/share',
      `${'x/'.repeat(5000)}y`,
    ]) {
      expect(await decide('Read', { file_path: path }), path.slice(0, 20)).toBe('deny');
    }
  });

  it('IJ-57: a guard that fails refuses', async () => {
    const { call } = makePlaces({
      pathsOf: () => {
        throw new Error('broken');
      },
    });
    expect(await call('Read', {})).toMatchObject({
      decision: 'deny',
      failures: [{ name: 'path-guard', blocked: true }],
    });
  });

  it('IJ-57: a place that is no absolute path is refused at once', async () => {
    for (const path of ['workspace', '', undefined]) {
      const { code } = await refusalOf(() => createPathGuard({ places: [{ path: path as string }] }));
      expect(code).toBe('invalid_option');
    }
  });

  it('IJ-56: data that is nested without end is looked at to a bound', () => {
    let deep: unknown = { file_path: '/etc' };
    for (let i = 0; i < 10_000; i++) deep = { inner: deep };
    expect(pathArguments('Read', deep)).toEqual([]);
  });
});
