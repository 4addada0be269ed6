/** The files of a host: where they are, and their content with positions, whatever their format. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { isReallyInside } from '../../base/files/inside.js';
import { readTextFile, userDirectory } from '../../base/files/text-file.js';
import { shellWord } from '../../base/text/shell-word.js';
import { type JsonFile, readJsonFile } from '../../config/json-file.js';
import { type Layer, losesProtection } from '../../config/loaded.js';
import { isObject } from './answers.js';
import type { Host, HostFile, Json } from './host.js';
import { type JsonProblem, jsonProblem } from './json-rules.js';
import { readTomlFile } from './toml-file.js';

export interface FoundFile {
  readonly file: string;
  readonly layer: Layer;
  readonly content: JsonFile;
}

/** The user's folder for a host. `home` replaces the default. */
export function hostHome({ home }: Host, folder?: string): string {
  const { variable, below = '' } = home;
  if (folder !== undefined) return join(folder, home.folder, below);
  return join(userDirectory(variable === undefined ? undefined : process.env[variable], home.folder), below);
}

/** All places in which the host looks for hooks, with the pattern of each. */
export function hostPlaces(
  host: Host,
  workspace: string,
  home?: string,
): { file: string; place: HostFile }[] {
  const base = { user: hostHome(host, home), project: workspace };
  return host.files.map((place) => ({ file: join(base[place.layer], place.path), place }));
}

/** The files that exist, in the order in which the host runs their hooks. */
export async function readHostFiles(host: Host, workspace: string, home?: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const { file: pattern, place } of hostPlaces(host, workspace, home)) {
    // Only the host can run its code.
    if (place.format === 'module') continue;
    // A user file that lies inside the workspace belongs to the workspace.
    const inside = place.layer === 'user' && (await isReallyInside(dirname(pattern), workspace));
    const layer = inside ? 'project' : place.layer;
    for (const file of await expanded(pattern)) {
      const content = await read(file, layer, place.format, host);
      if (content !== undefined) found.push({ file, layer, content });
    }
    if (host.readsFirstFile && found.length > 0) break;
  }
  return found;
}

async function expanded(pattern: string): Promise<string[]> {
  const folder = dirname(pattern);
  if (basename(folder) === '*') {
    const entries = await readdir(dirname(folder), { withFileTypes: true }).catch(() => []);
    const folders = entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
    const found = folders.map((name) => expanded(join(dirname(folder), name, basename(pattern))));
    return (await Promise.all(found)).flat();
  }
  const [start = '', end] = basename(pattern).split('*');
  if (end === undefined) return [pattern];
  const names = await readdir(dirname(pattern)).catch(() => []);
  const fitting = names.filter((name) => name.startsWith(start) && name.endsWith(end));
  return fitting.sort().map((name) => join(dirname(pattern), name));
}

/** The values of a file of the host, whatever they are for; undefined if there is none, or it cannot be read. */
export async function readHostFile(file: string): Promise<Json | undefined> {
  const content = await read(file, 'user', file.endsWith('.toml') ? 'toml' : 'json');
  return content?.ok && isObject(content.root.value) ? content.root.value : undefined;
}

/** `host`: its own rules count too. */
async function read(
  file: string,
  layer: Layer,
  format: HostFile['format'],
  host?: Host,
): Promise<JsonFile | undefined> {
  try {
    const text = await readTextFile(file);
    if (text === undefined) return undefined;
    if (format === 'script') return scriptFile(file, layer, host);
    if (format === 'toml') return readTomlFile(text, file, layer);
    const problem = host === undefined || text.trim() === '' ? undefined : jsonProblem(host, text);
    return problem === undefined ? readJsonFile(text, file, layer) : unread(problem, text, file, layer);
  } catch (error) {
    const source = { layer, file, line: 1, column: 1 };
    const message = `The file cannot be read: ${messageOf(error)}. Nothing in it counts until it is repaired.`;
    return {
      ok: false,
      problem: losesProtection({ severity: 'error', code: 'unreadable_file', message, source }),
    };
  }
}

/** A program as the one hook of the event that it is named after; undefined: it is named after none. */
function scriptFile(file: string, layer: Layer, host: Host | undefined): JsonFile | undefined {
  const called = parse(file).name.toLowerCase();
  const names = (host?.spellings[0] === undefined ? [] : Object.values(host.spellings[0].events)).map(
    ({ name }) => name,
  );
  const name = names.find((each) => each.toLowerCase() === called);
  if (name === undefined) return undefined;
  return readJsonFile(JSON.stringify({ hooks: { [name]: [{ command: shellWord(file) }] } }), file, layer);
}

function unread({ message, offset }: JsonProblem, text: string, file: string, layer: Layer): JsonFile {
  const before = text.slice(0, offset).split('\n');
  const source = { layer, file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  const said = `The file cannot be read: ${message}. Nothing in it counts until it is repaired.`;
  return {
    ok: false,
    problem: losesProtection({ severity: 'error', code: 'broken_file', message: said, source }),
  };
}
