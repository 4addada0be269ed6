/** Paths in the input of a tool: absolute for everybody who judges the call, and for the tool itself. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import { defineTool } from '../../../../src/agent/tools/tool.js';
import { watchProcess } from '../../../support/runner.js';
import { textOf } from '../session/support.js';
import { type Called, callTools } from '../support/call-tools.js';
import { useClaudeHooks } from '../support/claude-hooks.js';

watchProcess();

const inputs = (fired: readonly Readonly<Record<string, unknown>>[]): unknown[] =>
  fired.map(({ tool_input }) => tool_input);

const rewritesTo = (updatedInput: Record<string, unknown>) => ({
  PreToolUse: [
    { hooks: [() => ({ hookSpecificOutput: { hookEventName: 'PreToolUse' as const, updatedInput } })] },
  ],
});

describe('the paths of a call', () => {
  it('LO-40: hooks see them absolute, from where the agent is, with the home directory for ~', async () => {
    const { of, cwd, home } = await callTools(
      [
        ['Bash', { command: 'mkdir sub; cd sub' }],
        ['Write', { file_path: 'a.txt', content: 'A' }],
        ['Read', { file_path: '../sub/./a.txt' }],
        ['Edit', { file_path: './a.txt', old_string: 'A', new_string: 'B' }],
        ['Write', { file_path: '~/c.txt', content: 'C' }],
        ['Read', { file_path: '~/../none' }],
        ['Glob', { pattern: '*', path: '..' }],
        ['Grep', { pattern: 'B', path: '~' }],
      ],
      {},
    );
    const paths = [
      join(cwd, 'sub/a.txt'),
      join(cwd, 'sub/a.txt'),
      join(cwd, 'sub/a.txt'),
      join(home, 'c.txt'),
      join(home, '../none'),
      cwd,
      home,
    ];
    const pathOf = (input: unknown): unknown => {
      const { file_path, path } = input as { file_path?: string; path?: string };
      return file_path ?? path;
    };
    expect(inputs(of('PreToolUse')).slice(1).map(pathOf)).toEqual(paths);
    expect([...inputs(of('PostToolUse')), ...inputs(of('PostToolUseFailure'))].map(pathOf)).toEqual([
      undefined,
      ...paths.slice(0, 4),
      ...paths.slice(5),
      join(home, '../none'),
    ]);
    expect(readFileSync(join(cwd, 'sub/a.txt'), 'utf8')).toBe('B');
    expect(readFileSync(join(home, 'c.txt'), 'utf8')).toBe('C');
    expect(existsSync(join(cwd, 'sub/~'))).toBe(false);
  });

  it('LO-40: a field that is not there stays away', async () => {
    const { of } = await callTools([
      ['Glob', { pattern: '*' }],
      ['Grep', { pattern: 'x' }],
    ]);
    expect(inputs(of('PreToolUse'))).toEqual([{ pattern: '*' }, { pattern: 'x' }]);
    expect(inputs(of('PostToolUse'))).toEqual([{ pattern: '*' }, { pattern: 'x' }]);
  });

  it('LO-40: what the model said stays as it said it, in the conversation and in the transcript', async () => {
    const { loop, cwd, requests } = await callTools([['Write', { file_path: 'a.txt', content: 'A' }]]);
    expect(textOf(requests.at(-1)?.messages[1])).toBe('{"file_path":"a.txt","content":"A"}');
    await loop.close();
    const { transcriptPath } = await loop.session();
    const transcript = readFileSync(transcriptPath, 'utf8');
    expect(transcript).toContain('"file_path":"a.txt"');
    expect(transcript).toContain(`"filePath":"${join(cwd, 'a.txt')}"`);
  });

  it('LO-40: a guard that looks at the path cannot be got round by going into the directory', async () => {
    const guard = [
      'path=$(node -p "JSON.parse(require(\'fs\').readFileSync(0)).tool_input.file_path")',
      'case "$path" in */.aws/credentials) echo "Secrets are not read" >&2; exit 2;; esac',
    ].join('; ');
    const { results } = await callTools(
      [
        ['Read', { file_path: '.aws/credentials' }],
        ['Bash', { command: 'cd .aws' }],
        ['Read', { file_path: 'credentials' }],
        ['Read', { file_path: 'x/../credentials' }],
        ['Read', { file_path: 'config' }],
      ],
      {
        files: { '.aws/credentials': 'aws_secret=TOP', '.aws/config': 'region' },
        prepare: (made) => useClaudeHooks({ 'PreToolUse:Read|Edit|Write': [guard] }, made),
      },
    );
    const [first, , second, third, allowed] = results;
    for (const refused of [first, second, third]) {
      expect(refused).toContain('Secrets are not read');
      expect(refused).not.toContain('TOP');
    }
    expect(allowed).toContain('region');
  });

  it('LO-40: a path that a hook puts in is made absolute before the rules and the tool see it', async () => {
    const { of, results, cwd } = await callTools([['Read', { file_path: 'a.txt' }]], {
      files: { 'a.txt': 'A', 'b.txt': 'B' },
      hooks: rewritesTo({ file_path: 'b.txt' }),
    });
    expect(results).toEqual([expect.stringContaining('B')]);
    expect(inputs(of('PostToolUse'))).toEqual([{ file_path: join(cwd, 'b.txt') }]);
    const denied = await callTools([['Read', { file_path: 'a.txt' }]], {
      files: { 'a.txt': 'A', 'sub/.env': 'TOP' },
      hooks: rewritesTo({ file_path: 'sub/../sub/.env' }),
      options: { permissions: { deny: ['Read(/sub/.env)'] } },
    });
    expect(denied.results).toEqual([expect.stringContaining('Read(/sub/.env)')]);
  });

  it('LO-40: a person, and hooks that are asked for permission, get them and may give relative ones', async () => {
    const asked: unknown[] = [];
    const { of, cwd, home, result } = await callTools(
      [
        ['Write', { file_path: '~/a.txt', content: 'A' }],
        ['Write', { file_path: 'no.txt', content: 'A' }],
      ],
      {
        options: {
          permissions: { mode: 'default' },
          canUseTool: async (_, input) => {
            asked.push(input['file_path']);
            if (asked.length > 1) return { behavior: 'deny', message: 'No.' };
            return { behavior: 'allow', updatedInput: { file_path: 'sub/b.txt', content: 'B' } };
          },
        },
      },
    );
    expect(asked).toEqual([join(home, 'a.txt'), join(cwd, 'no.txt')]);
    expect(inputs(of('PermissionRequest'))).toMatchObject(asked.map((file_path) => ({ file_path })));
    expect(inputs(of('PostToolUse'))).toMatchObject([{ file_path: join(cwd, 'sub/b.txt') }]);
    expect(readFileSync(join(cwd, 'sub/b.txt'), 'utf8')).toBe('B');
    expect(result.permission_denials).toMatchObject([{ tool_input: { file_path: join(cwd, 'no.txt') } }]);
  });

  it('LO-40: a call that is put off says where it was about', async () => {
    const defer = {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' },
    } as const;
    const { result, cwd } = await callTools([['Read', { file_path: 'a.txt' }]], {
      hooks: { PreToolUse: [{ hooks: [() => defer as never] }] },
    });
    expect(result.deferred_tool_use).toMatchObject({ input: { file_path: join(cwd, 'a.txt') } });
  });

  it.each([
    ['~root/x', /another user.*"\.\/~root\/x"/],
    ['a\0b', /NUL/],
    ['', /file_path is empty/],
  ])('LO-40: %j is an error that says what to do, and no hook is asked', async (file_path, error) => {
    const { of, results, cwd } = await callTools([['Write', { file_path, content: 'A' }]]);
    expect(results).toEqual([expect.stringMatching(error)]);
    expect(of('PreToolUse')).toEqual([]);
    expect(existsSync(join(cwd, '~root'))).toBe(false);
  });

  it('LO-40: a path that is none, put in by a hook, does not reach the tool', async () => {
    const { results, of } = await callTools([['Read', { file_path: 'a.txt' }]], {
      hooks: rewritesTo({ file_path: '~root/x' }),
    });
    expect(results).toEqual([expect.stringMatching(/^A hook changed the input of Read\..*another user/)]);
    expect(of('PostToolUse')).toEqual([]);
  });
});

describe('a tool that declares its paths', () => {
  const given: unknown[] = [];
  const copy = defineTool({
    name: 'Copy',
    description: 'Copies a file',
    input: z.strictObject({
      source: z.string(),
      targets: z.array(z.string()).optional(),
      label: z.string().optional(),
    }),
    paths: ['source', 'targets'],
    run(input) {
      given.push(input);
      return { ok: true, content: 'Copied.', response: {} };
    },
  });
  const use = (inputs: readonly object[], options: Partial<AgentLoopOptions> = {}): Promise<Called> => {
    given.length = 0;
    return callTools(
      inputs.map((input) => ['Copy', input]),
      { options: { tools: [...builtInTools(), copy], ...options } },
    );
  };

  it('TO-42: gets them absolute, one by one and in lists, and other fields as they are', async () => {
    const { of, cwd, home } = await use([
      { source: 'a', targets: ['b', '~/c', '/d'], label: '~/e' },
      { source: '.' },
    ]);
    const expected = [
      { source: join(cwd, 'a'), targets: [join(cwd, 'b'), join(home, 'c'), '/d'], label: '~/e' },
      { source: cwd },
    ];
    expect(given).toEqual(expected);
    expect(inputs(of('PreToolUse'))).toEqual(expected);
  });

  it('PM-40: is denied what rules about reading and editing deny', async () => {
    const { results } = await use(
      [
        { source: '.env' },
        { source: 'a', targets: ['b', 'keep/x'] },
        { source: '/proc/self/cwd/.env' },
        { source: 'a', targets: ['b'] },
      ],
      { permissions: { deny: ['Read(.env)', 'Edit(keep/**)'] } },
    );
    expect(results).toEqual([
      expect.stringContaining('Read(.env)'),
      expect.stringContaining('Edit(keep/**)'),
      expect.stringContaining('cannot be determined'),
      'Copied.',
    ]);
  });
});
