/** Loads hookline's own configuration files: YAML or JSON with positions, or a module that exports hooks. */
import { realpath, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { isReallyInside } from '../../../base/files/inside.js';
import { readTextFile, userDirectory } from '../../../base/files/text-file.js';
import { type OptionNames, refuseUnknownOptions } from '../../../base/text/known-options.js';
import { DIALECT_NAMES, type DialectName } from '../../../config/dialect.js';
import {
  type Diagnostic,
  isOfWorkspace,
  type Layer,
  type LoadedConfig,
  type LoadedGroup,
  losesProtection,
  type Source,
} from '../../../config/loaded.js';
import { preflightCommand } from '../../../config/preflight/preflight-command.js';
import { judgeTrust, type Trust } from '../../../config/trust/judge-trust.js';
import { textField } from '../../../config/trust/missing.js';
import type { TrustSubject } from '../../../config/trust/subject.js';
import type { HandlerServices } from '../../../handlers/kinds.js';
import { HOOKLINE_FILES } from '../file-names.js';
import type { ModuleReading } from './module.js';

/** Where files are loaded from, and what is trusted. */
export interface HooklineConfigOptions extends HandlerServices {
  /** The workspace whose files are loaded. Default: the working directory. */
  readonly cwd?: string | undefined;
  /** The user's directory. Default: `$XDG_CONFIG_HOME/hookline`, otherwise `~/.config/hookline`. */
  readonly configDir?: string | undefined;
  /** Additional files that the caller names and trusts. */
  readonly files?: readonly string[] | undefined;
  /** Decides which hooks of the workspace may run; 'workspace' if the caller has already approved them. */
  readonly trust?: Trust | undefined;
}

const OPTIONS: OptionNames<HooklineConfigOptions> = {
  cwd: true,
  configDir: true,
  files: true,
  trust: true,
  model: true,
  mcp: true,
};

/**
 * Loads the hooks of `hookline.yaml`, `.yml`, `.json` and `.mjs`, of the user and of the workspace, for `runner.use`.
 * Rejects only for an unknown option: problems of a file are listed in `diagnostics`, and a broken file disables
 * itself.
 */
export async function loadHooklineConfig(options: HooklineConfigOptions = {}): Promise<LoadedConfig> {
  refuseUnknownOptions('loadHooklineConfig', options, OPTIONS);
  const workspace = resolve(options.cwd ?? '.');
  const configDir =
    options.configDir ?? join(userDirectory(process.env['XDG_CONFIG_HOME'], '.config'), 'hookline');
  const own = (await isReallyInside(configDir, workspace)) ? ('project' as const) : ('user' as const);
  const diagnostics: Diagnostic[] = [];
  const places: { file: string; layer: Layer }[] = [
    ...HOOKLINE_FILES.map((name) => ({ file: join(configDir, name), layer: own })),
    ...(options.files ?? []).map((file) => ({ file: resolve(file), layer: 'file' as const })),
    ...HOOKLINE_FILES.map((name) => ({ file: join(workspace, name), layer: 'project' as const })),
  ];
  const groups: LoadedGroup[] = [];
  const unimported: TrustSubject[] = [];
  const imported = new Set<string>();
  const read = new Set<string>();
  for (const { file, layer } of places) {
    const named = layer === 'file';
    if (!named && !(await isFile(file))) continue;
    // A file that is found twice, by its name and in its folder, is loaded once, the first way.
    const real = await realpath(file).catch(() => file);
    if (read.has(real)) continue;
    read.add(real);
    groups.push(...(await loadFile(file, layer, workspace, options, { diagnostics, unimported, imported })));
  }
  const ofWorkspace = new Set(places.flatMap(({ file, layer }) => (isOfWorkspace({ layer }) ? [file] : [])));
  const judged = await judgeTrust({ groups, diagnostics }, workspace, options.trust, {
    owns: ({ source }) => source !== undefined && ofWorkspace.has(resolve(workspace, source)),
    dialectOf: (hook) => dialectNamed(textField(hook, 'group.dialect')),
    present: imported,
    pending: unimported,
  });
  const services = { model: options.model, mcp: options.mcp };
  return { ...judged, workspace, services, unimported, files: places.map(({ file }) => file) };
}

async function loadFile(
  file: string,
  layer: Layer,
  workspace: string,
  { trust, model, mcp }: HooklineConfigOptions,
  found: Pick<ModuleReading, 'diagnostics' | 'unimported' | 'imported'>,
): Promise<LoadedGroup[]> {
  const { diagnostics } = found;
  const source: Source = { layer, file, line: 1, column: 1 };
  try {
    const text = await readTextFile(file);
    if (text === undefined) throw new Error('there is no such file');
    // What reads a file is loaded when there is one.
    if (extname(file) === '.mjs') {
      const { loadModule } = await import('./module.js');
      return await loadModule(source, { workspace, trust, ...found });
    }
    const { readYamlGroups } = await import('./yaml.js');
    const groups = readYamlGroups(text, source, workspace, { model, mcp }, diagnostics);
    await reportPreflight(groups, workspace, diagnostics);
    return groups;
  } catch (error) {
    const what = messageOf(error).replace(/\.$/, '');
    const message = `The file cannot be read: ${what}. Nothing in it counts until it is repaired.`;
    diagnostics.push(losesProtection({ severity: 'error', code: 'unreadable_file', message, source }));
    return [];
  }
}

/** A name that is not known any more is that of a group without one. */
function dialectNamed(name: string | undefined): DialectName | undefined {
  return DIALECT_NAMES.find((each) => each === name);
}

/** Reports, before anything is fired, the commands that will not be able to run. */
async function reportPreflight(
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

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
