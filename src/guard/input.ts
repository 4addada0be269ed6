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
 * line with each word quoted, and words in `args` follow it. Never throws.
 */
export function shellLineOf({ tool_name = '', tool_input }: GuardInput): string | undefined {
  const fields = fieldsOf(tool_input);
  // Tools of servers have no common name for it.
  const names = tool_name.startsWith('mcp__') ? LINE_FIELDS : LINE_FIELDS.slice(0, 1);
  const line = names
    .map((name) => fields[name])
    .find((value) => typeof value === 'string' || Array.isArray(value));
  const words = Array.isArray(fields['args']) ? (fields['args'] as readonly unknown[]) : [];
  if (typeof line === 'string') return words.length === 0 ? line : [line, ...words.map(wordOf)].join(' ');
  return Array.isArray(line) ? line.map(wordOf).join(' ') : undefined;
}

const LINE_FIELDS = ['command', 'cmd', 'commandLine', 'command_line', 'shell_command', 'shellCommand'];

const wordOf = (word: unknown): string => quoted(String(word));

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
