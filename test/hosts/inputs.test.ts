/** What hosts send, as their documentation has it, is read as the call that it is, and hooks in their files run for it alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadHostConfig } from '../../src/dialects/host/load.js';
import { toHost } from '../../src/dialects/host/translate.js';
import { decodeEvent } from '../../src/hosts/decode.js';
import { type AnyEvent, Runner } from '../../src/index.js';
import { type Folder, host, makeFolder } from './support.js';

type Input = Readonly<Record<string, unknown>>;

const windsurf = (agent_action_name: string, tool_info: Input) => ({
  agent_action_name,
  trajectory_id: 's-1',
  execution_id: 'e-1',
  tool_info,
});
const cursor = (hook_event_name: string, fields: Input) => ({
  conversation_id: 's-1',
  generation_id: 'g-1',
  workspace_roots: ['/work'],
  hook_event_name,
  ...fields,
});
const kimi = (hook_event_name: string, fields: Input) => ({
  hook_event_name,
  session_id: 's-1',
  cwd: '/work',
  ...fields,
});
const openhands = (event_type: string, tool_name: string, tool_input: Input) => ({
  event_type,
  tool_name,
  tool_input,
  tool_response: null,
  message: null,
  session_id: 's-1',
  working_dir: '/work',
  metadata: {},
});
const call = (tool_name: string, tool_input: Input, more: Input = {}) => ({
  session_id: 's-1',
  tool_name,
  tool_input,
  ...more,
});

/** What the host sends, and what hooks read. */
const SENT: readonly (readonly [name: string, sent: Input, event: AnyEvent, read: Input])[] = [
  [
    'cursor',
    cursor('preToolUse', { cwd: '', tool_name: 'Shell', tool_input: { command: 'ls' } }),
    'PreToolUse',
    call('Bash', { command: 'ls' }, { cwd: '/work' }),
  ],
  [
    'cursor',
    cursor('preToolUse', { tool_name: 'MCP:search', tool_input: { q: 'x' } }),
    'PreToolUse',
    call('mcp__cursor__search', { q: 'x' }),
  ],
  [
    'cursor',
    cursor('beforeShellExecution', { command: 'ls', cwd: '/work/a', sandbox: false }),
    'PreToolUse',
    call('Bash', { command: 'ls' }, { cwd: '/work/a' }),
  ],
  [
    'cursor',
    cursor('afterShellExecution', { command: 'ls', output: 'a.txt', duration: 3 }),
    'PostToolUse',
    call('Bash', { command: 'ls' }, { tool_response: 'a.txt' }),
  ],
  [
    'cursor',
    cursor('beforeMCPExecution', { tool_name: 'search', tool_input: '{"q":"x"}', url: 'http://a' }),
    'PreToolUse',
    call('mcp__cursor__search', { q: 'x' }),
  ],
  [
    'cursor',
    cursor('beforeReadFile', { file_path: '/work/.env', content: 'A=1', attachments: [] }),
    'PreToolUse',
    call('Read', { file_path: '/work/.env' }),
  ],
  [
    'cursor',
    cursor('afterFileEdit', { file_path: '/work/a', edits: [{ old_string: 'a', new_string: 'b' }] }),
    'PostToolUse',
    call('Edit', { file_path: '/work/a', old_string: 'a', new_string: 'b' }),
  ],
  [
    'letta',
    {
      event_type: 'PreToolUse',
      working_directory: '/work',
      tool_name: 'exec_command',
      tool_input: { cmd: 'ls' },
      tool_call_id: 't-1',
    },
    'PreToolUse',
    { cwd: '/work', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't-1' },
  ],
  [
    'letta',
    {
      event_type: 'PostToolUse',
      working_directory: '/work',
      tool_name: 'Read',
      tool_input: { file_path: '/work/a' },
      tool_result: { status: 'success', output: 'text' },
    },
    'PostToolUse',
    { tool_name: 'Read', tool_response: 'text' },
  ],
  [
    'openhands',
    openhands('PreToolUse', 'terminal', { command: 'ls', is_input: false, kind: 'TerminalAction' }),
    'PreToolUse',
    call('Bash', expect.objectContaining({ command: 'ls' }), { cwd: '/work' }),
  ],
  [
    'openhands',
    openhands('PreToolUse', 'file_editor', { command: 'view', path: '/work/.env', file_text: null }),
    'PreToolUse',
    call('Read', expect.objectContaining({ file_path: '/work/.env' })),
  ],
  [
    'openhands',
    openhands('PreToolUse', 'file_editor', { command: 'create', path: '/work/a', file_text: 'x' }),
    'PreToolUse',
    call('Write', expect.objectContaining({ file_path: '/work/a', content: 'x' })),
  ],
  [
    'openhands',
    openhands('PreToolUse', 'file_editor', { command: 'insert', path: '/work/a', new_str: 'x' }),
    'PreToolUse',
    call('Edit', expect.objectContaining({ file_path: '/work/a', new_string: 'x' })),
  ],
  [
    'openhands',
    {
      ...openhands('PostToolUse', 'terminal', { command: 'ls' }),
      tool_response: { content: [{ type: 'text', text: 'a.txt' }], is_error: false, exit_code: 0 },
    },
    'PostToolUse',
    call('Bash', expect.objectContaining({ command: 'ls' }), { tool_response: 'a.txt' }),
  ],
  [
    'openhands',
    { event_type: 'UserPromptSubmit', message: 'hello', session_id: 's-1', tool_name: null },
    'UserPromptSubmit',
    { session_id: 's-1', prompt: 'hello' },
  ],
  [
    'kimi',
    kimi('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_call_id: 't-1' }),
    'PreToolUse',
    call('Bash', { command: 'ls' }, { tool_use_id: 't-1' }),
  ],
  [
    'kimi',
    kimi('PreToolUse', { tool_name: 'Read', tool_input: { path: '.env' } }),
    'PreToolUse',
    call('Read', { file_path: '.env' }),
  ],
  [
    'kimi',
    kimi('PreToolUse', {
      tool_name: 'StrReplaceFile',
      tool_input: { path: 'a', edit: { old: 'b', new: 'c' } },
    }),
    'PreToolUse',
    call('Edit', expect.objectContaining({ file_path: 'a' })),
  ],
  [
    'kimi',
    kimi('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_output: 'a.txt' }),
    'PostToolUse',
    call('Bash', { command: 'ls' }, { tool_response: 'a.txt' }),
  ],
  [
    'kimi',
    kimi('UserPromptSubmit', { prompt: [{ type: 'text', text: 'hello' }, { type: 'image_url' }] }),
    'UserPromptSubmit',
    { session_id: 's-1', prompt: 'hello' },
  ],
  [
    'windsurf',
    windsurf('pre_run_command', { command_line: 'ls', cwd: '/work' }),
    'PreToolUse',
    call('Bash', { command: 'ls', cwd: '/work' }, { cwd: '/work' }),
  ],
  [
    'windsurf',
    windsurf('pre_read_code', { file_path: '/work/.env' }),
    'PreToolUse',
    call('Read', { file_path: '/work/.env' }),
  ],
  [
    'windsurf',
    windsurf('pre_write_code', { file_path: '/work/a', edits: [{ old_string: '', new_string: 'b' }] }),
    'PreToolUse',
    call('Write', expect.objectContaining({ file_path: '/work/a', content: 'b' })),
  ],
  [
    'windsurf',
    windsurf('post_write_code', { file_path: '/work/a', edits: [{ old_string: 'a', new_string: 'b' }] }),
    'PostToolUse',
    call('Edit', expect.objectContaining({ file_path: '/work/a', old_string: 'a', new_string: 'b' })),
  ],
  [
    'windsurf',
    windsurf('pre_mcp_tool_use', {
      mcp_server_name: 'github',
      mcp_tool_name: 'search',
      mcp_tool_arguments: { q: 'x' },
    }),
    'PreToolUse',
    call('mcp__github__search', { q: 'x' }),
  ],
  [
    'windsurf',
    windsurf('pre_user_prompt', { user_prompt: 'hello' }),
    'UserPromptSubmit',
    { session_id: 's-1', prompt: 'hello' },
  ],
];

describe('what a host sends', () => {
  it.each(SENT)('HS-35 %s: %j is %s', (name, sent, event, read) => {
    const decoded = decodeEvent(host(name), JSON.stringify(sent));
    expect(decoded).toMatchObject({ ok: true, call: { event } });
    if (!decoded.ok) return;
    expect(decoded.call.input).toMatchObject(read);
    // Hooks of the host's own files read what the host sends.
    const { spelling, input } = decoded.call;
    const written = toHost(spelling, event, { ...input, hook_event_name: spelling.events[event]?.name });
    const back = decodeEvent(host(name), JSON.stringify(written));
    expect(back.ok && back.call.input).toMatchObject(read);
  });

  it.each([
    ['letta', 'ApplyPatch', 'input'],
    ['openhands', 'apply_patch', 'patch'],
  ])('HS-11 %s: a patch is judged as the files that it writes', (name, tool_name, field) => {
    const patch = '*** Begin Patch\n*** Add File: .env\n+A=1\n*** End Patch';
    const sent = { event_type: 'PreToolUse', tool_name, tool_input: { [field]: patch } };
    const decoded = decodeEvent(host(name), JSON.stringify(sent));
    const parts = decoded.ok ? decoded.call.spelling.partsOf?.(decoded.call.input) : [];
    expect(parts).toMatchObject([{ tool_name: 'Write', tool_input: { content: 'A=1' } }]);
  });

  it('HS-35 each of several edits of Windsurf is judged', () => {
    const edits = ['a', 'b'].map((text) => ({ old_string: text, new_string: `${text}${text}` }));
    const sent = windsurf('pre_write_code', { file_path: '/work/a', edits });
    const decoded = decodeEvent(host('windsurf'), JSON.stringify(sent));
    const parts = decoded.ok ? decoded.call.spelling.partsOf?.(decoded.call.input) : [];
    const second = { file_path: '/work/a', old_string: 'b', new_string: 'bb' };
    expect(parts).toMatchObject([{ tool_name: 'Edit', tool_input: second }]);
  });

  it('HS-36 an agent in VS Code that calls an entry of Copilot CLI is answered in its spelling', () => {
    const sent = { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/work', tool_use_id: 't' };
    const calls = [
      ['run_in_terminal', { command: 'ls' }, 'Bash', { command: 'ls' }],
      ['read_file', { filePath: '/work/a' }, 'Read', { file_path: '/work/a' }],
      ['create_file', { filePath: '/work/a', content: 'x' }, 'Write', { file_path: '/work/a', content: 'x' }],
    ] as const;
    for (const [tool_name, tool_input, ours, read] of calls) {
      const text = JSON.stringify({ ...sent, tool_name, tool_input });
      expect(decodeEvent(host('copilot'), text, 'preToolUse')).toMatchObject({
        ok: true,
        call: { spelling: { id: 'copilot-pascal' }, input: { tool_name: ours, tool_input: read } },
      });
    }
  });
});

describe('hooks in the files of a host with an event for each kind of tool', () => {
  let folder: Folder;
  beforeAll(() => {
    const refuse = (reason: string) => [{ command: `echo ${reason} >&2; exit 2` }];
    folder = makeFolder({
      '.cursor/hooks.json': JSON.stringify({
        version: 1,
        hooks: {
          beforeShellExecution: [{ ...refuse('R-shell')[0], matcher: 'curl' }],
          beforeReadFile: refuse('R-read'),
          beforeMCPExecution: [{ ...refuse('R-mcp')[0], matcher: '^search$' }],
        },
      }),
      '.windsurf/hooks.json': JSON.stringify({
        hooks: { pre_run_command: refuse('R-shell'), pre_read_code: refuse('R-read') },
      }),
    });
  });
  afterAll(() => folder.remove());

  it.each([
    ['cursor', 'Bash', { command: 'ls' }, 'R-shell'],
    ['cursor', 'Read', { file_path: 'a' }, 'R-read'],
    ['cursor', 'mcp__a__search', {}, 'R-mcp'],
    ['cursor', 'mcp__a__other', {}, undefined],
    ['cursor', 'Write', { file_path: 'a', content: '' }, undefined],
    ['windsurf', 'Bash', { command: 'ls' }, 'R-shell'],
    ['windsurf', 'Read', { file_path: 'a' }, 'R-read'],
    ['windsurf', 'WebFetch', { url: 'http://a' }, undefined],
  ])('HS-35 %s: a call of %s', async (name, tool_name, tool_input, reason) => {
    const config = await loadHostConfig(host(name), {
      cwd: folder.project,
      home: folder.home,
      trust: 'workspace',
    });
    // Cursor compares this matcher with the line of the shell: the hook runs for every line.
    expect(config.diagnostics.map(({ code }) => code)).toEqual(name === 'cursor' ? ['matcher_ignored'] : []);
    const runner = new Runner({ cwd: folder.project });
    runner.use(config);
    const outcome = await runner.fire('PreToolUse', { tool_name, tool_input, tool_use_id: 't' });
    expect(outcome.reason).toBe(reason);
    await runner.dispose();
  });
});
