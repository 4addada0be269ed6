/**
 * Formats the tool results of a turn and its items as messages for OpenAI's chat completions: tool messages first, then
 * the user message.
 */
import { type CanonicalMessage, type PlaceOptions, placeInjections, type ToolResultPart } from './format.js';
import type { InjectionItem } from './port.js';

/** A chat completions message, reduced to the fields used for results and items. */
export type ChatMessage =
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }
  | { readonly role: 'user'; readonly content: string };

/**
 * Returns the tool results, then one user message with everything else. For programs that call the API themselves; the
 * adapters of this library convert the canonical message. Throws when `placeInjections` throws.
 */
export function placeInChat(
  message: CanonicalMessage,
  items: readonly InjectionItem[],
  options?: PlaceOptions,
): readonly ChatMessage[] {
  const { content } = placeInjections(message, items, options);
  const tools = content.flatMap((part) =>
    part.type === 'tool_result'
      ? [{ role: 'tool' as const, tool_call_id: part.tool_use_id, content: textOf(part) }]
      : [],
  );
  const texts = content.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
  return texts.length === 0 ? tools : [...tools, { role: 'user', content: texts.join('\n\n') }];
}

/** Chat completions have no flag for a failed tool, so the text says so. */
function textOf({ content, is_error }: ToolResultPart): string {
  const text =
    typeof content === 'string'
      ? content
      : content
          .map((part) => ('text' in part ? part.text : `[content of type ${part.type} cannot be shown here]`))
          .join('\n\n');
  return is_error === true ? `Error: ${text}` : text;
}
