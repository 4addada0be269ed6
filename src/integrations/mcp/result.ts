/** Makes and changes the results of MCP tools: blocks of their own for what hooks and others say, nothing in the data. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Block, contentBlocks, fieldOf, textBlock } from '../tool-content.js';

/** Any result that a tool call may have; only those with content can be added to. */
export type ToolResult = Readonly<Record<string, unknown>>;

/** One block: of a failed result some hosts show no other. */
export function refusal(texts: readonly string[]): CallToolResult {
  return { content: [textBlock(texts.join('\n\n'))], isError: true };
}

export const isFailed = (result: ToolResult): boolean => result['isError'] === true;

export const isTask = (result: ToolResult): boolean => result['task'] !== undefined && !hasContent(result);

/** A task was started instead, or the server is of an old kind: there is nothing to add to. */
export const hasContent = (result: ToolResult): boolean =>
  Array.isArray(result['content']) || result['structuredContent'] !== undefined;

export function blocksOf(result: ToolResult): readonly unknown[] {
  const content = result['content'];
  return Array.isArray(content) ? content : [];
}

/** What hooks see of it: the content, or whatever servers of the first days returned. */
export function responseOf(result: ToolResult): unknown {
  return hasContent(result) ? blocksOf(result) : (result['toolResult'] ?? []);
}

/** Each text is a block behind what the tool has returned. The structured content is the tool's alone. */
export function addTexts<R extends ToolResult>(result: R, texts: readonly string[]): R {
  if (texts.length === 0 || !hasContent(result)) return result;
  return { ...result, content: [...blocksOf(result), ...texts.map(textBlock)] };
}

/**
 * A rewritten output is the whole output: structured content that a hook has not given is gone, or what it wanted out of
 * sight would still be there.
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
