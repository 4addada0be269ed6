/** Finds the plugins that Claude Code has installed, and whether they are enabled. */
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isReallyInside } from '../../../base/files/inside.js';
import { readTextFile } from '../../../base/files/text-file.js';
import { type Diagnostic, isOfWorkspace, type Layer, type Source } from '../../../config/loaded.js';
import { readSettingsFile, type SettingsFile } from '../settings/files.js';

export interface FoundPlugin {
  /** `name@marketplace`, or the folder of a plugin that is named on the command line. */
  readonly id: string;
  /** Comes before the names of its agents, skills and commands. */
  readonly name: string;
  /** Absent if it is not installed. */
  readonly root?: string;
  /** The directory for its data. */
  readonly data?: string;
  /** `plugin`: its user's own. `project`: only the workspace enables it, so its hooks need approval. */
  readonly layer: Layer;
  readonly enabled: boolean;
  /** The place that enables or disables it. */
  readonly source: Source;
}

/** The plugins that settings name, in the order of their names. Never rejects. */
export async function findPlugins(
  workspace: string,
  configDir: string,
  files: readonly SettingsFile[],
  diagnostics: Diagnostic[],
): Promise<readonly FoundPlugin[]> {
  const switches = readSwitches(files, diagnostics);
  if (switches.size === 0) return [];
  const installed = await readInstalled(configDir);
  const found = [...switches].map(async ([id, { source, enabled }]): Promise<FoundPlugin> => {
    const named = rootOf(installed[id], workspace);
    const root = named === undefined ? cached(configDir, id) : resolve(configDir, 'plugins', named);
    const inside = root !== undefined && (await isReallyInside(root, workspace));
    const layer = inside || isOfWorkspace(source) ? ('project' as const) : ('plugin' as const);
    const plugin = { id, name: id.replace(/@.*$/s, ''), enabled, source, layer };
    if (root === undefined || !existsSync(root)) {
      if (enabled) diagnostics.push(missing(id, source));
      return plugin;
    }
    return { ...plugin, root, data: join(configDir, 'plugins', 'data', id.replaceAll(/[^\w.-]/g, '-')) };
  });
  return (await Promise.all(found)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A plugin that the caller names. Never rejects. */
export async function namedPlugin(root: string, configDir: string): Promise<FoundPlugin> {
  const manifest = await readSettingsFile(join(root, '.claude-plugin', 'plugin.json'), 'plugin');
  const name = manifest?.ok ? manifest.root.get('name')?.value : undefined;
  return {
    id: root,
    name: typeof name === 'string' ? name : basename(root),
    root,
    data: join(configDir, 'plugins', 'data', basename(root).replaceAll(/[^\w.-]/g, '-')),
    layer: 'plugin',
    enabled: true,
    source: { layer: 'plugin', file: root, line: 1, column: 1 },
  };
}

interface Switch {
  readonly enabled: boolean;
  readonly source: Source;
}

/** In increasing precedence. */
const LAYERS: readonly Layer[] = ['user', 'file', 'project', 'local', 'managed'];

/** A workspace can enable a plugin, which then needs approval, but not disable one of its user. */
function readSwitches(files: readonly SettingsFile[], diagnostics: Diagnostic[]): Map<string, Switch> {
  const switches = new Map<string, Switch>();
  for (const layer of LAYERS) {
    for (const { content } of files.filter((file) => file.layer === layer)) {
      for (const { key, keySource, node } of content?.ok
        ? (content.root.get('enabledPlugins')?.entries() ?? [])
        : []) {
        const enabled = node.value === true || Array.isArray(node.value);
        const known = switches.get(key);
        if (isOfWorkspace({ layer }) && known?.enabled === true && !isOfWorkspace(known.source)) {
          if (!enabled) diagnostics.push(stillOn(key, keySource));
          continue;
        }
        switches.set(key, { enabled, source: keySource });
      }
    }
  }
  return switches;
}

function stillOn(id: string, source: Source): Diagnostic {
  const message = `The plugin ${id} stays enabled: its user has enabled it, and a workspace cannot switch off the guards of its user.`;
  return { severity: 'info', code: 'ignored_key', message, source };
}

function missing(id: string, source: Source): Diagnostic {
  const message = `The plugin ${id} is enabled here and not installed, so its hooks do not run. Install it (claude plugin install ${id}), or name its folder: --plugin DIR.`;
  return { severity: 'warning', code: 'plugin_not_installed', message, source };
}

type Installed = Readonly<Record<string, unknown>>;

async function readInstalled(configDir: string): Promise<Installed> {
  try {
    const text = await readTextFile(join(configDir, 'plugins', 'installed_plugins.json'));
    const { plugins } = JSON.parse(text ?? '{}') as { plugins?: Installed };
    return plugins ?? {};
  } catch {
    return {};
  }
}

/** Newer files list several installations of a plugin; the one for this workspace goes first. */
function rootOf(entry: unknown, workspace: string): string | undefined {
  const entries = (Array.isArray(entry) ? entry : [entry]) as readonly ({
    readonly installPath?: unknown;
    readonly projectPath?: unknown;
  } | null)[];
  const usable = entries.filter((each) => typeof each?.installPath === 'string');
  const own = usable.find((each) => each?.projectPath === workspace);
  return (own ?? usable.find((each) => each?.projectPath === undefined))?.installPath as string | undefined;
}

/** Without an entry: a folder in the cache that has no versions. */
function cached(configDir: string, id: string): string | undefined {
  const at = id.lastIndexOf('@');
  const root = join(configDir, 'plugins', 'cache', id.slice(at + 1), id.slice(0, at));
  return existsSync(join(root, '.claude-plugin', 'plugin.json')) ? root : undefined;
}
