/** The settings that switch hooks off. A layer can only switch off itself and layers of lower precedence. */
import type { JsonNode } from '../../../config/json-file.js';
import { type Diagnostic, isOfWorkspace, type Layer, losesProtection } from '../../../config/loaded.js';
import type { SettingsFile } from './files.js';

export interface Policy {
  /** The layers that are switched off, and by which file. */
  readonly off: ReadonlyMap<Layer, Switch>;
  readonly http: HttpPolicy;
}

export interface Switch {
  readonly message: string;
  /** A file of the workspace says it, which cannot switch off what a person approved. */
  readonly byWorkspace: boolean;
}

/** The URLs that hooks may send inputs to, and the variables that their headers may use. Undefined: any. */
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
  const off = new Map<Layer, Switch>();
  const switchOff = (layers: readonly Layer[], by: Layer, message: string): void => {
    const byWorkspace = isOfWorkspace({ layer: by });
    for (const each of layers)
      if (!byWorkspace || off.get(each) === undefined) off.set(each, { message, byWorkspace });
  };
  for (const { layer, file, content } of files) {
    if (content === undefined || !content.ok) continue;
    if (isOn(content.root, 'disableAllHooks', 'warning', diagnostics)) {
      switchOff(BELOW[layer], layer, `switched off by disableAllHooks in ${file}`);
    }
    // It counts only in the managed settings.
    const severity = layer === 'managed' ? 'error' : 'warning';
    if (!isOn(content.root, 'allowManagedHooksOnly', severity, diagnostics)) continue;
    if (layer === 'managed') {
      switchOff(BELOW.user, layer, `switched off by allowManagedHooksOnly in ${file}`);
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

/** The list with the highest precedence that is not from the workspace. If it is not a list, nothing is allowed. */
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
    const message = `${key} is not a list of strings; until it is one, nothing is allowed.`;
    diagnostics.push({ severity: 'error', code: 'wrong_type', message, source });
    return [];
  }
  return undefined;
}

/** Why the hooks of a layer do not run, or undefined if they do. */
export function isSilenced({ off }: Policy, layer: Layer): Switch | undefined {
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
