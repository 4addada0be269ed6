/** Connects one MCP server, lists and calls its tools, and closes it. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { abortable } from '../../base/async/abortable.js';
import { MAX_TIMER_MS } from '../../base/async/timeout.js';
import { messageOf } from '../../base/errors.js';
import { scrubEnvironment } from '../../process/environment.js';
import type { McpServerConfig } from './mcp.js';
import { mcpOutcome } from './mcp-content.js';
import type { McpSdk } from './mcp-sdk.js';
import { StdioTransport } from './mcp-stdio.js';
import { type Tool, toolTimeoutMs } from './tool.js';

export interface McpServer {
  readonly name: string;
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly cwd: string;
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
  options: ConnectOptions,
): Promise<McpServer> {
  const transport = makeTransport(sdk, config, options.cwd);
  const client = new sdk.Client({ name: 'hookline', version: '1.0.0' });
  const explain = (error: unknown): string => {
    const stderr = transport instanceof StdioTransport ? transport.stderr.trim() : '';
    return `${messageOf(error)}${stderr === '' ? '' : ` (it wrote: ${stderr})`}`;
  };
  const close = async (): Promise<void> => {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
  };
  try {
    const request = { signal: options.signal, timeout: MAX_TIMER_MS };
    // The request's signal does not cover a start that fails or hangs.
    await abortable(client.connect(transport, request), options.signal);
    const listed = await listTools(client, request);
    const tools = listed.map((tool) => makeTool(client, name, tool, options.callTimeout, explain));
    return { name, tools, close };
  } catch (error) {
    await close();
    throw new Error(explain(error), { cause: error });
  }
}

function makeTransport(sdk: McpSdk, config: McpServerConfig, cwd: string): Transport {
  const { command, args, env, url, headers } = config as Partial<
    Extract<McpServerConfig, { command: string }> & Extract<McpServerConfig, { url: string }>
  >;
  if (typeof command === 'string' && command !== '')
    return new StdioTransport(sdk, {
      command,
      args: args ?? [],
      env: { ...scrubEnvironment(), ...env },
      cwd,
    });
  if (typeof url === 'string' && URL.canParse(url))
    return new sdk.StreamableHTTPClientTransport(new URL(url), {
      ...(headers && { requestInit: { headers: { ...headers } } }),
    });
  throw new Error('it has neither a command nor a valid url; give one of them');
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
  client: Client,
  server: string,
  listed: ListedTool,
  callTimeout: number,
  explain: (error: unknown) => string,
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
    run: async (input: Record<string, unknown>, { signal }: { readonly signal: AbortSignal }) => {
      try {
        const call = { name: listed.name, arguments: input };
        return mcpOutcome(name, await client.callTool(call, undefined, { signal, timeout: MAX_TIMER_MS }));
      } catch (error) {
        if (signal.aborted) throw error;
        return {
          ok: false as const,
          error: `The MCP server ${server} gave no result for ${listed.name}: ${explain(error)}`,
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
