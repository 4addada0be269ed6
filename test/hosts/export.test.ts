/** `hookline export`: the entries that it prints for ready guards refuse in each host, as processes without hookline. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Host, Json } from '../../src/dialects/host/host.js';
import { spellingFor } from '../../src/dialects/host/translate.js';
import { HOSTS } from '../../src/dialects/hosts.js';
import type { AnyEvent } from '../../src/index.js';
import { type Folder, folder as inProcess } from '../cli/support.js';
import { isTried } from '../support/matrix.js';
import { callOf, type Done, eventOf, host, readBy, run } from './support.js';

const GUARDS = ['secrets', 'destructive-shell', 'git'];

async function withGuards(): Promise<Folder> {
  const place = inProcess();
  place.write('.env', 'TOKEN=x');
  place.write('node_modules/.keep', '');
  symlinkSync(
    fileURLToPath(new URL('../../', import.meta.url)),
    join(place.workspace, 'node_modules', 'hookline'),
  );
  expect(await place.call(['add', ...GUARDS])).toMatchObject({ code: 0 });
  return place;
}

interface Exported {
  readonly lines: readonly string[];
  readonly cannot: readonly string[];
}

/** The command lines for an event, with the matchers that select a tool by its name. */
async function exported(place: Folder, own: Host, event: AnyEvent, tool: string) {
  const { name } = own;
  const spelling = spellingFor(own, event, tool) ?? own.spellings[0];
  const done = await place.call(['export', '--host', name, '--json']);
  const { config, cannot } = done.json<{
    config: { hooks: Readonly<Record<string, Json[]>> | readonly Json[] };
    cannot: string[];
  }>();
  const theirName = spelling.events[event]?.name ?? '';
  const { hooks } = config;
  const ofEvent = (all: readonly Json[]) => all.filter((entry) => entry['event'] === theirName);
  const entries = Array.isArray(hooks)
    ? ofEvent(hooks)
    : ((hooks as Record<string, Json[]>)[theirName] ?? []);
  const theirs = spelling.tools.find(({ ours }) => ours === tool)?.theirs ?? tool;
  const matching = entries.filter(
    ({ matcher }) => matcher === undefined || spelling.compileMatcher(String(matcher))(theirs),
  );
  const lines = matching.flatMap((entry) =>
    ((entry['hooks'] as Json[] | undefined) ?? [entry]).map((hook) => String(hook[own.commandKeys[0]])),
  );
  return { lines, cannot } satisfies Exported;
}

const start = (place: Folder, line: string, stdin: string): Promise<Done> =>
  run('/bin/sh', ['-c', line], place.workspace, stdin, { ...process.env, ...place.env });

const CASES = [
  ['secrets', 'Read', { file_path: '.env' }, { file_path: 'README.md' }],
  ['destructive-shell', 'Bash', { command: 'rm -rf /' }, { command: 'ls' }],
  ['git', 'Bash', { command: 'git push --force origin main' }, { command: 'git status' }],
] as const;

const casesThrough = (own: Host) =>
  CASES.filter((_, at) => isTried(at, CASES.length, HOSTS.indexOf(own), HOSTS.length));

it('HS-34 ready guards refuse what is hostile and let the rest through, in the words of every host', {
  timeout: 180_000,
}, async () => {
  const place = await withGuards();
  for (const own of HOSTS.filter(({ shape }) => shape !== 'own'))
    await Promise.all(
      casesThrough(own).map(async ([guard, tool, hostile, harmless]) => {
        const { lines, cannot } = await exported(place, own, 'PreToolUse', tool);
        expect(cannot.join('\n')).not.toMatch(/lets the tool run|does not hold/);
        const line = lines.find((each) => each.includes(`hooks/${guard}.mjs`)) ?? 'no entry';
        const refused = await start(place, line, callOf(own, tool, hostile));
        expect(readBy(own, refused).refuse, `${own.name} ${guard} ${JSON.stringify(refused)}`).toBeDefined();
        if (!own.refusesByExit) expect(JSON.parse(refused.stdout), own.name).toBeTypeOf('object');
        const passed = await start(place, line, callOf(own, tool, harmless));
        expect(passed, `${own.name} ${guard}`).toEqual({ stdout: '', stderr: '', exit: 0 });
      }),
    );
});

it('HS-34 they refuse when they are gone or cannot read their input, and hide a secret after a tool', {
  timeout: 60_000,
}, async () => {
  const place = await withGuards();
  for (const own of [host('copilot'), host('codex')]) {
    const { lines } = await exported(place, own, 'PostToolUse', 'Read');
    const call = { session_id: 's', cwd: place.workspace, tool_name: 'Read', tool_input: { file_path: 'a' } };
    const key = `npm_${'a1'.repeat(18)}`;
    const sent = eventOf(own, 'PostToolUse', { ...call, tool_use_id: 't', tool_response: `key ${key}` });
    const { replace } = readBy(own, await start(place, lines[0] ?? '', sent), 'PostToolUse');
    expect(replace, own.name).toContain('key ');
    expect(replace, own.name).not.toContain(key);
  }
  const codex = host('codex');
  const {
    lines: [line = ''],
  } = await exported(place, codex, 'PreToolUse', 'Bash');
  expect(readBy(codex, await start(place, line, '[')).refuse).toContain('cannot be read');
  const other = line.replace('HOOKLINE_HOST=codex', 'HOOKLINE_HOST=codecs');
  expect(readBy(codex, await start(place, other, callOf(codex, 'Bash'))).refuse).toContain(
    'There is no host',
  );
  const below = join(place.workspace, 'src/deep');
  mkdirSync(below, { recursive: true });
  const hostile = callOf(codex, 'Bash', { command: 'cat .env' });
  const fromBelow = await start({ ...place, workspace: below }, line, hostile);
  expect(readBy(codex, fromBelow).refuse, line).toContain('secrets');
  rmSync(join(place.workspace, 'hooks'), { recursive: true });
  expect(readBy(codex, await start(place, line, callOf(codex, 'Bash'))).refuse).toContain('could not answer');
});

it('HS-39 paths in the rules of a guard start from its project, wherever the session is', {
  timeout: 60_000,
}, async () => {
  const place = await withGuards();
  expect(await place.call(['add', 'protected-paths'])).toMatchObject({ code: 0 });
  const below = join(place.workspace, 'src/deep');
  mkdirSync(below, { recursive: true });
  for (const name of ['gemini', 'qwen', 'copilot', 'cursor', 'windsurf']) {
    const own = host(name);
    const { lines } = await exported(place, own, 'PreToolUse', 'Write');
    const line = lines.find((each) => each.includes('hooks/protected-paths.mjs')) ?? 'no entry';
    // The host calls the folder of its session the project.
    const from = { ...place, workspace: below, env: { ...place.env, ...own.environment(below, 's') } };
    const write = (file: string) => {
      const tool_input = { file_path: join(place.workspace, file), content: 'x' };
      const call = { session_id: 's', cwd: below, tool_name: 'Write', tool_input, tool_use_id: 't' };
      return start(from, line, eventOf(own, 'PreToolUse', call));
    };
    expect(readBy(own, await write('hookline.yaml')).refuse, name).toContain('protected');
    expect(readBy(own, await write('hooks/git.mjs')).refuse, name).toContain('protected');
    expect(readBy(own, await write('src/a.ts')).refuse, name).toBeUndefined();
  }
});

it('HS-23 says on which hosts another command sees nothing of a call, because its fields have other names', async () => {
  const place = inProcess();
  place.write(
    'hookline.yaml',
    'hooks: { PreToolUse: [{ hooks: [{ type: command, command: ./guard.sh }] }] }',
  );
  const said = async (name: string) =>
    (await place.call(['export', '--host', name, '--json'])).json<{ cannot: string[] }>().cannot.join('\n');
  expect(await said('openhands')).toContain('`tool_input.file_path`');
  // The spelling of Copilot CLI with our names for a shell line is the one that is exported.
  expect(await said('copilot')).not.toContain('`tool_input.command`');
  expect(await said('letta')).not.toContain('has other names');
  expect(await said('windsurf')).toContain('`tool_input.command`');
  expect(await said('kimi')).toContain('`tool_input.file_path`');
  expect(await said('codex')).not.toContain('`tool_input.command`');
});

it('HS-23 HS-34 a guard is told the timeout that stands beside it, in seconds', async () => {
  const place = await withGuards();
  for (const [name, timeout] of [
    ['codex', 10],
    ['gemini', 10_000],
    ['kimi', 10],
    ['openhands', 10],
  ] as const) {
    const { config } = (await place.call(['export', '--host', name, '--json'])).json<{ config: Json }>();
    const text = JSON.stringify(config);
    expect(text, name).toContain('HOOKLINE_HOST_TIMEOUT=10 ');
    expect(text, name).toContain(`"timeout":${timeout}`);
    expect(text, name).not.toContain('HOOKLINE_HOST_TIMEOUT=110');
  }
});

it('HS-23 what is left out is said: a condition, the order, a hook that is no command', async () => {
  const place = inProcess();
  const hooks = [{ type: 'command', command: 'true', if: 'Bash(git *)' }];
  place.write(
    '.claude/settings.json',
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks }] } }),
  );
  place.write(
    'hookline.yaml',
    [
      'hooks:',
      '  PreToolUse:',
      '    - last: true',
      '      hooks:',
      "        - { type: command, command: 'true' }",
      '        - { type: http, url: "http://127.0.0.1:1" }',
    ].join('\n'),
  );
  for (const name of ['codex', 'openhands', 'kimi']) {
    const done = await place.call(['export', '--host', name, '--json', '--trust-workspace']);
    const said = done.json<{ cannot: string[] }>().cannot.join('\n');
    expect(said, name).toContain('settings.json:1: the condition `Bash(git *)` is left out');
    expect(said, name).toContain('hookline.yaml:5: `last` is left out');
    expect(said, name).toContain('hookline.yaml:6: only commands for a shell can be exported');
  }
});
