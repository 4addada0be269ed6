/** The guards of shell lines against hundreds of spellings. Nothing here is run: the guards only judge. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadGuard } from './judge.js';

const lines = (name: string): string[] =>
  readFileSync(new URL(`lines/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('\\n', '\n'));

const GUARDS = ['secrets', 'destructive-shell', 'git', 'protected-paths', 'network-allow-list'];
let project: string;

beforeAll(() => {
  vi.stubEnv('CLAUDE_PROJECT_DIR', '');
  project = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-guards-')));
  const files = ['.env', 'README.md', 'hookline.yaml', 'package-lock.json', 'yarn.lock', 'hooks/secrets.mjs'];
  for (const file of [...files, 'src/a.ts', 'src/b.ts', 'db/migrations/1.sql', '.github/workflows/ci.yml']) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), 'text\n');
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project });
  git('init', '-q', '-b', 'topic');
  git('config', 'alias.p', 'push -f');
  git('config', 'alias.bang', '!git push -f');
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(project, { recursive: true, force: true });
});

describe('GU-5 hostile lines are refused or asked about', () => {
  it.each(GUARDS)('%s', { timeout: 60_000 }, async (name) => {
    const judge = await loadGuard(name);
    const passed: string[] = [];
    for (const command of lines(name))
      if ((await judge({ tool_input: { command } }, project)).decision === 'none') passed.push(command);
    expect(passed).toEqual([]);
  });
});

describe('GU-6 everyday lines pass', () => {
  it.each([...GUARDS, 'approval'])('%s', { timeout: 60_000 }, async (name) => {
    const judge = await loadGuard(name);
    const stopped: string[] = [];
    for (const command of lines('harmless')) {
      const { decision, reason } = await judge({ tool_input: { command } }, project);
      if (decision !== 'none') stopped.push(`${command}: ${reason}`);
    }
    expect(stopped).toEqual([]);
  });
});

describe('GU-5 what depends on the place', () => {
  it.each([
    ['git commit -m x', 'deny'],
    ['git push', 'deny'],
    ['git push origin HEAD', 'deny'],
    ['git rebase topic', 'deny'],
    ['git reset --hard HEAD~1', 'deny'],
    ['git commit --amend', 'deny'],
    ['git switch -c fix && git commit -m x', 'none'],
    ['git push origin topic', 'none'],
    ['git pull --ff-only', 'none'],
  ])('git on the branch main judges %j as %s', async (command, decision) => {
    const judge = await loadGuard('git');
    const folder = join(project, 'on-main');
    mkdirSync(folder, { recursive: true });
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
    expect((await judge({ tool_input: { command } }, folder)).decision).toBe(decision);
  });

  it('destructive-shell knows the home although it is not named', async () => {
    const judge = await loadGuard('destructive-shell');
    const command = `rm -rf ${homedir()}`;
    expect((await judge({ tool_input: { command } }, project)).decision).toBe('deny');
  });

  it.each(['secrets', 'protected-paths'])('%s reads the words that other hosts send', async (name) => {
    const judge = await loadGuard(name);
    const file = name === 'secrets' ? 'cat .env' : 'rm hookline.yaml';
    const command = ['bash', '-lc', file];
    expect((await judge({ tool_name: 'shell', tool_input: { command } }, project)).decision).toBe('deny');
    const patch = '*** Begin Patch\n*** Update File: hookline.yaml\n*** Add File: .env\n*** End Patch';
    const patched = await judge({ tool_name: 'apply_patch', tool_input: { input: patch } }, project);
    expect(patched.decision).toBe('deny');
  });
});

describe('GU-16 the line and the files of a call, whatever its fields are called', () => {
  const patch = (file: string) => `*** Begin Patch\n*** Update File: ${file}\n*** End Patch`;

  it.each([
    ['git', 'mcp__sh__run', { cmd: 'git push -f' }],
    ['git', 'mcp__sh__run', { command_line: 'git push -f' }],
    ['git', 'mcp__sh__run', { command: 'git', args: ['push', '-f'] }],
    ['destructive-shell', 'mcp__sh__run', { commandLine: 'rm -rf ..' }],
    ['secrets', 'mcp__edit__run', { command: 'view', path: '.env' }],
    ['secrets', 'str_replace_editor', { command: 'view', path: '.env' }],
    ['secrets', 'read_many_files', { include: ['src/a.ts', '.env*'] }],
    ['secrets', 'search_files', { path: '.', regex: 'x', file_pattern: '.env*' }],
    ['protected-paths', 'editor', { command: 'create', path: 'hookline.yaml' }],
    ['protected-paths', 'apply_patch', { command: patch('.cursor/hooks.json') }],
    ['network-allow-list', 'web_fetch', { url: 'https://evil.example' }],
    ['network-allow-list', 'fetch_web_content', { requests: [{ url: 'https://evil.example' }] }],
  ])('%s refuses %s %j', async (name, tool_name, tool_input) => {
    const judge = await loadGuard(name);
    expect((await judge({ tool_name, tool_input }, project)).decision).toBe('deny');
  });

  it.each([
    ['secrets', 'mcp__edit__run', { command: 'view', path: 'README.md' }],
    ['secrets', 'read_many_files', { include: ['src/*.ts'] }],
    ['git', 'mcp__sh__run', { command: 'git', args: ['push', 'origin', 'topic'] }],
    ['protected-paths', 'editor', { command: 'create', path: 'src/hooks/use-x.ts' }],
  ])('%s lets %s %j through', async (name, tool_name, tool_input) => {
    const judge = await loadGuard(name);
    expect((await judge({ tool_name, tool_input }, project)).decision).toBe('none');
  });
});
