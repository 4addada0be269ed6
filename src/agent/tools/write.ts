/** The Write tool: creates or overwrites a file. */
import { z } from 'zod';
import { fileFailure, fileProblem, readExactText, writeWhole } from './files.js';
import { makePatch } from './patch.js';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.js';

/** The tool `Write`: creates or overwrites a file. */
export const writeTool = defineTool({
  name: 'Write',
  description:
    'Creates or overwrites a file; missing directories are created. To change a part of a file, use Edit.',
  input: z.strictObject({
    file_path: z.string().min(1).describe('The file; absolute, or relative to the working directory'),
    content: z.string().describe('The whole content'),
  }),
  paths: ['file_path'],
  async run({ file_path: path, content }, context): Promise<ToolOutcome> {
    try {
      const original = await readOriginal(path, context);
      if (original.problem !== undefined) return { ok: false, error: original.problem };
      await writeWhole(path, content, context.signal);
      const made = !original.exists;
      return {
        ok: true,
        content: made ? `Created ${path}.` : `Overwrote ${path}.`,
        response: {
          type: made ? 'create' : 'update',
          filePath: path,
          content,
          structuredPatch: original.text === null ? [] : makePatch(original.text, content),
          originalFile: original.text,
          userModified: false,
        },
      };
    } catch (error) {
      return fileFailure(error, path, context);
    }
  },
});

interface Original {
  readonly exists: boolean;
  /** Null if the file does not exist or is not text. */
  readonly text: string | null;
  readonly problem?: string | undefined;
}

async function readOriginal(path: string, context: ToolContext): Promise<Original> {
  try {
    const problem = await fileProblem(path);
    if (problem !== undefined) return { exists: true, text: null, problem };
    return { exists: true, text: (await readExactText(path, context.signal)) ?? null };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { exists: false, text: null };
    throw error;
  }
}
