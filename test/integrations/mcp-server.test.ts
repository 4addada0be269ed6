import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { HookEvent, HookInput } from '../../src/index.js';
import { checkAgainstSchema } from '../../src/integrations/mcp/check-input.js';
import { type ServerHookOptions, withHooks, wrapToolHandler } from '../../src/integrations/mcp/index.js';
import { gate, makeRunner, turns, untyped, watchProcess } from '../support/runner.js';
import { addTools, connect, makeServer, text, textsOf } from './support/mcp-bench.js';

watchProcess();

const pre = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
const post = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PostToolUse', ...fields } });

/** A connected server with hooks, and what its tools were called with. */
async function bench(options: Partial<ServerHookOptions> = {}) {
  const { runner } = makeRunner();
  const ran: unknown[] = [];
  const server = addTools(makeServer(), ran);
  withHooks(server, runner, { serverName: 'my server', ...options });
  const on = (event: HookEvent, answer: unknown) =>
    untyped(runner).on(event, typeof answer === 'function' ? answer : () => answer);
  return { runner, ran, server, on, ...(await connect(server)) };
}

describe('a server with hooks', () => {
  it('AD-20: asks before a tool and tells after it, under the name that hosts use', async () => {
    const { runner, call, on } = await bench();
    const seen: Partial<HookInput<'PostToolUse'>>[] = [];
    for (const event of ['PreToolUse', 'PostToolUse'] as const) {
      on(event, (input: HookInput<'PostToolUse'>) => void seen.push(input));
    }
    runner.on('PreToolUse', { matcher: 'mcp__my_server__*' }, () => ({ systemMessage: 'matched' }));
    expect(textsOf(await call('echo', { text: 'hi' }))).toEqual(['echo hi', 'matched']);
    expect(seen).toMatchObject([
      {
        tool_name: 'mcp__my_server__echo',
        tool_input: { text: 'hi' },
        mcp_server: { name: 'my server' },
        tool_use_id: expect.stringMatching(/./),
      },
      { tool_response: [text('echo hi')], duration_ms: expect.any(Number) },
    ]);
    expect(seen[0]?.tool_use_id).toBe(seen[1]?.tool_use_id);
  });

  it('AD-20: has them whenever its tools were registered', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', () => ({ decision: 'block', reason: 'no' }));
    for (const early of [true, false]) {
      const server = makeServer();
      if (early) addTools(server);
      expect(withHooks(server, runner, { serverName: 's' })).toBe(server);
      if (!early) addTools(server);
      const { call } = await connect(server);
      expect(await call('echo', { text: 'x' }), `${early}`).toMatchObject({ isError: true });
    }
  });

  it("AD-20: takes the host's own id of a call, where it tells", async () => {
    const { client, on } = await bench();
    const ids: string[] = [];
    on('PreToolUse', ({ tool_use_id }: { tool_use_id: string }, id: string) => ids.push(tool_use_id, id));
    await client.callTool({
      name: 'echo',
      arguments: { text: 'x' },
      _meta: { 'claudecode/toolUseId': 'toolu_7' },
    });
    expect(ids).toEqual(['toolu_7', 'toolu_7']);
  });

  it('AD-21: a denied call is not run; the model reads why, and what else is said', async () => {
    const { call, on, ran } = await bench();
    on(
      'PreToolUse',
      pre({ permissionDecision: 'deny', permissionDecisionReason: 'no', additionalContext: 'try b' }),
    );
    expect(await call('echo', { text: 'x' })).toEqual({
      content: [text('no\n\ntry b')],
      isError: true,
    });
    expect(ran).toEqual([]);
  });

  it.each([
    ['the end of the run', { continue: false, stopReason: 'enough' }, 'enough'],
    ['something to be decided later', pre({ permissionDecision: 'defer' }), 'deferred'],
    ['a question that nobody can answer', pre({ permissionDecision: 'ask' }), "a person's approval"],
  ])('AD-21: %s is a refusal', async (_name, answer, expected) => {
    const { call, on, ran } = await bench();
    on('PreToolUse', answer);
    const result = await call('echo', { text: 'x' });
    expect(result.isError).toBe(true);
    expect(textsOf(result).join()).toContain(expected);
    expect(ran).toEqual([]);
  });

  it('AD-21: a person who can be asked decides', async () => {
    const questions: unknown[] = [];
    let agrees: boolean | Error = true;
    const { call, on } = await bench({
      ask(question) {
        questions.push(question);
        if (agrees instanceof Error) throw agrees;
        return agrees;
      },
    });
    on(
      'PreToolUse',
      pre({ permissionDecision: 'ask', permissionDecisionReason: 'sure?', updatedInput: { text: 'b' } }),
    );
    expect(textsOf(await call('echo', { text: 'a' }))).toEqual(['echo b']);
    expect(questions).toMatchObject([
      { toolName: 'mcp__my_server__echo', input: { text: 'b' }, reason: 'sure?' },
    ]);
    agrees = false;
    expect((await call('echo', { text: 'a' })).isError).toBe(true);
    agrees = new Error('nobody is in');
    expect(textsOf(await call('echo', { text: 'a' })).join()).toContain('nobody is in');
  });

  it("AD-22: rewritten arguments are checked by the tool's schema again", async () => {
    const { call, on, ran } = await bench();
    let updatedInput: object = { text: 'rewritten' };
    on('PreToolUse', () => pre({ updatedInput }));
    expect(textsOf(await call('echo', { text: 'x' }))).toEqual(['echo rewritten']);
    updatedInput = { text: 7 };
    const result = await call('echo', { text: 'x' });
    expect(result.isError).toBe(true);
    expect(textsOf(result).join()).toContain('Invalid arguments');
    expect(ran).toEqual(['rewritten']);
  });

  it('AD-23: an output is replaced, whole; structured content that was not given is gone', async () => {
    const { call, on } = await bench();
    let output: unknown = 'short';
    on('PostToolUse', () => post({ updatedMCPToolOutput: output }));
    expect((await call('echo', { text: 'x' })).content).toEqual([text('short')]);
    output = [text('a'), { type: 'image', data: 'aGk=', mimeType: 'image/png' }];
    expect((await call('echo', { text: 'x' })).content).toEqual(output);
    for (const odd of [{ rows: 1 }, null, [{ type: 'image' }], [{ type: 'resource', resource: {} }]]) {
      output = odd;
      expect((await call('echo', { text: 'x' })).content).toEqual([text(JSON.stringify(odd))]);
    }
    output = 'hidden';
    expect(await call('data')).toEqual({ content: [text('hidden')] });
    output = { content: [text('one row')], structuredContent: { rows: 1 }, isError: false };
    expect(await call('data')).toEqual(output);
  });

  it('AD-23: context, objections and what is said to the model are blocks of their own, behind the result', async () => {
    const { call, on } = await bench();
    on('PreToolUse', pre({ additionalContext: 'before' }));
    on('PostToolUse', { decision: 'block', reason: 'look again', ...post({ additionalContext: 'after' }) });
    expect(await call('data')).toEqual({
      content: ['3 rows', 'before', 'look again', 'after'].map(text),
      structuredContent: { rows: 3 },
    });
  });

  it('AD-24: a tool that fails or throws is a failure to hooks, and their context is told', async () => {
    const { call, on } = await bench();
    const errors: string[] = [];
    on('PostToolUse', () => expect.fail('it has failed'));
    on('PostToolUseFailure', ({ error }: { error: string }) => {
      errors.push(error);
      return { hookSpecificOutput: { hookEventName: 'PostToolUseFailure', additionalContext: 'try again' } };
    });
    expect(await call('fail')).toEqual({
      content: [text('it went wrong'), text('try again')],
      isError: true,
    });
    expect(await call('throw')).toEqual({ content: [text('it broke'), text('try again')], isError: true });
    expect(errors).toEqual(['it went wrong', 'it broke']);
  });

  it('AD-25: hooks that cannot be asked refuse, or not, as the option says', async () => {
    const problems: Error[] = [];
    const closed = await bench({ onProblem: (problem) => problems.push(problem) });
    await closed.runner.dispose();
    const result = await closed.call('echo', { text: 'x' });
    expect(result.isError).toBe(true);
    expect(textsOf(result).join()).toContain('could not be run');
    expect(problems).toMatchObject([{ code: 'disposed' }]);
    const open = await bench({ onError: 'continue' });
    await open.runner.dispose();
    expect(textsOf(await open.call('echo', { text: 'x' }))).toEqual(['echo x']);
  });

  it('AD-25: a guard that fails refuses', async () => {
    const { call, runner } = await bench();
    runner.on('PreToolUse', { onFailure: 'block' }, () => {
      throw new Error('the guard is broken');
    });
    expect(textsOf(await call('echo', { text: 'x' })).join()).toContain('the guard is broken');
  });

  it('AD-25: every outcome can be watched; who watches badly does no harm', async () => {
    const seen: string[] = [];
    const { call, on } = await bench({
      onOutcome({ event, systemMessages }) {
        seen.push(`${event} ${systemMessages}`);
        throw new Error('watched badly');
      },
    });
    on('PostToolUse', { systemMessage: 'hear', continue: false });
    expect(textsOf(await call('echo', { text: 'x' }))).toEqual(['echo x', 'hear']);
    expect(seen).toEqual(['PreToolUse ', 'PostToolUse hear']);
  });

  it('AD-26: a call that is cancelled while its hooks run ends them, and the tool is not run', async () => {
    const { call, runner, ran } = await bench();
    const [began, ended] = [gate(), gate()];
    runner.on('PreToolUse', (_input, _id, { signal }) => {
      began.open();
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          ended.open();
          resolve({});
        }),
      );
    });
    const controller = new AbortController();
    const cancelled = call('echo', { text: 'x' }, controller.signal).catch((error: unknown) => error);
    await began.passed;
    controller.abort();
    await ended.passed;
    expect(await cancelled).toBeInstanceOf(Error);
    await turns();
    expect(ran).toEqual([]);
  });

  it.each([
    ['without a name', { serverName: '' }],
    ['with a policy that does not exist', { onError: 'open' }],
    ['with a mailbox for nobody', { mailbox: {} }],
    ['with a way of adding that does not exist', { partlyShown: 'never' }],
  ])('AD-25: is refused %s', (_name, options) => {
    const { runner } = makeRunner();
    expect(() => withHooks(makeServer(), runner, { serverName: 's', ...options } as never)).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    );
  });
});

describe('a handler with hooks', () => {
  const tools: Tool[] = [
    {
      name: 'add',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    },
  ];

  async function low(listed: boolean) {
    const { runner } = makeRunner();
    const ran: unknown[] = [];
    const server = new Server({ name: 'low', version: '1.0.0' }, { capabilities: { tools: {} } });
    const handler = wrapToolHandler(
      async ({ params }): Promise<CallToolResult> => {
        if (params.name !== 'add') throw new Error(`no tool ${params.name}`);
        ran.push(params.arguments);
        return { content: [text('added')] };
      },
      runner,
      { serverName: 'low', ...(listed && { tools: () => tools }) },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    server.setRequestHandler(CallToolRequestSchema, handler);
    return { runner, ran, ...(await connect(server)) };
  }

  it('AD-22: rewritten arguments are checked against the schemas that the server lists', async () => {
    const { call, runner, ran } = await low(true);
    let n: unknown = 2;
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { n } },
    }));
    expect(textsOf(await call('add', { n: 1 }))).toEqual(['added']);
    n = 'two';
    const result = await call('add', { n: 1 });
    expect(result.isError).toBe(true);
    expect(textsOf(result).join()).toMatch(/A hook changed the input of mcp__low__add.*number/);
    expect(ran).toEqual([{ n: 2 }]);
  });

  it('AD-22: without a list they are its own to check', async () => {
    const { call, runner, ran } = await low(false);
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { n: 'two' } },
    }));
    await call('add', { n: 1 });
    expect(ran).toEqual([{ n: 'two' }]);
  });

  it('AD-24: what it throws is told to hooks and stays what it was', async () => {
    const { call, runner } = await low(true);
    const errors: string[] = [];
    runner.on('PostToolUseFailure', ({ error }) => void errors.push(error));
    await expect(call('subtract')).rejects.toThrow('no tool subtract');
    expect(errors).toEqual(['no tool subtract']);
  });

  it('AD-22: where the SDK is missing, one sentence says so', async () => {
    const load = () => Promise.reject(Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' }));
    await expect(checkAgainstSchema(tools, 'add', {}, load)).rejects.toThrow(
      'npm install @modelcontextprotocol/sdk',
    );
    expect(await checkAgainstSchema(tools, 'unknown', {}, load)).toBeUndefined();
  });
});
