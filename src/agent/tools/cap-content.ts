/** Limits the content that tools return to the model, and marks what was left out. */
import { beforePair, cutAt } from '../../base/text/cut-text.js';
import type { ToolBlock, ToolContent } from './tool.js';

export const MAX_CONTENT_CHARACTERS = 100_000;
/** Base64 characters. Model APIs reject larger images. */
const MAX_IMAGE_CHARACTERS = 7_000_000;

/** The beginning and the end of a long text, with a line between them that says how much is missing. */
export function capText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const headLength = beforePair(text, Math.ceil((limit * 2) / 3));
  const tailStart = beforePair(text, text.length - Math.floor(limit / 3));
  const missing = tailStart - headLength;
  return `${text.slice(0, headLength)}\n[... ${missing} characters left out here: the text is longer than ${limit} ...]\n${text.slice(tailStart)}`;
}

/** The beginning of a long line, followed by how much is missing. */
export function capLine(line: string, limit: number, where = ''): string {
  if (line.length <= limit) return line;
  return `${cutAt(line, limit)}[... ${line.length - limit} more characters${where}]`;
}

export function capContent(content: ToolContent, limit: number = MAX_CONTENT_CHARACTERS): ToolContent {
  if (typeof content === 'string') return capText(content, limit);
  let left = limit;
  return content.map((block): ToolBlock => {
    if (block.type === 'image') return capImage(block);
    const text =
      left > 0 ? capText(block.text, left) : `[${block.text.length} characters left out: too much text]`;
    left -= block.text.length;
    return text === block.text ? block : { type: 'text', text };
  });
}

function capImage(block: Extract<ToolBlock, { type: 'image' }>): ToolBlock {
  const { data } = block.source;
  if (data.length <= MAX_IMAGE_CHARACTERS) return block;
  return { type: 'text', text: `[an image of ${data.length} base64 characters left out: it is too large]` };
}
