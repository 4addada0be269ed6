/** The switches of settings files that turn hooks off. A layer can only turn off itself and what is less binding. */
import type { JsonNode } from '../../../config/json-file.js';
import { type Diagnostic, isOfWorkspace, type Layer, losesProtection } from '../../../config/loaded.js';
import type { SettingsFile } from './files.js';

export interface Policy {
  /** The layers that are switched off, and by whom. */
  readonly off: ReadonlyMap<Layer, string>;
  readonly http: HttpPolicy;
}

/** Which addresses hooks may send inputs to, and which variables their headers may hold. Undefined: any. */
export interface HttpPolicy {
  readonly allowedUrls: readonly string[] | undefined;
  readonly allowedVariables: readonly string[] | undefined;
}

const BELOW: Readonly<Record<Layer, readonly Layer[]>> = {
  managed: ['managed', 'user', 'file', 'plugin', 'project', 'local'],
  user: ['user', 'file', 'plugin', 'project', 'local'],
  file: ['file', 'plugin', 'project', 'local'],
  plugin: [],
  project: ['project', 'local'],
  local: ['project', 'local'],
};

export function readPolicy(files: readonly SettingsFile[], diagnostics: Diagnostic[]): Policy {
  const off = new Map<Layer, string>();
  for (const { layer, file, content } of files) {
    if (content === undefined || !content.ok) continue;
    if (isOn(content.root, 'disableAllHooks', 'warning', diagnostics)) {
      for (const each of BELOW[layer]) off.set(each, `switched off by disableAllHooks in ${file}`);
    }
    // In the managed file it protects; nowhere else does it count.
    const severity = layer === 'managed' ? 'error' : 'warning';
    if (!isOn(content.root, 'allowManagedHooksOnly', severity, diagnostics)) continue;
    if (layer === 'managed') {
      for (const each of BELOW.user) off.set(each, `switched off by allowManagedHooksOnly in ${file}`);
    } else {
      const source = content.root.get('allowManagedHooksOnly')?.source ?? content.root.source;
      const message = 'allowManagedHooksOnly counts only in the managed settings; it is ignored here.';
      diagnostics.push({ severity: 'warning', code: 'ignored_key', message, source });
    }
  }
  const http = {
    allowedUrls: firstList(files, 'allowedHttpHookUrls', diagnostics),
    allowedVariables: firstList(files, 'httpHookAllowedEnvVars', diagnostics),
  };
  return { off, http };
}

/** The most binding list that somebody other than the workspace has written. One that is no list allows nothing. */
function firstList(
  files: readonly SettingsFile[],
  key: string,
  diagnostics: Diagnostic[],
): readonly string[] | undefined {
  for (const { layer, content } of files) {
    if (content === undefined || !content.ok || isOfWorkspace({ layer })) continue;
    const node = content.root.get(key);
    if (node === undefined) continue;
    const { value, source } = node;
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    const message = `${key} is no list of texts; until it is one, nothing is allowed.`;
    diagnostics.push({ severity: 'error', code: 'wrong_type', message, source });
    return [];
  }
  return undefined;
}

/** Why the hooks of a layer do not run, if so. */
export function isSilenced({ off }: Policy, layer: Layer): string | undefined {
  return off.get(layer);
}

function isOn(
  root: JsonNode,
  key: string,
  severity: Diagnostic['severity'],
  diagnostics: Diagnostic[],
): boolean {
  const node = root.get(key);
  if (node === undefined || typeof node.value === 'boolean') return node?.value === true;
  const message = `${key} is ${JSON.stringify(node.value)}; use true or false. It is ignored.`;
  diagnostics.push(losesProtection({ severity, code: 'wrong_type', message, source: node.source }));
  return false;
}
