/** The Read tool: returns the numbered lines of a text file, or an image. */

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { capLine } from './cap-content.js';
import { fileFailure, fileProblem, looksBinary } from './files.js';
import { defineTool, type ToolOutcome } from './tool.js';

const DEFAULT_LINES = 2000;
const MAX_LINE = 2000;
/** Larger files must be read in parts. */
const MAX_WHOLE_BYTES = 262_144;

/** The tool `Read`: returns the numbered lines of a text file, or an image. Read-only. */
export const readTool = defineTool({
  name: 'Read',
  description: `Reads a file. Text is returned as numbered lines (the number, a tab, the line), at most ${DEFAULT_LINES} of them; give offset and limit to see another part. PNG, JPEG, GIF and WebP images are shown. Directories cannot be read: use Glob.`,
  input: z.strictObject({
    file_path: z.string().min(1).describe('The file; absolute, or relative to the working directory'),
    offset: z.int().min(0).optional().describe('The number of the first line to read; lines count from 1'),
    limit: z.int().min(1).optional().describe('How many lines to read'),
  }),
  paths: ['file_path'],
  readOnly: true,
  async run({ file_path: path, offset, limit }, context): Promise<ToolOutcome> {
    try {
      const problem = await fileProblem(path);
      if (problem !== undefined) return { ok: false, error: problem };
      const bytes = await readFile(path, { signal: context.signal });
      const image = imageType(bytes);
      if (image) return showImage(bytes, image);
      if (looksBinary(bytes))
        return { ok: false, error: `${path} is a binary file. Look at it with Bash (file, xxd) instead.` };
      if (bytes.length > MAX_WHOLE_BYTES && offset === undefined && limit === undefined)
        return {
          ok: false,
          error: `${path} has ${bytes.length} bytes, too many to read at once (${MAX_WHOLE_BYTES}). Give offset and limit to read a part, or search it with Grep.`,
        };
      return showLines(
        path,
        new TextDecoder().decode(bytes),
        Math.max(1, offset ?? 1),
        limit ?? DEFAULT_LINES,
      );
    } catch (error) {
      return fileFailure(error, path, context);
    }
  },
});

function showLines(path: string, text: string, first: number, limit: number): ToolOutcome {
  const all = text === '' ? [] : text.split('\n');
  const chosen = all.slice(first - 1, first - 1 + limit);
  if (all.length > 0 && chosen.length === 0)
    return { ok: false, error: `${path} has ${all.length} lines; there is nothing from line ${first} on.` };
  const file = {
    filePath: path,
    content: chosen.join('\n'),
    numLines: chosen.length,
    startLine: first,
    totalLines: all.length,
  };
  return { ok: true, content: describe(chosen, first, all.length), response: { type: 'text', file } };
}

function describe(lines: readonly string[], first: number, total: number): string {
  if (total === 0) return '(the file is empty)';
  const numbered = lines.map((line, i) => `${first + i}\t${shorten(line)}`).join('\n');
  const next = first + lines.length;
  return next > total
    ? numbered
    : `${numbered}\n[${total - next + 1} more lines: continue with offset ${next}]`;
}

function shorten(raw: string): string {
  const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
  return capLine(line, MAX_LINE, ' in this line');
}

function showImage(bytes: Buffer, type: string): ToolOutcome {
  const data = bytes.toString('base64');
  return {
    ok: true,
    content: [{ type: 'image', source: { type: 'base64', media_type: type, data } }],
    response: { type: 'image', file: { base64: data, type, originalSize: bytes.length } },
  };
}

/** Detects images by their first bytes rather than their names, as the model APIs do. */
function imageType(bytes: Buffer): string | undefined {
  const begins = (signature: string, at = 0): boolean =>
    bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, 'latin1'));
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begins('\xff\xd8\xff')) return 'image/jpeg';
  if (begins('GIF87a') || begins('GIF89a')) return 'image/gif';
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp';
  return undefined;
}
