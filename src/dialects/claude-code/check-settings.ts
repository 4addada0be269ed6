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
