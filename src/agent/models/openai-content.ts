/** Converts parts of the canonical conversation for OpenAI's formats. */
import type { Accepted } from './call-names.js';
import type {
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from './port.js';

export const OPENAI_NAMES: Accepted = { length: 64, isPlain: true };

/** What a user message or a tool result can hold, apart from results. */
export type Shown = TextBlock | ImageBlock | DocumentBlock;

/** Neither format has documents of plain text, so they become texts. Empty texts are left out. */
export function shownIn(content: readonly ContentBlock[]): readonly Shown[] {
  return content.flatMap((block): readonly Shown[] => {
    if (block.type === 'text') return block.text === '' ? [] : [block];
    if (block.type === 'image') return [block];
    return block.type === 'document' ? [asText(block)] : [];
  });
}

/** Neither format can mark a failed tool, so the text does. Blocks that are not known are named. */
export function resultParts({ content, is_error }: ToolResultBlock): readonly Shown[] {
  const parts: readonly Shown[] =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : content.map((block): Shown => {
          if ('text' in block) return { type: 'text', text: block.text };
          if ('source' in block && block.type === 'image') return block as ImageBlock;
          if ('source' in block && block.type === 'document') return asText(block as DocumentBlock);
          return { type: 'text', text: `[content of type ${block.type} cannot be shown here]` };
        });
  if (is_error !== true) return parts;
  const [first, ...rest] = parts;
  return first?.type === 'text'
    ? [{ type: 'text', text: `Error: ${first.text}` }, ...rest]
    : [{ type: 'text', text: 'Error:' }, ...parts];
}

function asText(block: DocumentBlock): Shown {
  if (block.source.type !== 'text') return block;
  const name = block.title === undefined ? '' : `${block.title}:\n`;
  return { type: 'text', text: `${name}${block.source.data}` };
}

/** The address of an image or file; its content as a data URL if it has none. */
export function urlOf({ source }: ImageBlock | DocumentBlock): string {
  return source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
}

/** The services want a name for every file. */
export const fileName = ({ title }: DocumentBlock): string => title ?? 'file.pdf';

/** The arguments of a call as JSON text. */
export function argumentsText({ input }: ToolUseBlock): string {
  return JSON.stringify(input ?? {});
}

export const textOf = (parts: readonly Shown[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
