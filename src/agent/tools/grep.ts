/** The Grep tool: finds files or lines that match a regular expression. */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { fileFailure, looksBinary, MAX_FILE_BYTES } from './files.js';
import { type FileMatches, renderMatches } from './grep-output.js';
import { compileScan, type ScanLines } from './line-scan.js';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.js';
import { compileGlob, leaveOutUnreadable, newestFirst, walk } from './walk.js';

const lineCount = z.int().min(0).max(100).optional();

const input = z.strictObject({
  pattern: z.string().min(1).describe('A JavaScript regular expression; matched line by line'),
  path: z.string().min(1).optional().describe('A file or directory. Default: the working directory'),
  glob: z.string().min(1).optional().describe('Only files that match, such as *.ts or src/**/*.md'),
  output_mode: z
    .enum(['content', 'files_with_matches', 'count'])
    .optional()
    .describe('Lines, files, or the number of lines in each file. Default: files_with_matches'),
  '-i': z.boolean().optional().describe('Ignore case'),
  '-n': z.boolean().optional().describe('Show line numbers in content. Default: true'),
  '-A': lineCount.describe('Lines to show after each match'),
  '-B': lineCount.describe('Lines to show before each match'),
  '-C': lineCount.describe('Lines to show before and after each match'),
  head_limit: z.int().min(1).optional().describe('The maximum number of lines or files. Default: 250'),
});

export type GrepInput = z.output<typeof input>;

/** The tool `Grep`: finds files or lines that match a regular expression. Read-only. */
export const grepTool = defineTool({
  name: 'Grep',
  description:
    'Searches files for a regular expression. .git, node_modules, binary files and files above 10 MB are skipped.',
  input,
  paths: ['path'],
  readOnly: true,
  async run(asked, context): Promise<ToolOutcome> {
    const scan = compileScan(asked.pattern, asked['-i'] === true);
    if (typeof scan === 'string') return { ok: false, error: scan };
    const wanted = asked.glob === undefined ? () => true : compileGlob(asked.glob, matchAnywhere(asked.glob));
    if (typeof wanted === 'string') return { ok: false, error: wanted };
    const root = asked.path ?? context.cwd;
    try {
      const { files, incomplete } = await filesToSearch(root, wanted, context.signal);
      const { paths, hidden } = await leaveOutUnreadable(files, context);
      const searched = await searchAll(paths, scan, context);
      if (typeof searched === 'string') return { ok: false, error: searched };
      const inOrder =
        asked.output_mode === 'content' ? searched.matches : await byAge(searched.matches, context);
      return renderMatches(inOrder, asked, context.cwd, {
        tooLarge: searched.tooLarge,
        incomplete,
        hidden,
      });
    } catch (error) {
      return fileFailure(error, root, context);
    }
  },
});

const matchAnywhere = (glob: string): { anywhere: boolean } => ({ anywhere: !glob.includes('/') });

async function filesToSearch(
  root: string,
  wanted: (path: string) => boolean,
  signal: AbortSignal,
): Promise<{ files: readonly string[]; incomplete: boolean }> {
  if (!(await stat(root)).isDirectory())
    return { files: wanted(basename(root)) ? [join(dirname(root), basename(root))] : [], incomplete: false };
  const { files, incomplete } = await walk(root, wanted, signal, false);
  return { files: files.map((file) => join(root, file)), incomplete };
}

async function searchAll(
  paths: readonly string[],
  scan: ScanLines,
  context: ToolContext,
): Promise<{ matches: FileMatches[]; tooLarge: number } | string> {
  const matches: FileMatches[] = [];
  let tooLarge = 0;
  for (const path of paths) {
    context.signal.throwIfAborted();
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile()) continue;
    if (info.size > MAX_FILE_BYTES) {
      tooLarge++;
      continue;
    }
    const lines = await readLines(path, context.signal);
    if (lines === undefined) continue;
    const found = await scan(lines, context.signal);
    if (found === undefined)
      return `The pattern takes too long on the lines of ${path}. Make it simpler, or leave the file out with path or glob.`;
    if (found.length > 0) matches.push({ path, lines, found });
  }
  return { matches, tooLarge };
}

/** Undefined for binary files and files that cannot be read. */
async function readLines(path: string, signal: AbortSignal): Promise<string[] | undefined> {
  try {
    const bytes = await readFile(path, { signal });
    if (looksBinary(bytes)) return undefined;
    const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    return lines;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

async function byAge(matches: readonly FileMatches[], context: ToolContext): Promise<FileMatches[]> {
  const byPath = new Map(matches.map((match) => [match.path, match]));
  const paths = await newestFirst([...byPath.keys()], context.signal);
  return paths.flatMap((path) => byPath.get(path) ?? []);
}
