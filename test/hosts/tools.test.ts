/** Every tool that real hosts offered their models, and tools that nobody described: what hooks judge for a call of it. */
import { describe, expect, it } from 'vitest';
import { matchRules } from '../../src/guard/index.js';
import { answerHost } from '../../src/hosts/bridge.js';
import { decodeEvent } from '../../src/hosts/decode.js';
import { host } from './support.js';

type Input = Readonly<Record<string, unknown>>;
type Judged = readonly [tool: string, input: Input, cwd?: string];

const PATCH = '*** Begin Patch\n  *** Delete File: a.lock\n*** End Patch';
const DELETED = ['Write', { file_path: '/work/a.lock', content: '' }] as const;

const ours = (name: string, input: unknown, more: Input = {}) => ({
  hook_event_name: 'PreToolUse',
  cwd: '/work',
  tool_name: name,
  tool_input: input,
  ...more,
});
const gemini = (name: string, input: unknown, more: Input = {}) => ({
  ...ours(name, input, more),
  hook_event_name: 'BeforeTool',
});
const copilot = (toolName: string, toolArgs: unknown, more: Input = {}) => ({
  cwd: '/work',
  toolName,
  toolArgs,
  ...more,
});
const letta = (tool_name: string, tool_input: Input) => ({
  event_type: 'PreToolUse',
  working_directory: '/work',
  tool_name,
  tool_input,
});

/** What the host sends, and the calls that hooks judge for it, in their order. */
const CALLS: readonly (readonly [name: string, sent: Input, judged: readonly Judged[]])[] = [
  [
    'gemini',
    gemini('run_shell_command', { command: 'ls', dir_path: 'a' }),
    [['Bash', { command: 'ls' }, '/work/a']],
  ],
  [
    'gemini',
    gemini('grep_search', { pattern: 'x', dir_path: 'a', include_pattern: '.env' }),
    [['Grep', { path: 'a', glob: '.env' }]],
  ],
  ['gemini', gemini('search_file_content', { pattern: 'x', dir_path: 'a' }), [['Grep', { path: 'a' }]]],
  ['gemini', gemini('list_directory', { dir_path: 'a' }), [['LS', { path: 'a' }]]],
  [
    'gemini',
    gemini('mcp_my_fs_read', {}, { mcp_context: { server_name: 'my_fs', tool_name: 'read' } }),
    [['mcp__my_fs__read', {}]],
  ],
  ['gemini', gemini('mcp_fs_read', {}), [['mcp__fs__read', {}]]],
  [
    'qwen',
    ours('run_shell_command', { command: 'ls', directory: '/a' }),
    [['Bash', { command: 'ls' }, '/a']],
  ],
  ['qwen', ours('monitor', { command: 'ls', directory: '/a' }), [['Bash', { command: 'ls' }, '/a']]],
  ['codex', ours('view_image', { path: 'a' }), [['Read', { file_path: 'a' }]]],
  [
    'codex',
    ours('Bash', { command: `cd b && apply_patch <<'E'\n${PATCH}\nE` }),
    [['Bash', {}], DELETED, ['Write', { file_path: '/work/b/a.lock' }]],
  ],
  [
    'codex',
    ours('Bash', { command: "apply_patch $'*** Begin Patch\\n*** Delete File: a.lock'" }),
    [['Bash', {}], DELETED],
  ],
  ['codex', ours('Bash', { command: 'grep -r apply_patch src' }), [['Bash', {}]]],
  ['codex', ours('apply_patch', { input: PATCH }), [['apply_patch', {}], DELETED]],
  ['copilot', copilot('apply_patch', PATCH), [['apply_patch', { input: PATCH }], DELETED]],
  ['copilot', ours('Edit', PATCH), [['apply_patch', { input: PATCH }], DELETED]],
  ['copilot', ours('Edit', { path: 'a', old_str: 'b' }), [['Edit', { file_path: 'a', old_string: 'b' }]]],
  [
    'copilot',
    copilot('rg', { pattern: 'x', paths: ['a', 'b'] }),
    [
      ['Grep', { paths: ['a', 'b'] }],
      ['Grep', { path: 'a' }],
      ['Grep', { path: 'b' }],
    ],
  ],
  ['copilot', copilot('grep', { pattern: 'x', paths: 'a' }), [['Grep', { path: 'a' }]]],
  [
    'cursor',
    { ...ours('Shell', { command: 'ls', working_directory: '/a' }), hook_event_name: 'preToolUse' },
    [['Bash', {}, '/a']],
  ],
  [
    'cursor',
    { ...ours('Delete', { path: 'a' }), hook_event_name: 'preToolUse' },
    [['Write', { file_path: 'a' }]],
  ],
  ['letta', letta('exec_command', { cmd: 'ls', workdir: 'a' }), [['Bash', { command: 'ls' }, '/work/a']]],
  // A tool that the description does not name.
  ['factory', ours('ApplyPatch', { input: PATCH }), [['ApplyPatch', {}], DELETED]],
  [
    'codex',
    ours('exec', { cmd: ['rm', 'a'] }),
    [
      ['exec', {}],
      ['Bash', { command: ['rm', 'a'] }],
    ],
  ],
  [
    'copilot',
    copilot('write_bash', { shellId: '1', input: 'rm a' }),
    [
      ['write_bash', {}],
      ['Bash', { command: 'rm a' }],
    ],
  ],
  [
    'gemini',
    gemini('read_many_files', { include: ['a', 'b'] }),
    [
      ['read_many_files', {}],
      ['Read', { file_path: 'a' }],
      ['Read', { file_path: 'b' }],
    ],
  ],
  [
    'qwen',
    ours('multi', { changes: [{ filePath: 'a', newString: 'x' }] }),
    [
      ['multi', {}],
      ['Write', { file_path: 'a', content: 'x' }],
    ],
  ],
  [
    'qwen',
    ours('remove', { path: 'a' }),
    [
      ['remove', {}],
      ['Write', { file_path: 'a' }],
    ],
  ],
  ['qwen', ours('todo_write', { todos: [{ content: 'x' }] }), [['todo_write', {}]]],
  ['codex', ours('mcp__a__run', { command: 'ls' }), [['mcp__a__run', {}]]],
  // In other cases.
  ['gemini', gemini('Run_Shell_Command ', { command: 'ls' }), [['Bash', { command: 'ls' }]]],
  ['codex', ours('bash', { command: 'ls' }), [['Bash', { command: 'ls' }]]],
];

/** What is refused before any hook runs, and why. */
const UNCLEAR: readonly (readonly [name: string, sent: Input, why: string])[] = [
  ['codex', ours('Bash', { command: null }), 'expected one with command'],
  ['codex', ours('Bash', { command: { a: 'ls' } }), 'expected one with command'],
  ['gemini', gemini('read_file', { file_path: 5 }), 'expected one with file_path'],
  ['copilot', copilot('bash', { command: 'rm' }, { tool_name: 'view' }), 'tool_name and toolName'],
  [
    'copilot',
    copilot('bash', { command: 'rm' }, { tool_input: { command: 'ls' } }),
    'tool_input and toolArgs',
  ],
];

const eventOf = (name: string, sent: Input): string =>
  String(sent['hook_event_name'] ?? sent['event_type'] ?? (name === 'copilot' ? 'preToolUse' : ''));

describe('a call of a tool', () => {
  it.each(CALLS)('HS-37 %s: %j', async (name, sent, judged) => {
    const seen: Input[] = [];
    const answer = await answerHost({
      host: host(name),
      text: JSON.stringify(sent),
      event: eventOf(name, sent),
      fire: async (_event, input) => {
        seen.push(input);
        return {
          outcome: { results: [], failures: [], pending: [], systemMessages: [], injections: [] } as never,
          problems: [],
        };
      },
    });
    expect(answer.stderr).toEqual([]);
    expect(seen).toMatchObject(
      judged.map(([tool_name, tool_input, cwd = '/work']) => ({ tool_name, tool_input, cwd })),
    );
  });

  it.each(UNCLEAR)('HS-27 %s: %j is refused', (name, sent, why) => {
    const decoded = decodeEvent(host(name), JSON.stringify(sent), eventOf(name, sent));
    expect(decoded).toMatchObject({ ok: false, problem: expect.stringContaining(why) });
  });

  it('HS-11 a shell line of Codex that applies a patch from elsewhere is refused', async () => {
    const text = JSON.stringify(ours('Bash', { command: 'cat p | apply_patch' }));
    const answer = await answerHost({
      host: host('codex'),
      text,
      fire: () => Promise.reject(new Error('fired')),
    });
    expect(answer.stdout).toContain('cannot be seen');
  });
});

describe('a search', () => {
  it.each([
    ['.env', true],
    ['.env*', true],
    ['**/.env', true],
    ['*.{ts,pem}', true],
    ['*.ts', false],
    ['!.env', false],
  ])('GU-16 that is narrowed to %s reads these files', (glob, matches) => {
    const input = { ...ours('Grep', { pattern: 'x', path: 'src', glob }), session_id: 's' };
    const found = matchRules(['Read(//**/.env)', 'Read(//**/*.pem)'], input as never);
    expect(found !== undefined).toBe(matches);
  });
});
