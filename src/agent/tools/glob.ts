/** The Glob tool: finds files by a pattern, newest first. */
import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { fileFailure } from './files.js';
import { defineTool, type ToolOutcome } from './tool.js';
import { compileGlob, describeHidden, leaveOutUnreadable, MAX_WALKED, newestFirst, walk } from './walk.js';

const MAX_FILES = 100;

/** The tool `Glob`: finds files whose paths match a pattern, newest first, at most 100. Read-only. */
export const globTool = defineTool({
  name: 'Glob',
  description: `Finds files by a pattern such as src/**/*.ts or *.{json,yaml}; the newest come first, at most ${MAX_FILES}. * matches within one directory, ** across directories. .git and node_modules are skipped unless path is inside them.`,
  input: z.strictObject({
    pattern: z.string().min(1).describe('The pattern, relative to path'),
    path: z.string().min(1).optional().describe('The directory to search. Default: the working directory'),
  }),
  paths: ['path'],
  readOnly: true,
  async run({ pattern, path }, context): Promise<ToolOutcome> {
    const startedAt = performance.now();
    const start = isAbsolute(pattern) ? splitPattern(pattern) : { root: path ?? context.cwd, pattern };
    const wanted = compileGlob(start.pattern.replace(/^(\.\/)+/, ''), { anywhere: false });
    if (typeof wanted === 'string') return { ok: false, error: wanted };
    try {
      if (!(await stat(start.root)).isDirectory())
        return {
          ok: false,
          error: `${start.root} is a file, not a directory to search. Use Read to see it.`,
        };
      const { files, incomplete } = await walk(start.root, wanted, context.signal);
      const { paths, hidden } = await leaveOutUnreadable(
        files.map((file) => join(start.root, file)),
        context,
      );
      const found = await newestFirst(paths, context.signal);
      const filenames = found.slice(0, MAX_FILES);
      const truncated = incomplete || found.length > MAX_FILES;
      return {
        ok: true,
        content: describe(filenames, found.length, { incomplete, hidden }),
        response: {
          filenames,
          numFiles: filenames.length,
          truncated,
          durationMs: Math.round(performance.now() - startedAt),
        },
      };
    } catch (error) {
      return fileFailure(error, start.root, context);
    }
  },
});

/** Splits off the leading directories without wildcards, where the walk starts. */
function splitPattern(pattern: string): { root: string; pattern: string } {
  const parts = pattern.split('/');
  const magic = parts.findIndex((part) => /[*?[\]{}()!+@\\]/.test(part));
  const plain = magic === -1 ? parts.length - 1 : magic;
  return { root: parts.slice(0, plain).join('/') || '/', pattern: parts.slice(plain).join('/') };
}

function describe(
  shown: readonly string[],
  total: number,
  { incomplete, hidden }: { readonly incomplete: boolean; readonly hidden: number },
): string {
  const notes = [...describeHidden(hidden)];
  if (total > shown.length)
    notes.push(`[${total - shown.length} more files: use a narrower pattern or path to see them]`);
  if (incomplete) notes.push(`[only the first ${MAX_WALKED} entries were looked at: use a narrower path]`);
  if (total === 0) notes.unshift('No files found.');
  return [...shown, ...notes].join('\n');
}
