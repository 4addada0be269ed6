/** The skills and commands that Markdown files define, for an agent loop: of the user, the workspace and enabled plugins. */
import { resolve } from 'node:path';
import { readSettingsFiles, type SettingsPlaces } from '../settings/files.js';
import { type FoundMarkdown, findMarkdown } from './frontmatter.js';
import { findClaudeParts } from './parts.js';

export interface FoundSkill {
  readonly name: string;
  readonly file: string;
  readonly description: string;
  /** What the model reads when it is loaded. */
  readonly prompt: string;
  /** Where the files of a skill are; a command has none. */
  readonly folder?: string;
  readonly loadedBy?: 'model' | 'user';
  /** Where it comes from, as Claude Code says it to hooks. */
  readonly source: string;
}

/** Never rejects. */
export async function findSkills(places: SettingsPlaces): Promise<readonly FoundSkill[]> {
  const workspace = resolve(places.cwd ?? '.');
  const settings = await readSettingsFiles(workspace, places);
  const { places: folders } = await findClaudeParts(workspace, places, settings, []);
  const found = await Promise.all(folders.map((folder) => findMarkdown(folder)));
  return [...skillsIn(found.flat()).values()].filter(({ body }) => body !== '').flatMap(toSkill);
}

/** By name. A skill comes before a command, and what is the user's before what the workspace has. */
export function skillsIn(markdown: readonly FoundMarkdown[]): ReadonlyMap<string, FoundMarkdown> {
  const enabled = markdown.filter(({ off }) => off === undefined);
  const inOrder = (['skill', 'command'] as const).flatMap((kind) =>
    enabled.filter(({ owner }) => owner.kind === kind),
  );
  return new Map(inOrder.reverse().map((one) => [one.owner.name, one]));
}

function toSkill({
  owner,
  file,
  body,
  layer,
  folder,
  plugin,
  pluginRoot,
  content,
  description,
}: FoundMarkdown): FoundSkill[] {
  const field = (name: string): unknown => (content?.ok ? content.root.get(name)?.value : undefined);
  const [forModel, forUser] = [field('disable-model-invocation') !== true, field('user-invocable') !== false];
  if (!(forModel || forUser)) return [];
  const prompt = Object.entries({ CLAUDE_SKILL_DIR: folder, CLAUDE_PLUGIN_ROOT: pluginRoot }).reduce(
    (text, [name, value]) => (value === undefined ? text : text.replaceAll(`\${${name}}`, value)),
    body,
  );
  return [
    {
      name: owner.name,
      file,
      description: description || firstLine(body),
      prompt,
      source: plugin !== undefined ? 'plugin' : layer === 'user' ? 'userSettings' : 'projectSettings',
      ...(folder !== undefined && { folder }),
      ...(!forUser && { loadedBy: 'model' as const }),
      ...(!forModel && { loadedBy: 'user' as const }),
    },
  ];
}

const firstLine = (body: string): string => body.split('\n', 1)[0]?.replace(/^#+\s*/, '') ?? '';
