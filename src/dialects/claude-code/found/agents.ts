/** The agents that Markdown files define, for an agent loop: of the user, the workspace and enabled plugins. */
import { resolve } from 'node:path';
import { readSettingsFiles, type SettingsPlaces } from '../settings/files.js';
import { findMarkdown } from './frontmatter.js';
import { findClaudeParts } from './parts.js';

export interface FoundAgent {
  readonly name: string;
  readonly file: string;
  readonly description: string;
  /** Its system prompt. */
  readonly prompt: string;
  /** Undefined: all tools. */
  readonly tools?: readonly string[];
}

/** An agent of the workspace replaces one of the user with the same name. Never rejects. */
export async function findAgents(places: SettingsPlaces): Promise<readonly FoundAgent[]> {
  const workspace = resolve(places.cwd ?? '.');
  const { places: folders } = await findClaudeParts(
    workspace,
    places,
    await readSettingsFiles(workspace, places),
    [],
  );
  const found = await Promise.all(folders.map((folder) => findMarkdown(folder)));
  const agents = found.flat().filter(({ owner, off }) => owner.kind === 'agent' && off === undefined);
  const byName = agents.map(({ owner, file, description, body, content }): [string, FoundAgent] => {
    const tools = toolsOf(content?.ok ? content.root.get('tools')?.value : undefined);
    const agent = { name: owner.name, file, description, prompt: body };
    return [owner.name, tools === undefined ? agent : { ...agent, tools }];
  });
  return [...new Map(byName).values()].filter(({ prompt }) => prompt !== '');
}

/** A list, or names with commas between them. */
function toolsOf(value: unknown): readonly string[] | undefined {
  const names = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : undefined;
  return names?.map((name) => String(name).trim()).filter((name) => name !== '');
}
