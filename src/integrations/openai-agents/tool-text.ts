/** Puts what hooks and people say behind the output of a tool. */
import { fieldOf } from '../tool-content.js';

/** Outputs that the host passes to the model as they are. */
const isContent = (value: unknown): boolean =>
  ['text', 'image', 'file'].includes(String(fieldOf(value, 'type')));

/** A text, or the host's content parts. An output that is neither becomes JSON. */
export function addTexts(output: unknown, texts: readonly string[]): unknown {
  if (texts.length === 0) return output;
  if (isContent(output)) return addTexts([output], texts);
  if (Array.isArray(output) && output.length > 0 && output.every(isContent))
    return [...output, ...texts.map((text) => ({ type: 'text', text }))];
  const own = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  return [...(own === '' ? [] : [own]), ...texts].join('\n\n');
}
