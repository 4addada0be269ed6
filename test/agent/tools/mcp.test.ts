import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import {
  connectMcpServers,
  type McpConnections,
  type McpOptions,
  type McpServerConfig,
} from '../../../src/agent/tools/mcp.js';
import { mcpOutcome } from '../../../src/agent/tools/mcp-content.js';
import { loadMcpSdk } from '../../../src/agent/tools/mcp-sdk.js';
import { StdioTransport } from '../../../src/agent/tools/mcp-stdio.js';
import type { Tool } from '../../../src/agent/tools/tool.js';
import { isRunning, openFiles, until } from '../../support/process-harness.js';
import { failed, succeeded, useBench } from './bench.js';

const bench = useBench();
const SERVER = fileURLToPath(new URL('../../fixtures/tools/mcp-server.mjs', import.meta.url));
let open: McpConnections | undefined;

const server = (...flags: readonly string[]) => ({
  command: process.execPath,
  args: [SERVER, ...flags],
  env: { PIDS: bench.path('pids') },
});
const notes = (): string[] => {
  try {
    return readFileSync(bench.path('pids'), 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
};
const pids = (): number[] =>
  notes()
    .map(Number)
    .filter((pid) => pid > 0);

async function connect(
  config: Record<string, McpServerConfig>,
  options?: McpOptions,
): Promise<McpConnections> {
  open = await connectMcpServers(config, options);
  return open;
}
function find({ tools }: McpConnections, name: string): Tool {
  return tools.find((tool) => tool.name === name) ?? expect.fail(`no tool ${name}`);
}

afterEach(async () => {
  await open?.close();
  open = undefined;
});

describe('tools of a program', () => {
  it('TO-32: are named after their server and carry its schema', async () => {
    const connections = await connect({ 'my server': server() });
    expect(connections.failures).toEqual([]);
    const echo = find(connections, 'mcp__my_server__echo');
    expect(echo).toMatchObject({ description: 'says it again', mcpServer: 'my server' });
    expect(echo.inputSchema).toMatchObject({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    });
    expect(succeeded(await bench.run(echo, { text: 'hi' }))).toEqual({
      ok: true,
      content: [{ type: 'text', text: 'echo hi' }],
      response: [{ type: 'text', text: 'echo hi' }],
    });
    expect(succeeded(await bench.run(find(connections, 'mcp__my_server__dotted_name'), {})).content).toEqual([
      { type: 'text', text: 'dotted' },
    ]);
  });

  it('TO-32: images and resources reach the model, hooks see them as they came', async () => {
    const { content, response } = succeeded(
      await bench.run(find(await connect({ s: server() }), 'mcp__s__blocks'), {}),
    );
    expect(content).toEqual([
      { type: 'text', text: 'see' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      { type: 'text', text: 'inside' },
      { type: 'text', text: '[resource_link file:///b: this kind of content cannot be shown]' },
    ]);
    expect(response).toMatchObject([
      { type: 'text' },
      { type: 'image', data: 'aGk=' },
      { type: 'resource' },
      {},
    ]);
    expect(mcpOutcome('t', { content: [], structuredContent: { a: 1 } })).toMatchObject({
      content: [{ type: 'text', text: '{"a":1}' }],
    });
    expect(mcpOutcome('t', {})).toMatchObject({ ok: false });
  });

  it('TO-33: isError, a wrong input and a wrong type are errors as values', async () => {
    const connections = await connect({ s: server() });
    expect(await bench.run(find(connections, 'mcp__s__fail'), {})).toEqual({
      ok: false,
      error: 'it went wrong',
    });
    const echo = find(connections, 'mcp__s__echo');
    expect(failed(await bench.run(echo, { text: 1 })).error).toMatch(/text/);
    expect(failed(await bench.run(echo, 'text')).error).toMatch(/not an object/);
  });

  it('TO-33: a server that dies in the middle of a call is an error, and nothing of it is left', async () => {
    const connections = await connect({ s: server('--with-child') });
    const died = failed(await bench.run(find(connections, 'mcp__s__die'), {}));
    expect(died.error).toMatch(/server s gave no result for die: .*closed.*it wrote: out of patience/);
    expect(died.interrupted).toBeUndefined();
    await until(() => !pids().some(isRunning), 'the end of the child too');
    expect(pids()).toHaveLength(2);
  });

  it('TO-34: a call that takes too long is over, and the server is told', async () => {
    const connections = await connect({ s: server() }, { callTimeout: 0.3 });
    expect(failed(await bench.run(find(connections, 'mcp__s__hang'), {})).error).toBe(
      'mcp__s__hang did not finish within 0.3 s and was terminated.',
    );
    await until(() => notes().includes('cancelled'), 'the cancellation');
    expect(succeeded(await bench.run(find(connections, 'mcp__s__echo'), { text: 'still here' })).ok).toBe(
      true,
    );
  });

  it('TO-34: an abort ends a call at once', async () => {
    const run = bench.run(find(await connect({ s: server() }), 'mcp__s__hang'), {});
    await until(() => notes().includes('hanging'), 'the call');
    bench.controller.abort();
    expect(failed(await run)).toEqual({
      ok: false,
      error: 'mcp__s__hang was interrupted.',
      interrupted: true,
    });
    await until(() => notes().includes('cancelled'), 'the cancellation');
  });

  it('TO-38: what a server claims orders calls, and grants nothing; secrets stay here', async () => {
    process.env['PROBE_API_KEY'] = 'secret';
    const connections = await connect({ s: { ...server(), env: { GIVEN_TOKEN: 'given' } } });
    delete process.env['PROBE_API_KEY'];
    expect(find(connections, 'mcp__s__echo')).toMatchObject({ readOnly: false, concurrent: true });
    expect(find(connections, 'mcp__s__fail')).toMatchObject({ readOnly: false, concurrent: false });
    const env = async (name: string): Promise<unknown> =>
      succeeded(await bench.run(find(connections, 'mcp__s__env'), { name })).response;
    expect(await env('PROBE_API_KEY')).toEqual([{ type: 'text', text: '(unset)' }]);
    expect(await env('GIVEN_TOKEN')).toEqual([{ type: 'text', text: 'given' }]);
  });
});

describe('servers that do not come up', () => {
  it('TO-35: are failures with a reason; the others work', async () => {
    const connections = await connect({
      missing: { command: '/no/such/program' },
      broken: server('--broken'),
      odd: {} as McpServerConfig,
      good: server(),
      gone: { url: 'http://127.0.0.1:1/mcp' },
    });
    const reasons = new Map(connections.failures.map(({ server: name, message }) => [name, message]));
    expect([...reasons.keys()].sort()).toEqual(['broken', 'gone', 'missing', 'odd']);
    expect(reasons.get('missing')).toMatch(/server missing cannot be used: .*ENOENT/);
    expect(reasons.get('broken')).toMatch(/it wrote: cannot find my configuration/);
    expect(reasons.get('odd')).toMatch(/neither a command nor a valid url/);
    expect(succeeded(await bench.run(find(connections, 'mcp__good__echo'), { text: 'x' })).ok).toBe(true);
  });

  it('TO-35: one that never answers is given up at the timeout and ended', async () => {
    const { failures, tools } = await connect(
      { s: server('--silent', '--with-child') },
      { connectTimeout: 1.5 },
    );
    expect(failures).toMatchObject([{ server: 's', message: expect.stringContaining('timeout') }]);
    expect(tools).toEqual([]);
    expect(pids()).toHaveLength(2);
    expect(pids().filter(isRunning)).toEqual([]);
  });

  it('TO-35: an abort gives up on servers that are still starting', async () => {
    const connecting = connect({ s: server('--silent') }, { signal: bench.controller.signal });
    await until(() => pids().length === 1, 'the start');
    bench.controller.abort();
    expect((await connecting).failures).toHaveLength(1);
    expect(pids().filter(isRunning)).toEqual([]);
  });

  it('TO-35: two tools of one name: the second is a failure', async () => {
    const { failures, tools } = await connect({ 'a.b': server(), 'a b': server() });
    expect(tools.filter(({ name }) => name === 'mcp__a_b__echo')).toHaveLength(1);
    expect(failures[0]).toMatchObject({
      server: 'a b',
      message: expect.stringContaining('already a tool named mcp__a_b__echo'),
    });
  });

  it('TO-35: a package that is not installed is one clear sentence, and so is one that cannot be loaded', async () => {
    const missing = Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(loadMcpSdk(() => Promise.reject(missing))).rejects.toThrow(
      /npm install @modelcontextprotocol\/sdk/,
    );
    await expect(loadMcpSdk(() => Promise.reject(new Error('odd')))).rejects.toThrow(
      'cannot be loaded (odd)',
    );
    await expect(connectMcpServers({}, { callTimeout: -1 })).rejects.toThrow(RangeError);
  });
});

describe('closing', () => {
  it('TO-36: a server that is closed before it was started is not started', async () => {
    const transport = new StdioTransport(await loadMcpSdk(), { ...server(), env: {}, cwd: bench.dir });
    const starting = transport.start();
    await transport.close();
    await expect(starting).rejects.toThrow('closed before');
    expect(transport.pid).toBeUndefined();
  });

  it('TO-36: nothing is left, however stubborn, and closing again is harmless', async () => {
    const files = openFiles();
    const connections = await connect({ a: server('--stubborn', '--with-child'), b: server() });
    expect(pids().every(isRunning)).toBe(true);
    expect(pids()).toHaveLength(3);
    const at = performance.now();
    await Promise.all([connections.close(), connections.close()]);
    expect(performance.now() - at).toBeLessThan(15_000);
    expect(pids().filter(isRunning)).toEqual([]);
    expect(failed(await bench.run(find(connections, 'mcp__a__echo'), { text: 'x' })).error).toMatch(
      /the connection was closed/,
    );
    await until(() => openFiles() <= files, 'no file left open');
  });

  it('TO-36: a call that is under way when the servers are closed ends as an error', async () => {
    const connections = await connect({ s: server() });
    const run = bench.run(find(connections, 'mcp__s__hang'), {});
    await until(() => notes().includes('hanging'), 'the call');
    await connections.close();
    expect(failed(await run).error).toMatch(/gave no result for hang/);
  });
});

describe('a server at an address', () => {
  let http: Server | undefined;
  afterEach(() => new Promise((resolve) => (http ? http.close(resolve) : resolve(undefined))));

  it('TO-37: speaks streamable HTTP and gets the headers', async () => {
    const seen = new Set<unknown>();
    http = createServer(async (request, response) => {
      seen.add(request.headers['x-probe']);
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      const mcp = new McpServer({ name: 'web', version: '1' });
      mcp.registerTool('hello', { inputSchema: {} }, async () => ({
        content: [{ type: 'text', text: 'from afar' }],
      }));
      await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
      await transport.handleRequest(request, response);
    });
    await new Promise<void>((resolve) => http?.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    const connections = await connect({
      web: { url: `http://127.0.0.1:${port}/mcp`, headers: { 'x-probe': 'yes' } },
    });
    expect(connections.failures).toEqual([]);
    expect(succeeded(await bench.run(find(connections, 'mcp__web__hello'), {})).response).toEqual([
      { type: 'text', text: 'from afar' },
    ]);
    expect([...seen]).toEqual(['yes']);
    await connections.close();
    http.closeAllConnections();
  });
});
