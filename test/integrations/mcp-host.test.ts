import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSdkMcpServer, tool } from '@anthropic-ai/claude-agent-sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createMailbox } from '../../src/injection/mailboxes/memory/mailbox.js';
import { withHooks } from '../../src/integrations/mcp/index.js';
import { gate, makeRunner, watchProcess } from '../support/runner.js';
import { addTools, connect, makeServer, text, textsOf } from './support/mcp-bench.js';
import { countIn, startQuery } from './support/sdk-run.js';

watchProcess();

describe('the hosts of a server', () => {
  it('AD-27: in Claude Code, which shows only parts of some results, items wait for one that is shown whole', {
    timeout: 60_000,
  }, async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    await mailbox.put({ id: 'news', content: 'the build is green', to: 'ada' });
    runner.on('PreToolUse', { matcher: 'mcp__vault__shut' }, () => ({
      decision: 'block',
      reason: 'keep it open',
    }));
    const vault = createSdkMcpServer({
      name: 'vault',
      tools: [
        tool('count', 'counts', { of: z.string() }, async () => ({
          content: [text('1')],
          structuredContent: { count: 1 },
        })),
        tool('shut', 'shuts it', { now: z.boolean() }, async () => ({ content: [text('shut')] })),
        tool('look', 'looks', { now: z.boolean() }, async () => ({ content: [text('all is well')] })),
      ],
    });
    withHooks(vault.instance, runner, { serverName: 'vault', agentId: 'ada', mailbox });
    const run = await startQuery({
      turns: [
        [{ id: 'toolu_1', name: 'mcp__vault__count', input: { of: 'x' } }],
        [{ id: 'toolu_2', name: 'mcp__vault__shut', input: { now: true } }],
        [{ id: 'toolu_3', name: 'mcp__vault__look', input: { now: true } }],
        'Done.',
      ],
      options: { mcpServers: { vault } },
    });
    await run.finish();
    const { server } = run;
    expect(server.lastSaid(1)).toContain('count');
    expect(server.lastSaid(2)).toContain('keep it open');
    expect(server.lastSaid(3)).toContain('all is well');
    expect([1, 2, 3].map((index) => countIn(server.said(index), 'the build is green'))).toEqual([0, 0, 1]);
    expect(await mailbox.status('news')).toEqual({ ada: 'delivered' });
  });

  it.each([
    ['add', ['data', 'fail', 'echo'], 'data'],
    ['wait', ['data', 'fail', 'echo'], 'echo'],
    ['auto', ['data', 'fail', 'echo'], 'data'],
    ['auto', ['fail', 'data', 'echo'], 'fail'],
  ] as const)('AD-27: elsewhere they do as they are told: %s, %j', async (partlyShown, tools, carrier) => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    await mailbox.put({ content: 'news', to: 'ada' });
    const options = { serverName: 's', agentId: 'ada', mailbox, partlyShown };
    const { call } = await connect(withHooks(addTools(makeServer()), runner, options));
    const carriers: string[] = [];
    for (const name of tools) {
      const result = await call(name, { text: 'x' });
      if (textsOf(result).join().includes('news')) carriers.push(name);
    }
    expect(carriers).toEqual([carrier]);
  });

  it('AD-28: over HTTP an item counts as sent with the stream of its response, and the session is told', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    const sessions: string[] = [];
    runner.on('PreToolUse', ({ session_id }) => void sessions.push(session_id));
    const session = randomUUID();
    const server = withHooks(addTools(makeServer()), runner, { serverName: 's', agentId: 'ada', mailbox });
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => session });
    // The SDK's own types disagree where properties may be undefined.
    await server.connect(transport as Transport);
    const http = createServer((request, response) => void transport.handleRequest(request, response));
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const client = new Client({ name: 'test', version: '1.0.0' });
    onTestFinished(async () => {
      await client.close();
      await server.close();
      http.closeAllConnections();
      http.close();
    });
    const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
    await client.connect(new StreamableHTTPClientTransport(url) as Transport);
    const delivered = gate<string>();
    mailbox.onChange(({ id, state }) => void (state === 'delivered' && delivered.open(id)));
    const { id } = await mailbox.put({ content: 'news', to: 'ada' });
    const result = await client.callTool({ name: 'echo', arguments: { text: 'x' } });
    expect(textsOf(result as CallToolResult)).toHaveLength(2);
    expect(await delivered.passed).toBe(id);
    expect(sessions).toEqual([session]);
  });
});
