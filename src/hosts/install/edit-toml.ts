/** Our entries in a host's TOML file with one list of hooks. They go to the end; everything else stays as it is. */
import { parse, stringify } from 'smol-toml';
import { messageOf } from '../../base/errors.js';
import type { Json } from '../../dialects/host/host.js';

/** Lines of the file: an item of the list, from its header to its last key. */
export interface Item {
  readonly start: number;
  readonly end: number;
  readonly written: Json;
}

const HEADER = /^\s*\[\[\s*hooks\s*\]\]\s*(?:#.*)?$/;

/** What does not parse by itself is not ours: each of our values is one line. */
export function itemsOf(text: string): readonly Item[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    if (!HEADER.test(line)) return [];
    const next = lines.findIndex((each, index) => index > start && /^\s*\[/.test(each));
    let end = next === -1 ? lines.length : next;
    while (/^\s*(?:#.*)?$/.test(lines[end - 1] ?? '') && end > start) end -= 1;
    const written = only(lines.slice(start, end).join('\n'));
    return written === undefined ? [] : [{ start, end, written }];
  });
}

function only(text: string): Json | undefined {
  try {
    const { hooks } = parse(text.replaceAll('\r', '')) as { readonly hooks?: readonly Json[] };
    return hooks?.[0];
  } catch {
    return undefined;
  }
}

export function appended(text: string, entries: readonly Json[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const blocks = entries.map((entry) => stringify({ hooks: [entry] }).trim());
  const before = text === '' || text.endsWith('\n') ? text : `${text}${eol}`;
  const gap = before.trim() === '' ? '' : eol;
  return `${before}${gap}${`${blocks.join('\n\n')}\n`.replaceAll('\n', eol)}`;
}

/** An empty line before an item goes with it. */
export function withoutItems(text: string, items: readonly Item[]): string {
  const lines = text.split('\n');
  for (const { start, end } of items.toReversed()) {
    const from = lines[start - 1]?.trim() === '' ? start - 1 : start;
    lines.splice(from, end - from);
  }
  return lines.join('\n');
}

/** Undefined: the host reads the file, and entries can be added. A list that is written in brackets cannot be continued. */
export function tomlProblem(text: string): { readonly message: string; readonly offset: number } | undefined {
  try {
    parse(appended(text, [{}]));
    return undefined;
  } catch (error) {
    const offset = Math.max(0, text.search(/^\s*hooks\s*=/m));
    const why = messageOf(error).split('\n')[0] ?? '';
    return { message: `[[hooks]] cannot be added to it: ${why}`, offset };
  }
}
