/** Reads one block of a transcript line. Copies known fields only, and checks their types. */
import type { ContentBlock, DocumentBlock, ImageBlock, ToolResultBlock } from '../models/port.js';

export type Fields = Readonly<Record<string, unknown>>;

/** The service whose transcripts do not name it. */
const UNNAMED_PROVIDER = 'anthropic';

/** Returns undefined if it is not a block that a conversation can hold. `model`: the one that wrote the message. */
export function readBlock(value: unknown, model: string): ContentBlock | undefined {
  if (!isFields(value)) return undefined;
  const { type, text, phase, id, name, input = {}, tool_use_id, content, is_error } = value;
  if (type === 'text' && typeof text === 'string')
    return { type, text, ...(typeof phase === 'string' && { phase }) };
  if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
    return { type, id, name, input };
  if (type === 'tool_result' && typeof tool_use_id === 'string') {
    const result = content ?? '';
    if (isResultContent(result))
      return { type, tool_use_id, content: result, ...(typeof is_error === 'boolean' && { is_error }) };
  }
  return readMedia(value) ?? readOpaque(value, model);
}

function readMedia({ type, source, title }: Fields): ImageBlock | DocumentBlock | undefined {
  if ((type !== 'image' && type !== 'document') || !isFields(source)) return undefined;
  const { type: kind, media_type, data, url } = source;
  const isContent =
    (kind === 'base64' || (kind === 'text' && type === 'document')) &&
    typeof media_type === 'string' &&
    typeof data === 'string';
  if (!isContent && !(kind === 'url' && typeof url === 'string')) return undefined;
  const read = isContent ? { type: kind, media_type, data } : { type: kind, url };
  const block = { type, source: read, ...(typeof title === 'string' && { title }) };
  return block as ImageBlock | DocumentBlock;
}

/** Blocks that only the service understands, to which they go back. */
function readOpaque(value: Fields, writer: string): ContentBlock | undefined {
  const { type, thinking, signature, data, block } = value;
  const provider = typeof value['provider'] === 'string' ? value['provider'] : UNNAMED_PROVIDER;
  const model = typeof value['model'] === 'string' ? value['model'] : writer;
  const origin = { provider, model };
  if (type === 'thinking' && typeof thinking === 'string') {
    const signed = typeof signature === 'string' ? { signature } : {};
    return { type, thinking, ...signed, ...(data !== undefined && { data }), ...origin };
  }
  if (type === 'redacted_thinking' && typeof data === 'string') return { type, data, ...origin };
  return type === 'service_block' && isFields(block) ? { type, block, ...origin } : undefined;
}

function isResultContent(content: unknown): content is ToolResultBlock['content'] {
  if (typeof content === 'string') return true;
  return (
    Array.isArray(content) &&
    content.every(
      (block) =>
        isFields(block) &&
        typeof block['type'] === 'string' &&
        (block['type'] !== 'text' || typeof block['text'] === 'string'),
    )
  );
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
