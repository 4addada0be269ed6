import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { type ClientHookOptions, guardClient } from '../../src/integrations/mcp/index.js';
import { until } from '../support/process-harness.js';
import { makeRunner, untyped, watchProcess } from '../support/runner.js';
import { addTools, connect, makeServer, text, textsOf } from './support/mcp-bench.js';

watchProcess();

async function bench(options?: ClientHookOptions) {
  const { runner } = makeRunner();
  const ran: unknown[] = [];
  const connection = await connect(addTools(makeServer(), ran));
  expect(guardClient(connection.client, runner, options)).toBe(connection.client);
  return { runner, ran, ...connection };
}

describe('a guarded client', () => {
  it('AD-29: asks before a call and tells after it, in the name of the server', async () => {
    const { call, runner } = await bench();
    const seen: string[] = [];
    runner.on('PreToolUse', { matcher: 'mcp__bench__*' }, ({ tool_name }) => void seen.push(tool_name));
    runner.on('PostToolUse', ({ tool_response }) => void seen.push(JSON.stringify(tool_response)));
    runner.on('PostToolUseFailure', ({ error }) => void seen.push(error));
    expect(textsOf(await call('echo', { text: 'a' }))).toEqual(['echo a']);
    await call('fail');
    expect(seen).toEqual([
      'mcp__bench__echo',
      JSON.stringify([text('echo a')]),
      'mcp__bench__fail',
      'it went wrong',
    ]);
  });

  it('AD-29: a denied call never leaves; a rewritten one does, changed', async () => {
    const { call, runner, ran } = await bench({ serverName: 'other', agentId: 'ada' });
    runner.forAgent('ada').on('PreToolUse', { matcher: 'mcp__other__echo' }, ({ tool_input }) => {
      const { text: value } = tool_input as { text: string };
      if (value === 'secret') return { decision: 'block', reason: 'it stays here' };
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { text: `${value}!` } } };
    });
    expect(await call('echo', { text: 'secret' })).toEqual({
      content: [text('it stays here')],
      isError: true,
    });
    expect(textsOf(await call('echo', { text: 'hello' }))).toEqual(['echo hello!']);
    expect(ran).toEqual(['hello!']);
  });

  it('AD-29: plain requests do not come by it, and nobody is asked twice', async () => {
    const { client, runner, ran } = await bench();
    let asked = 0;
    runner.on('PreToolUse', ({ tool_input }) => {
      asked += 1;
      return (tool_input as { text: string }).text === 'secret' ? { decision: 'block', reason: 'no' } : {};
    });
    const ask = (value: string) =>
      client.request(
        { method: 'tools/call', params: { name: 'echo', arguments: { text: value } } },
        CallToolResultSchema,
      );
    expect(await ask('secret')).toMatchObject({ isError: true });
    expect(textsOf(await ask('open'))).toEqual(['echo open']);
    await client.callTool({ name: 'echo', arguments: { text: 'called' } });
    expect((await client.listTools()).tools).toHaveLength(5);
    expect(asked).toBe(3);
    expect(ran).toEqual(['open', 'called']);
  });

  it('AD-29: a rewritten output may lack what the schema of the tool wants', async () => {
    const { client, call, runner } = await bench();
    await client.listTools();
    untyped(runner).on('PostToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: 'hidden' },
    }));
    expect(await call('data')).toEqual({ content: [text('hidden')] });
  });

  it('AD-29: a server that does not answer is a failure to hooks, and stays one; a call that is cut off is nothing', async () => {
    const { client, call, runner, ran } = await bench();
    const errors: string[] = [];
    runner.on('PostToolUseFailure', ({ error }) => void errors.push(error));
    const late = client.callTool({ name: 'wait', arguments: {} }, undefined, { timeout: 1 });
    await expect(late).rejects.toThrow('timed out');
    expect(errors).toEqual([expect.stringContaining('timed out')]);
    const controller = new AbortController();
    const began = ran.length;
    const cut = call('wait', {}, controller.signal).catch((error: unknown) => error);
    await until(() => ran.length > began, 'the call to begin');
    controller.abort(new Error('no longer wanted'));
    expect(await cut).toBeInstanceOf(Error);
    expect(errors).toHaveLength(1);
  });

  it('AD-25: where the hooks cannot be asked, nothing is called', async () => {
    const { call, runner, ran } = await bench();
    await runner.dispose();
    expect(await call('echo', { text: 'a' })).toMatchObject({ isError: true });
    expect(ran).toEqual([]);
  });

  it('AD-25: options that do not fit are refused at once', async () => {
    await expect(bench({ onError: 'open' } as never)).rejects.toMatchObject({ code: 'invalid_option' });
  });
});
