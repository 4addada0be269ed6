/** Where Claude Code keeps its settings, and who may say what in them. */
import { dirname, join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { isReallyInside } from '../../../base/files/inside.js';
import { readTextFile, userDirectory } from '../../../base/files/text-file.js';
import type { OptionNames } from '../../../base/text/known-options.js';
import { type JsonFile, readJsonFile } from '../../../config/json-file.js';
import { type Layer, losesProtection } from '../../../config/loaded.js';

/** Where the files are. */
export interface SettingsPlaces {
  /** The workspace: its own files are looked for here. Default: the working directory. */
  readonly cwd?: string | undefined;
  /** The user's directory. Default: `$CLAUDE_CONFIG_DIR`, else `~/.claude`. */
  readonly configDir?: string | undefined;
  /** The administrator's file; null: there is none. Default: where the platform has it. */
  readonly managedFile?: string | null | undefined;
  /** Roots of plugins, whose hooks are in `hooks/hooks.json`. */
  readonly plugins?: readonly string[] | undefined;
  /** Further settings files that the caller names and vouches for. */
  readonly files?: readonly string[] | undefined;
}

/** The names of `SettingsPlaces`, for those who refuse others. */
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
  /** Undefined: there is no such file. */
  readonly content: JsonFile | undefined;
}

/** Reads them all, from the most to the least binding; hooks run and are deduplicated in this order. */
export async function readSettingsFiles(workspace: string, places: SettingsPlaces): Promise<SettingsFile[]> {
  const { plugins = [], files = [] } = places;
  const configDir = places.configDir ?? userDirectory(process.env['CLAUDE_CONFIG_DIR'], '.claude');
  const managed = places.managedFile === undefined ? managedFile() : places.managedFile;
  const found: { layer: Layer; file: string; pluginRoot?: string }[] = [
    ...(managed === null ? [] : [{ layer: 'managed' as const, file: managed }]),
    { layer: 'user', file: join(configDir, 'settings.json') },
    ...files.map((file) => ({ layer: 'file' as const, file })),
    { layer: 'project', file: join(workspace, '.claude', 'settings.json') },
    { layer: 'local', file: join(workspace, '.claude', 'settings.local.json') },
    ...plugins.map((root) => ({
      layer: 'plugin' as const,
      file: join(root, 'hooks', 'hooks.json'),
      pluginRoot: root,
    })),
  ];
  const once = found.filter(({ file }, i) => found.findIndex((other) => other.file === file) === i);
  return Promise.all(
    once.map(async (each) => {
      const layer = await bindingLayer(each, workspace);
      return { ...each, layer, content: await read(each.file, layer) };
    }),
  );
}

/** A user's file that lies in the workspace is the workspace's: whoever writes there must not speak for the user. */
async function bindingLayer(
  { layer, file }: { layer: Layer; file: string },
  workspace: string,
): Promise<Layer> {
  if (layer !== 'user') return layer;
  return (await isReallyInside(dirname(file), workspace)) ? 'project' : layer;
}

async function read(file: string, layer: Layer): Promise<JsonFile | undefined> {
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
