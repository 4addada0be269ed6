/** Files of every host as people write them: edited without loss, or refused with the reason and left alone. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { afterEach, describe, expect, it } from 'vitest';
import type { Host } from '../../src/dialects/host/host.js';
import { jsonProblem } from '../../src/dialects/host/json-rules.js';
import { loadHostConfig } from '../../src/dialects/host/load.js';
import { HOSTS, hostNamed } from '../../src/dialects/hosts.js';
import { editProblem, withEntries, withoutEntries } from '../../src/hosts/install/edit.js';
import { entriesOf } from '../../src/hosts/install/entry.js';
import { planInstall, planUninstall } from '../../src/hosts/install/install.js';
import { installFile } from '../../src/hosts/install/place.js';
import { type Folder, makeFolder } from './support.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The file of a host in a new project; `content` null: none. */
function fileWith(host: Host, content: string | Buffer | null) {
  const project = mkdtempSync(join(tmpdir(), 'hookline-written-'));
  folders.push(project);
  const file = installFile(host, 'project', project);
  mkdirSync(dirname(file), { recursive: true });
  if (content !== null) writeFileSync(file, content);
  const plan = async () => {
    const [change] = await planInstall(host, 'project', project, { line: 'hookline' });
    return { after: change?.after };
  };
  return { project, file, plan };
}

const GROUP = '{ "hooks": [{ "type": "command", "command": "true" }] }';

/** EV stands for the host's event before a tool. */
const PLAIN = {
  'an empty object': '{}',
  'an empty object with hooks': '{ "hooks": {} }\n',
  'one line': `{"hooks":{"EV":[${GROUP}]}}`,
  'odd indentation': `{\n       "hooks":\n  {\n "EV":[${GROUP}]}}`,
  'tabs and Windows line ends': '{\r\n\t"hooks": {\r\n\t\t"EV": [\r\n\t\t]\r\n\t}\r\n}\r\n',
  'old line ends': '{\r"hooks": {\r}\r}',
  'items that are no hooks': '{ "hooks": { "EV": ["x", null, 3] } }',
  'text in many alphabets': '{ "description": "\\u0000 é 😀", "hooks": {} }\n',
};
const COMMENTED = {
  'comments everywhere': `// head\n/* h2 */ {\n // in\n "hooks" /* k */ : /* v */ {\n  // first\n  "EV": [ // open\n   ${GROUP} /* after */ // last\n   // behind\n  ] // end\n  // more\n } // x\n}\n// tail`,
  'comments with brackets': `{ /* } { */ "description": "}", "hooks": { "EV": [ ${GROUP} /* ] */ ] } }`,
};
const COMMAS = {
  'trailing commas': `{\n  "hooks": {\n    "EV": [\n      ${GROUP},\n    ],\n  },\n}\n`,
};
/** Keys beside the events: some hosts ignore a file with one. */
const STRAY = { 'a property of objects': '{ "hooks": { "__proto__": [] } }' };
const BROKEN: Readonly<Record<string, string | Buffer>> = {
  'a byte order mark': '\ufeff{ "hooks": {} }',
  'an array': '[]',
  null: 'null',
  'no JSON': '{ broken',
  'hooks that are null': '{ "hooks": null }',
  'hooks that are a list': '{ "hooks": [] }',
  'an event that is no list': '{ "hooks": { "EV": {} } }',
  'hooks twice': '{ "hooks": {}, "hooks": {} }',
  'an event twice': '{ "hooks": { "EV": [], "EV": [] } }',
  'other bytes': Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  'UTF-16': Buffer.from('\ufeff{}', 'utf16le'),
};

const eventOf = (host: Host): string => host.spellings[0].events['PreToolUse']?.name ?? '';
const filled = (host: Host, text: string): string => text.replaceAll('EV', eventOf(host));

const JSON_HOSTS = HOSTS.filter(({ shape }) => shape !== 'list' && shape !== 'own');

describe.each(JSON_HOSTS.map((host) => [host.name, host] as const))(
  'hand-written files of %s',
  (_name, host) => {
    const { comments, trailingCommas, onlyEvents } = host.json;
    const good = {
      ...PLAIN,
      ...(!onlyEvents && STRAY),
      ...(comments && COMMENTED),
      ...(trailingCommas && COMMAS),
    };
    const bad = {
      ...BROKEN,
      ...(onlyEvents && STRAY),
      ...(!comments && COMMENTED),
      ...(!trailingCommas && COMMAS),
    };

    it.each(Object.entries(good))(
      'HS-20 %s: entries come and go, everything else stays',
      async (_what, text) => {
        const written = filled(host, text);
        const { file, plan } = fileWith(host, written);
        const { after } = await plan();
        writeFileSync(file, after ?? '');
        expect(jsonProblem(host, after ?? '')).toBeUndefined();
        expect((await plan()).after).toBe(after);
        const left = withoutEntries(host, after ?? '');
        expect(jsonProblem(host, left)).toBeUndefined();
        const withoutEmpty = (value: Record<string, unknown>) => {
          const { hooks = {}, ...rest } = value as { hooks?: Record<string, unknown[]> };
          return { ...rest, hooks: Object.entries(hooks).filter(([, list]) => list.length > 0) };
        };
        expect(withoutEmpty(parse(left))).toEqual(withoutEmpty(parse(written)));
        for (const comment of written.match(/\/\/[^\n]*|\/\*.*?\*\//g) ?? []) expect(left).toContain(comment);
      },
    );

    it.each(Object.entries(bad))('HS-26 %s: refused, and not touched', async (_what, content) => {
      const written = typeof content === 'string' ? Buffer.from(filled(host, content)) : content;
      const { file, plan } = fileWith(host, written);
      await expect(plan()).rejects.toThrow(/cannot be edited: .+ Repair it first; nothing was changed\./);
      expect(readFileSync(file).equals(written)).toBe(true);
    });

    it.each([
      ['missing', null],
      ['empty', ''],
      ['blank', ' \n\n'],
    ])('HS-20 a file that is %s gets our entries alone', async (_what, content) => {
      const { plan } = fileWith(host, content);
      const { after } = await plan();
      expect(Object.keys(parse(after ?? '').hooks)).toContain(eventOf(host));
    });

    it('HS-26 a folder, or a link to nothing, is refused', async () => {
      const { file, plan, project } = fileWith(host, null);
      symlinkSync('nowhere.json', file);
      await expect(plan()).rejects.toThrow(/is a link to nowhere\.json, which does not exist/);
      rmSync(file);
      mkdirSync(file);
      await expect(plan()).rejects.toThrow(/cannot be edited/);
      await expect(planUninstall(host, 'project', project)).rejects.toThrow(/cannot be edited/);
    });
  },
);

describe('hand-written files of Kimi Code CLI', () => {
  const kimi = hostNamed('kimi');
  const entries = entriesOf(kimi, { line: `'a b' "c" \\ hookline` });
  const own = '[[hooks]] # mine\nevent = "Stop"\ncommand = """\n[x]\ntrue"""\n';

  it.each([
    ['nothing', ''],
    ['a key', 'model = "x"'],
    ['a hook of others', `model = "x"\n\n${own}`],
    ['a table behind', `${own}\n# before b\n[b]\nc = 1 # d\n\n\n# end\n`],
    ['Windows line ends', 'a = 1\r\n\r\n[[hooks]]\r\nevent = "Stop"\r\ncommand = "true"\r\n'],
  ])('HS-20 %s: entries come and go, everything else stays', (_what, text) => {
    const after = withEntries(kimi, text, entries);
    expect(after.startsWith(text)).toBe(true);
    expect(withEntries(kimi, after, entries)).toBe(after);
    expect(editProblem(kimi, after)).toBeUndefined();
    const { hooks } = parseToml(after) as { hooks: { event: string }[] };
    expect(hooks).toEqual(expect.arrayContaining(entries.map(({ written }) => written)));
    // A missing end of the last line is all that may be added.
    expect(withoutEntries(kimi, after)).toMatch(/\n$|^$/);
    expect(withoutEntries(kimi, after).replace(/\r?\n$/, '')).toBe(text.replace(/\r?\n$/, ''));
    const changed = after.replace(/timeout = \d+/, 'timeout = 5');
    const repaired = withEntries(kimi, changed, entries);
    expect(repaired).not.toBe(changed);
    expect((parseToml(repaired) as { hooks: unknown[] }).hooks).toHaveLength(hooks.length);
  });

  it.each([
    ['no TOML', 'a = '],
    ['an empty list of its own', 'hooks = []'],
    ['a list of its own', 'hooks = [{ event = "Stop", command = "true" }]'],
    ['hooks that are no list', '[hooks]\na = 1'],
  ])('HS-26 %s: refused', (_what, text) => {
    expect(editProblem(kimi, text)?.message).toBeTruthy();
  });

  it('HS-14 HS-15 is installed for the user alone, and restored', async () => {
    const folder = makeFolder();
    try {
      const file = join(folder.home, '.kimi-code/config.toml');
      mkdirSync(dirname(file));
      writeFileSync(file, own);
      const call = (...args: string[]) => folder.call([...args, '--host', 'kimi']);
      expect((await call('install', '--yes')).stderr).toContain(
        'reads no hooks from a project. Give --user.',
      );
      const loaded = await loadHostConfig(kimi, { cwd: folder.project, home: folder.home });
      expect(loaded.groups.map(({ event }) => event)).toEqual(['Stop']);
      // The canary is in install.test.ts: it is a process.
      await call('install', '--user', '--yes', '--command', '/no-such-hookline');
      const { hooks } = parseToml(readFileSync(file, 'utf8')) as { hooks: unknown[] };
      expect(hooks).toHaveLength(1 + entries.length);
      const status = JSON.parse((await call('status', '--json')).stdout);
      expect(status.hosts[0].scopes).toMatchObject([{ scope: 'user', state: 'intact' }]);
      await call('uninstall', '--user', '--yes');
      expect(readFileSync(file, 'utf8')).toBe(own);
    } finally {
      folder.remove();
    }
  });
});

/** What OpenHands reads: events with or without `hooks` around them, each under one of two names. */
describe('files of OpenHands', () => {
  const openhands = hostNamed('openhands');

  it.each([
    ['events at the top', `{ "stop": [${GROUP}] }`, ['stop', 'pre_tool_use']],
    ['the other name of an event', `{ "PreToolUse": [${GROUP}] }`, ['PreToolUse', 'stop']],
    ['the other name, within `hooks`', `{ "hooks": { "PreToolUse": [${GROUP}] } }`, ['PreToolUse', 'stop']],
  ])('HS-20 %s: entries are added where the file has its events', async (_what, text, names) => {
    const { file, plan } = fileWith(openhands, text);
    const after = (await plan()).after ?? '';
    writeFileSync(file, after);
    const { hooks = parse(after) } = parse(after);
    expect(jsonProblem(openhands, after)).toBeUndefined();
    expect(Object.keys(hooks)).toEqual(expect.arrayContaining(names));
    expect(Object.keys(hooks)).toHaveLength(6);
    expect(hooks[names[0] ?? ''].length).toBe(2);
    expect((await plan()).after).toBe(after);
    expect(parse(withoutEntries(openhands, after))).toEqual(parse(text));
  });

  it.each([
    ['an event under two names', `{ "stop": [], "Stop": [] }`, /has Stop under two names/],
    ['an unknown event', `{ "hooks": { "Notification": [] } }`, /does not know `Notification`/],
  ])('HS-26 %s: refused, and its hooks count as lost', async (_what, text, problem) => {
    const { project, plan } = fileWith(openhands, text);
    await expect(plan()).rejects.toThrow(problem);
    const { diagnostics } = await loadHostConfig(openhands, { cwd: project, home: project });
    expect(diagnostics).toMatchObject([{ code: 'broken_file', message: expect.stringMatching(problem) }]);
  });

  it('HS-2 the file of the user counts only where the project has none', async () => {
    const { project, file } = fileWith(openhands, `{ "stop": [${GROUP}] }`);
    const home = mkdtempSync(join(tmpdir(), 'hookline-written-'));
    folders.push(home);
    mkdirSync(join(home, '.openhands'));
    writeFileSync(join(home, '.openhands/hooks.json'), `{ "session_end": [${GROUP}] }`);
    const events = async () =>
      (await loadHostConfig(openhands, { cwd: project, home })).groups.map(({ event }) => event);
    expect(await events()).toEqual(['Stop']);
    rmSync(file);
    expect(await events()).toEqual(['SessionEnd']);
  });

  it('HS-2 a matcher on an event without a tool never matches', async () => {
    const text = `{ "stop": [{ "matcher": "terminal", "hooks": [{ "command": "true" }] }] }`;
    const { project } = fileWith(openhands, text);
    const at = { cwd: project, home: project, trust: 'workspace' } as const;
    const { diagnostics } = await loadHostConfig(openhands, at);
    expect(diagnostics).toMatchObject([{ code: 'bad_matcher' }]);
  });
});

describe('install and uninstall', () => {
  const made: Folder[] = [];
  afterEach(() => {
    for (const folder of made.splice(0)) folder.remove();
  });

  it('HS-15 a link stays a link, and the file behind it is restored', async () => {
    const folder = makeFolder();
    made.push(folder);
    const text = '{ "theme": "dark" } // mine\n';
    mkdirSync(join(folder.home, '.gemini'));
    mkdirSync(join(folder.home, 'dotfiles'));
    writeFileSync(join(folder.home, 'dotfiles/gemini.json'), text);
    symlinkSync('../dotfiles/gemini.json', join(folder.home, '.gemini/settings.json'));
    const done = await folder.hookline(['install', '--host', 'gemini', '--user', '--yes']);
    expect(done.exit, done.stderr).toBe(0);
    expect(readFileSync(join(folder.home, 'dotfiles/gemini.json'), 'utf8')).toContain('hook --host gemini');
    await folder.hookline(['uninstall', '--host', 'gemini', '--user', '--yes']);
    expect(readFileSync(join(folder.home, 'dotfiles/gemini.json'), 'utf8')).toBe(text);
    expect(lstatSync(join(folder.home, '.gemini/settings.json')).isSymbolicLink()).toBe(true);
  });

  it('HS-14 `--host all` names the hosts of this machine that were not tried, and how to add them', async () => {
    const folder = makeFolder();
    made.push(folder);
    for (const name of ['.openhands', '.kimi-code', '.gemini']) mkdirSync(join(folder.home, name));
    const { stdout, stderr } = await folder.call(['install', '--host', 'all', '--dry-run']);
    expect(stderr).not.toContain('--host gemini');
    expect(stdout).toContain('hook --host gemini');
    expect(stdout).not.toMatch(/hook --host (?:openhands|kimi)/);
    expect(stderr).toContain('hookline install --host openhands --project');
    expect(stderr).toContain('hookline install --host kimi --user');
    expect(stderr).not.toContain('--host factory');
    expect((await folder.call(['install', '--host', 'codex', '--dry-run'])).stderr).not.toContain(
      'openhands',
    );
  });

  it('HS-15 uninstall names what is left for the other scope, and nothing else', async () => {
    const folder = makeFolder();
    made.push(folder);
    const call = (...args: string[]) => folder.call([...args, '--host', 'gemini', '--yes']);
    for (const scope of ['--user', '--project']) await call('install', scope, '--command', '/no-such');
    expect((await call('uninstall', '--project')).stderr).toContain('still has entries for the user in');
    await call('install', '--project', '--command', '/no-such');
    expect((await call('uninstall', '--user')).stderr).toContain(
      'hookline uninstall --host gemini --project',
    );
    expect((await call('uninstall', '--project')).stderr).toBe('');
  });

  it('HS-15 folders that were made go, and those that somebody else uses stay', async () => {
    const folder = makeFolder({ '.gemini/GEMINI.md': 'mine' });
    made.push(folder);
    for (const scope of ['--user', '--project'])
      for (const host of ['gemini', 'qwen', 'copilot'])
        await folder.call(['install', '--host', host, scope, '--yes', '--command', '/no-such']);
    folder.write('.github/CODEOWNERS', 'mine');
    for (const scope of ['--user', '--project'])
      for (const host of ['gemini', 'qwen', 'copilot'])
        await folder.call(['uninstall', '--host', host, scope, '--yes']);
    const left = (base: string) => readdirSync(base, { recursive: true }).map(String).sort();
    expect(left(folder.project)).toEqual(['.gemini', '.gemini/GEMINI.md', '.github', '.github/CODEOWNERS']);
    expect(
      left(folder.home).filter((each) => !each.startsWith('.local') && !each.startsWith('.cache')),
    ).toEqual([]);
  });

  it('HS-26 one file that cannot be edited does not keep the other hosts from their turn', async () => {
    const folder = makeFolder();
    made.push(folder);
    folder.write('.codex/hooks.json', '{ "hooks": {}, "mine": 1 }');
    const done = await folder.hookline([
      'install',
      '--host',
      'codex',
      '--host',
      'qwen',
      '--project',
      '--yes',
    ]);
    expect(done.exit).toBe(78);
    expect(done.stderr).toContain('does not know `mine` in it and ignores the whole file');
    expect(existsSync(join(folder.project, '.qwen/settings.json'))).toBe(true);
    const status = await folder.hookline(['status', '--host', 'codex']);
    expect(status.exit).toBe(1);
    expect(status.stdout).toContain('unreadable');
  });
});
