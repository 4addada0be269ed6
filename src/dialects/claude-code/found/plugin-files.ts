/** The files of a plugin that hold hooks: `hooks/hooks.json`, and what its manifest names or contains. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isInside } from '../../../base/files/inside.js';
import type { JsonNode } from '../../../config/json-file.js';
import { type Diagnostic, isOfWorkspace, losesProtection } from '../../../config/loaded.js';
import { readSettingsFile, type SettingsFile } from '../settings/files.js';
import type { FoundPlugin } from './plugins.js';

/** Never rejects. */
export async function readPluginFiles(
  { id, root, data, layer, enabled, source }: FoundPlugin,
  diagnostics: Diagnostic[],
): Promise<readonly SettingsFile[]> {
  if (root === undefined) return [];
  const common = {
    layer,
    pluginRoot: root,
    ...(data !== undefined && { pluginData: data }),
    ...(!enabled && {
      off: `the plugin ${id} is disabled in ${source.file}`,
      offByWorkspace: isOfWorkspace(source),
    }),
  };
  const read = async (file: string): Promise<SettingsFile> => ({
    ...common,
    file,
    content: await readSettingsFile(file, layer),
  });
  const usual = await read(join(root, 'hooks', 'hooks.json'));
  const manifest = await read(join(root, '.claude-plugin', 'plugin.json'));
  const declared = manifest.content?.ok ? manifest.content.root.get('hooks') : undefined;
  const files = [usual, ...(manifest.content?.ok === false ? [manifest] : [])];
  for (const node of declared === undefined
    ? []
    : Array.isArray(declared.value)
      ? declared.items()
      : [declared]) {
    if (typeof node.value !== 'string')
      files.push({ ...manifest, content: { ok: true, root: eventsIn(node) } });
    else {
      const file = resolve(root, node.value);
      if (file === usual.file) continue;
      const other = isInside(file, root) ? await read(file) : undefined;
      if (other?.content === undefined) diagnostics.push(notThere(node, id));
      else files.push(other);
    }
  }
  if (
    files.every(({ content }) => content === undefined) &&
    manifest.content === undefined &&
    !hasParts(root)
  ) {
    const message = `${root} is not a plugin: it has neither hooks/hooks.json nor .claude-plugin/plugin.json. Correct the path.`;
    diagnostics.push(
      losesProtection({
        severity: 'error',
        code: 'not_a_plugin',
        message,
        source: { ...source, file: root },
      }),
    );
  }
  return files;
}

/** A plugin may consist of other things than hooks. */
const hasParts = (root: string): boolean =>
  ['agents', 'skills', 'commands', '.mcp.json'].some((name) => existsSync(join(root, name)));

function notThere(node: JsonNode, id: string): Diagnostic {
  const message = `The plugin ${id} names the hooks ${JSON.stringify(node.value)}, and there is no such file in its folder. Correct the path.`;
  return { severity: 'error', code: 'missing_file', message, source: node.source, failsOpen: true };
}

/** Inline hooks are either the events themselves, or in an object with `hooks`. */
function eventsIn(node: JsonNode): JsonNode {
  if (node.get('hooks') !== undefined) return node;
  return {
    ...node,
    value: { hooks: node.value },
    entries: () => [{ key: 'hooks', keySource: node.source, node }],
    items: () => [],
    get: (key) => (key === 'hooks' ? node : undefined),
    all: (key) => (key === 'hooks' ? [node] : []),
  };
}
