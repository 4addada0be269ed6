/**
 * Creates and extends MCP tool results. Texts of hooks and items are added as separate blocks; structured content is
 * not changed.
 */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Block, contentBlocks, fieldOf, textBlock } from '../tool-content.js';

/** Any result of a tool call; only those with content can be extended. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** One block, because some hosts show only the first block of a failed result. */
export function refusal(texts: readonly string[]): CallToolResult {
  return { content: [textBlock(texts.join('\n\n'))], isError: true };
}

export const isFailed = (result: ToolResult): boolean => result['isError'] === true;

export const isTask = (result: ToolResult): boolean => result['task'] !== undefined && !hasContent(result);

/** False if a task was started instead, or the server uses an old protocol: there is no content to extend. */
export const hasContent = (result: ToolResult): boolean =>
  Array.isArray(result['content']) || result['structuredContent'] !== undefined;

export function blocksOf(result: ToolResult): readonly unknown[] {
  const content = result['content'];
  return Array.isArray(content) ? content : [];
}

/** What hooks see of a result: its content, or the result format of old servers. */
export function responseOf(result: ToolResult): unknown {
  return hasContent(result) ? blocksOf(result) : (result['toolResult'] ?? []);
}

/** Adds each text as a block after the tool's own. Structured content is not changed. */
export function addTexts<R extends ToolResult>(result: R, texts: readonly string[]): R {
  if (texts.length === 0 || !hasContent(result)) return result;
  return { ...result, content: [...blocksOf(result), ...texts.map(textBlock)] };
}

/**
 * A rewritten output replaces the whole output. Structured content is removed unless the hook provides it, because it
 * could contain what the hook wanted to hide.
 */
export function rewriteResult(result: ToolResult, output: unknown): ToolResult {
  const { structuredContent: _data, toolResult: _old, ...rest } = result;
  const structured = fieldOf(output, 'structuredContent');
  const content: readonly Block[] = contentBlocks(output);
  return {
    ...rest,
    content,
    ...(typeof structured === 'object' && structured !== null && { structuredContent: structured }),
    ...(typeof fieldOf(output, 'isError') === 'boolean' && { isError: fieldOf(output, 'isError') }),
  };
}
