/** Which entries Codex skips: it runs a hook only if a hash of its configuration is stored as trusted. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../host/answers.js';
import type { Installed, Json } from '../host/host.js';

/** The hashes of 0.166.0 and 0.169.0, as its own program reports them. */
export async function skippedByCodex(installed: Installed): Promise<readonly string[]> {
  const { scope, file, entries, workspace, readUserFile } = installed;
  const config = (await readUserFile('config.toml')) ?? {};
  const all = entries.map(({ name }) => name);
  if (scope === 'project' && !isTrustedProject(config, workspace)) return all;
  const states = below(below(config, 'hooks'), 'state');
  return entries.flatMap(({ name, index, written }) => {
    const state = below(states, `${file}:${snakeCase(name)}:${index}:0`);
    return state['trusted_hash'] === hashOf(name, written) ? [] : [name];
  });
}

/** Codex knows a project by its folder, or by the root of its repository. */
function isTrustedProject(config: Json, workspace: string): boolean {
  const projects = below(config, 'projects');
  const isTrusted = (folder: string): boolean => below(projects, folder)['trust_level'] === 'trusted';
  for (let folder = workspace; ; folder = dirname(folder)) {
    if ((folder === workspace || existsSync(join(folder, '.git'))) && isTrusted(folder)) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** Keys in alphabetical order; nothing else of the entry counts, and neither does the script. */
function hashOf(name: string, { hooks }: Json): string {
  const [hook] = Array.isArray(hooks) ? hooks : [];
  const { command, timeout } = isObject(hook) ? hook : {};
  const identity = {
    event_name: snakeCase(name),
    hooks: [{ async: false, command, timeout, type: 'command' }],
  };
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}

const snakeCase = (name: string): string => name.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase();

function below(value: Json, key: string): Json {
  const found = value[key];
  return isObject(found) ? found : {};
}
