/** The files of hosts that were run: what they skip, what voids a file, what switches hooks off, and what several hooks do. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadHostConfig } from '../../src/dialects/host/load.js';
import { type AnyEvent, type HookOutcome, Runner } from '../../src/index.js';
import { type Folder, host, makeFolder } from './support.js';

const folders: Folder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

type Files = Readonly<Record<string, unknown>>;

/** Paths begin with `home` or `project`. A text is written as it is, anything else as JSON. */
function written(files: Files): Folder {
  const folder = makeFolder();
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

const load = (name: string, { project, home }: Folder) =>
  loadHostConfig(host(name), { cwd: project, home, trust: 'workspace' });

/** The command lines that would run. */
async function running(name: string, files: Files): Promise<string[]> {
  const { groups } = await load(name, written(files));
  return groups.flatMap(({ hooks }) =>
    hooks.flatMap(({ inactive, description }) => (inactive === undefined ? description : [])),
  );
}

async function problems(name: string, files: Files): Promise<string[]> {
  const { diagnostics } = await load(name, written(files));
  return diagnostics.map(({ severity, message, source }) => `${severity} ${source.line}: ${message}`);
}

const CALL = { tool_name: 'Bash', tool_input: { command: 'ls', description: 'd' }, tool_use_id: 't' };

async function fire(
  name: string,
  files: Files,
  event: AnyEvent = 'PreToolUse',
  input: object = CALL,
): Promise<HookOutcome<AnyEvent>> {
  const folder = written(files);
  const runner = new Runner({ cwd: folder.project, onWarning: () => {} });
  try {
    runner.use(await load(name, folder), { onLostProtection: 'warn' });
    return (await runner.fire(
      event as 'Stop',
      { ...input, cwd: folder.project } as never,
    )) as HookOutcome<AnyEvent>;
  } finally {
    await runner.dispose();
  }
}

const run = (command: string, more: object = {}) => ({ type: 'command', command, ...more });
const group = (command: string, more: object = {}, hook: object = {}) => ({
  ...more,
  hooks: [run(command, hook)],
});
const says = (answer: object): string => `cat > /dev/null; echo '${JSON.stringify(answer)}'`;
const refusal = says({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'R',
  },
});

const GEMINI = 'home/.gemini/settings.json';
const QWEN = 'home/.qwen/settings.json';
const CODEX = 'home/.codex/hooks.json';
const COPILOT = 'home/.copilot/hooks/a.json';

describe('entries that a host skips', () => {
  it.each([
    ['gemini', GEMINI, 'BeforeTool'],
    ['qwen', QWEN, 'PreToolUse'],
  ])('HS-41 %s: without a type, and outside of a group', async (name, file, event) => {
    const hooks = { [event]: [run('flat'), { hooks: [{ command: 'no type' }, run('ok')] }] };
    expect(await running(name, { [file]: { hooks } })).toEqual(['ok']);
    expect((await problems(name, { [file]: { hooks } })).join('\n')).toMatch(
      /not in a group[\s\S]*has no type/,
    );
  });

  it('HS-41 Qwen Code skips a hook with the name of another one of the same group or matcher', async () => {
    const hooks = {
      PreToolUse: [
        { hooks: [run('a', { name: 'n' }), run('b', { name: 'n' })] },
        { hooks: [run('c', { name: 'n' }), run('d', { name: 'other' })] },
        { matcher: '.*', hooks: [run('e', { name: 'n' })] },
      ],
    };
    const gemini = { BeforeTool: hooks.PreToolUse };
    expect(await running('qwen', { [QWEN]: { hooks } })).toEqual(['a', 'd', 'e']);
    expect(await running('gemini', { [GEMINI]: { hooks: gemini } })).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('HS-41 Gemini CLI runs a plugin like a command, and reads a timeout in a text', async () => {
    const hooks = {
      BeforeTool: [{ hooks: [{ type: 'plugin', command: 'p' }] }, group('t', {}, { timeout: '700' })],
    };
    expect(await running('gemini', { [GEMINI]: { hooks } })).toEqual(['p', 't']);
  });
});

describe('one group in place of a list', () => {
  it('HS-41 counts in Gemini CLI, in every file of it, and in no other host', async () => {
    const files = (event: string, user: string, project: string) => ({
      [user]: { hooks: { [event]: group('one'), SessionStart: [group('list')] } },
      [project]: { hooks: { [event]: group('of project') } },
    });
    const gemini = files('BeforeTool', GEMINI, 'project/.gemini/settings.json');
    expect(await running('gemini', gemini)).toEqual(['of project', 'one', 'list']);
    expect((await problems('gemini', gemini)).join('\n')).not.toContain('is no list');
    const flat = { [GEMINI]: { hooks: { BeforeTool: run('flat'), AfterTool: 'x' } } };
    expect(await running('gemini', flat)).toEqual([]);
    expect((await problems('gemini', flat)).join('\n')).toMatch(/not in a group[\s\S]*AfterTool is no list/);
    const qwen = files('PreToolUse', QWEN, 'project/.qwen/settings.json');
    expect(await running('qwen', qwen)).toEqual(['list']);
  });
});

describe('what voids a file of Codex', () => {
  it.each([
    ['a matcher that is no text', { matcher: 5, hooks: [run('x')] }, 'a matcher is no string'],
    ['a hook without a type', { hooks: [{ command: 'x' }] }, 'a hook has no type that it knows'],
    ['half a second', group('x', {}, { timeout: 0.5 }), 'a timeout is no whole number'],
    ['a timeout in a text', group('x', {}, { timeout: '5' }), 'a timeout is no whole number'],
  ])('HS-41 %s', async (_what, wrong, why) => {
    const files = { [CODEX]: { hooks: { PreToolUse: [wrong], PostToolUse: [group('other')] } } };
    expect(await running('codex', files)).toEqual([]);
    expect((await problems('codex', files)).join()).toMatch(
      new RegExp(`error \\d+: Codex CLI ignores the whole file: ${why}`),
    );
  });

  it('HS-41 not a group without hooks, or keys that it does not know', async () => {
    const hooks = {
      PreToolUse: [run('flat'), { foo: 1, hooks: [run('ok', { foo: 1, timeoutSec: 1 })] }],
      Foo: 1,
    };
    expect(await running('codex', { [CODEX]: { hooks } })).toEqual(['ok']);
  });
});

describe('hooks that are switched off', () => {
  const two = { BeforeTool: [{ hooks: [run('a', { name: 'n' }), run('b')] }] };
  const own = { PreToolUse: [group('a')] };
  it.each([
    ['gemini', 'all', { [GEMINI]: { hooksConfig: { enabled: false }, hooks: two } }, []],
    ['gemini', 'by name', { [GEMINI]: { hooksConfig: { disabled: ['n'] }, hooks: two } }, ['b']],
    ['gemini', 'by command', { [GEMINI]: { hooksConfig: { disabled: ['b'] }, hooks: two } }, ['a']],
    [
      'gemini',
      'in the old place',
      { [GEMINI]: { hooks: { ...two, disabled: ['n'], enabled: false } } },
      ['a', 'b'],
    ],
    ['qwen', 'all', { [QWEN]: { disableAllHooks: true, hooks: own } }, []],
    [
      'codex',
      'all',
      { [CODEX]: { hooks: own }, 'home/.codex/config.toml': '[features]\nhooks = false\n' },
      [],
    ],
    [
      'copilot',
      'those of the file',
      {
        [COPILOT]: { disableAllHooks: true, hooks: own },
        'home/.copilot/hooks/b.json': { hooks: { PreToolUse: [run('b')] } },
      },
      ['b'],
    ],
    [
      'copilot',
      'those of all files of a project by its settings, and none of the user',
      {
        [COPILOT]: { hooks: own },
        'project/.github/hooks/b.json': { hooks: { PreToolUse: [run('b')] } },
        'project/.claude/settings.json': { disableAllHooks: true },
      },
      ['a'],
    ],
    [
      'copilot',
      'those of the settings of the user alone',
      {
        [COPILOT]: { hooks: own },
        'home/.copilot/settings.json': { disableAllHooks: true, hooks: { PreToolUse: [run('b')] } },
      },
      ['a'],
    ],
    [
      'qwen',
      'those of the user by a project',
      { [QWEN]: { hooks: own }, 'project/.qwen/settings.json': { disableAllHooks: true } },
      ['a'],
    ],
  ] as const)('HS-42 %s: %s', async (name, _what, files, left) => {
    expect(await running(name, files)).toEqual(left);
  });
});

describe('the state that Codex stores of a hook', () => {
  const state = (folder: Folder, path: string, place: string, more = 'enabled = false'): string =>
    `[hooks.state."${join(folder.dir, path)}:${place}"]\n${more}\n`;
  const left = async (folder: Folder) =>
    (await load('codex', folder)).groups.flatMap(({ event, hooks }) =>
      hooks.flatMap(({ inactive, description }) => (inactive === undefined ? `${event} ${description}` : [])),
    );
  const hooks = {
    PreToolUse: [{ hooks: [run('a'), run('b')] }, group('c')],
    PostToolUse: [group('d')],
    SubagentStop: [group('e')],
  };

  it('HS-42 switches off the one hook, of the user and of a project, on all our names of its event', async () => {
    const folder = written({ [CODEX]: { hooks }, 'project/.codex/hooks.json': { hooks } });
    const config = [
      state(folder, CODEX, 'pre_tool_use:0:1'),
      state(folder, CODEX, 'post_tool_use:0:0'),
      state(folder, 'project/.codex/hooks.json', 'pre_tool_use:1:0'),
      state(folder, 'project/.codex/hooks.json', 'subagent_stop:0:0', 'enabled = true\ntrusted_hash = "x"'),
      '[hooks.state]\nodd = 5\n',
    ];
    writeFileSync(join(folder.home, '.codex/config.toml'), config.join('\n'));
    const user = ['PreToolUse a', 'PreToolUse c', 'SubagentStop e'];
    const project = [
      'PreToolUse a',
      'PreToolUse b',
      'PostToolUse d',
      'PostToolUseFailure d',
      'SubagentStop e',
    ];
    expect(await left(folder)).toEqual([...user, ...project]);
  });

  it('HS-42 of one in a config.toml; in the file of a project it has no effect', async () => {
    const toml = '[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "t"\n';
    const folder = written({ 'project/.codex/config.toml': toml });
    const file = 'home/.codex/config.toml';
    mkdirSync(join(folder.home, '.codex'));
    writeFileSync(join(folder.dir, file), toml + state(folder, file, 'pre_tool_use:0:0'));
    expect(await left(folder)).toEqual(['PreToolUse t']);
    const project = 'project/.codex/config.toml';
    writeFileSync(join(folder.dir, file), '');
    writeFileSync(join(folder.dir, project), toml + state(folder, project, 'pre_tool_use:0:0'));
    expect(await left(folder)).toEqual(['PreToolUse t']);
  });
});

describe('the files of Copilot CLI', () => {
  const hooks = (command: string) => ({ hooks: { preToolUse: [run(command)] } });

  it('HS-41 are those of its folders, its settings, and the settings of Claude Code in a project', async () => {
    const files = {
      [COPILOT]: hooks('user'),
      'home/.copilot/settings.json': hooks('settings'),
      'home/.claude/settings.json': hooks('not this one'),
      'project/.github/hooks/x.json': hooks('project'),
      'project/.github/hooks/below/x.json': hooks('below'),
      'project/.github/copilot/settings.json': hooks('project settings'),
      'project/.claude/settings.json': { hooks: { PreToolUse: [group('claude')] } },
      'project/.claude/settings.local.json': { hooks: { PreToolUse: [group('local')] } },
    };
    const all = ['user', 'settings', 'project', 'below', 'project settings', 'claude', 'local'];
    expect(await running('copilot', files)).toEqual(all);
  });

  it('HS-41 count for nothing in another version, or with an empty matcher in those of Claude Code', async () => {
    expect(await running('copilot', { [COPILOT]: { version: 2, ...hooks('x') } })).toEqual([]);
    const groups = [group('x', { matcher: '' }), group('y', { matcher: 'Bash' })];
    expect(
      await running('copilot', { 'project/.claude/settings.json': { hooks: { PreToolUse: groups } } }),
    ).toEqual([]);
  });

  it('HS-41 have matchers for tools only: an empty one matches no tool, and every session', async () => {
    const of = (matcher: string) => ({
      hooks: { sessionStart: [run('s', { matcher })], preToolUse: [run('t', { matcher })] },
    });
    for (const matcher of ['', '*'])
      expect(await running('copilot', { [COPILOT]: of(matcher) })).toEqual(['s']);
    const nulls = {
      preToolUse: [run('t', { matcher: null }), run('ok')],
      PostToolUse: [run('p', { matcher: null }), { matcher: null, hooks: [run('group')] }],
      sessionStart: [run('s', { matcher: null })],
    };
    expect(await running('copilot', { [COPILOT]: { hooks: nulls } })).toEqual(['ok', 'group', 's']);
    expect((await problems('copilot', { [COPILOT]: { hooks: nulls } })).join('\n')).toContain(
      'The matcher null matches nothing in Copilot CLI',
    );
    const claude = {
      'project/.claude/settings.json': { hooks: { PreToolUse: [group('x', { matcher: null })] } },
    };
    expect(await running('copilot', claude)).toEqual(['x']);
    const pascal = { hooks: { PreToolUse: [run('empty', { matcher: '' }), run('star', { matcher: '*' })] } };
    expect(await running('copilot', { [COPILOT]: pascal })).toEqual(['star']);
  });
});

describe('several hooks', () => {
  it('HS-43 Codex runs a hook that is there twice twice, Gemini CLI once', async () => {
    const line = 'cat > /dev/null; printf x >> count.txt; echo "{}"';
    const count = async (name: string, file: string, event: string) => {
      const outcome = await fire(name, { [file]: { hooks: { [event]: [group(line), group(line)] } } });
      return outcome.results.length;
    };
    expect(await count('codex', CODEX, 'PreToolUse')).toBe(2);
    expect(await count('gemini', GEMINI, 'BeforeTool')).toBe(1);
  });

  it.each([
    ['codex', CODEX],
    ['qwen', QWEN],
  ])('HS-43 %s: a hook in the background decides nothing', async (name, file) => {
    const of = (more: object) => ({ [file]: { hooks: { PreToolUse: [group(refusal, {}, more)] } } });
    expect((await fire(name, of({}))).decision).toBe('deny');
    expect((await fire(name, of({ async: true }))).decision).toBeUndefined();
  });

  it.each([
    ['a refusal before a tool', 'preToolUse', 'PreToolUse', { permissionDecision: 'deny' }, 1],
    ['a question before a tool', 'preToolUse', 'PreToolUse', { permissionDecision: 'ask' }, 1],
    ['a block after a tool', 'postToolUse', 'PostToolUse', { decision: 'block', reason: 'R' }, 1],
    ['another result', 'postToolUse', 'PostToolUse', { modifiedResult: { textResultForLlm: 'N' } }, 2],
    ['a block of a prompt', 'userPromptSubmitted', 'UserPromptSubmit', { decision: 'block', reason: 'R' }, 2],
    ['a block at the end of a turn', 'agentStop', 'Stop', { decision: 'block', reason: 'R' }, 2],
  ] as const)('HS-43 Copilot CLI: hooks after %s', async (_what, name, event, answer, ran) => {
    const hooks = { [name]: [run(says(answer)), run('cat > /dev/null; true')] };
    const input =
      event === 'PreToolUse'
        ? CALL
        : event === 'PostToolUse'
          ? { ...CALL, tool_response: 'out' }
          : { prompt: 'p', stop_hook_active: false };
    const { results } = await fire('copilot', { [COPILOT]: { hooks } }, event, input);
    expect(results).toHaveLength(ran);
  });

  it('HS-43 Gemini CLI: in a sequence, the next hook reads a change merged with the input, and the tool gets the change alone', async () => {
    const change = says({ hookSpecificOutput: { tool_input: { command: 'new' } } });
    const shows = `node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>console.log(JSON.stringify({systemMessage:JSON.stringify(JSON.parse(s).tool_input)})))'`;
    const hooks = { BeforeTool: [group(change, { sequential: true }), group(shows)] };
    const outcome = await fire('gemini', { [GEMINI]: { hooks } });
    expect(outcome.systemMessages).toEqual([JSON.stringify({ command: 'new', description: 'd' })]);
    expect(outcome.updatedInput).toEqual({ command: 'new' });
  });
});

describe('command lines', () => {
  it.each([
    ['gemini', GEMINI, { BeforeTool: [group('[[ -n "$GEMINI_CWD" ]] && { echo R >&2; exit 2; }')] }],
    ['qwen', QWEN, { PreToolUse: [group('[[ -n "$QWEN_PROJECT_DIR" ]] && { echo R >&2; exit 2; }')] }],
    ['codex', CODEX, { PreToolUse: [group('[[ -n "$HOME" ]] && { echo R >&2; exit 2; }')] }],
  ])('HS-44 %s runs them in bash', async (name, file, hooks) => {
    const outcome = await fire(name, { [file]: { hooks } });
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'R' });
  });
});

describe('matchers of Codex', () => {
  const { compileMatcher } = host('codex').spellings[0];
  it.each([
    ['(?i)bash', 'Bash', true],
    ['(?i)^b[a-z]+\\b', 'BASH', true],
    ['^Wri', 'apply_patch', true],
    ['Edit|', 'apply_patch', true],
    ['^Read', 'apply_patch', false],
    ['|Bash', 'Bash', true],
    [' Bash ', 'Bash', false],
  ])('HS-41 %s and %s', (pattern, name, matches) => {
    expect(compileMatcher(pattern)(name)).toBe(matches);
  });

  it.each(['^(?!Read)', '(?<=x)Bash', '(B)ash\\1'])('HS-41 %s is no expression of it', (pattern) => {
    expect(() => compileMatcher(pattern)).toThrow('Codex has no');
  });
});
