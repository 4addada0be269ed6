/** Loads hookline's own configuration file: YAML or JSON with positions, or a module that exports hooks. */
import { stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { judgeTrust, type Trust } from '../../../config/judge-trust.js';
import type { Diagnostic, Layer, LoadedConfig, LoadedGroup, Source } from '../../../config/loaded.js';
import { preflightCommand } from '../../../config/preflight/index.js';
import { readConfig } from '../../../config/read.js';
import { readTextFile, userDirectory } from '../../../config/text-file.js';
import { createTrustStore, type TrustSubject } from '../../../config/trust/index.js';
import { isReallyInside } from '../../../config/trust/inside.js';
import type { Hook, HookConfig } from '../../../config/types.js';
import { messageOf } from '../../../errors.js';
import { readYamlGroups } from './yaml.js';

/** Where files are looked for, and who is trusted. */
export interface HooklineConfigOptions {
  /** Where project files are looked for. Default: the working directory. */
  readonly workspace?: string | undefined;
  /** The user's directory. Default: `$XDG_CONFIG_HOME/hookline`, else `~/.config/hookline`. */
  readonly configDir?: string | undefined;
  /** Further files that the caller names and vouches for. */
  readonly files?: readonly string[] | undefined;
  /** Decides which hooks of the workspace may run; 'workspace' when the caller has already asked. */
  readonly trust?: Trust | undefined;
}

const NAMES = ['hookline.yaml', 'hookline.yml', 'hookline.json', 'hookline.mjs'];

/**
 * Types a configuration module: `export default defineHooks({ PreToolUse: [...] })`. Returns what it is given, never
 * throws.
 */
export function defineHooks(hooks: HookConfig): HookConfig {
  return hooks;
}

/**
 * The hooks of `hookline.yaml`, `.yml`, `.json` and `.mjs`, of the user and of the workspace, for `runner.use`.
 * Never rejects: what is wrong with a file is in `diagnostics`, and a broken file disables itself.
 */
export async function loadHooklineConfig(options: HooklineConfigOptions = {}): Promise<LoadedConfig> {
  const workspace = resolve(options.workspace ?? process.cwd());
  const configDir =
    options.configDir ?? join(userDirectory(process.env['XDG_CONFIG_HOME'], '.config'), 'hookline');
  const own = (await isReallyInside(configDir, workspace)) ? ('project' as const) : ('user' as const);
  const diagnostics: Diagnostic[] = [];
  const places: { file: string; layer: Layer }[] = [
    ...NAMES.map((name) => ({ file: join(configDir, name), layer: own })),
    ...(options.files ?? []).map((file) => ({ file: resolve(file), layer: 'file' as const })),
    ...NAMES.map((name) => ({ file: join(workspace, name), layer: 'project' as const })),
  ];
  const groups: LoadedGroup[] = [];
  const unimported: TrustSubject[] = [];
  for (const { file, layer } of places) {
    const named = layer === 'file';
    if (!named && !(await isFile(file))) continue;
    groups.push(...(await loadFile(file, layer, { ...options, workspace }, diagnostics, unimported)));
  }
  const judged = await judgeTrust(groups, workspace, options.trust, diagnostics);
  return { groups: judged, diagnostics, workspace, unimported, files: places.map(({ file }) => file) };
}

async function loadFile(
  file: string,
  layer: Layer,
  options: HooklineConfigOptions & { readonly workspace: string },
  diagnostics: Diagnostic[],
  unimported: TrustSubject[],
): Promise<LoadedGroup[]> {
  const source: Source = { layer, file, line: 1, column: 1 };
  try {
    if (extname(file) !== '.mjs') {
      const text = await readTextFile(file);
      if (text === undefined) throw new Error('there is no such file');
      const groups = readYamlGroups(text, source, options.workspace, diagnostics);
      await tellPreflight(groups, options.workspace, diagnostics);
      return groups;
    }
    return await loadModule(source, options, diagnostics, unimported);
  } catch (error) {
    const message = `The file cannot be read: ${messageOf(error)}. Nothing in it counts until it is repaired.`;
    diagnostics.push({ severity: 'error', code: 'broken_file', message, source });
    return [];
  }
}

/** Says before anything is fired which commands will not be able to run. */
async function tellPreflight(
  groups: readonly LoadedGroup[],
  workspace: string,
  diagnostics: Diagnostic[],
): Promise<void> {
  for (const { hook, source } of groups.flatMap(({ hooks }) => hooks)) {
    if (typeof hook !== 'object' || hook.type !== 'command') continue;
    const { command, args, shell, cwd = workspace } = hook;
    const env = { ...process.env, ...hook.env };
    const problems = await preflightCommand({
      command,
      args,
      shell,
      cwd: resolve(workspace, cwd),
      env,
      workspace,
    });
    for (const problem of problems) diagnostics.push({ ...problem, source });
  }
}

/** Importing a module runs it, so one that comes with a workspace is only described until somebody agrees to it. */
async function loadModule(
  source: Source,
  { workspace, trust }: HooklineConfigOptions & { readonly workspace: string },
  diagnostics: Diagnostic[],
  unimported: TrustSubject[],
): Promise<LoadedGroup[]> {
  const { file, layer } = source;
  if (layer === 'project' && trust !== 'workspace') {
    const subject = moduleSubject(file, workspace);
    const { statuses } = await (trust ?? createTrustStore()).review(workspace, [subject]);
    const [status = 'untrusted'] = statuses;
    if (status !== 'trusted') {
      const message =
        'This module comes with the workspace and nobody has agreed to it; it is not even imported.';
      diagnostics.push({ severity: 'warning', code: status, message, source });
      unimported.push(subject);
      return [];
    }
  }
  // A changed file is another module: what was imported before stays as it was.
  const { mtimeMs } = await stat(file);
  const { default: config } = (await import(`${pathToFileURL(file).href}?${mtimeMs}`)) as {
    default?: HookConfig;
  };
  return [...readConfig(config)].map(({ event, options, hooks }) => ({
    event,
    options,
    hooks: hooks.map((hook) => ({
      hook: hook as Hook,
      description: nameOf(hook),
      source: { ...source, layer: 'file' },
    })),
    source: { ...source, layer: 'file' },
  }));
}

/** A module of a workspace, as a trust store wants it. */
function moduleSubject(file: string, workspace: string): TrustSubject {
  return { event: 'module', handler: { type: 'module', module: file }, workspace, files: [file] };
}

function nameOf(hook: unknown): string {
  if (typeof hook === 'function') return hook.name || 'a callback';
  return String((hook as { command?: unknown }).command ?? 'a hook');
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
