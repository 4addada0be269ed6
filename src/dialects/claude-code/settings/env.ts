/** The `env` of settings files: variables for hooks. Those of a workspace apply only to its approved hooks. */

import { show } from '../../../base/errors.js';
import type { JsonNode } from '../../../config/json-file.js';
import { type Diagnostic, isOfWorkspace, type Layer, losesProtection } from '../../../config/loaded.js';
import { isWithheld, loadsCode } from '../../../handlers/command/environment.js';
import type { SettingsFile } from './files.js';

type Variables = Readonly<Record<string, string>>;

export interface SettingsEnv {
  /** From the user, the administrator and files that the caller names: for every command. */
  readonly own: Variables;
  /** The variables of a workspace's command. */
  readonly forWorkspace: Variables;
  /** The part that the workspace itself sets, which is approved with each of its hooks. */
  readonly ofWorkspace: Variables;
  readonly diagnostics: readonly Diagnostic[];
}

/** In increasing precedence. A plugin's file contains only hooks. */
const LAYERS: readonly Layer[] = ['user', 'project', 'local', 'file', 'managed'];

export function readSettingsEnv(files: readonly SettingsFile[]): SettingsEnv {
  const diagnostics: Diagnostic[] = [];
  const read = LAYERS.flatMap((layer) =>
    files
      .filter((file) => file.layer === layer)
      .map(({ content }) => ({
        layer,
        variables: content?.ok ? readEnv(content.root.get('env'), layer, diagnostics) : {},
      })),
  );
  const merged = (which: (layer: Layer) => boolean): Variables =>
    Object.assign({}, ...read.filter(({ layer }) => which(layer)).map(({ variables }) => variables));
  const fromWorkspace = (layer: Layer): boolean => isOfWorkspace({ layer });
  const forWorkspace = read.map(({ layer, variables }) =>
    fromWorkspace(layer) ? variables : withoutSecrets(variables),
  );
  return {
    own: merged((layer) => !fromWorkspace(layer)),
    forWorkspace: Object.assign({}, ...forWorkspace),
    ofWorkspace: merged(fromWorkspace),
    diagnostics,
  };
}

function readEnv(node: JsonNode | undefined, layer: Layer, diagnostics: Diagnostic[]): Variables {
  if (node === undefined) return {};
  const report = (severity: Diagnostic['severity'], code: string, message: string, at: JsonNode): void => {
    diagnostics.push(losesProtection({ severity, code, message, source: at.source }));
  };
  if (typeof node.value !== 'object' || node.value === null || Array.isArray(node.value)) {
    report('error', 'wrong_type', '`env` is no object; write { "NAME": "value" }.', node);
    return {};
  }
  const variables: Record<string, string> = {};
  for (const { key, node: value } of node.entries()) {
    const text = textOf(value.value);
    if (!/^[^=\0]+$/.test(key) || text === undefined || text.includes('\0')) {
      const message = `The variable ${show(key)} of \`env\` is ${show(value.value)}, so it is not set; write "NAME": "value".`;
      report('error', 'wrong_type', message, value);
    } else if (loadsCode(key) || (key === 'PATH' && isOfWorkspace({ layer }))) {
      const message = `The variable ${key} of \`env\` is not set: it decides which code programs load. Export it yourself before you start, if you mean it.`;
      report('warning', 'loader_variable', message, value);
    } else {
      if (typeof value.value !== 'string')
        report(
          'warning',
          'wrong_type',
          `The variable ${key} of \`env\` is not a string; it is set to "${text}".`,
          value,
        );
      variables[key] = text;
    }
  }
  return variables;
}

/** Numbers and booleans become strings, as in Claude Code. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function withoutSecrets(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name, value]) => !isWithheld(name, value)));
}
