/** Guards an MCP client: hooks run before every tool call. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import { fieldOf } from '../tool-content.js';
import { callWithHooks } from './hooked-call.js';
import { type McpHookOptions, readSurroundings } from './options.js';
import type { ToolResult } from './result.js';

/** How a client's calls are guarded. */
export interface ClientHookOptions extends Omit<McpHookOptions, 'serverName'> {
  /** The server name in the tool names that hooks see. Default: the name of the connected server. */
  readonly serverName?: string | undefined;
  /** The agent whose own hooks run in addition to the global ones. */
  readonly agentId?: string | undefined;
}

const OPTIONS: OptionNames<ClientHookOptions> = {
  serverName: true,
  onError: true,
  ask: true,
  onOutcome: true,
  onProblem: true,
  agentId: true,
};

type CallTool = Client['callTool'];
type Params = Parameters<CallTool>[0];
type RequestMethod = (request: { method: string; params?: unknown }, ...rest: unknown[]) => Promise<unknown>;

/**
 * Adds hooks to the given client and returns it. PreToolUse runs before each call, PostToolUse or PostToolUseFailure
 * after it. A denied call returns an error result. Calls made with `client.request` are guarded too. Throws a
 * `HookError` for invalid options.
 */
export function guardClient<C extends Client>(
  client: C,
  runner: HookRunner,
  options: ClientHookOptions = {},
): C {
  refuseUnknownOptions('guardClient', options, OPTIONS);
  const nameOf = (): string => options.serverName ?? client.getServerVersion()?.name ?? 'server';
  const surroundings = () => readSurroundings(runner, { ...options, serverName: nameOf() });
  // Validates the options now, not at the first call.
  surroundings();
  const asked = new WeakSet<object>();
  const guard = (
    params: Params,
    signal: AbortSignal | undefined,
    call: (params: Params) => Promise<ToolResult>,
  ) =>
    callWithHooks(surroundings(), {
      tool: params.name,
      input: params.arguments,
      toolUseID: `mcp-${randomUUID()}`,
      agentId: options.agentId,
      signal,
      run(input) {
        const approved = { ...params, arguments: input };
        asked.add(approved);
        return call(approved);
      },
    });
  const callTool = client.callTool.bind(client);
  client.callTool = async (params, schema, request) => {
    const result = await guard(params, request?.signal, (approved) => callTool(approved, schema, request));
    // The result comes from the server, or has the same form.
    return result as Awaited<ReturnType<CallTool>>;
  };
  // The method is overloaded per request; only tool calls matter here.
  const request = client.request.bind(client) as unknown as RequestMethod;
  const guarded: RequestMethod = (message, ...rest) => {
    const { method, params } = message;
    if (method !== 'tools/call' || typeof params !== 'object' || params === null || asked.has(params))
      return request(message, ...rest);
    return guard(
      params as Params,
      fieldOf(rest[1], 'signal') as AbortSignal | undefined,
      (approved) => request({ ...message, params: approved }, ...rest) as Promise<ToolResult>,
    );
  };
  client.request = guarded as unknown as Client['request'];
  return client;
}
