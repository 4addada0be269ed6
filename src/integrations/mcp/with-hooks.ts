/** Gives a high-level MCP server hooks, whichever of its tools were registered before or will be. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { HookError } from '../../base/errors.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import { fieldOf } from '../tool-content.js';
import { type ServerHookOptions, type ToolHandler, wrapToolHandler } from './wrap-tool-handler.js';

const TOOL_CALL = 'tools/call';

type LowServer = McpServer['server'];
type SetHandler = LowServer['setRequestHandler'];

/**
 * Every call asks the runner first; inputs that hooks rewrite go through the tool's schema as any other input. Returns
 * the same server. Throws a HookError for options that do not fit together.
 */
export function withHooks(server: McpServer, runner: HookRunner, options: ServerHookOptions): McpServer {
  const low = server.server;
  const wrap = (handler: ToolHandler): ToolHandler =>
    wrapToolHandler(handler, runner, { ...options, server: low });
  // Says what is wrong with the options now, not when the first tool is registered.
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

/** The SDK lets a handler be replaced, not read; the place where it keeps them is the one thing here that is not public. */
function wrapExisting(low: LowServer, wrap: (handler: ToolHandler) => ToolHandler): void {
  const handlers = fieldOf(low, '_requestHandlers');
  const handler = handlers instanceof Map ? (handlers.get(TOOL_CALL) as unknown) : undefined;
  if (!(handlers instanceof Map) || typeof handler !== 'function')
    throw new HookError(
      'invalid_option',
      'This server has tools already, and this version of @modelcontextprotocol/sdk does not let them be wrapped: call withHooks before the first tool is registered.',
    );
  handlers.set(TOOL_CALL, wrap(handler as ToolHandler));
}

/** The server sets its handler when its first tool is registered. */
function wrapComing(low: LowServer, wrap: (handler: ToolHandler) => ToolHandler): void {
  const set = low.setRequestHandler.bind(low) as (schema: unknown, handler: unknown) => void;
  const wrapping = (schema: unknown, handler: unknown): void =>
    set(schema, methodOf(schema) === TOOL_CALL ? wrap(handler as ToolHandler) : handler);
  // One method with a type for each request; all that matters here is which request it is.
  low.setRequestHandler = wrapping as SetHandler;
}

function methodOf(schema: unknown): unknown {
  return fieldOf(fieldOf(fieldOf(schema, 'shape'), 'method'), 'value');
}
