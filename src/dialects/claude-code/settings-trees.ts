/** The Claude settings files of a command line call, with the source position of every value. */
import { basename, extname } from 'node:path';
import { readTextFile } from '../../base/files/text-file.js';
import { type JsonNode, readJsonFile } from '../../config/json-file.js';
import type { Layer, LoadedConfig, Source } from '../../config/loaded.js';

export interface SettingsTrees {
  /** The files that can be read. */
  readonly roots: readonly JsonNode[];
  /** The value at a position; undefined if none starts there. */
  nodeAt(source: Pick<Source, 'file' | 'line' | 'column'>): JsonNode | undefined;
}

/** Never rejects: the loader has reported files that are broken as a whole. */
export async function readSettingsTrees(configs: readonly LoadedConfig[]): Promise<SettingsTrees> {
  const files = [...new Set(configs.flatMap((config) => config.files))].filter(isSettingsFile);
  const read = await Promise.all(files.map((file) => readRoot(file, layerOf(file, configs))));
  const roots = read.filter((root) => root !== undefined);
  const nodes = new Map<string, JsonNode>();
  for (const root of roots) remember(root, nodes);
  return { roots, nodeAt: (source) => nodes.get(placeOf(source)) };
}

/** `hookline.json` has its own rules. */
function isSettingsFile(file: string): boolean {
  return extname(file) === '.md' || (extname(file) === '.json' && basename(file) !== 'hookline.json');
}

async function readRoot(file: string, layer: Layer): Promise<JsonNode | undefined> {
  try {
    const text = await readTextFile(file);
    if (text === undefined) return undefined;
    const read =
      extname(file) === '.md'
        ? (await import('./found/yaml-node.js')).readFrontmatter(text, file, layer)
        : readJsonFile(text, file, layer);
    return read?.ok ? read.root : undefined;
  } catch {
    return undefined;
  }
}

/** The layer that the loader assigned to the file, if it reported anything about it. */
function layerOf(file: string, configs: readonly LoadedConfig[]): Layer {
  const sources = configs.flatMap(({ groups, diagnostics }) =>
    [...groups, ...diagnostics].map(({ source }) => source),
  );
  return sources.find((source) => source.file === file)?.layer ?? 'file';
}

function remember(node: JsonNode, nodes: Map<string, JsonNode>): void {
  nodes.set(placeOf(node.source), node);
  for (const entry of node.entries()) remember(entry.node, nodes);
  for (const item of node.items()) remember(item, nodes);
}

const placeOf = ({ file, line, column }: Pick<Source, 'file' | 'line' | 'column'>): string =>
  `${file}:${line}:${column}`;
