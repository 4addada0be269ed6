/** The difference between two versions of a file as one hunk, in the shape that hooks know as `structuredPatch`. */

export interface PatchHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each begins with a space, `-` or `+`; `\` begins a remark about the line before it. */
  readonly lines: readonly string[];
}

const CONTEXT = 3;

/** One hunk from the first to the last line that differs: always right, if not always the shortest. */
export function makePatch(before: string, after: string): PatchHunk[] {
  if (before === after) return [];
  const old = splitLines(before);
  const fresh = splitLines(after);
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start++;
  let tail = 0;
  while (tail < shorter - start && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  const from = Math.max(0, start - CONTEXT);
  const trailing = Math.min(CONTEXT, tail);
  const oldEnd = old.length - tail;
  const newEnd = fresh.length - tail;
  return [
    {
      oldStart: from + 1,
      oldLines: oldEnd + trailing - from,
      newStart: from + 1,
      newLines: newEnd + trailing - from,
      lines: [
        ...render(' ', old.slice(from, start)),
        ...render('-', old.slice(start, oldEnd)),
        ...render('+', fresh.slice(start, newEnd)),
        ...render(' ', old.slice(oldEnd, oldEnd + trailing)),
      ],
    },
  ];
}

/** With their line feeds, so that a missing one at the end of the file is a difference too. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function render(mark: ' ' | '-' | '+', lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'],
  );
}
