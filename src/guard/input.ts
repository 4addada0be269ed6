/** The input of a hook, as a guard reads it: the shell line, the files and the texts of a tool call. */
import { quoted } from '../base/text/shell-word.js';

/** The fields that guards use. Hosts send more. */
export interface GuardInput {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly transcript_path?: string;
  readonly cwd: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
  readonly stop_hook_active?: boolean;
  readonly [field: string]: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/**
 * The shell line of a tool call, or undefined if the call has none. A list of words, as some hosts send it, becomes a
 * line with each word quoted. Never throws.
 */
export function shellLineOf({ tool_input }: GuardInput): string | undefined {
  const { command } = fieldsOf(tool_input);
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) return undefined;
  return command.map((word) => quoted(String(word))).join(' ');
}

const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'absolute_path', 'filePath'];
const PATCH_HEADER = /^[ \t]*\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

/** The files that an edit tool names in its input, also in the headers of a patch. Never throws. */
export function editedPaths({ tool_input }: GuardInput): readonly string[] {
  const fields = fieldsOf(tool_input);
  const named = PATH_FIELDS.flatMap((name) => (typeof fields[name] === 'string' ? [fields[name]] : []));
  const patches = textsIn(tool_input).flatMap((text) =>
    [...text.matchAll(PATCH_HEADER)].map(([, path = '']) => path.trim()),
  );
  return [...named, ...patches];
}

/** All texts in a value, however deep. Never throws. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
