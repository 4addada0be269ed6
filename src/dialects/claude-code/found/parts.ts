/** Where the plugins, agents, skills and commands of a folder and its user are. */
import { join, resolve } from 'node:path';
import { isReallyInside } from '../../../base/files/inside.js';
import { type Diagnostic, isOfWorkspace } from '../../../config/loaded.js';
import { configDirOf, type SettingsFile, type SettingsPlaces } from '../settings/files.js';
import type { MarkdownPlace } from './frontmatter.js';
import { type FoundPlugin, findPlugins, namedPlugin } from './plugins.js';

export interface ClaudeParts {
  readonly plugins: readonly FoundPlugin[];
  /** Folders with agents, skills and commands, those of plugins included. */
  readonly places: readonly MarkdownPlace[];
}

/** Never rejects. */
export async function findClaudeParts(
  workspace: string,
  places: SettingsPlaces,
  settings: readonly SettingsFile[],
  diagnostics: Diagnostic[],
): Promise<ClaudeParts> {
  const configDir = configDirOf(places);
  const named = await Promise.all(
    (places.plugins ?? []).map((root) => namedPlugin(resolve(root), configDir)),
  );
  const installed = await findPlugins(workspace, configDir, settings, diagnostics);
  const plugins = [...installed.filter(({ root }) => named.every((one) => one.root !== root)), ...named];
  // The user's own directory may lie in the workspace, and then belongs to it.
  const ofUser = (await isReallyInside(configDir, workspace)) ? ('project' as const) : ('user' as const);
  const own = join(workspace, '.claude');
  return {
    plugins,
    places: [
      ...(own === configDir ? [] : [{ folder: configDir, layer: ofUser }]),
      { folder: own, layer: 'project' },
      ...plugins.flatMap(({ root, name, data, layer, enabled, id, source }): MarkdownPlace[] =>
        root === undefined
          ? []
          : [
              {
                folder: root,
                layer,
                plugin: name,
                pluginRoot: root,
                ...(data !== undefined && { pluginData: data }),
                ...(!enabled && {
                  off: `the plugin ${id} is disabled in ${source.file}`,
                  offByWorkspace: isOfWorkspace(source),
                }),
              },
            ],
      ),
    ],
  };
}
