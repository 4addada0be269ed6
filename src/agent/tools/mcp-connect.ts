/** Connects one MCP server, lists and calls its tools, and closes it. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { MAX_TIMER_MS } from '../../base/async/timeout.js';
import type { McpServerConfig } from './mcp.js';
import { type ConnectionOptions, McpConnection } from './mcp-connection.js';
import { mcpOutcome } from './mcp-content.js';
import type { McpSdk } from './mcp-sdk.js';
import { type Tool, type ToolContext, toolTimeoutMs } from './tool.js';

export interface McpServer {
  readonly name: string;
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

export interface ConnectOptions extends ConnectionOptions {
  readonly callTimeout: number;
  readonly signal: AbortSignal;
}

/** A server that lists endlessly must not keep the agent from starting. */
const MAX_PAGES = 100;

type ListedTool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** Rejects if the server does not start; everything that was started is then closed. */
export async function connectServer(
  sdk: McpSdk,
  name: string,
  config: McpServerConfig,
  { signal, ...options }: ConnectOptions,
): Promise<McpServer> {
  const connection = new McpConnection(sdk, name, config, options);
  const close = (): Promise<void> => connection.close();
  const client = await connection.connect(signal);
  try {
    const listed = await listTools(client, { signal, timeout: MAX_TIMER_MS });
    const tools = listed.map((tool) => makeTool(connection, name, tool, options.callTimeout));
    return { name, tools, close };
  } catch (error) {
    await close();
    throw new Error(connection.explain(error), { cause: error });
  }
}

async function listTools(
  client: Client,
  request: { signal: AbortSignal; timeout: number },
): Promise<ListedTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await client.listTools(cursor === undefined ? {} : { cursor }, request);
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error(`it lists its tools on more than ${MAX_PAGES} pages`);
}

function makeTool(
  connection: McpConnection,
  server: string,
  listed: ListedTool,
  callTimeout: number,
): Tool<Record<string, unknown>> {
  const name = `mcp__${plain(server)}__${plain(listed.name)}`;
  return Object.freeze({
    name,
    description: listed.description ?? '',
    inputSchema: listed.inputSchema,
    // A server's own annotations may affect scheduling, but must not grant permissions.
    readOnly: false,
    concurrent: listed.annotations?.readOnlyHint === true,
    timeoutMs: toolTimeoutMs(name, callTimeout),
    mcpServer: server,
    check: (input: unknown) => checkObject(name, input),
    run: async (input: Record<string, unknown>, context: ToolContext) => {
      try {
        return mcpOutcome(name, await connection.call({ name: listed.name, arguments: input }, context));
      } catch (error) {
        if (context.signal.aborted) throw error;
        return {
          ok: false as const,
          error: `The MCP server ${server} gave no result for ${listed.name}: ${connection.explain(error)}`,
        };
      }
    },
  });
}

/** Model APIs accept only letters, digits, _ and - in tool names. */
const plain = (name: string): string => name.replace(/[^\w-]/g, '_');

/** The server validates the rest of the schema, which may use its own extensions. */
function checkObject(name: string, input: unknown): ReturnType<Tool<Record<string, unknown>>['check']> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input))
    return { ok: true, value: input as Record<string, unknown> };
  return { ok: false, error: `The input of ${name} is not an object. Correct it and call ${name} again.` };
}
