import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Completion } from '../../src/handlers/completion.js';
import {
  checkMcpToolOptions,
  fillTemplate,
  type HookMcpClient,
  type McpToolOptions,
  mcpToolHook,
} from '../../src/handlers/mcp-tool.js';
import { gate } from '../support/runner.js';
import { interpret, makeRun } from './support.js';

const place = (path: string): string => `$\{${path}}`;

interface Call {
  readonly server: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

function returns(result: unknown): HookMcpClient & { readonly calls: Call[] } {
  const calls: Call[] = [];
  return {
    calls,
    callTool: async (server, tool, args) => {
      calls.push({ server, tool, args });
      return result as never;
    },
  };
}

/** Without keys that reach prototypes, which are left out wherever data is copied. */
const isHarmless = (value: unknown): boolean =>
  !/"(__proto__|constructor|prototype)":/.test(JSON.stringify(value));
const text = (...texts: string[]) => ({ content: texts.map((each) => ({ type: 'text', text: each })) });
const call = async (
  client: HookMcpClient,
  options: Partial<McpToolOptions> = {},
  run = makeRun(),
): Promise<Completion> => mcpToolHook({ server: 'guard', tool: 'scan', ...options }, client)(run);

describe('the call', () => {
  it('MT-1 names server and tool, and has the filled arguments', async () => {
    const client = returns(text(''));
    const run = makeRun({ tool_input: { file_path: '/a b', lines: [1, 2] } });
    const input = { path: place('tool_input.file_path'), lines: place('tool_input.lines'), level: 3 };
    await call(client, { input }, run);
    await call(client, {}, run);
    expect(client.calls).toEqual([
      { server: 'guard', tool: 'scan', args: { path: '/a b', lines: [1, 2], level: 3 } },
      { server: 'guard', tool: 'scan', args: {} },
    ]);
    expect(client.calls[0]?.args['lines']).not.toBe((run.input['tool_input'] as { lines: unknown }).lines);
  });
});

describe('the template', () => {
  const input = {
    tool_name: 'Edit',
    n: 7,
    off: false,
    none: null,
    deep: { list: ['a', { b: 'c' }], o: { k: 1 } },
  };

  it.each([
    ['a whole value keeps its type', place('n'), 7],
    ['false is a value', place('off'), false],
    ['an object stays one', place('deep.o'), { k: 1 }],
    ['a list is reached by number', place('deep.list.1.b'), 'c'],
    ['white space inside is fine', place(' tool_name '), 'Edit'],
    [
      'inside a text everything is text',
      `${place('tool_name')}:${place('n')} ${place('deep.o')}`,
      'Edit:7 {"k":1}',
    ],
    ['what is missing inside a text is empty', `[${place('nowhere.at.all')}${place('none')}]`, '[]'],
    ['a lone null is null', place('none'), null],
    [
      'nested templates are filled',
      { a: [place('n'), { b: place('tool_name') }] },
      { a: [7, { b: 'Edit' }] },
    ],
    ['what is missing is left out', { a: place('nowhere'), b: 1 }, { b: 1 }],
    ['in a list it leaves a gap', [place('nowhere'), 1], [null, 1]],
    ['what is no placeholder stays', `$n ${place('a b')} \${} ${place('n')}`, `$n ${place('a b')} \${} 7`],
    ['other values stay', { a: 1, b: true, c: null }, { a: 1, b: true, c: null }],
  ])('MT-2 %s', (_, template, filled) => {
    expect(fillTemplate(template, input)).toEqual(filled);
  });

  it.each(['__proto__', 'constructor.name', 'deep.list.map', 'tool_name.length', 'deep.constructor'])(
    'MT-3 nothing but data is reached: %s is missing',
    (path) => {
      expect(fillTemplate({ a: place(path), b: `<${place(path)}>` }, input)).toEqual({ b: '<>' });
    },
  );

  it('MT-3 what is filled in is never looked at again', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue().filter(isHarmless), (name, value) => {
        const hostile = { text: `${place('secret')}${name}`, secret: 'hunter2', value };
        expect(fillTemplate(`<${place('text')}>`, hostile)).toBe(`<${place('secret')}${name}>`);
        expect(fillTemplate(place('value'), hostile)).toEqual(value);
      }),
    );
  });
});

describe('the result', () => {
  it('MT-4 its text is read like the stdout of a command', async () => {
    const completion = await call(returns(text('{"decision":"block",', '"reason":"no"}')));
    expect(completion).toMatchObject({
      kind: 'exited',
      exitCode: 0,
      stdout: '{"decision":"block",\n"reason":"no"}',
    });
    expect(interpret('PreToolUse', completion)).toMatchObject({ decision: 'deny', reason: 'no' });
  });

  it('MT-4 what is not text says nothing', async () => {
    const content = [
      { type: 'image', data: 'AAAA' },
      null,
      { type: 'text', text: 'context' },
      { type: 'text' },
    ];
    expect(await call(returns({ content }))).toMatchObject({ exitCode: 0, stdout: 'context' });
    expect(await call(returns({ content: [] }))).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await call(returns({ content: 'plain' }))).toMatchObject({ exitCode: 0, stdout: 'plain' });
  });

  it('MT-5 an error result is a failure with its text, and decides nothing', async () => {
    const completion = await call(returns({ ...text('{"decision":"block"}'), isError: true }));
    expect(completion).toEqual({
      kind: 'exited',
      exitCode: 1,
      signal: undefined,
      stdout: '',
      stderr: '{"decision":"block"}',
    });
    expect(interpret('PreToolUse', completion)).not.toHaveProperty('decision');
  });

  it.each([undefined, null, 'text', 7, {}, { content: 7 }, { content: { type: 'text', text: 'x' } }])(
    'MT-5 %j is no result',
    async (result) => {
      expect(await call(returns(result))).toMatchObject({
        kind: 'threw',
        error: { message: expect.stringContaining('scan of guard') },
      });
    },
  );

  it('MT-6 more than 1 MiB of text is too much', async () => {
    const limit = 1024 * 1024;
    expect(await call(returns(text('x'.repeat(limit))))).toMatchObject({ kind: 'exited' });
    expect(await call(returns(text('é'.repeat(limit / 2 + 1))))).toMatchObject({ kind: 'too-much-output' });
  });
});

describe('its life', () => {
  it('MT-7 a server that is not connected is a failure', async () => {
    const client = { callTool: () => Promise.reject(new Error('guard is not connected')) };
    expect(await call(client)).toMatchObject({ kind: 'threw', error: { message: 'guard is not connected' } });
  });

  it('MT-7 the deadline and the end of the fire abort the call', async () => {
    const signals: AbortSignal[] = [];
    const asked = gate();
    const client: HookMcpClient = {
      callTool: (_server, _tool, _args, signal) => {
        signals.push(signal);
        asked.open();
        return new Promise(() => {});
      },
    };
    const run = makeRun();
    const completion = call(client, {}, run);
    await asked.passed;
    run.cancellation.cancel();
    expect(await completion).toEqual({ kind: 'aborted' });
    expect(await call(client, {}, makeRun({}, { timeoutMs: 20 }))).toEqual({
      kind: 'timed-out',
      timeoutMs: 20,
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

describe('registration', () => {
  it('MT-8 keeps a copy, without keys that reach prototypes; `arguments` is another word for `input`', () => {
    const input = JSON.parse('{"a":{"b":1},"__proto__":{"c":2}}');
    const options = checkMcpToolOptions('Stop', { type: 'mcp_tool', server: 's', tool: 't', input });
    input.a.b = 2;
    expect(options).toEqual({ server: 's', tool: 't', input: { a: { b: 1 } } });
    expect(checkMcpToolOptions('Stop', { server: 's', tool: 't', arguments: { x: 1 } }).input).toEqual({
      x: 1,
    });
    expect(checkMcpToolOptions('Stop', { server: 's', tool: 't' })).toEqual({ server: 's', tool: 't' });
  });

  it.each([
    [{ tool: 't' }, 'server'],
    [{ server: '', tool: 't' }, 'server'],
    [{ server: 's' }, 'tool'],
    [{ server: 's', tool: 't', input: [1] }, 'input'],
    [{ server: 's', tool: 't', input: 'x' }, 'input'],
    [{ server: 's', tool: 't', input: { f: () => 1 } }, 'input'],
  ])('MT-8 refuses %j', (fields, named) => {
    expect(() => checkMcpToolOptions('Stop', fields)).toThrow(
      expect.objectContaining({ code: 'invalid_hook', message: expect.stringContaining(named) }),
    );
  });
});
