/** Finds agents, skills and commands in Markdown files, with the hooks in their frontmatter. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { readTextFile } from '../../../base/files/text-file.js';
import type { JsonNode } from '../../../config/json-file.js';
import type { Layer } from '../../../config/loaded.js';
import type { SettingsFile } from '../settings/files.js';

export interface Owner {
  readonly kind: 'agent' | 'skill' | 'command';
  readonly name: string;
}

/** One such file. Its `content` is the frontmatter; undefined: it has none. */
export interface FoundMarkdown extends SettingsFile {
  readonly owner: Owner;
  readonly description: string;
  /** What follows the frontmatter: the prompt. */
  readonly body: string;
  /** The directory of a skill. */
  readonly folder?: string;
  /** The name of the plugin it belongs to. */
  readonly plugin?: string;
}

/** A folder that has agents, skills and commands: of the user, the workspace or a plugin. */
export interface MarkdownPlace
  extends Pick<SettingsFile, 'pluginRoot' | 'pluginData' | 'off' | 'offByWorkspace'> {
  readonly folder: string;
  readonly layer: Layer;
  /** The name of the plugin. */
  readonly plugin?: string;
}

const MAX_FILES = 500;

/** In the order of their paths. Never rejects: what cannot be read is left out, or has a broken `content`. */
export async function findMarkdown(place: MarkdownPlace): Promise<readonly FoundMarkdown[]> {
  const { folder } = place;
  const agents = await markdownIn(join(folder, 'agents'));
  const skills = (await markdownIn(join(folder, 'skills'))).filter((file) => basename(file) === 'SKILL.md');
  const commands = await markdownIn(join(folder, 'commands'));
  const found = [
    ...agents.map((file) => read(file, 'agent', place)),
    ...skills.map((file) => read(file, 'skill', place)),
    ...commands.map((file) => read(file, 'command', place)),
  ];
  return (await Promise.all(found)).filter((one) => one !== undefined);
}

async function markdownIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder, { recursive: true });
    const files = names.filter((name) => name.endsWith('.md')).sort();
    return files.slice(0, MAX_FILES).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

async function read(
  file: string,
  kind: Owner['kind'],
  { folder: parent, ...place }: MarkdownPlace,
): Promise<FoundMarkdown | undefined> {
  const text = await readTextFile(file).catch(() => undefined);
  if (text === undefined) return undefined;
  // Most folders have no such file, and need no reader of YAML.
  const { bodyOf, readFrontmatter } = await import('./yaml-node.js');
  const content = readFrontmatter(text, file, place.layer);
  const fields = content?.ok ? content.root : undefined;
  const folder = kind === 'skill' ? dirname(file) : undefined;
  return {
    ...place,
    file,
    content,
    owner: { kind, name: nameOf(kind, relative(parent, file), fields, place.plugin) },
    description: textOf(fields?.get('description')?.value) ?? '',
    body: bodyOf(text),
    obeysOnce: kind !== 'agent',
    // The hooks of a skill find its files there, those of a plugin's skill the files of the plugin.
    ...(folder !== undefined && { folder, pluginRoot: place.pluginRoot ?? folder }),
  };
}

/** As Claude Code names it: an agent by its `name`, a skill by its folder, `commands/git/push.md` is `git:push`. */
function nameOf(
  kind: Owner['kind'],
  path: string,
  fields: JsonNode | undefined,
  plugin: string | undefined,
): string {
  const file = kind === 'skill' ? dirname(path) : path.replace(/\.md$/, '');
  const own = kind === 'agent' ? textOf(fields?.get('name')?.value) : undefined;
  const parts = kind === 'command' ? file.split(sep).slice(1) : [basename(file)];
  return [...(plugin === undefined ? [] : [plugin]), own ?? parts.join(':')].join(':');
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
