/** What hooks rewrote in a fire, as texts that can be compared line by line. */
import { type StructuredPatchHunk, structuredPatch } from 'diff';
import { stringify } from 'yaml';
import { rowOf } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';

export interface Rewrite {
  /** The rewritten field of the input. */
  readonly field: string;
  readonly hunks: readonly Pick<StructuredPatchHunk, 'oldStart' | 'newStart' | 'lines'>[];
}

interface Rewritten {
  readonly event: AnyEvent;
  readonly input: Readonly<Record<string, unknown>>;
  readonly outcome: { readonly updatedInput?: unknown; readonly updatedOutput?: unknown };
}

/** Comparing takes long for long texts. */
const TIMEOUT_MS = 500;

/** Without values that are the same as before. Values that take too long to compare are shown as replaced. */
export function rewritesOf({ event, input, outcome }: Rewritten): readonly Rewrite[] {
  const { rewrites } = rowOf(event);
  const pairs = [
    [rewrites.input, outcome.updatedInput],
    [rewrites.output, outcome.updatedOutput],
  ] as const;
  return pairs.flatMap(([field, after]) => {
    if (field === undefined || after === undefined) return [];
    const hunks = hunksOf(readable(input[field]), readable(after));
    return hunks.length === 0 ? [] : [{ field, hunks }];
  });
}

function hunksOf(before: string, after: string): Rewrite['hunks'] {
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: 3,
    timeout: TIMEOUT_MS,
  });
  if (patch !== undefined)
    return patch.hunks.map(({ oldStart, newStart, lines }) => ({
      oldStart,
      newStart,
      lines: lines.filter((line) => !line.startsWith('\\')),
    }));
  const marked = (mark: string, text: string): string[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => `${mark}${line}`);
  return [{ oldStart: 1, newStart: 1, lines: [...marked('-', before), ...marked('+', after)] }];
}

/** A text as it is; other values as YAML, in which a text of several lines keeps its lines. Nothing is an empty text. */
export function readable(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : stringify(value, { lineWidth: 0 });
  return text.endsWith('\n') ? text : `${text}\n`;
}
