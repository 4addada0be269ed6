/** A home with plugins, agents and skills, as Claude Code leaves it: all commands say the same about it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { folder } from './support.js';

const command = (line: string) => ({ type: 'command', command: line });
const groups = (line: string, matcher?: string) => [
  { ...(matcher !== undefined && { matcher }), hooks: [command(line)] },
];

/** A guard that refuses to read `.env`, a logger, and a loop that keeps the agent working; plus an agent and a skill. */
function claudeHome() {
  const place = folder();
  const { home, workspace } = place;
  const write = (path: string, content: unknown): void => {
    const file = join(home, '.claude', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  };
  const root = (name: string): string => join(home, '.claude', 'plugins', 'cache', 'mk', name, '1.0.0');
  const plugin = (name: string, manifest: object): void =>
    write(`plugins/cache/mk/${name}/1.0.0/.claude-plugin/plugin.json`, {
      name,
      version: '1.0.0',
      ...manifest,
    });
  plugin('secret-guard', {});
  write('plugins/cache/mk/secret-guard/1.0.0/hooks/hooks.json', {
    description: 'Keeps secrets from the model',
    hooks: { PreToolUse: groups("node '${CLAUDE_PLUGIN_ROOT}/guard.mjs'", 'Read') },
  });
  write(
    'plugins/cache/mk/secret-guard/1.0.0/guard.mjs',
    `let text = '';
for await (const piece of process.stdin) text += piece;
const { tool_input } = JSON.parse(text);
if (tool_input.file_path?.endsWith('.env')) { console.error('secrets stay here: ' + process.env.CLAUDE_PLUGIN_DATA); process.exit(2); }
`,
  );
  // Inline in the manifest.
  plugin('session-logger', {
    hooks: {
      SessionStart: groups('echo start >> "$CLAUDE_PROJECT_DIR/log.txt"'),
      FileChanged: groups('true'),
    },
  });
  // At another path, and disabled.
  plugin('stop-loop', { hooks: './config/stop.json' });
  write('plugins/cache/mk/stop-loop/1.0.0/config/stop.json', { hooks: { Stop: groups('exit 2') } });
  const withHook = (name: string, event: string, line: string): string =>
    `---\nname: ${name}\ndescription: ${name}\nhooks:\n  ${event}:\n    - hooks:\n        - type: command\n          command: ${line}\n---\nThis is ${name}: $ARGUMENTS.\n`;
  const logger = 'plugins/cache/mk/session-logger/1.0.0';
  const log = (word: string): string => `echo ${word} >> "$CLAUDE_PROJECT_DIR/log.txt"`;
  write(`${logger}/skills/notes/SKILL.md`, withHook('notes', 'PostToolUse', log('noted')));
  write(`${logger}/commands/week/sum.md`, withHook('sum', 'Stop', log('summed')));
  write(`${logger}/agents/scribe.md`, withHook('scribe', 'PreToolUse', log('scribbled')));
  write(
    'agents/reviewer.md',
    '---\nname: reviewer\ndescription: reviews code\ntools: Bash, Read\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: echo "$CLAUDE_PROJECT_DIR" >/dev/null; cat >> reviewed.txt\n  Stop:\n    - hooks:\n        - type: command\n          command: echo stopped >> reviewed.txt\n---\nYou review code.\n',
  );
  const entry = (name: string) => [{ scope: 'user', installPath: root(name), version: '1.0.0' }];
  write('plugins/installed_plugins.json', {
    version: 2,
    plugins: Object.fromEntries(
      ['secret-guard', 'session-logger', 'stop-loop'].map((name) => [`${name}@mk`, entry(name)]),
    ),
  });
  write('settings.json', {
    enabledPlugins: {
      'secret-guard@mk': true,
      'session-logger@mk': true,
      'stop-loop@mk': false,
      'gone@mk': true,
    },
  });
  const script = (turns: object[]): string => {
    writeFileSync(join(workspace, 'turns.json'), JSON.stringify({ turns }));
    return join(workspace, 'turns.json');
  };
  return { ...place, root, script };
}

/** The one story: each hook by its event and file, and what becomes of it. */
const STORY: Readonly<Record<string, string>> = {
  'PreToolUse secret-guard/1.0.0/hooks/hooks.json': 'runs',
  'SessionStart session-logger/1.0.0/.claude-plugin/plugin.json': 'runs',
  'FileChanged session-logger/1.0.0/.claude-plugin/plugin.json': 'not fired',
  'Stop stop-loop/1.0.0/config/stop.json': 'disabled',
  'PreToolUse agents/reviewer.md': 'runs if inside the agent reviewer',
  'SubagentStop agents/reviewer.md': 'runs if inside the agent reviewer',
  'PreToolUse session-logger/1.0.0/agents/scribe.md': 'unsupported',
  'PostToolUse session-logger/1.0.0/skills/notes/SKILL.md': 'runs if the skill session-logger:notes was used',
  'Stop session-logger/1.0.0/commands/week/sum.md': 'runs if the command session-logger:week:sum was used',
};

const keyOf = (event: string, { file }: { readonly file: string }): string =>
  `${event} ${file.replace(/^.*\/(cache\/mk|\.claude)\//, '')}`;
const withoutConditions = (): Record<string, string> =>
  Object.fromEntries(Object.entries(STORY).map(([key, state]) => [key, state.replace(/ if .*/, '')]));

interface Place {
  readonly file: string;
}

describe('the plugins, agents and skills of Claude Code', () => {
  it('CL-56 CF-30 doctor shows all of it, what runs, and what to do', async () => {
    const { call } = claudeHome();
    const { code, json } = await call(['doctor', '--json']);
    expect(code).toBe(1);
    const report = json<{
      plugins: object[];
      agents: object[];
      skills: object[];
      commands: object[];
      hooks: { event: string; state: string; failsOpen: boolean; source: Place }[];
      todo: { code: string; text: string }[];
    }>();
    expect(report.plugins).toMatchObject([
      { name: 'gone@mk', state: 'not installed', hooks: 0 },
      { name: 'secret-guard@mk', state: 'enabled', layer: 'plugin', hooks: 1, running: 1 },
      { name: 'session-logger@mk', state: 'enabled', hooks: 5, running: 3 },
      { name: 'stop-loop@mk', state: 'disabled', hooks: 1, running: 0 },
    ]);
    expect(report.agents).toMatchObject([
      { name: 'reviewer', layer: 'user', hooks: 2, running: 2 },
      { name: 'session-logger:scribe', layer: 'plugin', hooks: 1, running: 0 },
    ]);
    expect(report.skills).toMatchObject([{ name: 'session-logger:notes', hooks: 1, running: 1 }]);
    expect(report.commands).toMatchObject([{ name: 'session-logger:week:sum', hooks: 1, running: 1 }]);
    const states = report.hooks.map(({ event, source, state }) => [keyOf(event, source), state]);
    expect(Object.fromEntries(states)).toEqual(withoutConditions());
    expect(report.todo.map((todo) => todo.code).sort()).toEqual([
      'fails_open',
      'hooks_of_part',
      'plugin_not_installed',
      'unsupported_event',
    ]);
    const { out } = await call(['doctor']);
    expect(out).toContain('secret-guard@mk (plugin)  enabled, 1 of 1 hook run');
    expect(out).toContain('stop-loop@mk (plugin)  disabled, 0 of 1 hook run');
    expect(out).toContain(`claude plugin install gone@mk`);
    expect(out).toContain(join('~', '.claude', 'settings.json'));
  });

  it('CL-56 list, explain and check say the same', async () => {
    const { call } = claudeHome();
    const listed = (await call(['list', '--json'])).json<
      {
        event: string;
        active: boolean;
        condition?: string;
        inactive?: { reason: string };
        source: Place;
      }[]
    >();
    const states = listed.map(({ event, active, condition, inactive, source }) => [
      keyOf(event, source),
      `${active ? 'runs' : (inactive?.reason ?? 'not fired')}${active && condition !== undefined ? ` if ${condition}` : ''}`,
    ]);
    expect(Object.fromEntries(states)).toEqual(STORY);

    const explained: [string, string][] = [];
    for (const event of new Set(listed.map((hook) => hook.event))) {
      const { json } = await call(['explain', event, ...(event === 'PreToolUse' ? ['Read'] : []), '--json']);
      const { hooks } = json<{ hooks: { runs: boolean; why?: string; message?: string; source: Place }[] }>();
      for (const { runs, why, message = '', source } of hooks)
        explained.push([
          keyOf(event, source),
          runs ? 'runs' : why === 'condition' ? message.replace('only', 'runs') : (why ?? ''),
        ]);
    }
    expect(Object.fromEntries(explained)).toEqual({
      ...STORY,
      // What `explain` shows is a fire; that nobody fires it is said beside it.
      'FileChanged session-logger/1.0.0/.claude-plugin/plugin.json': 'runs',
      'PreToolUse agents/reviewer.md': 'matcher',
    });
    expect((await call(['explain', 'FileChanged'])).err).toContain(
      'The agent of hookline never fires FileChanged',
    );

    const { code, out } = await call(['check']);
    expect(code).toBe(0);
    expect(out).toContain('The plugin gone@mk is enabled here and not installed');
    expect(out).toContain('they belong to the agent session-logger:scribe of a plugin');
    expect(out).toContain('The agent of hookline never fires FileChanged');
    expect(out).toContain('the plugin stop-loop@mk is disabled in');
    expect(out).not.toMatch(/notes|week/);
  });

  it('CL-56 CF-31 run runs what the others say runs, and names the rest', async () => {
    const { call, script, workspace, home } = claudeHome();
    writeFileSync(join(workspace, '.env'), 'KEY=1');
    const bash = (line: string) => ({
      tools: [{ name: 'Bash', input: { command: line, description: 'd' } }],
    });
    const review = {
      description: 'd',
      prompt: 'Review.',
      subagent_type: 'reviewer',
      run_in_background: false,
    };
    const file = script([
      { tools: [{ name: 'Read', input: { file_path: '.env' } }] },
      { tools: [{ name: 'Agent', input: review }] },
      bash('echo inside'),
      { text: 'Reviewed.' },
      bash('echo outside'),
      { tools: [{ name: 'Skill', input: { skill: 'session-logger:notes' } }] },
      bash('echo after the skill'),
      { text: 'Done.' },
    ]);
    const options = ['--script', file, '--output-format', 'stream-json', '--dangerously-skip-permissions'];
    const { code, out, err } = await call(['run', '-p', '/session-logger:week:sum 46', ...options]);
    expect(err).toContain('the plugin stop-loop@mk is disabled');
    expect(err).toContain('The agent of hookline never fires FileChanged');
    expect(err).toContain('they belong to the agent session-logger:scribe of a plugin');
    expect(err).toContain('gone@mk');
    expect(err).not.toMatch(/notes|week/);
    expect(code).toBe(0);
    const data = join(home, '.claude', 'plugins', 'data', 'secret-guard-mk');
    expect(out).toContain(`secrets stay here: ${data}`);
    // Once for the call that loads the skill, once for the one after it.
    expect(readFileSync(join(workspace, 'log.txt'), 'utf8')).toBe('start\nnoted\nnoted\nsummed\n');
    const reviewed = readFileSync(join(workspace, 'reviewed.txt'), 'utf8');
    expect(reviewed).toContain('echo inside');
    expect(reviewed).toContain('stopped');
    expect(reviewed).not.toContain('echo outside');
  });

  it('CF-32 of two skills with one name the first is used, and the hooks of the other do not run', async () => {
    const { call, write, home } = claudeHome();
    const skill = (word: string): string =>
      `---\ndescription: d\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: echo ${word} >> stopped.txt\n          once: true\n---\nThis is ${word}.\n`;
    write('.claude/skills/twice/SKILL.md', skill('second'));
    mkdirSync(join(home, '.claude/skills/twice'), { recursive: true });
    writeFileSync(join(home, '.claude/skills/twice/SKILL.md'), skill('first'));
    const { out, code } = await call(['check', '--trust-workspace']);
    expect(code).toBe(0);
    expect(out).toContain(
      `they belong to the skill twice, and /twice loads ${join(home, '.claude/skills/twice/SKILL.md')}. Rename one of the two.`,
    );
    expect(out).not.toContain('`once`');
  });

  it('CL-57 what only the workspace enables or defines needs approval', async () => {
    const { call, write, root } = claudeHome();
    write('.claude/settings.json', { enabledPlugins: { 'stop-loop@mk': true, 'secret-guard@mk': false } });
    write(
      '.claude/agents/helper.md',
      '---\nname: helper\ndescription: helps\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: echo hello\n---\nHelp.\n',
    );
    const { json } = await call(['list', '--json']);
    const byFile = json<{ source: { file: string }; inactive?: { reason: string }; active: boolean }[]>();
    const of = (part: string) => byFile.filter(({ source }) => source.file.includes(part));
    expect(of(root('stop-loop'))).toMatchObject([{ inactive: { reason: 'untrusted' } }]);
    expect(of('helper.md')).toMatchObject([{ inactive: { reason: 'untrusted' } }]);
    // A repository cannot switch off the guards of its user.
    expect(of(root('secret-guard'))).toMatchObject([{ active: true }]);
    expect(await call(['trust', 'approve', '--yes'])).toMatchObject({ code: 0 });
    const after = await call(['list', '--json']);
    expect(
      after
        .json<{ active: boolean; source: { file: string } }[]>()
        .filter(({ source }) => source.file.includes('helper.md')),
    ).toMatchObject([{ active: true }]);
  });

  it('CL-56 doctor names permissions of the workspace that are not approved', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', { permissions: { allow: ['Bash(make *)'] } });
    const open = 'What this folder allows has no effect until you approve it: ';
    expect((await call(['doctor'])).out).toContain(open);
    expect((await call(['doctor', '--trust-workspace'])).out).not.toContain(open);
    expect(await call(['trust', 'approve', '--yes'])).toMatchObject({ code: 0 });
    expect((await call(['doctor'])).out).not.toContain(open);
  });

  it('CL-56 doctor names programs of git that are not approved, apart from permissions', async () => {
    const { call, workspace } = folder();
    await execa('git', ['init', '-q', workspace]);
    await execa('git', ['-C', workspace, 'config', 'core.fsmonitor', './watch.sh']);
    const { out } = await call(['doctor']);
    expect(out).toContain('Git commands need confirmation here until you approve what git runs: ');
    expect(out).not.toContain('What this folder allows');
  });

  it('CF-31 texts in a frontmatter that are no YAML are read as Claude Code reads them', async () => {
    const { call, write } = folder();
    write(
      '.claude/commands/loose.md',
      '---\ndescription: Use it: always\nargument-hint: [who] [when]\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: echo a\n---\nGo.\n',
    );
    write('.claude/agents/broken.md', '---\nname: broken\nhooks:\n  Stop: [\n---\nGo.\n');
    const { out } = await call(['check', '--trust-workspace']);
    expect(out).not.toContain('loose.md');
    expect(out).toContain('broken.md:');
    expect((await call(['list', '--trust-workspace'])).out).toContain('if the command loose was used');
  });

  it('CL-58 --plugin names a folder that must be a plugin', async () => {
    const { call, write } = folder();
    write('empty/readme.txt', 'nothing');
    const { code, out } = await call(['check', '--plugin', 'empty']);
    expect(code).toBe(1);
    expect(out).toContain('is not a plugin: it has neither hooks/hooks.json nor .claude-plugin/plugin.json');
  });

  it('CL-59 a variable that no host sets is named, with the field that has the value', async () => {
    const { call, write } = folder();
    write('.claude/settings.json', {
      hooks: { PostToolUse: groups('prettier --write "$CLAUDE_TOOL_FILE_PATH" || true') },
    });
    const { out } = await call(['check', '--trust-workspace']);
    expect(out).toContain('reads $CLAUDE_TOOL_FILE_PATH, which no host sets, so it is empty');
    expect(out).toContain('"$(jq -r .tool_input.file_path)"');
  });
});
