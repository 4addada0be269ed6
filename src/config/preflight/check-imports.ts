/** Checks that the packages which a script for Node imports are installed. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { upwards } from '../trust/executed/places.js';
import { error, type PreflightProblem } from './problem.js';

/** Only imports before any other code are certain: further down one may be part of a text. */
const SKIPPED = /(?:\s|\/\/.*|\/\*[\s\S]*?\*\/|^#!.*)+/y;
const IMPORT = /import\s*(?:[^'"]*?\sfrom\s*)?['"]([^'"\n]+)['"]\s*;?/y;
const PACKAGE = /^(?:@[^/]+\/)?[^@./#:][^/:]*(?=\/|$)/;

/** `text`: the beginning of the script. */
export function checkImports(script: string, text: string): PreflightProblem[] {
  const folders = upwards(dirname(realpathSync(script)));
  // Plug'n'Play has its own places for packages.
  if (folders.some((folder) => existsSync(join(folder, '.pnp.cjs')))) return [];
  const missing = [...importedPackages(text)].find((name) => !isInstalled(name, folders));
  if (missing === undefined) return [];
  const message = `'${script}' imports ${missing}, which is not installed there. Install it: npm install ${missing}`;
  return [{ ...error('missing_package', message), cause: `${missing} is not installed` }];
}

function* importedPackages(text: string): Generator<string> {
  let at = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    at += found?.[0].length ?? 0;
    return found;
  };
  for (;;) {
    read(SKIPPED);
    const found = read(IMPORT);
    if (found === null) return;
    const [name] = PACKAGE.exec(found[1] ?? '') ?? [];
    if (name !== undefined && !isBuiltin(name)) yield name;
  }
}

function isInstalled(name: string, folders: readonly string[]): boolean {
  return folders.some((folder) => existsSync(join(folder, 'node_modules', name)) || nameOf(folder) === name);
}

/** A package may import itself by its name. */
function nameOf(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;
  } catch {
    return undefined;
  }
}
