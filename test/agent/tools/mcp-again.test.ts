/** MCP servers that die or are restarted, and what they ask. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Elicitation, ToolHost } from '../../../src/agent/tools/host.js';
import { connectMcpServers, type McpConnections } from '../../../src/agent/tools/mcp.js';
import { MAX_RESTARTS, PING_AFTER_MS } from '../../../src/agent/tools/mcp-connection.js';
import { runTool } from '../../../src/agent/tools/run-tool.js';
import type { ToolOutcome } from '../../../src/agent/tools/tool.js';
import { isRunning, until } from '../../support/process-harness.js';
import { failed, succeeded, useBench } from './bench.js';

const bench = useBench();
const SERVER = fileURLToPath(new URL('../../fixtures/tools/mcp-server.mjs', import.meta.url));
let open: McpConnections | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

const pids = (): number[] => readFileSync(bench.path('pids'), 'utf8').trim().split('\n').map(Number);

async function connectProgram(): Promise<
  (tool: string, input?: object, host?: Partial<ToolHost>) => Promise<ToolOutcome>
> {
  open = await connectMcpServers({
    s: { command: process.execPath, args: [SERVER], env: { PIDS: bench.path('pids') } },
  });
  const { tools } = open;
  return (name, input = {}, host) => {
    const tool = tools.find((each) => each.name === `mcp__s__${name}`) ?? expect.fail(name);
    return runTool(tool, input, { ...bench.context(), host: host as ToolHost });
  };
}

describe('a program that dies', () => {
  it('TO-48: is started again with the next call, once for calls at the same time', async () => {
    const call = await connectProgram();
    expect(failed(await call('die')).error).toContain('out of patience');
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => call('echo', { text })));
    expect(answers.map((each) => succeeded(each).content)).toEqual(
      ['a', 'b', 'c'].map((text) => [{ type: 'text', text: `echo ${text}` }]),
    );
    expect(pids()).toHaveLength(2);
    await open?.close();
    expect(pids().filter(isRunning)).toEqual([]);
  });

  it('TO-48: is not started forever if it never gives a result', async () => {
    const call = await connectProgram();
    for (let i = 0; i <= MAX_RESTARTS; i += 1)
      expect(failed(await call('die')).error).toContain('gave no result');
    expect(failed(await call('echo', { text: 'x' })).error).toMatch(/not tried any more.*out of patience/);
    expect(pids()).toHaveLength(1 + MAX_RESTARTS);
  });

  it('TO-48: is not started again after the servers were closed', async () => {
    const call = await connectProgram();
    await call('die');
    await open?.close();
    expect(failed(await call('echo', { text: 'x' })).error).toContain('gave no result');
    expect(pids()).toHaveLength(1);
  });
});

/** So long that the connection is tried before it is used. */
async function idle(): Promise<void> {
  const at = performance.now();
  await until(() => performance.now() - at > PING_AFTER_MS, 'a pause');
}

describe('a server at an address', () => {
  let http: Server | undefined;
  const stop = async (): Promise<void> => {
    http?.closeAllConnections();
    await new Promise((resolve) => (http ? http.close(resolve) : resolve(undefined)));
    http = undefined;
  };
  afterEach(stop);

  /** With sessions, which it forgets when it stops. */
  async function start(name: string, port = 0): Promise<number> {
    const sessions = new Map<string, StreamableHTTPServerTransport>();
    http = createServer(async (request, response) => {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && known === undefined) {
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
        return;
      }
      const transport =
        known ??
        new StreamableHTTPServerTransport({
          enableJsonResponse: true,
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (created) => void sessions.set(created, transport),
        });
      if (known === undefined) {
        const mcp = new McpServer({ name, version: '1' });
        mcp.registerTool('hello', { inputSchema: {} }, async () => ({
          content: [{ type: 'text', text: name }],
        }));
        await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
      }
      await transport.handleRequest(request, response);
    });
    await new Promise<void>((resolve) => http?.listen(port, '127.0.0.1', resolve));
    return (http.address() as AddressInfo).port;
  }

  it('TO-48: that was restarted is connected again, and the call is repeated; one that is gone is an error', async () => {
    const port = await start('first');
    open = await connectMcpServers({ web: { url: `http://127.0.0.1:${port}/mcp` } });
    const [hello] = open.tools;
    const said = async (): Promise<unknown> => succeeded(await bench.run(hello ?? expect.fail(), {})).content;
    expect(await said()).toEqual([{ type: 'text', text: 'first' }]);
    await stop();
    await start('second', port);
    await idle();
    expect(await said()).toEqual([{ type: 'text', text: 'second' }]);
    await stop();
    await idle();
    expect(failed(await bench.run(hello ?? expect.fail(), {})).error).toMatch(/cannot be connected again/);
    await start('third', port);
    expect(await said()).toEqual([{ type: 'text', text: 'third' }]);
  });
});

describe('a server whose tools change', () => {
  it('TO-50: keeps those it had listed; a call of one that is gone is its error', async () => {
    const mcp = new McpServer({ name: 's', version: '1' });
    const text = (words: string) => async () => ({ content: [{ type: 'text' as const, text: words }] });
    const first = mcp.registerTool('first', { inputSchema: {} }, text('one'));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
    await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
    const http = createServer((request, response) => void transport.handleRequest(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    open = await connectMcpServers({
      s: { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` },
    });
    const [tool = expect.fail()] = open.tools;
    expect(succeeded(await bench.run(tool, {})).content).toEqual([{ type: 'text', text: 'one' }]);
    mcp.registerTool('second', { inputSchema: {} }, text('two'));
    first.remove();
    expect(failed(await bench.run(tool, {})).error).toContain('first');
    expect(open.tools.map(({ name }) => name)).toEqual(['mcp__s__first']);
  });
});

describe('a question of a server', () => {
  it('TO-49: goes to the host of the call, and its answer to the server', async () => {
    const call = await connectProgram();
    const asked: Elicitation[] = [];
    const elicit: ToolHost['elicit'] = async (elicitation) => {
      asked.push(elicitation);
      return { action: 'accept', content: { project: 'bridge' } };
    };
    const [block] = succeeded(await call('ask', {}, { elicit })).content as unknown as { text: string }[];
    expect(JSON.parse(block?.text ?? '')).toEqual({ action: 'accept', content: { project: 'bridge' } });
    expect(asked).toMatchObject([
      {
        server: 's',
        message: 'Which project?',
        requestedSchema: { properties: { project: { type: 'string' } } },
      },
    ]);
  });

  it('TO-49: is declined outside a loop', async () => {
    const call = await connectProgram();
    expect(succeeded(await call('ask')).content).toEqual([{ type: 'text', text: '{"action":"decline"}' }]);
  });
});
