/** The files that a patch of Codex writes, each as a call of our own tools, so that guards of paths see them. */
import { resolve } from 'node:path';
import { isObject } from '../host/answers.js';
import type { Json } from '../host/host.js';

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/;

/** Those of the patches in all texts of the tool's input. Empty if there are none. */
export function patchedFiles(input: Json): readonly Json[] {
  const { tool_input, cwd } = input;
  const texts = isObject(tool_input) ? Object.values(tool_input).flat() : [tool_input];
  return texts.flatMap((text) => (typeof text === 'string' ? filesIn(text, input, String(cwd ?? '.')) : []));
}

/** The shell of Codex has a program for patches, and Codex applies those that a line has as text. */
export function patchedByShell(input: Json): readonly Json[] {
  const { tool_input, cwd } = input;
  const command = isObject(tool_input) ? tool_input['command'] : undefined;
  const line = Array.isArray(command) ? command.join('\n') : command;
  if (typeof line !== 'string' || !/appl\S*patch|\*\*\* /.test(line)) return [];
  // `$'…\n…'` is several lines too.
  const text = line.replaceAll('\\n', '\n').replaceAll(/["']\s*$/gm, '');
  const from = String(cwd ?? '.');
  const folders = [...line.matchAll(GOES_TO)].map(([, , quoted, plain]) =>
    resolve(from, quoted ?? plain ?? ''),
  );
  const parts = [from, ...folders].flatMap((folder) => filesIn(text, input, folder));
  if (parts.length === 0 && RUNS_PATCH.test(line))
    throw new Error('this line applies a patch that cannot be seen; give it in the line itself');
  return parts;
}

const GOES_TO = /\bcd\s+(?:--\s+)?(?:(["'])(.+?)\1|([^\s;&|"']+))/g;
/** `apply_patch` where a command begins. */
const RUNS_PATCH =
  /(?:^|[\n;&|({`])\s*(?:(?:sudo|env|exec|command|time)\s+)*(?:\S*\/)?apply_?patch(?=[\s;&|<)}`]|$)/;

function filesIn(patch: string, input: Json, folder: string): readonly Json[] {
  const parts: { verb: string; path: string; lines: string[] }[] = [];
  for (const line of patch.split('\n')) {
    const [, verb, path] = HEADER.exec(line.trim()) ?? [];
    if (verb !== undefined && path !== undefined) parts.push({ verb, path: path.trim(), lines: [] });
    else if (!line.startsWith('***')) parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ verb, path, lines }) => {
    const file_path = resolve(folder, path);
    const marked = (mark: string): string =>
      lines.flatMap((line) => (line.startsWith(mark) ? [line.slice(1)] : [])).join('\n');
    return verb === 'Update File'
      ? {
          ...input,
          tool_name: 'Edit',
          tool_input: { file_path, old_string: marked('-'), new_string: marked('+') },
        }
      : { ...input, tool_name: 'Write', tool_input: { file_path, content: marked('+') } };
  });
}
