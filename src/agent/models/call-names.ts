/**
 * Ids and names of calls in the form that a service accepts. A conversation may have others: from another service, which took
 * over or was left, from a tool with a long name, or from a model that made a name up.
 */
import { createHash } from 'node:crypto';
import type { ModelTool } from './port.js';

export interface Accepted {
  readonly length: number;
  /** Whether only letters, digits, `_` and `-` are accepted. */
  readonly isPlain: boolean;
}

/** Unchanged if the service accepts it. Otherwise the same text always becomes the same other one. */
export function accepted(text: string, { length, isPlain }: Accepted): string {
  if (text.length <= length && text !== '' && (!isPlain || /^[\w-]+$/.test(text))) return text;
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `${text.replaceAll(/[^\w-]/g, '_').slice(0, length - mark.length - 1)}_${mark}`;
}

/** The tool's own name of a name that the service was given. */
export function ownNames(tools: readonly ModelTool[], limits: Accepted): (name: string) => string {
  const changed = new Map(
    tools.flatMap(({ name }) => (accepted(name, limits) === name ? [] : [[accepted(name, limits), name]])),
  );
  return (name) => changed.get(name) ?? name;
}
