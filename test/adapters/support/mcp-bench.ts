/** A real server and a real client, connected in memory; both are closed at the end of the test. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

export const text = (value: string) => ({ type: 'text' as const, text: value });

/** Tools that do what tools do: answer, fail, throw, wait, return data. */
export function addTools(server: McpServer, ran: unknown[] = []): McpServer {
  server.registerTool('echo', { inputSchema: { text: z.string() } }, async ({ text: value }) => {
    ran.push(value);
    return { content: [text(`echo ${value}`)] };
  });
  server.registerTool('fail', {}, async () => ({ content: [text('it went wrong')], isError: true }));
  server.registerTool('throw', {}, async () => {
    throw new Error('it broke');
  });
  server.registerTool('data', { inputSchema: {}, outputSchema: { rows: z.number() } }, async () => ({
    content: [text('3 rows')],
    structuredContent: { rows: 3 },
  }));
  server.registerTool(
    'wait',
    { inputSchema: {} },
    (_input, { signal }) =>
      new Promise<CallToolResult>((resolve) => {
        ran.push('waiting');
        signal.addEventListener('abort', () => resolve({ content: [text('cut off')] }));
      }),
  );
  return server;
}

export const makeServer = (): McpServer => new McpServer({ name: 'bench', version: '1.0.0' });

export interface Connection {
  readonly client: Client;
  /** The server's side of the wire. */
  readonly transport: Transport;
  call(name: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<CallToolResult>;
}

export async function connect(server: {
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
}) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await server.connect(theirs);
  await client.connect(ours);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const connection: Connection = {
    client,
    transport: theirs,
    call: (name, input = {}, signal) =>
      client.callTool({ name, arguments: input }, undefined, {
        ...(signal && { signal }),
      }) as Promise<CallToolResult>,
  };
  return connection;
}

/** The texts of a result's blocks. */
export const textsOf = ({ content }: CallToolResult): string[] =>
  content.map((block) => (block.type === 'text' ? block.text : block.type));
