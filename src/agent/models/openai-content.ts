/**
 * Converts the canonical conversation for OpenAI's formats: separates texts, calls and results, with results as plain
 * text.
 */
import type { ContentBlock, ModelMessage, ToolResultBlock, ToolUseBlock } from './port.js';

export interface SortedContent {
  readonly texts: readonly string[];
  readonly calls: readonly ToolUseBlock[];
  readonly results: readonly ToolResultBlock[];
}

/** Results come before texts: nothing may come between a call and its result. */
export function sortContent({ content }: ModelMessage): SortedContent {
  const only = <T extends ContentBlock['type']>(type: T) =>
    content.filter((block): block is Extract<ContentBlock, { type: T }> => block.type === type);
  return {
    texts: only('text')
      .map(({ text }) => text)
      .filter((text) => text !== ''),
    calls: only('tool_use'),
    results: only('tool_result'),
  };
}

/** Neither format can mark a failed tool, so the text does. */
export function resultText({ content, is_error }: ToolResultBlock): string {
  const text =
    typeof content === 'string'
      ? content
      : content
          .map((block) =>
            'text' in block ? block.text : `[content of type ${block.type} cannot be shown here]`,
          )
          .join('\n');
  return is_error === true ? `Error: ${text}` : text;
}

/** The arguments of a call as JSON text. */
export function argumentsText({ input }: ToolUseBlock): string {
  return JSON.stringify(input ?? {});
}
