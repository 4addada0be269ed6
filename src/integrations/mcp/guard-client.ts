/** Guards a client's session: no tool of the server is called without the hooks having been asked. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import { fieldOf } from '../tool-content.js';
import { callWithHooks } from './hooked-call.js';
import { type McpHookOptions, readSurroundings } from './options.js';
import type { ToolResult } from './result.js';

/** How the calls of a client are guarded. */
export interface ClientHookOptions extends Omit<McpHookOptions, 'serverName'> {
  /** In the names of the tools that hooks see. Default: what the connected server calls itself. */
  readonly serverName?: string | undefined;
  /** Whose own hooks count beside the global ones. */
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
 * Changes the client that is given, so that whoever holds it is guarded, and returns it: a call asks PreToolUse before,
 * and tells PostToolUse or PostToolUseFailure after. A refused call answers as a failed tool does. Calls that are made
 * as plain requests come by here too. Throws a `HookError` for options that cannot be used.
 */
export function guardClient<C extends Client>(
  client: C,
  runner: HookRunner,
  options: ClientHookOptions = {},
): C {
  refuseUnknownOptions('guardClient', options, OPTIONS);
  const nameOf = (): string => options.serverName ?? client.getServerVersion()?.name ?? 'server';
  const surroundings = () => readSurroundings(runner, { ...options, serverName: nameOf() });
  // Says what is wrong with the options now, not at the first call.
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
    // What a call answers is a result of the server, or one that is made like it.
    return result as Awaited<ReturnType<CallTool>>;
  };
  // One method with a type for each request; all that matters here is whether it is a call.
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
