/** Loads the hooks of Claude settings files: all layers, every hook with its position, nothing dropped silently. */

import { join, resolve } from 'node:path';
import { HookError } from '../../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../../base/text/known-options.js';
import {
  type Diagnostic,
  isOfWorkspace,
  type LoadedConfig,
  type LoadedGroup,
  type LoadedHook,
} from '../../../config/loaded.js';
import { judgeTrust, type Trust } from '../../../config/trust/judge-trust.js';
import { type FoundMarkdown, findMarkdown } from '../found/frontmatter.js';
import { ownedGroups } from '../found/owned-groups.js';
import { findClaudeParts } from '../found/parts.js';
import { readPluginFiles } from '../found/plugin-files.js';
import { skillsIn } from '../found/skills.js';
import { readSettingsEnv } from './env.js';
import {
  configDirOf,
  PLACE_OPTIONS,
  readSettingsFiles,
  type SettingsFile,
  type SettingsPlaces,
} from './files.js';
import { readGroups, type SettingsServices } from './groups.js';
import { claudeOwnership } from './ownership.js';
import { isSilenced, readPolicy, type Switch } from './policy.js';

/** Where settings are loaded from, what their hooks can use, and what is trusted. */
export interface ClaudeSettingsOptions extends SettingsPlaces, SettingsServices {
  /**
   * Decides which hooks of the workspace may run: a trust store, or 'workspace' if the caller has already approved
   * them. Default: the user's own store.
   */
  readonly trust?: Trust | undefined;
}

const OPTIONS: OptionNames<ClaudeSettingsOptions> = {
  ...PLACE_OPTIONS,
  tools: true,
  model: true,
  mcp: true,
  trust: true,
};

/**
 * Loads the hooks of Claude settings files, for `runner.use`.
 *
 * Rejects with a `HookError` for an unknown option, and if the administrator's file is broken: guards that are
 * mandatory cannot be skipped. All other problems are listed in `diagnostics`, and each disables only the entry it is
 * in.
 */
export async function loadClaudeSettings(options: ClaudeSettingsOptions = {}): Promise<LoadedConfig> {
  refuseUnknownOptions('loadClaudeSettings', options, OPTIONS);
  const workspace = resolve(options.cwd ?? '.');
  const settings = await readSettingsFiles(workspace, options);
  refuseBrokenManaged(settings);
  const diagnostics: Diagnostic[] = [];
  const { pluginFiles, markdown, skills, folders } = await findParts(
    workspace,
    options,
    settings,
    diagnostics,
  );
  const files = [...settings, ...pluginFiles];
  const policy = readPolicy(files, diagnostics);
  const env = readSettingsEnv(files);
  diagnostics.push(...env.diagnostics);
  const groups: LoadedGroup[] = [];
  const readFile = async (file: SettingsFile): Promise<readonly LoadedGroup[]> => {
    if (file.content === undefined) return [];
    if (!file.content.ok) {
      diagnostics.push(file.content.problem);
      return [];
    }
    // Problems of hooks that are switched off are of no interest.
    const problems = file.off === undefined ? diagnostics : [];
    const services = { ...options, workspace, httpPolicy: policy.http, env };
    const read = await readGroups(file, file.content.root, services, problems);
    const silence: Silence | undefined =
      file.off === undefined
        ? isSilenced(policy, file.layer)
        : { message: file.off, byWorkspace: file.offByWorkspace === true, byChoice: true };
    return silence === undefined ? read : read.map((group) => silenced(group, silence));
  };
  for (const file of files) groups.push(...(await readFile(file)));
  for (const file of markdown) {
    const first = skills.get(file.owner.name);
    groups.push(...ownedGroups(file, await readFile(file), first, diagnostics));
  }
  const off = isSilenced(policy, 'project');
  const ownership = claudeOwnership({
    workspace,
    files: settings.filter(isOfWorkspace).map(({ file }) => file),
    folders,
    plugins: join(configDirOf(options), 'plugins'),
    ofUser: [...pluginFiles, ...markdown].filter((each) => !isOfWorkspace(each)).map(({ file }) => file),
  });
  // What its user has switched off would have judged nothing, so nothing refuses in its place.
  const owned = off === undefined || off.byWorkspace ? ownership : undefined;
  return {
    ...(await judgeTrust({ groups, diagnostics }, workspace, options.trust, owned)),
    workspace,
    precedence: 'ask-over-allow',
    services: { model: options.model, mcp: options.mcp },
    files: [...files, ...markdown].map(({ file }) => file),
    layers: new Map([
      ...files.map(({ file, layer }) => [file, layer] as const),
      ...markdown.map(({ file }) => [file, 'skills'] as const),
    ]),
  };
}

/** Plugins, and the agents, skills and commands that have hooks: of the user, of the workspace and of plugins. */
async function findParts(
  workspace: string,
  options: ClaudeSettingsOptions,
  settings: readonly SettingsFile[],
  diagnostics: Diagnostic[],
): Promise<{
  readonly pluginFiles: readonly SettingsFile[];
  readonly markdown: readonly FoundMarkdown[];
  /** By the name that loads each. */
  readonly skills: ReadonlyMap<string, FoundMarkdown>;
  /** The folders of the workspace that agents, skills and commands are looked for in. */
  readonly folders: readonly string[];
}> {
  const { places, plugins } = await findClaudeParts(workspace, options, settings, diagnostics);
  const files = await Promise.all(plugins.map((plugin) => readPluginFiles(plugin, diagnostics)));
  const markdown = (await Promise.all(places.map((place) => findMarkdown(place)))).flat();
  const hasHooks = ({ content }: FoundMarkdown): boolean =>
    content !== undefined && (!content.ok || content.root.get('hooks') !== undefined);
  return {
    pluginFiles: files.flat(),
    markdown: markdown.filter(hasHooks),
    skills: skillsIn(markdown),
    folders: places.filter(isOfWorkspace).map(({ folder }) => folder),
  };
}

function refuseBrokenManaged(files: readonly SettingsFile[]): void {
  for (const { layer, content } of files) {
    if (layer !== 'managed' || content === undefined || content.ok) continue;
    const { file, line, column } = content.problem.source;
    throw new HookError(
      'invalid_config',
      `${file}:${line}:${column}: ${content.problem.message} These settings are mandatory, so nothing starts without them.`,
    );
  }
}

interface Silence extends Switch {
  readonly byChoice?: true;
}

/** What a workspace switches off is decided with its approvals. */
function silenced(group: LoadedGroup, { message, byWorkspace, byChoice }: Silence): LoadedGroup {
  const why = { message, ...(byChoice && { byChoice }) } as const;
  const off = byWorkspace ? { switchedOff: why } : { inactive: { reason: 'disabled', ...why } as const };
  return { ...group, hooks: group.hooks.map((hook): LoadedHook => ({ ...hook, ...off })) };
}
