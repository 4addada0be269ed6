/** What is suspicious in a settings file although it can be read, beside what its hooks say. */
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

/** Two lists under the same name: both are read here, and by most other readers only the last. */
function duplicateKeys(node: JsonNode): Diagnostic[] {
  const entries = node.entries();
  const twice = entries.flatMap(({ key, keySource }, i) => {
    const first = entries.findIndex((other) => other.key === key);
    if (first === i) return [];
    const message = `\`${key}\` is written twice in the same object, in line ${entries[first]?.keySource.line} and in line ${keySource.line}: Claude Code, as most readers of JSON, takes only the last. Write it once, with what stands under both.`;
    return [found('duplicate_key', message, keySource)];
  });
  const inside = [...entries.map((entry) => entry.node), ...node.items()];
  return [...twice, ...inside.flatMap(duplicateKeys)];
}

function timeoutProblems(root: JsonNode): Diagnostic[] {
  const events = root.get('hooks')?.entries() ?? [];
  const groups = events.flatMap(({ node }) => node.items());
  const hooks = groups.flatMap((group) => group.get('hooks')?.items() ?? []);
  return hooks.flatMap((hook) => {
    const timeout = hook.get('timeout');
    const doubt = lintTimeout(timeout?.value);
    if (timeout === undefined || doubt === undefined) return [];
    return [found('doubtful_timeout', doubt, timeout.source)];
  });
}

function found(code: string, message: string, source: Source): Diagnostic {
  return { severity: 'warning', code, message, source };
}
