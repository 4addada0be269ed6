import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { parseFrames } from '../../src/injection/frame.js';
import { guardClient } from '../../src/integrations/mcp/index.js';
import { compileProgram } from '../support/compile-program.js';
import { isRunning, until } from '../support/process-harness.js';
import { makeRunner, watchProcess } from '../support/runner.js';
import { textsOf } from './support/mcp-bench.js';

watchProcess();

const SERVER = await compileProgram(new URL('./support/stdio-server.ts', import.meta.url));

it('AD-20: a server in another process works for any client: denied, rewritten, failed, and an item told once', {
  timeout: 60_000,
}, async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SERVER],
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const call = async (name: string, input: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: input })) as CallToolResult;
  try {
    await client.connect(transport);
    expect(textsOf(await call('status'))[0]).toBe('{"ada":"queued"}');
    // The item has come with the first result; that it was sent was known before the second call.
    expect(textsOf(await call('status'))).toEqual(['{"ada":"delivered"}']);
    const refused = await call('echo', { text: 'secret' });
    expect(refused).toMatchObject({ isError: true, content: [{ text: 'it stays here' }] });
    expect(textsOf(await call('echo', { text: 'hello' }))).toEqual(['echo hello!']);
    expect((await call('fail')).isError).toBe(true);
    await until(() => stderr.includes('mcp__far__fail: it went wrong'), 'the report of the failure');

    const { runner } = makeRunner();
    runner.on('PreToolUse', { matcher: 'mcp__bench__data' }, () => ({
      decision: 'block',
      reason: 'not from here',
    }));
    guardClient(client, runner);
    expect(textsOf(await call('data'))).toEqual(['not from here']);
    expect(textsOf(await call('echo', { text: 'still' }))).toEqual(['echo still!']);
  } finally {
    const { pid } = transport;
    await client.close();
    if (pid !== null) await until(() => !isRunning(pid), 'the end of the server');
  }
});

it('AD-27: the first result of that server carries the item in a frame of its own', {
  timeout: 60_000,
}, async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SERVER],
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  try {
    await client.connect(transport);
    const first = (await client.callTool({ name: 'data', arguments: {} })) as CallToolResult;
    expect(first.structuredContent).toEqual({ rows: 3 });
    expect(first.content).toHaveLength(2);
    expect(parseFrames(textsOf(first)[1] ?? '')).toMatchObject([
      { id: 'news', content: 'the build is green' },
    ]);
  } finally {
    const { pid } = transport;
    await client.close();
    if (pid !== null) await until(() => !isRunning(pid), 'the end of the server');
  }
});
