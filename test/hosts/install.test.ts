/** `install`, `status` and `uninstall` on a home and a project with hand-written configurations of every host. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, describe, expect, it } from 'vitest';
import { HOSTS } from '../../src/dialects/hosts.js';
import { withEntries, withoutEntries } from '../../src/hosts/install/edit.js';
import { entriesOf } from '../../src/hosts/install/entry.js';
import { type Folder, host, makeFolder } from './support.js';

/** Comments, odd indentation, trailing commas, Windows line ends, hooks of others, no end of line. */
const WRITTEN: Readonly<Record<string, readonly [path: string, text: string]>> = {
  gemini: [
    '.gemini/settings.json',
    '{\n    // mine\n    "theme": "dark", /* keep */\n    "hooks": {\n        "BeforeTool": [\n            { "matcher": "write_file", "hooks": [{ "type": "command", "command": "true" }] } // last\n        ]\n    }\n}\n',
  ],
  codex: [
    '.codex/hooks.json',
    '{"description":"ours","hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}',
  ],
  qwen: ['.qwen/settings.json', '{\r\n\t"hooks": {},\r\n\t"ui": { "theme": "x" }\r\n}\r\n'],
  copilot: ['.copilot/hooks/team.json', '{ "version": 1, "hooks": { "preToolUse": [] } }\n'],
  cursor: [
    '.cursor/hooks.json',
    '{\n  "version": 1, // keep\n  "hooks": {\n    "stop": [{ "command": "true" },],\n  },\n}',
  ],
  windsurf: [
    '.codeium/windsurf/hooks.json',
    '{ "hooks": { "pre_run_command": [ { "command": "true", "show_output": true } ] } }',
  ],
  letta: [
    '.letta/settings.json',
    '{\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }] },\n  "pinnedAgents": []\n}',
  ],
  kimi: ['.kimi-code/config.toml', 'model = "x"\n\n[[hooks]]\nevent = "Stop"\ncommand = "true"\n'],
  openhands: ['.openhands/hooks.json', '{\n  "stop": [{ "hooks": [{ "command": "true" }] }]\n}\n'],
  iflow: [
    '.iflow/settings.json',
    '{ // mine\r\n  "theme": "x", /* y */\r\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }] }\r\n}',
  ],
  abacus: ['.abacusai/config.json', '{\n\t"hooks" : {"PreToolUse":[]},\n\t"disableAllHooks": false\n}'],
  firebender: ['.firebender/hooks.json', '{"version":1,"hooks":{"stop":[{"command":"true"}]}}\n'],
  factory: ['.factory/settings.json', '\n\n{\n   "hooks" : { },\n   "model":"x"}\n'],
};

const ALL = HOSTS.map(({ name }) => name).flatMap((name) => ['--host', name]);

const folders: Folder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function withFiles(): Folder {
  const folder = makeFolder();
  folders.push(folder);
  for (const [path, text] of Object.values(WRITTEN)) {
    mkdirSync(dirname(join(folder.home, path)), { recursive: true });
    writeFileSync(join(folder.home, path), text);
  }
  return folder;
}

const contents = (folder: Folder) =>
  Object.values(WRITTEN).map(([path]) => readFileSync(join(folder.home, path), 'utf8'));

describe('installing for every host', () => {
  it('HS-14 HS-15 keeps what is there, proves the entry, changes nothing the second time, and is undone byte by byte', async () => {
    const folder = withFiles();
    const before = contents(folder);
    const dry = await folder.hookline(['install', ...ALL, '--user', '--dry-run']);
    expect(dry.stdout).toContain('+');
    expect(contents(folder)).toEqual(before);

    const installed = await folder.hookline(['install', ...ALL, '--user']);
    expect(installed.exit, installed.stderr).toBe(0);
    expect(installed.stdout.match(/a call that must be refused was refused/g)).toHaveLength(HOSTS.length);
    const after = contents(folder);
    // Every line that was there is there, in order.
    for (const [index, text] of before.entries())
      expect(strays(text, after[index] ?? ''), WRITTEN[Object.keys(WRITTEN)[index] ?? '']?.[0]).toEqual([]);

    await folder.hookline(['install', ...ALL, '--user']);
    expect(contents(folder)).toEqual(after);
    const status = JSON.parse((await folder.hookline(['status', '--json'])).stdout);
    const states = status.hosts.map(
      ({ host: name, scopes }: { host: string; scopes: { state: string }[] }) => [name, scopes[0]?.state],
    );
    expect(states).toEqual(HOSTS.map(({ name }) => [name, 'intact']));

    const removed = await folder.hookline(['uninstall', ...ALL, '--user']);
    expect(removed.exit, removed.stderr).toBe(0);
    expect(contents(folder)).toEqual(before);
    for (const made of ['.copilot/hooks/hookline.json', '.config', 'Documents'])
      expect(existsSync(join(folder.home, made)), made).toBe(false);
  });

  it('HS-16 after other changes to the file, only our entries go', async () => {
    const folder = withFiles();
    const file = join(folder.home, '.gemini/settings.json');
    await folder.hookline(['install', '--host', 'gemini', '--user']);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"dark"', '"light"'));
    await folder.hookline(['uninstall', '--host', 'gemini', '--user']);
    const left = readFileSync(file, 'utf8');
    expect(parse(left)).toEqual(parse(WRITTEN['gemini']?.[1].replace('"dark"', '"light"') ?? ''));
    expect(left).toContain('// mine');
  });

  it('HS-17 status says when an entry was changed, and a file that cannot be read is not touched', async () => {
    const folder = withFiles();
    const file = join(folder.home, '.qwen/settings.json');
    await folder.hookline(['install', '--host', 'qwen', '--user']);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"timeout": 660000', '"timeout": 5'));
    const status = await folder.hookline(['status', '--host', 'qwen']);
    expect(status.exit).toBe(1);
    expect(status.stdout).toContain('missing or changed: PreToolUse');
    writeFileSync(file, '{ broken');
    const broken = await folder.hookline(['install', '--host', 'qwen', '--user']);
    expect(broken.exit).toBe(78);
    expect(readFileSync(file, 'utf8')).toBe('{ broken');
  });

  it('HS-18 an entry that cannot start fails the installation, and refuses', async () => {
    const folder = withFiles();
    const args = ['install', '--host', 'codex', '--project', '--command', './no-such-hookline'];
    const done = await folder.hookline(args);
    expect(done.exit).toBe(1);
    expect(done.stderr).toContain('the installed entry does not work');
    expect(readFileSync(join(folder.project, '.codex/hooks.json'), 'utf8')).toContain('exit 2');
  });

  it('HS-19 writes timeouts in the unit of the host, below which the bridge answers', () => {
    const timeouts = ['gemini', 'codex', 'qwen', 'copilot'].map(host).map((each) => {
      const [entry] = entriesOf(each, { line: 'hookline' });
      return JSON.stringify(entry?.written).match(/"timeout(?:Sec)?":(\d+)/)?.[1];
    });
    expect(timeouts).toEqual(['660000', '660', '660000', '660']);
    const end = entriesOf(host('codex'), { line: 'hookline' }).find(({ event }) => event === 'SessionEnd');
    expect(JSON.stringify(end?.written)).toContain('"timeout":3');
  });

  it.each(
    HOSTS.filter(({ shape }) => shape !== 'list' && shape !== 'own').map(
      (each) => [each.name, each] as const,
    ),
  )('HS-20 %s: entries that are added and removed leave the text as it was', (_name, each) => {
    for (const text of ['{}\n', '{ "hooks": {} }', '{\n  "a": 1, // b\n  "hooks": { "Other": [] }\n}\n']) {
      const added = withEntries(each, text, entriesOf(each, { line: 'hookline' }));
      expect(withEntries(each, added, entriesOf(each, { line: 'hookline' }))).toBe(added);
      const { hooks: left = {}, ...rest } = parse(withoutEntries(each, added));
      const { hooks: before = {}, ...others } = parse(text);
      expect([left, rest]).toEqual([before, others]);
    }
  });
});

/** Lines of the old text that the new one lacks, up to a comma that an addition needs. */
function strays(old: string, now: string): string[] {
  const lines = now.split(/\r?\n/).map((line) => line.replaceAll(/,\s*(?=\/\/|$)/g, ' ').trimEnd());
  const whole = now.replaceAll(/\s/g, '');
  return old
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/,\s*(?=\/\/|$)/g, ' ').trimEnd())
    .filter(
      (line) => !lines.includes(line) && !whole.includes(line.replaceAll(/\s/g, '').replace(/[}\]]*$/, '')),
    );
}
