/** The locations of Claude Code's settings files, and the layer of each. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HookError, messageOf, show } from '../../../base/errors.js';
import { isReallyInside } from '../../../base/files/inside.js';
import { readTextFile, userDirectory } from '../../../base/files/text-file.js';
import type { OptionNames } from '../../../base/text/known-options.js';
import { type JsonFile, readJsonFile } from '../../../config/json-file.js';
import { type Layer, losesProtection } from '../../../config/loaded.js';

/** The locations of the settings files. */
export interface SettingsPlaces {
  /** The workspace whose files are loaded. Default: the working directory. */
  readonly cwd?: string | undefined;
  /** The user's directory. Default: `$CLAUDE_CONFIG_DIR`, otherwise `~/.claude`. */
  readonly configDir?: string | undefined;
  /** The administrator's file; null: none. Default: the platform's location. */
  readonly managedFile?: string | null | undefined;
  /** Roots of plugins, in addition to those that the settings enable. */
  readonly plugins?: readonly string[] | undefined;
  /** Additional settings files that the caller names and trusts. */
  readonly files?: readonly string[] | undefined;
}

/** The keys of `SettingsPlaces`, to refuse others. */
export const PLACE_OPTIONS: OptionNames<SettingsPlaces> = {
  cwd: true,
  configDir: true,
  managedFile: true,
  plugins: true,
  files: true,
};

export interface SettingsFile {
  readonly layer: Layer;
  readonly file: string;
  readonly pluginRoot?: string;
  /** The directory for a plugin's data. */
  readonly pluginData?: string;
  /** Whether `once` of its hooks counts: in skills and commands. */
  readonly obeysOnce?: boolean;
  /** Why none of its hooks run. */
  readonly off?: string;
  /** A file of the workspace says so. */
  readonly offByWorkspace?: boolean;
  /** Undefined: the file does not exist. */
  readonly content: JsonFile | undefined;
}

/** The user's directory. */
export const configDirOf = ({ configDir }: Pick<SettingsPlaces, 'configDir'>): string =>
  configDir ?? userDirectory(process.env['CLAUDE_CONFIG_DIR'], '.claude');

/** Throws a HookError: what the caller names may hold guards, so it must exist. */
function refuseMissing(option: string, names: readonly string[], kind: 'file' | 'folder'): void {
  for (const name of names) {
    const found = statSync(name, { throwIfNoEntry: false });
    if (found !== undefined && (kind === 'file' || found.isDirectory())) continue;
    throw new HookError(
      'invalid_option',
      `${option} names ${show(name)}, and there is no such ${kind}. Correct the path.`,
    );
  }
}

/** Reads all files, in decreasing precedence; hooks run and are deduplicated in this order. */
export async function readSettingsFiles(workspace: string, places: SettingsPlaces): Promise<SettingsFile[]> {
  const { files = [] } = places;
  refuseMissing('files', files, 'file');
  refuseMissing('plugins', places.plugins ?? [], 'folder');
  const configDir = configDirOf(places);
  const managed = places.managedFile === undefined ? managedFile() : places.managedFile;
  const found: { layer: Layer; file: string }[] = [
    ...(managed === null ? [] : [{ layer: 'managed' as const, file: managed }]),
    { layer: 'user', file: join(configDir, 'settings.json') },
    ...files.map((file) => ({ layer: 'file' as const, file })),
    { layer: 'project', file: join(workspace, '.claude', 'settings.json') },
    { layer: 'local', file: join(workspace, '.claude', 'settings.local.json') },
  ];
  const once = found.filter(({ file }, i) => found.findIndex((other) => other.file === file) === i);
  return Promise.all(
    once.map(async (each) => {
      const layer = await bindingLayer(each, workspace);
      return { ...each, layer, content: await readSettingsFile(each.file, layer) };
    }),
  );
}

/**
 * A user file that lies inside the workspace belongs to the workspace: an author of the workspace must not act as the
 * user.
 */
async function bindingLayer(
  { layer, file }: { layer: Layer; file: string },
  workspace: string,
): Promise<Layer> {
  if (layer !== 'user') return layer;
  return (await isReallyInside(dirname(file), workspace)) ? 'project' : layer;
}

/** Undefined: there is no such file. Never rejects. */
export async function readSettingsFile(file: string, layer: Layer): Promise<JsonFile | undefined> {
  try {
    const text = await readTextFile(file);
    return text === undefined ? undefined : readJsonFile(text, file, layer);
  } catch (error) {
    const source = { layer, file, line: 1, column: 1 };
    const message = `The file cannot be read: ${messageOf(error)}. Nothing in it counts until it is repaired.`;
    const problem = losesProtection({ severity: 'error', code: 'unreadable_file', message, source });
    return { ok: false, problem };
  }
}

function managedFile(): string {
  if (process.platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json';
  if (process.platform === 'win32') return 'C:\\Program Files\\ClaudeCode\\managed-settings.json';
  return '/etc/claude-code/managed-settings.json';
}
