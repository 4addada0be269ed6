/** The Edit tool: replaces an exact piece of text in a file, once or everywhere. */
import { z } from 'zod';
import { fileFailure, fileProblem, readExactText, writeWhole } from './files.js';
import { makePatch } from './patch.js';
import { defineTool, type ToolOutcome } from './tool.js';

/** The tool `Edit`: replaces an exact piece of text in a file, once or everywhere. */
export const editTool = defineTool({
  name: 'Edit',
  description:
    'Replaces old_string with new_string in a file. old_string must match the file exactly, without the line numbers that Read shows, and occur only once, unless you set replace_all.',
  input: z.strictObject({
    file_path: z.string().min(1).describe('The file; absolute, or relative to the working directory'),
    old_string: z.string().describe('The exact text to replace'),
    new_string: z.string().describe('The replacement'),
    replace_all: z.boolean().optional().describe('Replace every occurrence. Default: false'),
  }),
  paths: ['file_path'],
  async run({ file_path: path, old_string, new_string, replace_all = false }, context): Promise<ToolOutcome> {
    try {
      const problem = await fileProblem(path);
      if (problem !== undefined) return { ok: false, error: problem };
      const original = await readExactText(path, context.signal);
      if (original === undefined)
        return {
          ok: false,
          error: `${path} is not UTF-8 text; editing it would destroy it. Nothing was changed.`,
        };
      const edited = replace(original, old_string, new_string, replace_all);
      if (!edited.ok) return { ok: false, error: `${edited.problem} Nothing was changed in ${path}.` };
      await writeWhole(path, edited.text, context.signal);
      return {
        ok: true,
        content: `Replaced ${edited.count === 1 ? 'one occurrence' : `${edited.count} occurrences`} in ${path}.`,
        response: {
          filePath: path,
          oldString: old_string,
          newString: new_string,
          originalFile: original,
          structuredPatch: makePatch(original, edited.text),
          userModified: false,
          replaceAll: replace_all,
        },
      };
    } catch (error) {
      return fileFailure(error, path, context);
    }
  },
});

type Edited =
  | { readonly ok: true; readonly text: string; readonly count: number }
  | { readonly ok: false; readonly problem: string };

function replace(text: string, oldString: string, newString: string, everywhere: boolean): Edited {
  if (oldString === '')
    return { ok: false, problem: 'old_string is empty; give the text to replace, or use Write.' };
  if (oldString === newString)
    return { ok: false, problem: 'old_string and new_string are the same, so there is nothing to do.' };
  // Read shows lines without carriage returns, so the model cannot know that the file has them.
  const windows = !text.includes(oldString) && text.includes('\r\n') && !oldString.includes('\r');
  const [wanted, instead] = windows
    ? [oldString, newString].map(withCarriageReturns)
    : [oldString, newString];
  const pieces = text.split(wanted ?? oldString);
  const count = pieces.length - 1;
  if (count === 0)
    return {
      ok: false,
      problem:
        'old_string does not occur in the file. Read the file again and copy the text exactly, white space included, without line numbers.',
    };
  if (count > 1 && !everywhere)
    return {
      ok: false,
      problem: `old_string occurs ${count} times. Give more of the text around it so that it is unique, or set replace_all.`,
    };
  return { ok: true, text: pieces.join(instead ?? newString), count };
}

const withCarriageReturns = (text: string): string => text.replace(/\r?\n/g, '\r\n');
