/** JavaScript packages: the scripts in their manifest, and where their programs are. */
import { dirname, join } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import type { ShellWord } from '../../../shell/read-line.js';
import type { Run } from './commands.js';
import type { ExecutedFiles, Setting } from './executed-files.js';
import { isData } from './kinds-of-files.js';
import { findUp, isFile, pathFrom, readText, upwards } from './places.js';

type Fields = Readonly<Record<string, unknown>>;

/** Undefined if the file does not exist or does not contain an object. */
export function readManifest(path: string): Fields | undefined {
  const text = readText(path);
  const value: unknown = text === undefined ? undefined : parseJsonc(text, [], { allowTrailingComma: true });
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The file that a directory resolves to, as Node finds it. */
export function resolveMain(folder: string, endings: readonly string[], executed: ExecutedFiles): string {
  const manifest = join(folder, 'package.json');
  const main = readManifest(manifest)?.['main'];
  if (isFile(manifest)) executed.addPart(manifest, 'main', main);
  const named = typeof main === 'string' ? [pathFrom(folder, main)] : [];
  const candidates = [...named, join(folder, 'index')].flatMap((path) => [
    path,
    ...endings.map((ending) => path + ending),
    ...endings.map((ending) => join(path, `index${ending}`)),
  ]);
  return candidates.find(isFile) ?? named[0] ?? join(folder, 'index.js');
}

/** Puts `node_modules/.bin`, of this folder and those above, in front of PATH. */
export function withLocalPrograms(setting: Setting, folder: string): Setting {
  const folders = upwards(folder).map((each) => join(each, 'node_modules/.bin'));
  const path = [...folders, setting.variables['PATH'] ?? ''].join(':');
  return { folder, variables: { ...setting.variables, PATH: path }, depth: setting.depth + 1 };
}

/** `npm run name`: the script in the manifest, and its pre and post scripts. */
export function runScript(name: ShellWord | undefined, run: Run, executed: ExecutedFiles): void {
  if (name?.value !== undefined) runScripts([name.value], run, executed);
  else if (name !== undefined) executed.failWord(name);
}

export function runScripts(names: readonly string[], run: Run, executed: ExecutedFiles): void {
  const folder = packageFolder(run, executed);
  if (folder === undefined) return;
  const manifest = join(folder, 'package.json');
  const scripts = scriptsIn(folder);
  addSettings(folder, executed);
  for (const name of names.flatMap((each) => [`pre${each}`, each, `post${each}`])) {
    const line = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    executed.addPart(manifest, `scripts.${name}`, line);
    if (typeof line === 'string') executed.readLine(line, withLocalPrograms(run.setting, folder));
  }
}

/** Config files of the package that affect its runner: another shell, or options for node. */
export function addSettings(folder: string, executed: ExecutedFiles): void {
  const root = dirname(findUp(folder, 'package.json', 'node_modules') ?? join(folder, 'package.json'));
  executed.folders.add(root);
  for (const name of [
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
    'pnpm-workspace.yaml',
    'bunfig.toml',
    '.pnp.cjs',
    '.pnp.loader.mjs',
    'binding.gyp',
  ]) {
    const path = join(root, name);
    if (!isFile(path)) continue;
    executed.add(path, { needed: false, program: false });
    // `yarnPath: .yarn/releases/yarn.cjs`, `script-shell=./x.sh`
    if (/rc(?:\.yml)?$|\.ya?ml$|\.toml$/.test(name))
      for (const [text] of (readText(path) ?? '').matchAll(/[^\s"'=,[\]]+/g)) {
        const named = pathFrom(root, text);
        if (executed.isOurs(named) && isFile(named) && !isData(named))
          executed.add(named, { needed: false, program: false });
      }
  }
}

export function scriptsIn(folder: string): Fields {
  return fieldsOf(readManifest(join(folder, 'package.json'))?.['scripts']);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** `npx @scope/name`: its programs are listed in the manifest of the package. */
export function addInstalled(name: string, folder: string, executed: ExecutedFiles): void {
  const found = upwards(folder)
    .map((each) => join(each, 'node_modules', name))
    .find((each) => isFile(join(each, 'package.json')));
  if (found === undefined || !name.includes('/')) return;
  const bin = readManifest(join(found, 'package.json'))?.['bin'];
  executed.addPart(join(found, 'package.json'), 'bin', bin);
  const files = typeof bin === 'string' ? [bin] : Object.values(fieldsOf(bin));
  for (const file of files) if (typeof file === 'string') executed.addFound([pathFrom(found, file)]);
}

/** The line of a Deno task; undefined if there is no task of this name. */
export function readTask(name: string, folder: string, executed: ExecutedFiles): string | undefined {
  for (const manifest of upwards(folder).flatMap((each) => [
    join(each, 'deno.json'),
    join(each, 'deno.jsonc'),
  ])) {
    if (!isFile(manifest)) continue;
    const task = fieldsOf(readManifest(manifest)?.['tasks'])[name];
    const line = typeof task === 'string' ? task : fieldsOf(task)['command'];
    executed.addPart(manifest, `tasks.${name}`, task);
    if (typeof line === 'string') return line;
  }
  return undefined;
}

/** The nearest folder with a manifest; a missing manifest is recorded. */
export function packageFolder({ folders, program }: Run, executed: ExecutedFiles): string | undefined {
  const [folder] = folders ?? [];
  if (folder === undefined) {
    executed.fail(`Which package \`${program}\` works in is only known when the hook runs`);
    return undefined;
  }
  const manifest = findUp(folder, 'package.json') ?? join(folder, 'package.json');
  if (!isFile(manifest)) executed.add(manifest, { needed: true, program: false });
  executed.folders.add(folder);
  return dirname(manifest);
}
