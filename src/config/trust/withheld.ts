/** Finds the variables that a workspace hook does not get although its command line or script mentions them. */
import { resolve } from 'node:path';
import { isWithheld, loadsCode } from '../../handlers/command/environment.js';
import type { LoadedHook } from '../loaded.js';
import { readScript } from './kept-scripts.js';
import type { TrustSubject } from './subject.js';
import { trustForm } from './trust-store.js';

/** Never rejects. Excludes variables that no approval can pass. */
export async function withheldFrom(subject: TrustSubject, { hook }: LoadedHook): Promise<readonly string[]> {
  if (typeof hook !== 'object' || hook.type !== 'command' || hook.environment !== 'scrub') return [];
  const passed = new Set([...Object.keys(hook.env ?? {}), ...(hook.allowedEnvVars ?? [])]);
  const withheld = Object.entries(process.env).flatMap(([name, value = '']) =>
    isWithheld(name, value) && !loadsCode(name) && !passed.has(name) ? [name] : [],
  );
  if (withheld.length === 0) return [];
  const scripts = await scriptsOf(subject);
  const words = new Set(
    [hook.command, ...(hook.args ?? []), ...scripts].flatMap((text) => text.match(/\w+/g) ?? []),
  );
  return withheld.filter((name) => words.has(name)).sort();
}

async function scriptsOf(subject: TrustSubject): Promise<string[]> {
  try {
    const { files } = await trustForm(subject);
    const texts = await Promise.all(files.map(({ path }) => readScript(resolve(subject.workspace, path))));
    return texts.filter((text) => text !== undefined);
  } catch {
    return [];
  }
}
