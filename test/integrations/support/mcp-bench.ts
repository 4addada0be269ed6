/** A real server and a real client, connected in memory; both are closed at the end of the test. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';

export { addTools, makeServer, text } from './mcp-tools.js';

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
