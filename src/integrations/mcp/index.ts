/** hookline/mcp: hooks and injected items for MCP servers of any host, and a guard for clients. */
export type { ErrorPolicy } from '../ask-hooks.js';
export type { RenderItems } from '../take-items.js';
export type { Ask, ToolQuestion } from '../tool-call.js';
export { type ClientHookOptions, guardClient } from './guard-client.js';
export type { McpHookOptions } from './options.js';
export { withHooks } from './with-hooks.js';
export {
  type CallExtra,
  type ServerHookOptions,
  type ToolHandler,
  type ToolHandlerOptions,
  wrapToolHandler,
} from './wrap-tool-handler.js';
