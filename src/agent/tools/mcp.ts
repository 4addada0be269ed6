/** Connects MCP servers and provides their tools to the agent as mcp__server__tool. */

import { toTimerMs } from '../../base/async/timeout.js';
import { messageOf } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { connectServer, type McpServer } from './mcp-connect.js';
import { loadMcpSdk } from './mcp-sdk.js';
import type { Tool } from './tool.js';

/** A program that communicates over stdio, or a URL for streamable HTTP. */
export type McpServerConfig =
  | {
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      /** Added to the environment of this process, without its secrets. */
      readonly env?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined };

/** Options of `connectMcpServers`. */
export interface McpOptions {
  /** The working directory of the programs. Default: that of this process. */
  readonly cwd?: string;
  /** Seconds for one server to start and list its tools. Default: 30. */
  readonly connectTimeout?: number;
  /** Seconds for one call. Default: 300. */
  readonly callTimeout?: number;
  /** Aborts connecting. */
  readonly signal?: AbortSignal;
}

const OPTIONS: OptionNames<McpOptions> = { cwd: true, connectTimeout: true, callTimeout: true, signal: true };

/** The result of `connectMcpServers`. */
export interface McpConnections {
  readonly tools: readonly Tool[];
  /** Servers and tools that cannot be used, and why. All others can. */
  readonly failures: readonly { readonly server: string; readonly message: string }[];
  /** Closes all connections and ends all programs; resolves when that is done. Never rejects. */
  close(): Promise<void>;
}

/**
 * Connects all servers concurrently and returns their tools as `mcp__server__tool`. Loads `@modelcontextprotocol/sdk`
 * on first use. Rejects only for an invalid timeout; a server that does not start is reported in `failures`.
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
        servers.push(await connectServer(sdk, name, server, { cwd, callTimeout, connectMs, signal }));
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
      if (tools.has(tool.name)) fail(server.name, `there is already a tool named ${tool.name}`);
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
