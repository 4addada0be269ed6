/** What outsiders wrote, made safe to show: nothing in it steers a terminal, hides, or ends a line that is ours. */
import { escapeControls } from '../base/json/escape-controls.js';
import { cutText } from '../base/text/cut-text.js';
import type { InjectionItem } from './port.js';

const MAX_LABEL = 120;
const MAX_KIND = 40;

/** The parts of an item that a model reads. */
export type ReadableItem = Pick<InjectionItem, 'id' | 'content' | 'source'>;

/** Contract: doing it twice changes nothing more. */
export function sanitiseItem({ id, content, source }: ReadableItem, maxContentLength: number): ReadableItem {
  const label = sanitiseName(source.label ?? '', MAX_LABEL);
  return {
    id,
    content: cutText(sanitiseText(content), maxContentLength),
    source: {
      kind: sanitiseName(source.kind, MAX_KIND) || 'unknown',
      ...(label !== '' && { label }),
    },
  };
}

/** Half a character is none: as bytes it would be something else. */
const HALF = /\p{Surrogate}/gu;

/** There is one way to end a line; the others would show as lines that are not ours. */
export function sanitiseText(text: string): string {
  return escapeControls(text)
    .replaceAll(/[\u2028\u2029]/g, '\n')
    .replaceAll(HALF, '\ufffd');
}

/** One line without anything invisible. */
export function sanitiseName(text: string, longest: number): string {
  const name = escapeControls(text)
    .replaceAll(HALF, '\ufffd')
    .replaceAll(/[\s\p{C}\u2028\u2029]+/gu, ' ')
    .trim();
  const characters = [...name];
  return characters.length > longest
    ? `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
    : name;
}
