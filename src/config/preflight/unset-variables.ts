/** Variables that many hooks read and no host sets: their values are in the input on stdin. */
import { type PreflightProblem, warning } from './problem.js';

/** The field of the input that has the value. */
const FIELD_OF: Readonly<Record<string, string>> = {
  CLAUDE_TOOL_NAME: '.tool_name',
  CLAUDE_TOOL: '.tool_name',
  CLAUDE_TOOL_INPUT: '.tool_input',
  CLAUDE_TOOL_ARGS: '.tool_input',
  CLAUDE_TOOL_INPUT_FILE_PATH: '.tool_input.file_path',
  CLAUDE_TOOL_FILE_PATH: '.tool_input.file_path',
  CLAUDE_FILE_PATH: '.tool_input.file_path',
  CLAUDE_FILE_PATHS: '.tool_input.file_path',
  CLAUDE_EDITED_FILE: '.tool_input.file_path',
  CLAUDE_TOOL_COMMAND: '.tool_input.command',
  CLAUDE_TOOL_INPUT_COMMAND: '.tool_input.command',
  CLAUDE_TOOL_OUTPUT: '.tool_response',
  CLAUDE_TOOL_RESULT: '.tool_response',
  CLAUDE_TOOL_RESPONSE: '.tool_response',
  CLAUDE_PROMPT: '.prompt',
  CLAUDE_USER_PROMPT: '.prompt',
  CLAUDE_NOTIFICATION: '.message',
  CLAUDE_NOTIFICATION_MESSAGE: '.message',
  CLAUDE_HOOK_EVENT: '.hook_event_name',
  CLAUDE_TRANSCRIPT_PATH: '.transcript_path',
  CLAUDE_SESSION_ID: '.session_id',
  TOOL_NAME: '.tool_name',
  TOOL_INPUT: '.tool_input',
  TOOL_INPUT_PATH: '.tool_input.file_path',
  TOOL_INPUT_FILE_PATH: '.tool_input.file_path',
  TOOL_INPUT_COMMAND: '.tool_input.command',
};
const VARIABLE = /\$\{?(\w+)/g;

/** `env`: what the command gets. A variable that the line sets itself is left alone. */
export function unsetVariables(
  line: string,
  env: Readonly<Record<string, string | undefined>>,
): PreflightProblem[] {
  const names = new Set([...line.matchAll(VARIABLE)].map(([, name = '']) => name));
  return [...names].flatMap((name) => {
    const isSet = env[name] !== undefined || new RegExp(`\\b${name}=|\\bread\\b.*\\b${name}\\b`).test(line);
    if (isSet || !Object.hasOwn(FIELD_OF, name)) return [];
    const message = `The command reads $${name}, which no host sets, so it is empty. The value is in the input on stdin: "$(jq -r ${FIELD_OF[name]})".`;
    return [warning('unset_variable', message)];
  });
}
