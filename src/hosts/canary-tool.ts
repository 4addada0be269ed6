/**
 * A call that is always refused, which proves that the bridge works: of a tool that does not exist, or where a host has
 * an event for its shell only, of a program that does not.
 */
import type { Json } from '../dialects/host/host.js';

export const CANARY_TOOL = 'hookline_canary';

export function isCanary({ tool_name, tool_input }: Json): boolean {
  const { command } = (tool_input ?? {}) as { readonly command?: unknown };
  return tool_name === CANARY_TOOL || (tool_name === 'Bash' && command === CANARY_TOOL);
}
