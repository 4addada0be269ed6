/** What protects and cannot be read: marked where it has a say, and only there. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { loadClaudePermissions } from '../../../src/agent/index.js';
import { permissionSubject } from '../../../src/config/trust/subject.js';
import {
  attachConfig,
  createTrustStore,
  type Diagnostic,
  loadHooklineConfig,
  loadMassgenConfig,
  Runner,
  trustSubjects,
} from '../../../src/index.js';
import { type Place, place, settings } from './support.js';

const GUARD = { type: 'command', command: 'exit 2' };
const lost = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.filter(({ failsOpen }) => failsOpen).map(({ code }) => code);

/** Settings in which something that protects does not count, and what is said of it. */
const HOOKS: readonly (readonly [content: unknown, code: string])[] = [
  ['{ "hooks": ', 'broken_file'],
  ['', 'empty_file'],
  [[], 'broken_file'],
  [{ hooks: [] }, 'wrong_type'],
  [{ hook: { PreToolUse: [] } }, 'unknown_key'],
  [{ PreToolUse: [] }, 'misplaced_event'],
  [settings('PreToolUs', 'exit 2'), 'unknown_event'],
  [{ hooks: { PreToolUse: GUARD } }, 'wrong_type'],
  [{ hooks: { PreToolUse: [GUARD] } }, 'wrong_type'],
  [{ hooks: { PreToolUse: [{ matcher: '(Bash', hooks: [GUARD] }] } }, 'bad_matcher'],
  [{ hooks: { PreToolUse: [{ matcher: 5, hooks: [GUARD] }] } }, 'wrong_type'],
  [{ hooks: { PreToolUse: [{ onFailure: 'block', hooks: [GUARD] }] } }, 'unknown_key'],
  [settings('PreToolUse', { type: 'command', comand: 'exit 2' }), 'bad_hook'],
  [settings('PreToolUse', { type: 'comand', command: 'exit 2' }), 'unknown_type'],
  [settings('PreToolUse', { ...GUARD, timeout: 'long' }), 'bad_hook'],
  [settings('PreToolUse', { ...GUARD, if: 'Bash(rm' }), 'bad_hook'],
  [settings('PreToolUse', { ...GUARD, onFailur: 'block' }), 'unknown_key'],
  [{ env: 5 }, 'wrong_type'],
];

const RULES: readonly (readonly [permissions: unknown, code: string])[] = [
  [{ permissions: { deny: ['Bash(touch *'] } }, 'invalid_rule'],
  [{ permissions: { ask: ['bash(touch *)'] } }, 'invalid_rule'],
  [{ permissions: { deny: ['bash'] } }, 'invalid_rule'],
  [{ permissions: { deny: 'Bash' } }, 'invalid_permissions'],
  [{ permissions: { deny: [5] } }, 'invalid_permissions'],
  [{ permissions: ['Bash'] }, 'invalid_permissions'],
  [{ permissions: { denny: ['Bash'] } }, 'unknown_key'],
  [{ permissions: { denny: 'Bash' } }, 'unknown_key'],
  [{ permissions: { denied: ['Bash(rm *)'] } }, 'unknown_key'],
  [{ permissions: { disallowedTools: ['Read', 'Bash(rm *)'] } }, 'unknown_key'],
  [{ permisions: { deny: ['Bash'] } }, 'unknown_key'],
  [{ deny: ['Bash'] }, 'misplaced_rules'],
  [{ Ask: ['Bash'] }, 'misplaced_rules'],
  [{ disallowedTools: ['Bash(rm *)'] }, 'misplaced_rules'],
  ['{ "permissions": ', 'broken_file'],
];

const permissionsOf = (where: Place, more: object = {}) =>
  loadClaudePermissions({
    cwd: where.workspace,
    configDir: where.home,
    managedFile: where.managed,
    onLostProtection: 'warn',
    ...more,
  });

describe("the user's settings", () => {
  it.each(HOOKS)('CF-24 with %j lose protection (%s)', async (content, code) => {
    const where = place();
    where.write('home/settings.json', content);
    expect(lost((await where.load()).diagnostics)).toEqual([code]);
  });

  it.each(RULES)('CF-24 with %j lose protection (%s)', async (content, code) => {
    const where = place();
    where.write('home/settings.json', content);
    expect(lost((await permissionsOf(where)).diagnostics)).toEqual([code]);
  });

  it('CF-24 lose none where the worst is that something is not allowed, not found or not fired', async () => {
    const where = place();
    where.write('home/settings.json', {
      permissions: { allow: 'Bash', deny: ['Bash(rm *)'], additionalDirectories: 5, defaultMode: 5 },
      hooks: {
        WorktreeCreate: [],
        PreToolUse: [{ hooks: [{ type: 'command', command: './nowhere.sh' }] }],
      },
    });
    const { diagnostics } = await where.load();
    expect(diagnostics.map(({ code }) => code)).toEqual(['missing_script']);
    const permissions = await permissionsOf(where);
    expect(permissions.deny).toEqual(['Bash(rm *)']);
    expect(permissions.diagnostics.map(({ code }) => code)).toEqual(Array(3).fill('invalid_permissions'));
    expect(lost([...diagnostics, ...permissions.diagnostics])).toEqual([]);
  });

  it('CF-24 nor where the key that is not known would only have permitted, or holds no rules', async () => {
    const where = place();
    where.write('home/settings.json', {
      allowedTools: ['Bash(git *)'],
      enabledMcpjsonServers: ['github'],
      companyAnnouncements: ['Hello (again)'],
      permissions: { allowed: ['Bash(git *)'], disableBypassPermissionsMode: 'disable', folders: ['../x'] },
    });
    const { diagnostics } = await permissionsOf(where);
    expect(diagnostics.map(({ code }) => code)).toEqual(['misplaced_rules', 'unknown_key']);
    expect(lost(diagnostics)).toEqual([]);
  });

  it('CF-2 a rule that is none voids only itself, and is reported at its own line', async () => {
    const where = place();
    where.write(
      'home/settings.json',
      '{ "permissions": {\n"deny": ["Bash(rm *)",\n"Bash(touch *"],\n"allow": "Bash" } }',
    );
    const { deny, diagnostics } = await permissionsOf(where);
    expect(deny).toEqual(['Bash(rm *)']);
    expect(diagnostics.map(({ code, source }) => [code, source.line])).toEqual([
      ['invalid_rule', 3],
      ['invalid_permissions', 4],
    ]);
  });
});

describe('rules for tools of other agents', () => {
  it('CF-29 are a warning: they deny and ask about all that the tool does, and allow nothing', async () => {
    const where = place();
    const others = [
      'PowerShell(Get-*)',
      'SlashCommand(/review)',
      'mcp__github__push(main)',
      'WebSearch(cats)',
    ];
    where.write('home/settings.json', { permissions: { deny: others, ask: [others[0]], allow: others } });
    const { deny, ask, allow, diagnostics } = await permissionsOf(where);
    expect([deny, ask, allow]).toEqual([others, [others[0]], []]);
    expect(lost(diagnostics)).toEqual([]);
    expect(new Set(diagnostics.map(({ severity, code }) => `${severity} ${code}`))).toEqual(
      new Set(['warning unknown_rule']),
    );
    expect(diagnostics.map(({ message }) => message)).toContain(
      'The permission rule "PowerShell(Get-*)" is for an unknown tool; if there is a tool PowerShell, every call of it is denied.',
    );
  });

  it('CF-29 need no word where their form is known', async () => {
    const where = place();
    const deny = [
      'NotebookRead(x)',
      'mcp__x__*',
      'WebFetch(domain:x)',
      'Skill(x)',
      'Task(x)',
      'LSP',
      'PowerShell',
    ];
    where.write('home/settings.json', { permissions: { deny } });
    expect(await permissionsOf(where)).toMatchObject({ deny, diagnostics: [] });
  });
});

describe('what protects and is written twice in an object', () => {
  it('CF-24 counts both times; of what permits the last one counts', async () => {
    const where = place();
    const group = (line: string) => `[{ "hooks": [{ "type": "command", "command": "${line}" }] }]`;
    where.write(
      'home/settings.json',
      `{ "hooks": { "Stop": ${group('one')}, "Stop": ${group('two')} }, "hooks": { "Stop": ${group('three')} },
         "permissions": { "deny": ["Bash(a *)"], "deny": ["Bash(b *)"], "allow": ["Bash(c *)"] },
         "permissions": { "ask": ["Bash(d *)"], "allow": ["Bash(e *)"], "allow": ["Bash(f *)"] } }`,
    );
    const { groups } = await where.load();
    expect(groups.flatMap(({ hooks }) => hooks.map(({ description }) => description))).toEqual([
      'one',
      'two',
      'three',
    ]);
    expect(await permissionsOf(where)).toMatchObject({
      deny: ['Bash(a *)', 'Bash(b *)'],
      ask: ['Bash(d *)'],
      allow: ['Bash(f *)'],
    });
  });
});

describe('settings of the administrator and of the caller', () => {
  it('CF-24 lose protection as those of the user', async () => {
    const where = place();
    where.write('managed.json', {
      ...settings('PreToolUs', 'exit 2'),
      permissions: { deny: ['Bash('] },
      allowManagedHooksOnly: 'true',
    });
    const file = where.write('named.json', settings('PreToolUs', 'exit 2'));
    where.write('plugin/hooks/hooks.json', settings('PreToolUs', 'exit 2'));
    const { diagnostics } = await where.load({ files: [file], plugins: [where.plugin] });
    const layers = diagnostics.filter(({ failsOpen }) => failsOpen).map(({ source }) => source.layer);
    expect(layers).toEqual(['managed', 'managed', 'file', 'plugin']);
    expect(lost((await permissionsOf(where)).diagnostics)).toEqual(['invalid_rule']);
  });

  it('CF-24 hookline files and MassGen files too, but not where a broken hook refuses', async () => {
    const where = place();
    const yaml = where.write(
      'own.yaml',
      'hooks:\n  PreToolUs: []\n  Stop:\n    - { onFail: block, hooks: [] }\n',
    );
    const { diagnostics } = await loadHooklineConfig({
      cwd: where.workspace,
      configDir: where.home,
      files: [yaml, where.write('own.mjs', 'export default { PreToolUs: [] }')],
    });
    expect(lost(diagnostics)).toEqual(['unknown_event', 'bad_group', 'unknown_event']);
    const text =
      'hooks:\n  PreToolUs: []\n  PreToolUse:\n    - { handler: ./x, type: comand }\n    - { handler: ./x, type: command, fail_close: true, timeout: -1 }\n';
    const massgen = await loadMassgenConfig(where.write('massgen.yaml', text));
    expect(massgen.diagnostics.map(({ code }) => code)).toContain('unknown_type');
    expect(lost(massgen.diagnostics)).toEqual(['unknown_event', 'unknown_key']);
    await massgen.dispose();
  });
});

describe('settings of a workspace', () => {
  const approved = async (where: Place) => {
    const trust = createTrustStore({ file: `${where.dir}/store/trust.json` });
    where.write('workspace/.claude/settings.json', settings('PreToolUse', 'exit 2'));
    await trust.approve(where.workspace, trustSubjects(await where.load({ trust })));
    return trust;
  };

  it.each(HOOKS)(
    'CF-24 with %j have no say, unless something of the file was approved (%s)',
    async (content, code) => {
      const where = place();
      const trust = await approved(where);
      where.write('workspace/.claude/settings.local.json', content);
      const { diagnostics } = await where.load({ trust });
      expect(lost(diagnostics)).toEqual([]);
      expect(diagnostics).toContainEqual(expect.objectContaining({ code, failsOpen: false }));
      where.write('workspace/.claude/settings.local.json', '{}');
      where.write('workspace/.claude/settings.json', content);
      expect(lost((await where.load({ trust })).diagnostics)).toEqual([code]);
      expect(lost((await where.load({ trust: 'workspace' })).diagnostics)).toEqual([code]);
    },
  );

  it('CF-24 the rules of a file of which something was approved, too', async () => {
    const where = place();
    const trust = await approved(where);
    where.write('workspace/.claude/settings.json', { permissions: { deny: ['Bash('] } });
    expect(lost((await permissionsOf(where, { trust })).diagnostics)).toEqual(['invalid_rule']);
    where.write('workspace/.claude/settings.json', '{}');
    where.write('workspace/.claude/settings.local.json', { permissions: { deny: ['Bash('] } });
    expect(lost((await permissionsOf(where, { trust })).diagnostics)).toEqual([]);
  });

  it('CF-24 a module that has changed since it was approved guards nothing, and is said so', async () => {
    const where = place();
    const trust = createTrustStore({ file: `${where.dir}/store/trust.json` });
    const load = () => loadHooklineConfig({ cwd: where.workspace, configDir: where.home, trust });
    where.write('workspace/hookline.mjs', 'export default { PreToolUse: [] };');
    const { unimported = [], diagnostics } = await load();
    expect(diagnostics).toMatchObject([{ code: 'untrusted' }]);
    expect(lost(diagnostics)).toEqual([]);
    await trust.approve(where.workspace, unimported);
    where.write('workspace/hookline.mjs', 'export default {};');
    expect(lost((await load()).diagnostics)).toEqual(['modified']);
  });

  it('CF-24 a trust store that cannot be relied on is lost protection, where it would have been asked', async () => {
    const where = place();
    await approved(where);
    where.write('store/trust.json', 'trust me');
    const trust = createTrustStore({ file: `${where.dir}/store/trust.json` });
    expect(lost((await where.load({ trust })).diagnostics)).toEqual(['store_malformed']);
    await expect(permissionsOf(where, { trust, onLostProtection: 'refuse' })).rejects.toThrow('is malformed');
    where.write('workspace/.claude/settings.json', '{ "hooks": ');
    expect(lost((await where.load({ trust })).diagnostics)).toEqual(['store_malformed']);
    await expect(permissionsOf(where, { trust, onLostProtection: 'refuse' })).rejects.toThrow('is malformed');
    where.write('workspace/.claude/settings.json', {});
    expect(lost((await where.load({ trust })).diagnostics)).toEqual([]);
  });
});

describe('a name that is no event', () => {
  it.each([
    [
      'PreToolUs',
      'error unknown_event',
      'There is no event "PreToolUs". Did you mean PreToolUse? Its hooks never run.',
    ],
    ['pre-tool-use', 'error unknown_event', 'Did you mean PreToolUse?'],
    ['Deploy', 'error unknown_event', 'The events are PreToolUse, PostToolUse,'],
  ])('CF-25 %s is reported in every kind of file', async (event, told, words) => {
    const where = place();
    where.write('home/settings.json', settings(event, 'true'));
    const own = await loadHooklineConfig({
      cwd: where.workspace,
      configDir: where.home,
      files: [
        where.write('own.yaml', `hooks:\n  ${event}: []\n`),
        where.write('own.json', { hooks: { [event]: [] } }),
        where.write('own.mjs', `export default { '${event}': [] };`),
      ],
    });
    const massgen = await loadMassgenConfig(where.write('massgen.yaml', `hooks:\n  ${event}: []\n`));
    const all = [...(await where.load()).diagnostics, ...own.diagnostics, ...massgen.diagnostics];
    expect(all.map(({ severity, code }) => `${severity} ${code}`)).toEqual(Array(5).fill(told));
    for (const { message } of all) expect(message).toContain(words);
    await massgen.dispose();
  });
});

describe('a configuration in code', () => {
  const workspaceFile = 'workspace/.claude/settings.json';
  const userFile = 'home/settings.json';
  const BROKEN = '{ "hooks": {\n';

  it.each([
    ['an approved file of the workspace', workspaceFile, true],
    ["the user's file", userFile, true],
    ['a file of the workspace that was never approved', workspaceFile, false],
  ])('CF-34 %s that is broken is refused if it could protect', async (_, file, lostNow) => {
    const where = place();
    const trust = createTrustStore({ file: `${where.dir}/store/trust.json` });
    where.write(file, settings('PreToolUse', 'exit 2'));
    if (lostNow) await trust.approve(where.workspace, trustSubjects(await where.load({ trust })));
    where.write(file, BROKEN);
    const config = await where.load({ trust });
    const runner = new Runner({ onWarning: () => {} });
    if (!lostNow) {
      runner.use(config)();
      return;
    }
    const named = `${where.dir}/${file}:2:1: `;
    expect(() => runner.use(config)).toThrow(expect.objectContaining({ code: 'invalid_config' }));
    expect(() => runner.use(config)).toThrow(named);
    expect(runner.warnings).toEqual([]);
    const stop = runner.use(config, { onLostProtection: 'warn' });
    expect(runner.warnings).toContainEqual({
      code: 'protection_lost',
      message: expect.stringContaining(named),
    });
    stop();
    expect(runner.warnings).toEqual([]);
    for (const onLostProtection of ['no', 5] as never[])
      expect(() => runner.use(config, { onLostProtection })).toThrow('onLostProtection is');
  });

  it('CF-34 is not attached, and a file that breaks later removes no guard', async () => {
    const where = place();
    where.write(userFile, BROKEN);
    const dispose = vi.fn(async () => {});
    const load = async () => ({ ...(await where.load()), dispose });
    const runner = new Runner({ onWarning: () => {} });
    await expect(attachConfig(runner, load)).rejects.toMatchObject({ code: 'invalid_config' });
    expect(dispose).toHaveBeenCalledOnce();
    (await attachConfig(runner, load, { onLostProtection: 'warn' })).close();
    where.write(userFile, settings('PreToolUse', 'exit 2'));
    const live = await attachConfig(runner, load, { keepApproved: false });
    where.write(userFile, BROKEN);
    await live.reload();
    const call = { tool_use_id: 't', tool_name: 'Bash', tool_input: { command: 'ls' } };
    expect(await runner.fire('PreToolUse', call)).toMatchObject({ decision: 'deny' });
    where.write(userFile, {});
    await live.reload();
    expect((await runner.fire('PreToolUse', call)).decision).toBeUndefined();
    live.close();
  });

  it('CF-35 that names a file or a plugin which does not exist is refused', async () => {
    const where = place();
    const file = where.write('a.json', {});
    for (const options of [{ plugins: ['nope'] }, { plugins: [file] }, { files: ['nope.json'] }]) {
      await expect(where.load(options)).rejects.toMatchObject({ code: 'invalid_option' });
      await expect(permissionsOf(where, options)).rejects.toMatchObject({ code: 'invalid_option' });
    }
    const empty = await where.load({ plugins: [where.home.replace(/home$/, 'workspace')] });
    expect(lost(empty.diagnostics)).toEqual(['not_a_plugin']);
  });
});

describe('permissions in code', () => {
  it.each([
    ['a rule that denies', { permissions: { deny: ['Bash(rm'] } }],
    ['a rule that asks', { permissions: { ask: ['bash(rm *)'] } }],
    ['a file', '{ "permissions": '],
  ])('CF-34 are refused if %s cannot be used, unless the caller goes on without it', async (_, content) => {
    const where = place();
    const file = where.write('home/settings.json', content);
    const load = (more: object) => permissionsOf(where, { onLostProtection: undefined, ...more });
    await expect(load({})).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining(file),
    });
    expect(lost((await load({ onLostProtection: 'warn' })).diagnostics)).toHaveLength(1);
    await expect(load({ onLostProtection: 'no' })).rejects.toThrow('onLostProtection is');
  });

  it('CF-34 are not, because of a file of the workspace that decides nothing', async () => {
    const where = place();
    where.write('workspace/.claude/settings.json', { permissions: { deny: ['Bash(rm'] } });
    const trust = createTrustStore({ file: `${where.dir}/store/trust.json` });
    expect((await permissionsOf(where, { onLostProtection: 'refuse', trust })).deny).toEqual([]);
  });
});

describe('rules of a workspace that were approved', () => {
  const FILE = 'workspace/.claude/settings.json';
  const RULES_OF_FILE = { allow: ['Bash(ls)'], deny: ['Bash(rm *)'], ask: ['Bash(git push *)'] };

  async function approved() {
    const where = place();
    const trust = createTrustStore({ file: `${where.dir}/store/trust.json` });
    where.write(FILE, { permissions: RULES_OF_FILE });
    const subject = permissionSubject('.claude/settings.json', RULES_OF_FILE, where.workspace);
    const source = `${where.dir}/${FILE}`;
    const [fingerprint = ''] = await trust.approve(where.workspace, [{ ...subject, source }]);
    return { where, trust, fingerprint, load: () => permissionsOf(where, { trust }) };
  }

  it.each<[string, unknown]>([
    ['gone', undefined],
    ['weaker', { permissions: { ...RULES_OF_FILE, deny: [], ask: [] } }],
    ['without rules', {}],
  ])('TR-26 deny and ask as long as nobody accepts that they are %s', async (_, content) => {
    const { where, trust, fingerprint, load } = await approved();
    expect(await load()).toMatchObject(RULES_OF_FILE);
    if (content === undefined) rmSync(`${where.dir}/${FILE}`);
    else where.write(FILE, content);
    const { allow, deny, ask, diagnostics } = await load();
    expect({ allow, deny, ask }).toEqual({ ...RULES_OF_FILE, allow: [] });
    expect(diagnostics.map(({ code }) => code)).toContain('removed_rules');
    expect(await trust.withdraw(where.workspace, [fingerprint])).toBe(1);
    expect(await load()).toMatchObject({ deny: [], ask: [] });
  });

  it('TR-10 TR-26 a damaged approval is a problem of the store', async () => {
    const { where, trust, load } = await approved();
    where.write(FILE, {});
    const file = `${where.dir}/store/trust.json`;
    const text = readFileSync(file, 'utf8');
    const damaged = text.replace('"[\\"Bash(rm *)\\"]"', '"[\\"Bash(rm *)"');
    expect(damaged).not.toBe(text);
    writeFileSync(file, damaged, { mode: 0o600 });
    const { diagnostics } = await load();
    expect(diagnostics.map(({ code }) => code)).toEqual(['store_malformed']);
    await expect(permissionsOf(where, { trust, onLostProtection: 'refuse' })).rejects.toThrow('is malformed');
  });
});
