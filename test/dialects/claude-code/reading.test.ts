import { describe, expect, it } from 'vitest';
import { HookError } from '../../../src/index.js';
import { bash } from '../../support/runner.js';
import { place, settings, short } from './support.js';

/** Every kind of handler and every kind of mistake, each on a line of its own. */
const EVERYTHING = `{
  // Comments and trailing commas are fine.
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [
        { "type": "command", "command": "echo one", "statusMessage": "Checking" },
        { "type": "command", "command": "echo one", "timeout": 5 },
        { "type": "http", "url": "http://127.0.0.1:1/hook" },
        { "type": "prompt", "prompt": "Is this fine? $ARGUMENTS" },
        { "type": "agent", "prompt": "Look into it" },
        { "type": "mcp_tool", "server": "s", "tool": "t" },
        { "type": "carrier-pigeon" },
        { "type": "command" },
        { "type": "command", "command": "./missing.sh" },
        { "type": "command", "command": "true", "colour": "red" },
        { "type": "command", "command": "true && true", "if": "Bash(" },
        { "type": "command", "command": "true; true", "timeout": 0 },
      ] },
      { "matcher": "[", "hooks": [{ "type": "command", "command": "true # bad matcher" }] },
      { "matcher": "Bash(git:*)", "hooks": [{ "type": "command", "command": "true # rule as matcher" }] },
      { "hooks": "none" },
      { "matcher": 5, "hooks": [] },
    ],
    "FileChanged": [{ "hooks": [] }],
    "PreTooluse": [{ "hooks": [] }],
    "Stop": { "hooks": [] },
  },
}
`;

describe('Claude settings', () => {
  it('CF-1 CF-2 CF-4 CF-9 CF-14 every handler type and every mistake, each with its line', async () => {
    const { write, load, runner } = place();
    write('workspace/.claude/settings.json', EVERYTHING);
    const config = await load();
    expect(short(config)).toEqual([
      '9:9 warning inactive',
      '10:9 warning inactive',
      '11:9 warning inactive',
      '12:19 error unknown_type',
      '13:9 error bad_hook',
      '14:41 error missing_script',
      '15:49 warning unknown_key',
      '16:9 error bad_hook',
      '17:9 error bad_hook',
      '19:20 error bad_matcher',
      '20:20 warning matcher_doubtful',
      '21:7 error wrong_type',
      '22:20 error wrong_type',
      '25:5 error unknown_event',
      '26:13 error wrong_type',
    ]);
    const messages = config.diagnostics.map(({ message }) => message);
    expect(messages[13]).toContain('Did you mean PreToolUse?');
    const used = runner(config);
    const { hooks } = used.explain('PreToolUse', bash());
    expect(hooks.filter(({ runs }) => runs).map(({ description }) => description)).toEqual([
      'echo one',
      'POST http://127.0.0.1:1',
      './missing.sh',
      'true',
    ]);
    expect(hooks.filter(({ why }) => why === 'duplicate')).toHaveLength(1);
  });

  it('CF-3 a broken file disables itself, with the place, and the others count', async () => {
    const { write, load } = place();
    write('home/settings.json', '{ "hooks": { "PreToolUse": [ }');
    write('workspace/.claude/settings.json', settings('PreToolUse', 'true'));
    const config = await load();
    expect(short(config)).toEqual(['1:30 error broken_file']);
    expect(config.groups).toHaveLength(1);
  });

  it('CF-3 a broken managed file refuses to load anything', async () => {
    const { write, load } = place();
    write('managed.json', '{ "hooks": ');
    await expect(load()).rejects.toBeInstanceOf(HookError);
    await expect(load()).rejects.toMatchObject({ code: 'invalid_config' });
    await expect(load()).rejects.toThrow(/managed\.json:1:\d+/);
  });

  it('CF-4 no settings at all is fine', async () => {
    const { load } = place();
    expect(await load()).toMatchObject({ groups: [], diagnostics: [] });
  });

  it('CF-4 every layer counts, in its order', async () => {
    const { write, load, runner, plugin } = place();
    write('managed.json', settings('PreToolUse', 'true managed'));
    write('home/settings.json', settings('PreToolUse', 'true user'));
    write('extra.json', settings('PreToolUse', 'true extra'));
    write('workspace/.claude/settings.json', settings('PreToolUse', 'true project'));
    write('workspace/.claude/settings.local.json', settings('PreToolUse', 'true local'));
    write('plugin/hooks/hooks.json', settings('PreToolUse', 'true plugin'));
    const { dir } = { dir: plugin.replace(/\/plugin$/, '') };
    const used = runner(await load({ plugins: [plugin], files: [`${dir}/extra.json`] }));
    expect(used.explain('PreToolUse', bash()).hooks.map(({ description }) => description)).toEqual(
      ['managed', 'user', 'extra', 'project', 'local', 'plugin'].map((name) => `true ${name}`),
    );
  });

  it('CF-4 a byte order mark and CRLF are fine', async () => {
    const { write, load } = place();
    write('home/settings.json', `\ufeff{\r\n"hooks": {\r\n"Stop": [{ "hooks": [{ "type": "weird" }] }] } }`);
    expect(short(await load())).toEqual(['3:32 error unknown_type']);
  });
});

describe('switches', () => {
  const rows = [
    ['managed.json', []],
    ['home/settings.json', ['true managed']],
    ['workspace/.claude/settings.json', ['true managed', 'true user']],
  ] as const;
  it.each(rows)('CF-5 disableAllHooks in %s leaves what is more binding', async (path, left) => {
    const { write, load, runner } = place();
    const files = {
      'managed.json': settings('PreToolUse', 'true managed'),
      'home/settings.json': settings('PreToolUse', 'true user'),
      'workspace/.claude/settings.json': settings('PreToolUse', 'true project'),
      'workspace/.claude/settings.local.json': settings('PreToolUse', 'true local'),
    };
    for (const [file, content] of Object.entries(files)) {
      write(file, { ...content, ...(file === path && { disableAllHooks: true }) });
    }
    const { hooks } = runner(await load()).explain('PreToolUse', bash());
    expect(hooks.filter(({ runs }) => runs).map(({ description }) => description)).toEqual(left);
    expect(hooks.find(({ runs }) => !runs)).toMatchObject({ why: 'disabled' });
  });

  it('CF-5 allowManagedHooksOnly counts in the managed file only', async () => {
    const { write, load, runner } = place();
    write('managed.json', { ...settings('PreToolUse', 'true managed'), allowManagedHooksOnly: true });
    write('home/settings.json', settings('PreToolUse', 'true user'));
    const { hooks } = runner(await load()).explain('PreToolUse', bash());
    expect(hooks.map(({ runs, why }) => why ?? runs)).toEqual([true, 'disabled']);

    write('managed.json', settings('PreToolUse', 'true managed'));
    write('home/settings.json', { ...settings('PreToolUse', 'true user'), allowManagedHooksOnly: true });
    const config = await load();
    expect(short(config)).toEqual([expect.stringContaining('warning ignored_key')]);
    expect(
      runner(config)
        .explain('PreToolUse', bash())
        .hooks.every(({ runs }) => runs),
    ).toBe(true);
  });
});
