/** The results of a turn with its items, as messages of OpenAI's chat completions: all tools first, then the user. */
import { type CanonicalMessage, type PlaceOptions, placeInjections, type ToolResultPart } from './format.js';
import type { InjectionItem } from './port.js';

/** A message of OpenAI's chat completions, as far as results and items need it. */
export type ChatMessage =
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }
  | { readonly role: 'user'; readonly content: string };

/**
 * The tools' results, then one message of the user with all that stands beside them. For those who speak to the API
 * themselves; our own adapters convert the canonical message. Throws as `placeInjections` does.
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

/** There is no mark for a failed tool, so the text says it. */
function textOf({ content, is_error }: ToolResultPart): string {
  const text =
    typeof content === 'string'
      ? content
      : content
          .map((part) => ('text' in part ? part.text : `[content of type ${part.type} cannot be shown here]`))
          .join('\n\n');
  return is_error === true ? `Error: ${text}` : text;
}
