/** Checks a settings file for what is readable but suspicious, apart from its hooks. */
import type { JsonNode } from '../../config/json-file.js';
import type { Diagnostic, LoadedConfig, Source } from '../../config/loaded.js';
import { lintTimeout } from '../../handlers/common-options.js';
import { readPermissionRules } from './settings/permission-rules.js';
import { readSettingsTrees } from './settings-trees.js';

/** Never rejects. */
export async function checkSettings(config: LoadedConfig): Promise<readonly Diagnostic[]> {
  const { roots } = await readSettingsTrees([config]);
  return roots.flatMap(settingsProblems);
}

function settingsProblems(root: JsonNode): Diagnostic[] {
  return [
    ...duplicateKeys(root),
    ...timeoutProblems(root),
    ...unsetVariables(root),
    ...(readPermissionRules(root)?.diagnostics ?? []),
  ];
}

/** Duplicate keys: both are read here, but most other readers use only the last. */
function duplicateKeys(node: JsonNode): Diagnostic[] {
  const entries = node.entries();
  const twice = entries.flatMap(({ key, keySource }, i) => {
    const first = entries.findIndex((other) => other.key === key);
    if (first === i) return [];
    const message = `\`${key}\` occurs twice in the same object, in line ${entries[first]?.keySource.line} and in line ${keySource.line}: Claude Code, like most readers of JSON, uses only the last. Merge the two.`;
    return [found('duplicate_key', message, keySource)];
  });
  const inside = [...entries.map((entry) => entry.node), ...node.items()];
  return [...twice, ...inside.flatMap(duplicateKeys)];
}

/** Variables that many hooks read and no host sets, and the field of the input on stdin that has the value. */
const NEVER_SET: Readonly<Record<string, string>> = {
  CLAUDE_TOOL_NAME: '.tool_name',
  CLAUDE_TOOL_INPUT: '.tool_input',
  CLAUDE_TOOL_INPUT_FILE_PATH: '.tool_input.file_path',
  CLAUDE_TOOL_FILE_PATH: '.tool_input.file_path',
  CLAUDE_FILE_PATH: '.tool_input.file_path',
  CLAUDE_FILE_PATHS: '.tool_input.file_path',
  CLAUDE_TOOL_COMMAND: '.tool_input.command',
  CLAUDE_TOOL_OUTPUT: '.tool_response',
  TOOL_INPUT_PATH: '.tool_input.file_path',
};
const VARIABLE = /\$\{?(\w+)/g;

function unsetVariables(root: JsonNode): Diagnostic[] {
  return hooksOf(root).flatMap((hook) => {
    const line = hook.get('command');
    const names = [...String(line?.value ?? '').matchAll(VARIABLE)].map(([, name = '']) => name);
    const unset = [...new Set(names)].filter((name) => Object.hasOwn(NEVER_SET, name));
    return unset.map((name) => {
      const message = `The command reads $${name}, which no host sets, so it is empty. The value is in the input on stdin: "$(jq -r ${NEVER_SET[name]})".`;
      return found('unset_variable', message, line?.source ?? hook.source);
    });
  });
}

function hooksOf(root: JsonNode): readonly JsonNode[] {
  const events = root.get('hooks')?.entries() ?? [];
  const groups = events.flatMap(({ node }) => node.items());
  return groups.flatMap((group) => group.get('hooks')?.items() ?? []);
}

function timeoutProblems(root: JsonNode): Diagnostic[] {
  return hooksOf(root).flatMap((hook) => {
    const timeout = hook.get('timeout');
    const doubt = lintTimeout(timeout?.value);
    if (timeout === undefined || doubt === undefined) return [];
    return [found('doubtful_timeout', doubt, timeout.source)];
  });
}

function found(code: string, message: string, source: Source): Diagnostic {
  return { severity: 'warning', code, message, source };
}
