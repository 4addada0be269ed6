/** The canonical conversation as OpenAI's formats see it: texts, calls and results apart, results as plain text. */
import type { ContentBlock, ModelMessage, ToolResultBlock, ToolUseBlock } from './port.js';

export interface SortedContent {
  readonly texts: readonly string[];
  readonly calls: readonly ToolUseBlock[];
  readonly results: readonly ToolResultBlock[];
}

/** Results go before texts: nothing may stand between a call and its result. */
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

/** Neither format has a mark for a failed tool, so the text says it. */
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

/** The arguments of a call, as the model itself would have written them. */
export function argumentsText({ input }: ToolUseBlock): string {
  return JSON.stringify(input ?? {});
}
