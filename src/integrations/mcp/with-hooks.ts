/** Adds hooks to a high-level MCP server, for all tools registered before or after. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { HookError } from '../../base/errors.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import { fieldOf } from '../tool-content.js';
import { type ServerHookOptions, type ToolHandler, wrapToolHandler } from './wrap-tool-handler.js';

const TOOL_CALL = 'tools/call';

type LowServer = McpServer['server'];
type SetHandler = LowServer['setRequestHandler'];

/**
 * Adds hooks to every tool call of a server. Inputs that hooks rewrite are validated by the tool's schema like any
 * other input. Returns the same server. Throws a `HookError` for invalid options.
 */
export function withHooks(server: McpServer, runner: HookRunner, options: ServerHookOptions): McpServer {
  const low = server.server;
  const wrap = (handler: ToolHandler): ToolHandler =>
    wrapToolHandler(handler, runner, { ...options, server: low });
  // Validates the options now, not when the first tool is registered.
  wrap(() => ({}));
  if (hasToolHandler(low)) wrapExisting(low, wrap);
  else wrapComing(low, wrap);
  return server;
}

function hasToolHandler(low: LowServer): boolean {
  try {
    low.assertCanSetRequestHandler(TOOL_CALL);
    return false;
  } catch {
    return true;
  }
}

/** The SDK can replace a handler but not return it; its internal map of handlers is the only private API used here. */
function wrapExisting(low: LowServer, wrap: (handler: ToolHandler) => ToolHandler): void {
  const handlers = fieldOf(low, '_requestHandlers');
  const handler = handlers instanceof Map ? (handlers.get(TOOL_CALL) as unknown) : undefined;
  if (!(handlers instanceof Map) || typeof handler !== 'function')
    throw new HookError(
      'invalid_option',
      'This server already has tools, and this version of @modelcontextprotocol/sdk does not support wrapping them: call withHooks before you register the first tool.',
    );
  handlers.set(TOOL_CALL, wrap(handler as ToolHandler));
}

/** The server sets its handler when its first tool is registered. */
function wrapComing(low: LowServer, wrap: (handler: ToolHandler) => ToolHandler): void {
  const set = low.setRequestHandler.bind(low) as (schema: unknown, handler: unknown) => void;
  const wrapping = (schema: unknown, handler: unknown): void =>
    set(schema, methodOf(schema) === TOOL_CALL ? wrap(handler as ToolHandler) : handler);
  // The method is overloaded per request; only the kind of request matters here.
  low.setRequestHandler = wrapping as SetHandler;
}

function methodOf(schema: unknown): unknown {
  return fieldOf(fieldOf(fieldOf(schema, 'shape'), 'method'), 'value');
}
