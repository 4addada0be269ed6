/** A server with tools that do what tools do; also for programs that run outside of the tests. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
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
