/** The difference between two versions of a file, in the shape that hooks know as `structuredPatch`. */
import { type StructuredPatchHunk, structuredPatch } from 'diff';

export type PatchHunk = Readonly<StructuredPatchHunk>;

const CONTEXT = 3;
/**
 * Finding the shortest patch takes quadratic time in the number of different lines; at this limit, a few hundredths
 * of a second.
 */
const MAX_EDITS = 500;

export function makePatch(before: string, after: string): PatchHunk[] {
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options);
  return patch === undefined ? [replaceAll(before, after)] : patch.hunks;
}

/** Removes and adds every line: always correct, but not the shortest patch. */
function replaceAll(before: string, after: string): PatchHunk {
  const [old, fresh] = [structuredPatch('', '', before, '').hunks, structuredPatch('', '', '', after).hunks];
  const [oldLines, newLines] = [old[0]?.oldLines ?? 0, fresh[0]?.newLines ?? 0];
  const lines = [...old, ...fresh].flatMap((hunk) => hunk.lines);
  return { oldStart: 1, oldLines, newStart: 1, newLines, lines };
}
