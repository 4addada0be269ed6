/** Which hosts show a model only a part of a result: text added to the rest would be sent, but never read. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { hasContent, isFailed, type ToolResult } from './result.js';

interface Habits {
  /** Of a result with structured content, only that is shown. */
  readonly structuredAlone: boolean;
  /** Of a failed result, only the first block is shown. */
  readonly firstOfFailed: boolean;
}

/** By the client names of the hosts. */
const HOSTS: ReadonlyMap<string, Habits> = new Map([
  ['claude-code', { structuredAlone: true, firstOfFailed: true }],
  ['codex-mcp-client', { structuredAlone: true, firstOfFailed: false }],
]);

const SHOWS_ALL: Habits = { structuredAlone: false, firstOfFailed: false };
const SHOWS_LEAST: Habits = { structuredAlone: true, firstOfFailed: true };

/** Whether the model will see a text that is added to a result. */
export function showsAdded(
  result: ToolResult,
  options: {
    readonly partlyShown?: 'auto' | 'add' | 'wait' | undefined;
    readonly server?: Pick<Server, 'getClientVersion'> | undefined;
  },
): boolean {
  if (!hasContent(result)) return false;
  const { structuredAlone, firstOfFailed } = habitsFor(options);
  const hides =
    (structuredAlone && result['structuredContent'] !== undefined) || (firstOfFailed && isFailed(result));
  return !hides;
}

function habitsFor({ partlyShown = 'auto', server }: Parameters<typeof showsAdded>[1]): Habits {
  if (partlyShown === 'add') return SHOWS_ALL;
  if (partlyShown === 'wait') return SHOWS_LEAST;
  return HOSTS.get(server?.getClientVersion()?.name ?? '') ?? SHOWS_ALL;
}
