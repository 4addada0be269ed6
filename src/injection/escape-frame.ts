/**
 * Sanitises text from outside: no terminal escapes, no invisible characters, and no line that could pass for one of a
 * frame.
 */
import { escapeControls } from '../base/json/escape-controls.js';
import { cutText } from '../base/text/cut-text.js';
import type { InjectionItem } from './port.js';

const MAX_LABEL = 120;
const MAX_KIND = 40;

/** The parts of an item that a model reads. */
export type ReadableItem = Pick<InjectionItem, 'id' | 'content' | 'source'>;

/** Contract: idempotent. */
export function sanitiseItem({ id, content, source }: ReadableItem, maxContentLength: number): ReadableItem {
  const label = sanitiseName(source.label ?? '', MAX_LABEL);
  return {
    id,
    content: cutText(removeControls(content), maxContentLength),
    source: {
      kind: sanitiseName(source.kind, MAX_KIND) || 'unknown',
      ...(label !== '' && { label }),
    },
  };
}

/** A lone surrogate is not a character: encoded as bytes it would become something else. */
const HALF = /\p{Surrogate}/gu;

/** Only `\n` ends a line: other line separators could be displayed as lines outside the frame. */
function removeControls(text: string): string {
  return escapeControls(text)
    .replaceAll(/[\u2028\u2029]/g, '\n')
    .replaceAll(HALF, '\ufffd');
}

/** Returns one line without invisible characters. */
export function sanitiseName(text: string, maxLength: number): string {
  const name = escapeControls(text)
    .replaceAll(HALF, '\ufffd')
    .replaceAll(/[\s\p{C}\u2028\u2029]+/gu, ' ')
    .trim();
  const characters = [...name];
  return characters.length > maxLength
    ? `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`
    : name;
}
