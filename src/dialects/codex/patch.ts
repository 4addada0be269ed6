/** The files that a patch of Codex writes, each as a call of our own tools, so that guards of paths see them. */
import { resolve } from 'node:path';
import type { Json } from '../host/host.js';

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/;

/** Empty for any other tool. */
export function patchedFiles(input: Json): readonly Json[] {
  const { tool_name, tool_input, cwd } = input;
  const patch = (tool_input as { readonly command?: unknown } | undefined)?.command;
  if (tool_name !== 'apply_patch' || typeof patch !== 'string') return [];
  const parts: { verb: string; path: string; lines: string[] }[] = [];
  for (const line of patch.split('\n')) {
    const [, verb, path] = HEADER.exec(line.trimEnd()) ?? [];
    if (verb !== undefined && path !== undefined) parts.push({ verb, path: path.trim(), lines: [] });
    else if (!line.startsWith('***')) parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ verb, path, lines }) => {
    const file_path = resolve(String(cwd ?? '.'), path);
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
