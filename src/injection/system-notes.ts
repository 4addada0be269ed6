/** The structured style: a tool's whole text as `output`, and items beside it as `system_notes`. */
import { sanitiseItem } from './escape-frame.js';
import type { InjectionItem } from './port.js';

/** What a result may hold: text, and parts such as images. */
interface Part {
  readonly type: string;
  readonly text?: unknown;
}

/** One JSON object. No text of a tool stands outside of it, so none can pass for a note. Never throws. */
export function withNotes(
  texts: readonly string[],
  items: readonly InjectionItem[],
  maxContentLength = 10_000,
): string {
  const system_notes = items.map((item) => {
    const { id, content, source } = sanitiseItem(item, maxContentLength);
    return { from: source.kind, ...(source.label !== undefined && { label: source.label }), id, content };
  });
  return JSON.stringify({ output: texts.join('\n'), system_notes });
}

/** The texts of some parts, and the parts that are none. */
export function splitTexts<P extends Part>(
  parts: readonly P[],
): { readonly texts: string[]; readonly others: P[] } {
  const isText = ({ text }: P): boolean => typeof text === 'string';
  return {
    texts: parts.filter(isText).map(({ text }) => String(text)),
    others: parts.filter((part) => !isText(part)),
  };
}
