/** Connects MCP servers and makes their tools tools of the agent, named mcp__server__tool. */

import { toTimerMs } from '../../base/async/timeout.js';
import { messageOf } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { connectServer, type McpServer } from './mcp-connect.js';
import { loadMcpSdk } from './mcp-sdk.js';
import type { Tool } from './tool.js';

/** A program that speaks on its standard streams, or an address that speaks streamable HTTP. */
export type McpServerConfig =
  | {
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      /** On top of this process's environment without its secrets. */
      readonly env?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined };

/** Where servers are started, and how long they may take. */
export interface McpOptions {
  /** Where programs are started. Default: this process's directory. */
  readonly cwd?: string;
  /** Seconds for one server to start and list its tools. Default: 30. */
  readonly connectTimeout?: number;
  /** Seconds for one call. Default: 300. */
  readonly callTimeout?: number;
  /** Gives up on servers that are not connected yet. */
  readonly signal?: AbortSignal;
}

const OPTIONS: OptionNames<McpOptions> = { cwd: true, connectTimeout: true, callTimeout: true, signal: true };

/** What came of connecting. */
export interface McpConnections {
  readonly tools: readonly Tool[];
  /** Servers and tools that cannot be used, and why. The others can. */
  readonly failures: readonly { readonly server: string; readonly message: string }[];
  /** Ends all connections and programs; resolves when nothing of them is left. Never rejects. */
  close(): Promise<void>;
}

/**
 * Connects all servers at once and makes tools of theirs, named `mcp__server__tool`. `@modelcontextprotocol/sdk` is
 * loaded on use. Rejects only for a timeout that no timer can hold; a server that does not come up is one of the failures.
 */
export async function connectMcpServers(
  config: Readonly<Record<string, McpServerConfig>>,
  options: McpOptions = {},
): Promise<McpConnections> {
  refuseUnknownOptions('connectMcpServers', options, OPTIONS);
  const connectMs = toTimerMs(options.connectTimeout ?? 30);
  const callTimeout = options.callTimeout ?? 300;
  toTimerMs(callTimeout);
  const servers: McpServer[] = [];
  const failures: { server: string; message: string }[] = [];
  const fail = (server: string, error: unknown): void => {
    failures.push({ server, message: `The MCP server ${server} cannot be used: ${messageOf(error)}` });
  };
  await Promise.all(
    Object.entries(config).map(async ([name, server]) => {
      try {
        const sdk = await loadMcpSdk();
        const timer = AbortSignal.timeout(connectMs);
        const signal = options.signal ? AbortSignal.any([options.signal, timer]) : timer;
        const cwd = options.cwd ?? process.cwd();
        servers.push(await connectServer(sdk, name, server, { cwd, callTimeout, signal }));
      } catch (error) {
        fail(name, error);
      }
    }),
  );
  const order = Object.keys(config);
  servers.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const tools = new Map<string, Tool>();
  for (const server of servers)
    for (const tool of server.tools) {
      if (tools.has(tool.name)) fail(server.name, `another tool is called ${tool.name} already`);
      else tools.set(tool.name, tool);
    }
  let closing: Promise<void> | undefined;
  return {
    tools: [...tools.values()],
    failures,
    close() {
      closing ??= Promise.allSettled(servers.map((server) => server.close())).then(() => undefined);
      return closing;
    },
  };
}
